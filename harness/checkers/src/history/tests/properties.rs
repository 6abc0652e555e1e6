//! Properties of all histories.

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;

use super::super::Doubt;
use super::mutations::*;
use super::play::{Versions, play, steps};
use super::*;

type Mutation = fn(&mut Vec<Operation>, usize) -> Option<()>;

/// Mutations, and the rule that each breaks.
const WRONG: &[(HistoryRule, Mutation)] = &[
    (HistoryRule::WritesOrdered, |history, pick| versions_swapped(history, pick)),
    (HistoryRule::ReadsLinearizable, |history, pick| read_stale(history, pick)),
    (HistoryRule::ListsSnapshot, |history, pick| list_mixed(history, pick)),
    (HistoryRule::WatchersAgree, event_lost),
    (HistoryRule::WatchersAgree, |history, pick| events_swapped(history, pick)),
    (HistoryRule::CachedReadsWhole, |history, pick| state_torn(history, pick)),
    (HistoryRule::RefusalsWithoutTrace, |history, pick| done_refused(history, pick)),
    (HistoryRule::RefusalsWithoutTrace, refused_for_nothing),
    (HistoryRule::UnknownOutcomes, done_twice),
];

/// The greatest number of operations in a readable violation.
const FEW: usize = 4;

proptest! {
    #[test]
    fn a_right_store_is_never_called_wrong(steps in steps(0..80), opaque in any::<bool>()) {
        let history = play(&steps, if opaque { Versions::Opaque } else { Versions::Decimal });
        prop_assert_eq!(judged(&history), HistoryResult { violations: Vec::new(), undecided: None });
    }

    #[test]
    fn a_right_store_without_watchers_is_never_called_wrong(steps in steps(0..60), opaque in any::<bool>()) {
        let mut history = play(&steps, if opaque { Versions::Opaque } else { Versions::Decimal });
        history.retain(|operation| !matches!(operation.action, Action::Event { .. }));
        prop_assert_eq!(broken(&judged(&history)), []);
    }

    #[test]
    fn the_judge_finds_every_mutation_in_few_operations(
        steps in steps(40..80),
        (rule, mutation) in prop::sample::select(WRONG),
        pick in any::<usize>(),
    ) {
        let mut history = play(&steps, Versions::Decimal);
        prop_assume!(mutation(&mut history, pick).is_some());
        match judged(&history).of(rule) {
            Err(Doubt::Broken(violation)) => {
                let count = violation.operations.len();
                prop_assert!((1..=FEW).contains(&count), "{} operations:\n{}", count, violation);
            }
            other => prop_assert!(false, "{:?} is not found: {:?}", rule, other),
        }
    }
}

#[test]
fn ten_thousand_operations_are_judged() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let steps = steps(10_000..10_001).new_tree(&mut runner).expect("steps").current();
    assert_eq!(broken(&judged(&play(&steps, Versions::Decimal))), []);
    let mut wrong = play(&steps, Versions::Decimal);
    read_stale(&mut wrong, 9_000).expect("a read");
    assert_eq!(broken(&judged(&wrong)), [HistoryRule::ReadsLinearizable]);
}
