//! The estimated cost of an expression in the worst case, as cel-go and kube-apiserver calculate it.

mod sizes;

use std::collections::HashMap;

use super::ast::{ACCUMULATOR, Call, Expr, Fold, Kind};
use super::checker::Checked;
use super::cost::Range;
use super::deviation::{Check, Deviations};
use super::estimate_call::{CallEstimate, Node};
use super::schema_types::Declared;
use super::types::Type;

/// The cost of a variable, or of a selected field.
const READ: Range = Range::fixed(1);
const LIST: Range = Range::fixed(10);
const MAP: Range = Range::fixed(30);
const MESSAGE: Range = Range::fixed(40);

/// The sizes of the keys and values of a list or map.
#[derive(Debug, Clone, Copy)]
pub(super) struct EntrySize {
    is_list: bool,
    key: Range,
    value: Range,
}

impl EntrySize {
    fn union(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        let (one, other) = (one?, other?);
        Some(Self { key: one.key.union(other.key), value: one.value.union(other.value), ..one })
    }
}

/// A variable of a macro.
struct Local {
    name: String,
    path: Vec<String>,
    size: Option<Range>,
    entry: Option<EntrySize>,
}

/// The cost of an expression whose variables have the declared type.
pub(super) fn estimate(expr: &Expr, checked: &Checked, root: &Declared, deviations: &Deviations) -> u64 {
    let mut estimator = Estimator {
        checked,
        root,
        deviations,
        paths: HashMap::new(),
        locals: Vec::new(),
        sizes: HashMap::new(),
        entries: HashMap::new(),
    };
    estimator.cost(expr).max
}

pub(super) struct Estimator<'a> {
    pub(super) checked: &'a Checked,
    root: &'a Declared,
    pub(super) deviations: &'a Deviations,
    /// The fields that a node reads, beginning with the variable.
    paths: HashMap<usize, Vec<String>>,
    locals: Vec<Local>,
    sizes: HashMap<usize, Range>,
    entries: HashMap<usize, EntrySize>,
}

