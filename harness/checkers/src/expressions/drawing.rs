//! Drawing of random expressions.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::choices::Choices;
use super::environment::FIELDS;
use super::expression::{Expression, Macro};
use super::signature::Signature;
use super::signatures::signatures;
use super::types::Type;
use super::value::Value;

/// The deepest nesting: costs stay far below every limit.
const DEEPEST: usize = 4;

/// A field that no object has.
const ABSENT: &str = "absent";

impl Expression {
    /// A random expression of this type.
    pub fn drawn(ty: Type, choices: &mut Choices<'_>) -> Self {
        Drawing { choices, variables: Vec::new() }.expression(ty, DEEPEST)
    }

    /// A random expression of a string: the text of a value of some type.
    pub fn drawn_text(choices: &mut Choices<'_>) -> Self {
        let texts = signatures().iter().filter(|signature| signature.name == "string");
        let texts: Vec<_> = texts.map(Some).chain([None; 3]).collect();
        match choices.one(&texts).flatten() {
            Some(text) => {
                let parts = Drawing { choices, variables: Vec::new() }.parts(&text.parameters, DEEPEST);
                Self::Call(text, parts)
            }
            None => Self::drawn(Type::Text, choices),
        }
    }

    /// The same expression with a part of another type, mostly: it may still have a type.
    pub fn mutated(&self, choices: &mut Choices<'_>) -> Self {
        let at = choices.below(self.nodes().len());
        let ty = choices.one(&Type::ALL).unwrap_or(Type::Bool);
        let part = match choices.below(6) {
            1 => Self::Field(ABSENT),
            _ => Drawing { choices, variables: Vec::new() }.expression(ty, 1),
        };
        self.replaced(at, &part)
    }
}

struct Drawing<'a, 'c> {
    choices: &'a mut Choices<'c>,
    /// The types of the variables of the enclosing macros.
    variables: Vec<Type>,
}

impl Drawing<'_, '_> {
    fn expression(&mut self, ty: Type, depth: usize) -> Expression {
        if depth == 0 || self.choices.is_empty() || self.choices.below(8) == 0 {
            return self.leaf(ty);
        }
        match (self.choices.below(10), ty) {
            (0, _) => Expression::Conditional(self.parts(&[Type::Bool, ty, ty], depth)),
            (1..=3, Type::Bool) => {
                Expression::Logic(self.choices.below(2) == 0, self.parts(&[Type::Bool; 2], depth))
            }
            (4..=5, Type::Bool) => self.quantifier(depth),
            (1..=2, Type::Ints | Type::Texts) => self.list(ty, depth),
            (3, Type::Ints | Type::Texts) => self.over(Macro::Filter, ty, Type::Bool, depth),
            (4..=5, Type::Ints | Type::Texts) => self.map(ty, depth),
            (1.., Type::Counts) => Expression::Map(vec!["a", "b"], self.parts(&[Type::Int; 2], depth)),
            _ => self.call(ty, depth),
        }
    }

    fn parts(&mut self, types: &[Type], depth: usize) -> Vec<Expression> {
        types.iter().map(|ty| self.expression(*ty, depth - 1)).collect()
    }

    fn call(&mut self, ty: Type, depth: usize) -> Expression {
        let fitting: Vec<&Signature> =
            signatures().iter().filter(|signature| signature.result == ty).collect();
        match self.choices.one(&fitting) {
            Some(signature) => Expression::Call(signature, self.parts(&signature.parameters, depth)),
            None => self.leaf(ty),
        }
    }

    fn list(&mut self, ty: Type, depth: usize) -> Expression {
        let item = if ty == Type::Ints { Type::Int } else { Type::Text };
        let length = 1 + self.choices.below(3);
        Expression::List(self.parts(&vec![item; length], depth))
    }

    fn quantifier(&mut self, depth: usize) -> Expression {
        let name = self.choices.one(&[Macro::All, Macro::Exists, Macro::ExistsOne]).unwrap_or(Macro::All);
        let range = self.choices.one(&[Type::Ints, Type::Texts, Type::Counts]).unwrap_or(Type::Ints);
        self.over(name, range, Type::Bool, depth)
    }

