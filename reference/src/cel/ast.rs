//! The tree of an expression, in which macros are expanded.

use super::value::Value;

/// A node with its identity and position.
#[derive(Debug, Clone)]
pub(super) struct Expr {
    /// The identity: the index of the node's type.
    pub(super) id: usize,
    /// The position in the text, in characters.
    pub(super) at: usize,
    pub(super) kind: Kind,
}

/// What a node is.
#[derive(Debug, Clone)]
pub(super) enum Kind {
    Literal(Value),
    Ident(String),
    Select(Box<Select>),
    Call(Box<Call>),
    /// The items; an optional item is left out if it has no value.
    List(Vec<Item>),
    Map(Vec<Entry>),
    /// A message with a type name: only JSON patches have some.
    Message(String, Vec<(String, Expr)>),
    Fold(Box<Fold>),
}

/// A field of an operand, or the test whether it exists.
#[derive(Debug, Clone)]
pub(super) struct Select {
    pub(super) operand: Expr,
    pub(super) field: String,
    pub(super) test: bool,
}

/// A call of a function, method or operator.
#[derive(Debug, Clone)]
pub(super) struct Call {
    pub(super) function: String,
    pub(super) target: Option<Expr>,
    pub(super) args: Vec<Expr>,
}

#[derive(Debug, Clone)]
pub(super) struct Item {
    pub(super) value: Expr,
    pub(super) optional: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) key: Expr,
    pub(super) value: Expr,
    pub(super) optional: bool,
}

/// A loop over a list or map: the expansion of a macro.
#[derive(Debug, Clone)]
pub(super) struct Fold {
    /// The macro, for faults.
    pub(super) name: String,
    pub(super) range: Expr,
    pub(super) variable: String,
    /// The element or value of a macro with two variables.
    pub(super) second: Option<String>,
    pub(super) accumulator: String,
    pub(super) init: Expr,
    pub(super) condition: Expr,
    pub(super) step: Expr,
    pub(super) result: Expr,
}

/// The accumulator of the standard macros.
pub(super) const ACCUMULATOR: &str = "@result";

/// The source of new nodes.
#[derive(Debug, Default)]
pub(super) struct Nodes {
    count: usize,
}

impl Nodes {
    /// The number of nodes so far.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    pub(super) fn node(&mut self, at: usize, kind: Kind) -> Expr {
        let id = self.count;
        self.count += 1;
        Expr { id, at, kind }
    }

    pub(super) fn literal(&mut self, at: usize, value: Value) -> Expr {
        self.node(at, Kind::Literal(value))
    }

    pub(super) fn ident(&mut self, at: usize, name: &str) -> Expr {
        self.node(at, Kind::Ident(name.to_owned()))
    }

    /// A call without a receiver, also of an operator.
    pub(super) fn call(&mut self, at: usize, function: &str, args: Vec<Expr>) -> Expr {
        self.node(at, Kind::Call(Box::new(Call { function: function.to_owned(), target: None, args })))
    }

    pub(super) fn method(&mut self, at: usize, function: &str, target: Expr, args: Vec<Expr>) -> Expr {
        let call = Call { function: function.to_owned(), target: Some(target), args };
        self.node(at, Kind::Call(Box::new(call)))
    }

    /// A list of required items.
    pub(super) fn list(&mut self, at: usize, items: Vec<Expr>) -> Expr {
        let items = items.into_iter().map(|value| Item { value, optional: false }).collect();
        self.node(at, Kind::List(items))
    }

    /// A copy with new identities.
    pub(super) fn copy(&mut self, expr: &Expr) -> Expr {
        let mut copy = expr.clone();
        self.renumber(&mut copy);
        copy
    }

    fn renumber(&mut self, expr: &mut Expr) {
        expr.id = self.count;
        self.count += 1;
        expr.for_each_child(&mut |child| self.renumber(child));
    }
}

impl Expr {
    /// The names of a chain of fields, such as `a.b.c`.
    pub(super) fn qualified_name(&self) -> Option<String> {
        match &self.kind {
            Kind::Ident(name) => Some(name.clone()),
            Kind::Select(select) if !select.test => {
                Some(format!("{}.{}", select.operand.qualified_name()?, select.field))
            }
            _ => None,
        }
    }

    pub(super) fn for_each_child(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        match &mut self.kind {
            Kind::Literal(_) | Kind::Ident(_) => {}
            Kind::Select(select) => visit(&mut select.operand),
            Kind::Call(call) => call.target.iter_mut().chain(&mut call.args).for_each(visit),
            Kind::List(items) => items.iter_mut().for_each(|item| visit(&mut item.value)),
            Kind::Map(entries) => entries.iter_mut().for_each(|entry| {
                visit(&mut entry.key);
                visit(&mut entry.value);
            }),
            Kind::Message(_, fields) => fields.iter_mut().for_each(|(_, value)| visit(value)),
            Kind::Fold(fold) => {
                let Fold { range, init, condition, step, result, .. } = &mut **fold;
                [range, init, condition, step, result].into_iter().for_each(visit);
            }
        }
    }
}
