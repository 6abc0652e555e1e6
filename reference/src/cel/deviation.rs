//! What a fault changes in expressions.

use serde_json::Value as Json;

use super::evaluator::Evaluated;
use super::value::Value;

/// One change of the language, a library, the types, or the enforcement of rules.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Deviation {
    /// A function, operator or macro returns another value, given its arguments and the right value.
    Returns(&'static str, fn(&[Value], Evaluated) -> Evaluated),
    /// A name calls another function or macro.
    Calls(&'static str, &'static str),
    /// A function or macro does not exist.
    Lacks(&'static str),
    /// A further signature exists.
    Declares(&'static str),
    /// Rules see a part of the schema as another one.
    Sees(fn(&mut Json)),
    /// The server compiles another text than that of the expression.
    Reads(fn(&str) -> String),
    /// A check does not happen.
    Skips(Check),
    /// All limits of costs are so many percent of the usual ones, as a server may choose.
    Limits(u64),
}

/// A check that a server may forget, or another thing that it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Check {
    /// The enforcement of the rules of custom resources.
    Enforcement,
    /// Their enforcement in writes of the status.
    StatusRules,
    /// The types of expressions: only their syntax is checked.
    Types,
    /// The type of a rule, which must be a bool.
    BooleanRule,
    /// The names of variables.
    Variables,
    /// Literals of durations, timestamps and patterns.
    Literals,
    /// An error on one side of && and || is absorbed by the other side.
    ErrorAbsorption,
    /// The conditional operator evaluates only the chosen branch.
    OnlyChosenBranch,
    /// An evaluation error rejects the object.
    EvaluationErrors,
    /// A rule with oldSelf needs an old value.
    OldValue,
    /// oldSelf is the value from before.
    OldSelf,
    /// oldSelf needs elements that correlate.
    Correlation,
    /// optionalOldSelf.
    OptionalOldSelf,
    /// self is the value of the node with the rule.
    ScopedSelf,
    /// The estimated cost of a rule, and of all rules.
    EstimatedCost,
    /// The sum of the estimated costs of all rules.
    TotalCost,
    /// The number of times that a rule can run.
    Cardinality,
    /// The estimated cost of an updated definition.
    CostOfUpdates,
    /// The cost of an evaluation.
    RuntimeCost,
    /// The sum of the costs of all evaluations of an object.
    RuntimeBudget,
    /// The cost of an evaluation is the same each time.
    DeterministicCost,
    /// The cost of comparisons and their operands.
    ComparisonCost,
    /// The estimated cost of == depends on the sizes of its operands.
    EqualityCost,
    /// The cost of literals.
    LiteralCost,
    /// The cost of regular expressions depends on the text.
    PatternCost,
    /// The cost of a check of the authorizer.
    AuthorizerCost,
    /// The limit of the cost of policies.
    PolicyCost,
    /// A messageExpression that fails falls back to the message.
    MessageFallback,
    /// An update may leave what violates a rule as it was.
    Ratcheting,
    /// Only unchanged values are ratcheted.
    ChangedValues,
    /// Rules with oldSelf are not ratcheted.
    TransitionRules,
    /// The fields of causes have unescaped names.
    UnescapedCauses,
    /// The types of the policies' variables.
    PolicyTypes,
    /// The variable self is of rules alone.
    PolicyVariables,
    /// The fields of the variable object are checked when they are read.
    DynamicObject,
    /// A policy whose evaluation fails denies the request.
    PolicyErrors,
    /// A failure of a policy is enforced by the actions of the binding.
    FailureActions,
    /// The validations of a policy after one whose evaluation fails.
    OtherValidations,
    /// A match condition whose evaluation fails is an error, and not false.
    ConditionErrors,
    /// A match condition that is false outweighs one whose evaluation fails.
    FalseCondition,
    /// A policy without a binding has no effect.
    PolicyBindings,
    /// A policy is evaluated for each of its bindings.
    EveryBinding,
    /// A binding narrows what its policy is about.
    BindingNarrows,
    /// An object selector is also about the object before an update.
    OldObjectSelector,
    /// A policy is evaluated for each of its parameters.
    EveryParam,
    /// Parameters are in the namespace of the reference or of the request.
    ParamNamespace,
    /// No policy is about policies.
    PolicyExemption,
    /// The variable authorizer is of policies alone.
    AuthorizerInRules,
    /// A check of the authorizer without a namespace is one of the cluster.
    AuthorizerNamespace,
    /// A rule must have a text.
    EmptyRule,
    /// Objects have apiVersion, kind and metadata.
    RootMetadata,
    /// A loop over a map has its keys.
    MapKeys,
    /// A loop with two variables over a map has its keys and values.
    MapEntries,
    /// Lists of sets and maps have no duplicates.
    UniqueEntries,
    /// Fields must be declared.
    Fields,
    /// Properties without an identifier are only out of reach.
    InaccessibleNames,
    /// `has()` needs the object before the field.
    NestedHas,
    /// The parts of a literal have one type.
    Homogeneous,
    /// Numbers of different types are comparable.
    CrossTypes,
}

/// The deviations of a server; none if it is right.
#[derive(Debug, Clone, Default)]
pub(crate) struct Deviations(pub(crate) Vec<Deviation>);

impl Deviations {
    pub(crate) fn checks_skipped(&self, check: Check) -> bool {
        self.0.iter().any(|deviation| matches!(deviation, Deviation::Skips(skipped) if *skipped == check))
    }

    /// The limit of a cost that the server has in the place of a usual one.
    pub(crate) fn limit(&self, usual: u64) -> u64 {
        let percent = self.0.iter().find_map(|deviation| match deviation {
            Deviation::Limits(percent) => Some(*percent),
            _ => None,
        });
        percent.map_or(usual, |percent| usual / 100 * percent)
    }

    /// The value that the server calculates instead of the right one.
    pub(super) fn adjust(&self, name: &str, args: &[Value], mut result: Evaluated) -> Evaluated {
        for deviation in &self.0 {
            if let Deviation::Returns(changed, change) = deviation
                && *changed == name
            {
                result = change(args, result);
            }
        }
        result
    }

    /// The function or macro that a name calls.
    pub(super) fn called(&self, name: &str) -> String {
        let renamed = self.0.iter().find_map(|deviation| match deviation {
            Deviation::Calls(from, to) if *from == name => Some((*to).to_owned()),
            Deviation::Lacks(missing) if *missing == name => Some(format!("@missing.{name}")),
            _ => None,
        });
        renamed.unwrap_or_else(|| name.to_owned())
    }

    /// The schema that rules see.
    pub(crate) fn seen(&self, schema: &Json) -> Json {
        let mut seen = schema.clone();
        for deviation in &self.0 {
            if let Deviation::Sees(change) = deviation {
                change(&mut seen);
            }
        }
        seen
    }

    /// The text that the server compiles.
    pub(super) fn read(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, deviation| match deviation {
            Deviation::Reads(change) => change(&text),
            _ => text,
        })
    }
}