    /// Maps have no order, so only lists are mapped.
    fn map(&mut self, ty: Type, depth: usize) -> Expression {
        let range = self.choices.one(&[Type::Ints, Type::Texts]).unwrap_or(Type::Ints);
        self.over(Macro::Map, range, if ty == Type::Ints { Type::Int } else { Type::Text }, depth)
    }

    fn over(&mut self, name: Macro, range: Type, body: Type, depth: usize) -> Expression {
        let (below, items) = (self.variables.len(), self.expression(range, depth - 1));
        self.variables.extend(range.element());
        let body = self.expression(body, depth - 1);
        self.variables.truncate(below);
        Expression::Loop(name, below, vec![items, body])
    }

    /// A variable of an enclosing macro, a field, or a literal.
    fn leaf(&mut self, ty: Type) -> Expression {
        let variables = self.variables.iter().enumerate().filter(|(_, own)| **own == ty);
        let variables: Vec<_> = variables.map(|(depth, _)| Expression::Variable(depth)).collect();
        let fields = FIELDS.iter().filter(|field| field.ty == ty).map(|field| Expression::Field(field.name));
        let mut fields: Vec<_> = fields.collect();
        if ty == Type::Bool {
            let optional = FIELDS.iter().filter(|field| field.is_optional);
            fields.extend(optional.map(|field| Expression::Has(field.name)));
        }
        let named = match self.choices.below(5) {
            0 | 1 => None,
            2 => self.choices.one(&fields),
            _ => self.choices.one(&variables).or_else(|| self.choices.one(&fields)),
        };
        named
            .or_else(|| self.choices.one(literals(ty)).map(Expression::Literal))
            .unwrap_or(Expression::Field(ABSENT))
    }
}

/// The values that literals and fields have, the simplest first: few, so that two of them are often equal.
pub(super) fn literals(ty: Type) -> &'static [Value] {
    static LITERALS: LazyLock<Vec<Vec<Value>>> = LazyLock::new(|| Type::ALL.map(values).to_vec());
    let at = Type::ALL.iter().position(|own| *own == ty).unwrap_or_default();
    &LITERALS[at]
}

fn values(ty: Type) -> Vec<Value> {
    match ty {
        Type::Bool => [false, true].map(Value::Bool).to_vec(),
        Type::Int => [0, 1, 2, -1, 3, -7, 10, i64::MAX, i64::MIN].map(Value::Int).to_vec(),
        Type::Uint => [0, 1, 2, 7, 10, u64::MAX].map(Value::Uint).to_vec(),
        Type::Double => [0.5, 1.0, -1.5, 2.25, 0.0, 1e10, -1e300].map(Value::Double).to_vec(),
        Type::Text => TEXTS.map(Value::text).to_vec(),
        // kube-apiserver reads the URL alphabet of base64: none of these has a character that another one lacks.
        Type::Bytes => {
            [&b"a"[..], b"ab", b"\x80", "é".as_bytes()].map(|bytes| Value::Bytes(bytes.to_vec())).to_vec()
        }
        Type::Timestamp => [0, 951_782_400, 1_735_689_599, 4_102_444_800].map(Value::Timestamp).to_vec(),
        Type::Duration => [0, 1, 90, 3600, 86_399].map(Value::Duration).to_vec(),
        Type::Ints => lists([&[1][..], &[1, 2], &[3, 1, 2], &[2, 2], &[0, i64::MAX]], Value::Int),
        Type::Texts => lists([&["a"][..], &["a", "b"], &["b", "a", "ab"], &["é", "é"]], Value::text),
        Type::Counts => [&[("a", 1)][..], &[("a", 1), ("b", 2)], &[("b", 0), ("é", 7)]].map(map).to_vec(),
    }
}

const TEXTS: [&str; 11] = ["a", "b", "ab", "Ab", "é", "a😀b", "12", "-7", " a ", "a,b,a", ""];

fn lists<T: Copy, const N: usize>(lists: [&[T]; N], value: fn(T) -> Value) -> Vec<Value> {
    lists.map(|items| Value::List(items.iter().copied().map(value).collect())).to_vec()
}

fn map(entries: &[(&str, i64)]) -> Value {
    let entries: BTreeMap<_, _> =
        entries.iter().map(|(key, number)| ((*key).to_owned(), Value::Int(*number))).collect();
    Value::Map(entries)
}
