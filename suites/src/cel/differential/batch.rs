//! Random expressions and objects: the proptest strategies.

use harness::expressions::{Choices, Environment, Expression, Type};
use proptest::collection::vec;
use proptest::prelude::{Strategy, any};
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::case::Case;

/// The number of rules and messages in the definition: their estimated costs share a limit.
const RULES: usize = 40;
const MESSAGES: usize = 24;

/// The number of objects.
const OBJECTS: usize = 16;

/// The number of expressions that may lack a type.
const ILL_TYPED: usize = 48;

/// The most choices of an expression.
const LONGEST: usize = 100;

/// Expressions, and the values for them.
#[derive(Debug, Clone)]
pub(super) struct Batch {
    pub(super) cases: Vec<Case>,
    pub(super) environments: Vec<Environment>,
}

impl Batch {
    /// The expressions of a run.
    pub(super) fn new(run: u64) -> Self {
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&run.to_le_bytes());
        draw(seed, &batch()).unwrap_or(Self { cases: Vec::new(), environments: Vec::new() })
    }

    /// Rules most of which have no type.
    pub(super) fn ill_typed(seed: [u8; 32]) -> Vec<Case> {
        draw(seed, &vec(ill_typed().prop_map(Case::rule), ILL_TYPED)).unwrap_or_default()
    }
}

fn draw<S: Strategy>(seed: [u8; 32], strategy: &S) -> Option<S::Value> {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    // The strategies have no filter, so they always generate a value.
    strategy.new_tree(&mut runner).ok().map(|tree| tree.current())
}

fn batch() -> impl Strategy<Value = Batch> {
    let cases = (vec(rule(), RULES), vec(message(), MESSAGES));
    (cases, vec(environment(), OBJECTS)).prop_map(|((rules, messages), environments)| {
        let cases = rules.into_iter().map(Case::rule).chain(messages.into_iter().map(Case::message));
        // A server may refuse these, or evaluate them to an error.
        let cases = cases.filter(|case| !case.expression.has_failing_constant()).collect();
        Batch { cases, environments }
    })
}

fn choices() -> impl Strategy<Value = Vec<u16>> {
    vec(any::<u16>(), 8..=LONGEST)
}

pub(super) fn rule() -> impl Strategy<Value = Expression> {
    choices().prop_map(|choices| Expression::drawn(Type::Bool, &mut Choices::new(&choices)))
}

pub(super) fn message() -> impl Strategy<Value = Expression> {
    choices().prop_map(|choices| Expression::drawn_text(&mut Choices::new(&choices)))
}

pub(super) fn environment() -> impl Strategy<Value = Environment> {
    choices().prop_map(|choices| Environment::drawn(&mut Choices::new(&choices)))
}

pub(super) fn ill_typed() -> impl Strategy<Value = Expression> {
    (rule(), choices()).prop_map(|(rule, choices)| rule.mutated(&mut Choices::new(&choices)))
}
