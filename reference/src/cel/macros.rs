//! The macros, expanded as cel-go expands them: costs are those of the expansion.

use super::ast::{ACCUMULATOR, Entry, Expr, Fold, Kind, Nodes};
use super::issue::Issue;
use super::value::Value;

/// No macro is expanded beyond: a chain of `optMap` doubles the nodes with each link.
const MOST_NODES: usize = 100_000;

/// A call without a receiver.
pub(super) fn function(nodes: &mut Nodes, at: usize, name: &str, mut args: Vec<Expr>) -> Result<Expr, Issue> {
    if name != "has" || args.len() != 1 {
        return Ok(nodes.call(at, name, args));
    }
    match args.pop().map(|arg| arg.kind) {
        Some(Kind::Select(mut select)) if !select.test => {
            select.test = true;
            Ok(nodes.node(at, Kind::Select(select)))
        }
        _ => Err(Issue::new(at, "invalid argument to has() macro")),
    }
}

/// A call with a receiver.
pub(super) fn method(
    nodes: &mut Nodes,
    at: usize,
    name: &str,
    target: Expr,
    args: Vec<Expr>,
) -> Result<Expr, Issue> {
    let Some(shape) = shape(name, args.len()) else { return Ok(nodes.method(at, name, target, args)) };
    let mut args = args.into_iter();
    let mut variables = Vec::new();
    for arg in args.by_ref().take(shape.variables) {
        match arg.kind {
            Kind::Ident(name) if name != ACCUMULATOR && !variables.contains(&name) => variables.push(name),
            Kind::Ident(name) => {
                return Err(Issue::new(arg.at, format!("duplicate variable name: {name}")));
            }
            _ => return Err(Issue::new(arg.at, "argument must be a simple name")),
        }
    }
    let mut variables = variables.into_iter();
    let (variable, second) = (variables.next().unwrap_or_default(), variables.next());
    if nodes.count() > MOST_NODES {
        return Err(Issue::new(at, "expression is too large"));
    }
    let mut expansion = Expansion { nodes, at, name };
    let last = args.next_back();
    let filter = args.next();
    // The shapes have at least one argument after the variables.
    let Some(body) = last else { return Err(Issue::new(at, "invalid number of arguments")) };
    Ok(match shape.kind {
        Shape::Optional(flat) => expansion.optional(target, &variable, body, flat),
        Shape::SortBy => expansion.sort_by(target, &variable, body),
        Shape::Loop => {
            let parts = expansion.parts(&variable, body, filter);
            expansion.fold(target, variable, second, parts)
        }
    })
}

#[derive(Clone, Copy)]
enum Shape {
    Loop,
    /// Whether the body has an optional value itself.
    Optional(bool),
    SortBy,
}

struct MacroShape {
    kind: Shape,
    /// The number of variables.
    variables: usize,
}

fn shape(name: &str, args: usize) -> Option<MacroShape> {
    let (kind, variables) = match (name, args) {
        ("all" | "exists" | "exists_one" | "filter" | "map", 2) | ("map", 3) => (Shape::Loop, 1),
        ("all" | "exists" | "exists_one" | "existsOne", 3)
        | ("transformList" | "transformMap" | "transformMapEntry", 3 | 4) => (Shape::Loop, 2),
        ("optMap", 2) => (Shape::Optional(false), 1),
        ("optFlatMap", 2) => (Shape::Optional(true), 1),
        ("sortBy", 2) => (Shape::SortBy, 1),
        _ => return None,
    };
    Some(MacroShape { kind, variables })
}

/// The first value of the accumulator, the condition to go on, the step, and the result.
type Parts = (Expr, Expr, Expr, Expr);

struct Expansion<'a> {
    nodes: &'a mut Nodes,
    at: usize,
    name: &'a str,
}