impl Estimator<'_> {
    fn cost(&mut self, expr: &Expr) -> Range {
        match &expr.kind {
            Kind::Literal(_) => Range::fixed(0),
            Kind::Ident(name) => {
                let path = self.local(name).map_or_else(|| vec![name.clone()], |local| local.path.clone());
                self.paths.insert(expr.id, path);
                READ
            }
            Kind::Select(select) => {
                let operand = self.cost(&select.operand);
                if select.test {
                    return operand;
                }
                let ty = &self.checked.types[select.operand.id];
                let reads = matches!(ty, Type::Map(..) | Type::Object(_));
                let mut path = self.path(&select.operand);
                path.push(select.field.clone());
                self.paths.insert(expr.id, path);
                if reads { operand + READ } else { operand }
            }
            Kind::Call(call) => self.call(expr, call),
            Kind::List(items) => {
                let mut sum = self.literal_cost(LIST);
                let mut value = if items.is_empty() { Range::fixed(0) } else { Range::NONE };
                for item in items {
                    sum = sum + self.cost(&item.value);
                    value = value.union(self.size_or_unknown(&item.value));
                }
                self.entries.insert(expr.id, EntrySize { is_list: true, key: Range::fixed(1), value });
                sum
            }
            Kind::Map(entries) => {
                let mut sum = self.literal_cost(MAP);
                let start = if entries.is_empty() { Range::fixed(0) } else { Range::NONE };
                let (mut key, mut value) = (start, start);
                for entry in entries {
                    sum = sum + self.cost(&entry.key) + self.cost(&entry.value);
                    key = key.union(self.size_or_unknown(&entry.key));
                    value = value.union(self.size_or_unknown(&entry.value));
                }
                self.entries.insert(expr.id, EntrySize { is_list: false, key, value });
                sum
            }
            Kind::Message(_, fields) => fields.iter().fold(MESSAGE, |sum, (_, value)| sum + self.cost(value)),
            Kind::Fold(fold) if fold.accumulator != ACCUMULATOR => self.bound(expr, fold),
            Kind::Fold(fold) => self.fold(expr, fold),
        }
    }

    fn literal_cost(&self, cost: Range) -> Range {
        if self.deviations.checks_skipped(Check::LiteralCost) { Range::fixed(0) } else { cost }
    }

    fn local(&self, name: &str) -> Option<&Local> {
        self.locals.iter().rev().find(|local| local.name == name)
    }

    fn path(&self, expr: &Expr) -> Vec<String> {
        if let Kind::Ident(name) = &expr.kind
            && let Some(local) = self.local(name)
        {
            return local.path.clone();
        }
        self.paths.get(&expr.id).cloned().unwrap_or_default()
    }

    fn call(&mut self, expr: &Expr, call: &Call) -> Range {
        let costs: Vec<Range> = call.args.iter().map(|arg| self.cost(arg)).collect();
        let args = costs.iter().fold(Range::fixed(0), |sum, cost| sum + *cost);
        if call.function == "dyn" {
            call.args.first().into_iter().for_each(|arg| self.copy_sizes(expr, arg));
            return Range::fixed(1) + args;
        }
        let is_comparison = matches!(call.function.as_str(), "_<_" | "_<=_" | "_>_" | "_>=_");
        if is_comparison && self.deviations.checks_skipped(Check::ComparisonCost) {
            return Range::fixed(0);
        }
        let is_equality = matches!(call.function.as_str(), "_==_" | "_!=_");
        if is_equality && self.deviations.checks_skipped(Check::EqualityCost) {
            return Range::fixed(1);
        }
        let target = call.target.as_ref().map_or(Range::fixed(0), |target| self.cost(target));
        let nodes: Vec<Node> = call.target.iter().chain(&call.args).map(|arg| self.node(arg)).collect();
        match call.function.as_str() {
            "_&&_" | "_||_" => {
                let cost = Range { min: costs[0].min, max: (costs[0] + costs[1]).max };
                let size = self.size(expr);
                self.set_size(expr, size);
                return target + cost;
            }
            "_?_:_" => {
                let entry = EntrySize::union(self.entry(&call.args[1]), self.entry(&call.args[2]));
                self.set_entry(expr, entry);
                let size = self.size_or_unknown(&call.args[1]).union(self.size_or_unknown(&call.args[2]));
                self.set_size(expr, Some(size));
                return target + costs[0] + costs[1].union(costs[2]);
            }
            "_+_" if nodes.iter().all(Node::has_length) => {
                let entry = EntrySize::union(self.entry(&call.args[0]), self.entry(&call.args[1]));
                self.set_entry(expr, entry);
            }
            _ => {}
        }
        let overloads = self.checked.overloads.get(&expr.id).map(Vec::as_slice).unwrap_or_default();
        let mut cost = Range::NONE;
        let mut size: Option<Range> = None;
        for overload in overloads {
            let CallEstimate { cost: own, size: own_size } = self.call_cost(call, overload, &nodes);
            cost = cost.union(own + args);
            size = match (size, own_size) {
                (Some(before), Some(own)) => Some(before.union(own)),
                (before, own) => own.or(before),
            };
            if call.function == "_[_]" {
                let part = match &overload.args[0] {
                    Type::List(_) => Some("@items"),
                    Type::Map(..) => Some("@values"),
                    _ => None,
                };
                if let Some(part) = part {
                    size = self.entry(&call.args[0]).map(|entry| entry.value);
                    let mut path = self.path(&call.args[0]);
                    path.push(part.to_owned());
                    self.paths.insert(expr.id, path);
                }
            }
            size = size.or_else(|| self.size(expr));
        }
        self.set_size(expr, size);
        if overloads.is_empty() { target } else { target + cost }
    }

    fn fold(&mut self, expr: &Expr, fold: &Fold) -> Range {
        let mut sum = self.cost(&fold.range) + self.cost(&fold.init);
        self.push_value(&fold.accumulator, &fold.init);
        let is_list = match self.entry(&fold.range) {
            Some(entry) => entry.is_list,
            None => matches!(self.checked.types[fold.range.id], Type::List(_)),
        };
        let depth = self.locals.len();
        match &fold.second {
            Some(second) => {
                self.push_part(&fold.variable, fold, if is_list { "@indices" } else { "@keys" }, true);
                self.push_part(second, fold, if is_list { "@items" } else { "@values" }, false);
            }
            None => self.push_part(&fold.variable, fold, if is_list { "@items" } else { "@keys" }, !is_list),
        }
        let condition = self.cost(&fold.condition);
        let step = self.cost(&fold.step);
        self.locals.truncate(depth);
        sum = sum + self.cost(&fold.result);
        self.locals.pop();
        let count = self.size_or_unknown(&fold.range);
        match &fold.init.kind {
            Kind::Literal(_) => {
                let size = self.size(&fold.init);
                self.set_size(expr, size);
            }
            Kind::List(_) | Kind::Map(_) => {
                self.set_size(expr, Some(count));
                let entry = self.entry(&fold.step);
                self.set_entry(expr, entry);
            }
            _ => {}
        }
        sum + count.times(step + condition)
    }

    /// The value of `optMap` and its like.
    fn bound(&mut self, expr: &Expr, fold: &Fold) -> Range {
        let sum = self.cost(&fold.range) + self.cost(&fold.init);
        self.push_value(&fold.accumulator, &fold.init);
        let result = self.cost(&fold.result);
        self.locals.pop();
        self.copy_sizes(expr, &fold.result);
        sum + result
    }

    fn push_value(&mut self, name: &str, value: &Expr) {
        let (path, size, entry) = (self.path(value), self.size(value), self.entry(value));
        self.locals.push(Local { name: name.to_owned(), path, size, entry });
    }

    fn push_part(&mut self, name: &str, fold: &Fold, part: &str, is_key: bool) {
        let size = self.entry(&fold.range).map(|entry| if is_key { entry.key } else { entry.value });
        let mut path = self.path(&fold.range);
        path.push(part.to_owned());
        self.locals.push(Local { name: name.to_owned(), path, size, entry: None });
    }

    fn node(&mut self, expr: &Expr) -> Node {
        let mut path = self.path(expr);
        if path.first().is_some_and(|root| root == ACCUMULATOR) {
            path.clear();
        }
        let literal = match &expr.kind {
            Kind::Literal(value) => Some(value.clone()),
            _ => None,
        };
        Node { ty: self.checked.types[expr.id].clone(), size: self.size(expr), path, literal }
    }
}
