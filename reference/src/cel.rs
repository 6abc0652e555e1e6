//! CEL: the language of validation rules and admission policies.
//!
//! An expression is parsed ([`parser`]; macros are expanded, [`macros`]), checked against the types of its variables
//! ([`checker`], [`declarations`]), and evaluated with the cost of each step ([`evaluator`]). [`estimate`] has the
//! worst case of that cost. All four follow cel-go, because the limits of kube-apiserver are limits of that cost.
//! [`rules`] applies them to custom resources. A fault is a list of [`deviation`]s.

mod ast;
mod checker;
mod cost;
mod declarations;
pub(crate) mod deviation;
pub(crate) mod escaping;
mod estimate;
mod estimate_call;
pub(crate) mod evaluator;
mod issue;
mod lexer;
pub(crate) mod library;
mod literals;
mod macros;
pub(crate) mod operators;
mod parser;
pub(crate) mod rules;
mod runtime_cost;
pub(crate) mod schema_types;
#[cfg(test)]
mod tests;
pub(crate) mod types;
pub(crate) mod value;
pub(crate) mod work;

pub(crate) use checker::Environment;
pub(crate) use library::time::format_duration;

use std::borrow::Cow;

use ast::Expr;
use checker::Checked;
use declarations::{DECLARATIONS, Declarations, declare};
use deviation::{Check, Deviation, Deviations};
use evaluator::{Evaluated, Evaluator};
use library::authorizer::Decide;
use schema_types::Declared;
use types::Type;
use value::Value;
use work::Work;

/// The cost that an evaluation may have.
pub(crate) const EVALUATION_LIMIT: u64 = 1_000_000;

/// An expression with its types.
#[derive(Debug)]
pub(crate) struct Program {
    expr: Expr,
    checked: Checked,
}

/// The result and the cost of an evaluation.
pub(crate) struct Outcome {
    pub(crate) value: Evaluated,
    pub(crate) cost: u64,
}

impl Program {
    /// Compiles an expression; `Err` has the errors with their places in the text.
    pub(crate) fn compile(
        text: &str,
        environment: &Environment,
        deviations: &Deviations,
    ) -> Result<Self, String> {
        let text = deviations.read(text);
        let described = |issues: &[issue::Issue]| issue::describe(&text, issues);
        let (mut expr, nodes) =
            parser::parse(&text, &|name| deviations.called(name)).map_err(|issue| described(&[issue]))?;
        let declarations = declarations(deviations);
        let mut environment = Cow::Borrowed(environment);
        for check in [Check::Variables, Check::Fields, Check::Homogeneous] {
            if deviations.checks_skipped(check) {
                environment.to_mut().unchecked.push(check);
            }
        }
        let checked = match checker::check(&mut expr, nodes.count(), &environment, &declarations) {
            Ok(checked) => checked,
            Err(_) if deviations.checks_skipped(Check::Types) => {
                Checked { types: vec![Type::Dyn; nodes.count()], ..Checked::default() }
            }
            Err(issues) => return Err(described(&issues)),
        };
        let invalid = literals::issues(&mut expr);
        if !invalid.is_empty() && !deviations.checks_skipped(Check::Literals) {
            return Err(described(&invalid));
        }
        Ok(Self { expr, checked })
    }

    /// The static type of the value.
    pub(crate) fn ty(&self) -> &Type {
        &self.checked.types[self.expr.id]
    }

    /// Whether the expression reads a variable.
    pub(crate) fn reads(&self, variable: &str) -> bool {
        self.checked.reads.contains(variable)
    }

    /// The cost in the worst case of variables with this type.
    pub(crate) fn estimated_cost(&self, root: &Declared, deviations: &Deviations) -> u64 {
        estimate::estimate(&self.expr, &self.checked, root, deviations)
    }

    /// Evaluates the expression, up to a limit of its cost, and with the work that is left.
    pub(crate) fn evaluate(
        &self,
        variables: Vec<(String, Value)>,
        limit: u64,
        decide: Option<Decide<'_>>,
        deviations: &Deviations,
        work: &Work,
    ) -> Outcome {
        let mut evaluator = Evaluator { deviations, decide, variables, cost: 0, limit, work };
        let value = evaluator.eval(&self.expr);
        Outcome { value, cost: evaluator.cost }
    }
}

fn declarations(deviations: &Deviations) -> Cow<'static, Declarations> {
    let added = deviations.0.iter().filter_map(|deviation| match deviation {
        Deviation::Declares(line) => Some(*line),
        _ => None,
    });
    let mut all = Cow::Borrowed(&*DECLARATIONS);
    for line in added {
        declare(all.to_mut(), line);
    }
    if deviations.checks_skipped(Check::CrossTypes) {
        for operator in ["_<_", "_<=_", "_>_", "_>=_"] {
            if let Some(overloads) = all.to_mut().get_mut(operator) {
                overloads.retain(|overload| overload.args[0] == overload.args[1]);
            }
        }
    }
    all
}
