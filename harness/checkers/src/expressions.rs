//! Random typed expressions of CEL, with a small evaluator and a type checker of their own. Pure: it sends nothing.
//!
//! An [`Expression`] is drawn for a type, over the fields of an [`Environment`], and is its own text. The model is
//! written from the language definition and shares no line with the reference server. Where the text leaves a result
//! open, or releases differ, the model says so ([`NoValue::Open`], [`NoType::Open`]), and nobody judges.

mod calendar;
mod checker;
mod choices;
mod collections;
mod drawing;
mod environment;
mod evaluator;
mod expression;
mod numbers;
mod shrinking;
mod signature;
mod signatures;
#[cfg(test)]
mod tests;
mod texts;
mod times;
mod types;
mod value;

pub use checker::NoType;
pub use choices::Choices;
pub use environment::{Environment, FIELDS, Field};
pub use expression::Expression;
pub use types::Type;
pub use value::{Evaluated, NoValue, Value};
