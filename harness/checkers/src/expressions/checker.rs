//! The types of expressions.

use super::choices::Choices;
use super::environment::{Environment, FIELDS};
use super::expression::{Expression, Macro};
use super::signature::Signature;
use super::signatures::signatures;
use super::types::Type;
use super::value::Value;

/// Why an expression has no type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoType {
    /// No signature fits its parts: a server must refuse it.
    Wrong,
    /// The language has more types and signatures than this model.
    Open,
}

type Checked = Result<Type, NoType>;

/// Where a part stands.
struct Scope {
    /// The types of the variables of the enclosing macros.
    variables: Vec<Type>,
    is_exact: bool,
}

impl Expression {
    /// The type of the expression.
    pub fn type_of(&self) -> Checked {
        self.check(&mut Scope { variables: Vec::new(), is_exact: false })
    }

    /// The type, if each call has the signature for its arguments: another one would not evaluate it.
    pub(super) fn exact_type(&self) -> Checked {
        self.check(&mut Scope { variables: Vec::new(), is_exact: true })
    }

    /// Whether a conversion of a constant fails. A server may find that out when it compiles.
    pub fn has_failing_constant(&self) -> bool {
        let nothing = Environment::drawn(&mut Choices::new(&[]));
        self.nodes().into_iter().any(|node| node.is_converted_constant() && node.evaluate(&nothing).is_err())
    }

    fn is_converted_constant(&self) -> bool {
        let Self::Call(signature, arguments) = self else { return false };
        // The text of a negated literal is a literal.
        let is_constant = |part: &Self| match part {
            Self::Literal(_) => true,
            Self::Call(sign, _) if sign.is_sign() => matches!(part.parts(), [Self::Literal(_)]),
            _ => part.is_converted_constant(),
        };
        signature.is_conversion() && arguments.iter().all(is_constant)
    }

    fn check(&self, scope: &mut Scope) -> Checked {
        match (self, self.parts()) {
            (Self::Literal(value), _) => type_of(value).ok_or(NoType::Open),
            (Self::Field(name) | Self::Has(name), _) => {
                let field = FIELDS.iter().find(|field| field.name == *name).ok_or(NoType::Wrong)?;
                Ok(if matches!(self, Self::Has(_)) { Type::Bool } else { field.ty })
            }
            (Self::Variable(depth), _) => scope.variables.get(*depth).copied().ok_or(NoType::Wrong),
            (Self::Loop(name, depth, _), [range, body]) => loop_type(*name, *depth, [range, body], scope),
            (_, parts) => {
                let types = all_of(parts.iter().map(|part| part.check(scope)))?;
                match self {
                    Self::Call(signature, _) if scope.is_exact && signature.parameters != types => {
                        Err(NoType::Wrong)
                    }
                    _ => self.of_parts(&types),
                }
            }
        }
    }

    fn of_parts(&self, parts: &[Type]) -> Checked {
        let is_uniform = |parts: &[Type]| parts.windows(2).all(|pair| pair[0] == pair[1]);
        match (self, parts) {
            (Self::Logic(..), [Type::Bool, Type::Bool]) => Ok(Type::Bool),
            (Self::Conditional(_), [Type::Bool, yes, no]) if yes == no => Ok(*yes),
            (Self::List(_), [first, ..]) if is_uniform(parts) => first.list().ok_or(NoType::Open),
            (Self::Map(..), [Type::Int, ..]) if is_uniform(parts) => Ok(Type::Counts),
            (Self::Map(..), _) if is_uniform(parts) => Err(NoType::Open),
            (Self::Call(signature, _), _) => call_type(signature, parts),
            _ => Err(NoType::Wrong),
        }
    }
}

/// The types of all parts; one that is wrong makes the whole wrong.
fn all_of(parts: impl Iterator<Item = Checked>) -> Result<Vec<Type>, NoType> {
    let parts: Vec<_> = parts.collect();
    if parts.contains(&Err(NoType::Wrong)) {
        return Err(NoType::Wrong);
    }
    parts.into_iter().collect()
}

fn call_type(called: &Signature, arguments: &[Type]) -> Checked {
    let fits = |signature: &&Signature| {
        (signature.name, signature.notation) == (called.name, called.notation)
            && signature.parameters == arguments
    };
    if let Some(found) = signatures().iter().find(fits) {
        return Ok(found.result);
    }
    // kube-apiserver has further conversions, and compares numbers of different types.
    let numbers = arguments.iter().all(|ty| ty.is_number());
    Err(if called.is_conversion() || (called.is_order() && numbers) { NoType::Open } else { NoType::Wrong })
}

fn loop_type(name: Macro, depth: usize, [range, body]: [&Expression; 2], scope: &mut Scope) -> Checked {
    let range = range.check(scope)?;
    let element = range.element().ok_or(NoType::Wrong)?;
    scope.variables.truncate(depth);
    scope.variables.push(element);
    let body = body.check(scope);
    scope.variables.truncate(depth);
    match (name, range, body?) {
        (Macro::All | Macro::Exists | Macro::ExistsOne, _, Type::Bool) => Ok(Type::Bool),
        (Macro::Filter, range, Type::Bool) => {
            element.list().filter(|list| *list == range).ok_or(NoType::Open)
        }
        (Macro::Map, Type::Ints | Type::Texts, body) => body.list().ok_or(NoType::Open),
        (Macro::Map, ..) => Err(NoType::Open),
        _ => Err(NoType::Wrong),
    }
}

/// The type of a value; an empty list has any.
fn type_of(value: &Value) -> Option<Type> {
    Some(match value {
        Value::Bool(_) => Type::Bool,
        Value::Int(_) => Type::Int,
        Value::Uint(_) => Type::Uint,
        Value::Double(_) => Type::Double,
        Value::Text(_) => Type::Text,
        Value::Bytes(_) => Type::Bytes,
        Value::Timestamp(_) => Type::Timestamp,
        Value::Duration(_) => Type::Duration,
        Value::List(items) => return items.first().and_then(type_of).and_then(Type::list),
        Value::Map(_) => Type::Counts,
    })
}