impl Expansion<'_> {
    fn literal(&mut self, value: Value) -> Expr {
        self.nodes.literal(self.at, value)
    }

    fn accumulator(&mut self) -> Expr {
        self.nodes.ident(self.at, ACCUMULATOR)
    }

    fn call(&mut self, function: &str, args: Vec<Expr>) -> Expr {
        self.nodes.call(self.at, function, args)
    }

    fn list(&mut self, items: Vec<Expr>) -> Expr {
        self.nodes.list(self.at, items)
    }

    fn parts(&mut self, variable: &str, body: Expr, filter: Option<Expr>) -> Parts {
        match self.name {
            "all" => {
                let accumulator = self.accumulator();
                let condition = self.call("@not_strictly_false", vec![accumulator]);
                let accumulator = self.accumulator();
                let step = self.call("_&&_", vec![accumulator, body]);
                (self.literal(Value::Bool(true)), condition, step, self.accumulator())
            }
            "exists" => {
                let accumulator = self.accumulator();
                let negated = self.call("!_", vec![accumulator]);
                let condition = self.call("@not_strictly_false", vec![negated]);
                let accumulator = self.accumulator();
                let step = self.call("_||_", vec![accumulator, body]);
                (self.literal(Value::Bool(false)), condition, step, self.accumulator())
            }
            "exists_one" | "existsOne" => {
                let (accumulator, one) = (self.accumulator(), self.literal(Value::Int(1)));
                let increased = self.call("_+_", vec![accumulator, one]);
                let accumulator = self.accumulator();
                let step = self.call("_?_:_", vec![body, increased, accumulator]);
                let (accumulator, one) = (self.accumulator(), self.literal(Value::Int(1)));
                let result = self.call("_==_", vec![accumulator, one]);
                (self.literal(Value::Int(0)), self.literal(Value::Bool(true)), step, result)
            }
            "transformMap" | "transformMapEntry" => {
                let mut args = vec![self.accumulator()];
                if self.name == "transformMap" {
                    args.push(self.nodes.ident(self.at, variable));
                }
                args.push(body);
                let step = self.call("cel.@mapInsert", args);
                let init = self.nodes.node(self.at, Kind::Map(Vec::<Entry>::new()));
                self.collected(init, step, filter)
            }
            "filter" => {
                let element = self.nodes.ident(self.at, variable);
                let step = self.appended(element);
                let init = self.list(Vec::new());
                self.collected(init, step, Some(body))
            }
            _ => {
                let step = self.appended(body);
                let init = self.list(Vec::new());
                self.collected(init, step, filter)
            }
        }
    }

    fn appended(&mut self, element: Expr) -> Expr {
        let (accumulator, list) = (self.accumulator(), self.list(vec![element]));
        self.call("_+_", vec![accumulator, list])
    }

    fn collected(&mut self, init: Expr, mut step: Expr, filter: Option<Expr>) -> Parts {
        if let Some(filter) = filter {
            let accumulator = self.accumulator();
            step = self.call("_?_:_", vec![filter, step, accumulator]);
        }
        (init, self.literal(Value::Bool(true)), step, self.accumulator())
    }

    fn fold(&mut self, range: Expr, variable: String, second: Option<String>, parts: Parts) -> Expr {
        let (init, condition, step, result) = parts;
        let (name, accumulator) = (self.name.to_owned(), ACCUMULATOR.to_owned());
        let fold = Fold { name, range, variable, second, accumulator, init, condition, step, result };
        self.nodes.node(self.at, Kind::Fold(Box::new(fold)))
    }

    /// A variable with a value, as a loop that never runs.
    fn bind(&mut self, variable: &str, value: Expr, body: Expr) -> Expr {
        let fold = Fold {
            name: self.name.to_owned(),
            range: self.list(Vec::new()),
            variable: "#unused".to_owned(),
            second: None,
            accumulator: variable.to_owned(),
            init: value,
            condition: self.literal(Value::Bool(false)),
            step: self.nodes.ident(self.at, variable),
            result: body,
        };
        self.nodes.node(self.at, Kind::Fold(Box::new(fold)))
    }

    fn optional(&mut self, target: Expr, variable: &str, body: Expr, flat: bool) -> Expr {
        let copy = self.nodes.copy(&target);
        let value = self.nodes.method(self.at, "value", copy, Vec::new());
        let mut present = self.bind(variable, value, body);
        if !flat {
            present = self.call("optional.of", vec![present]);
        }
        let has_value = self.nodes.method(self.at, "hasValue", target, Vec::new());
        let none = self.call("optional.none", Vec::new());
        self.call("_?_:_", vec![has_value, present, none])
    }

    fn sort_by(&mut self, target: Expr, variable: &str, key: Expr) -> Expr {
        const INPUT: &str = "@__sortBy_input__";
        let range = self.nodes.ident(self.at, INPUT);
        let step = self.appended(key);
        let init = self.list(Vec::new());
        let parts = self.collected(init, step, None);
        let keys = self.fold(range, variable.to_owned(), None, parts);
        let input = self.nodes.ident(self.at, INPUT);
        let sorted = self.nodes.method(self.at, "@sortByAssociatedKeys", input, vec![keys]);
        self.bind(INPUT, target, sorted)
    }
}
