//! Expressions and their texts.

use std::fmt::{self, Display};

use super::signature::{Notation, Signature};
use super::value::Value;

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Expression {
    /// A literal.
    Literal(Value),
    /// A field of `self`.
    Field(&'static str),
    /// Whether `self` has a field.
    Has(&'static str),
    /// The variable of the enclosing macro at this depth.
    Variable(usize),
    /// `&&` (false decides) or `||` (true decides).
    Logic(bool, Vec<Expression>),
    /// The conditional operator.
    Conditional(Vec<Expression>),
    /// A list.
    List(Vec<Expression>),
    /// A map whose keys are literals.
    Map(Vec<&'static str>, Vec<Expression>),
    /// An operator or function.
    Call(&'static Signature, Vec<Expression>),
    /// A macro at this depth: over a list or map, with a body.
    Loop(Macro, usize, Vec<Expression>),
}

/// A macro over a list or map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Macro {
    /// `all`
    All,
    /// `exists`
    Exists,
    /// `exists_one`
    ExistsOne,
    /// `filter`
    Filter,
    /// `map`
    Map,
}

impl Macro {
    fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Exists => "exists",
            Self::ExistsOne => "exists_one",
            Self::Filter => "filter",
            Self::Map => "map",
        }
    }
}

impl Expression {
    /// The parts of an expression.
    pub(super) fn parts(&self) -> &[Self] {
        match self {
            Self::Literal(_) | Self::Field(_) | Self::Has(_) | Self::Variable(_) => &[],
            Self::Logic(_, parts)
            | Self::Conditional(parts)
            | Self::List(parts)
            | Self::Map(_, parts)
            | Self::Call(_, parts)
            | Self::Loop(_, _, parts) => parts,
        }
    }

    /// The same expression with other parts.
    fn with_parts(&self, new: Vec<Self>) -> Self {
        let mut copy = self.clone();
        match &mut copy {
            Self::Literal(_) | Self::Field(_) | Self::Has(_) | Self::Variable(_) => {}
            Self::Logic(_, parts)
            | Self::Conditional(parts)
            | Self::List(parts)
            | Self::Map(_, parts)
            | Self::Call(_, parts)
            | Self::Loop(_, _, parts) => *parts = new,
        }
        copy
    }

    /// The expression and all its parts, the outermost first.
    pub(super) fn nodes(&self) -> Vec<&Self> {
        let below = self.parts().iter().flat_map(Self::nodes);
        std::iter::once(self).chain(below).collect()
    }

    /// The same expression with another one in place of its node of this index.
    pub(super) fn replaced(&self, mut at: usize, new: &Self) -> Self {
        if at == 0 {
            return new.clone();
        }
        at -= 1;
        let mut parts = self.parts().to_vec();
        for part in &mut parts {
            let size = part.nodes().len();
            if at < size {
                *part = part.replaced(at, new);
                break;
            }
            at -= size;
        }
        self.with_parts(parts)
    }

    /// The names of the fields that the expression reads.
    pub fn fields(&self) -> Vec<&'static str> {
        let names = self.nodes().into_iter().filter_map(|node| match node {
            Self::Field(name) | Self::Has(name) => Some(*name),
            _ => None,
        });
        names.collect()
    }

    /// How tightly the outermost operator binds.
    fn precedence(&self) -> u8 {
        match self {
            Self::Conditional(_) => 1,
            Self::Logic(true, _) => 2,
            Self::Logic(false, _) => 3,
            Self::Call(signature, _) => signature.precedence(),
            // A sign is an operator to readers of the text.
            Self::Literal(value) if value.to_string().starts_with('-') => Signature::UNARY,
            _ => Signature::TIGHTEST,
        }
    }

    /// The text as an operand of an operator that binds this tightly.
    fn operand(&self, precedence: u8) -> String {
        if self.precedence() < precedence { format!("({self})") } else { self.to_string() }
    }
}

fn list(parts: &[Expression]) -> String {
    parts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// The text has the parentheses that it needs, and no others: precedence is a part of the language.
impl Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let own = self.precedence();
        match (self, self.parts()) {
            (Self::Literal(value), _) => write!(f, "{value}"),
            (Self::Field(name), _) => write!(f, "self.{name}"),
            (Self::Has(name), _) => write!(f, "has(self.{name})"),
            (Self::Variable(depth), _) => write!(f, "v{depth}"),
            (Self::Logic(decides, _), [left, right]) => {
                let operator = if *decides { "||" } else { "&&" };
                write!(f, "{} {operator} {}", left.operand(own), right.operand(own + 1))
            }
            (Self::Conditional(_), [condition, yes, no]) => {
                write!(f, "{} ? {} : {no}", condition.operand(own + 1), yes.operand(own + 1))
            }
            (Self::List(_), items) => write!(f, "[{}]", list(items)),
            (Self::Map(keys, _), values) => {
                let entries: Vec<_> =
                    keys.iter().zip(values).map(|(key, value)| format!("'{key}': {value}")).collect();
                write!(f, "{{{}}}", entries.join(", "))
            }
            (Self::Loop(name, depth, _), [range, body]) => {
                write!(f, "{}.{}(v{depth}, {body})", range.operand(Signature::TIGHTEST), name.name())
            }
            (Self::Call(signature, _), arguments) => write_call(f, signature, arguments),
            _ => Ok(()),
        }
    }
}

fn write_call(f: &mut fmt::Formatter<'_>, signature: &Signature, arguments: &[Expression]) -> fmt::Result {
    let (name, own) = (signature.name, signature.precedence());
    match (signature.notation, arguments) {
        (Notation::Prefix, [operand]) => write!(f, "{name}{}", operand.operand(own + 1)),
        (Notation::Infix, [left, right]) => {
            write!(f, "{} {name} {}", left.operand(own), right.operand(own + 1))
        }
        (Notation::Index, [operand, index]) => write!(f, "{}[{index}]", operand.operand(own)),
        (Notation::Method, [receiver, arguments @ ..]) => {
            write!(f, "{}.{name}({})", receiver.operand(own), list(arguments))
        }
        _ => write!(f, "{name}({})", list(arguments)),
    }
}
