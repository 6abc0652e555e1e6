//! Random sequences of applies and updates: the proptest strategies.

use std::collections::BTreeMap;

use harness::applies::{AppliedType, ApplyStep, CellValues, Verb};
use proptest::bool::weighted;
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::{Just, Strategy, prop_oneof};
use proptest::sample::{select, subsequence};

/// The maximum length of a sequence.
const LONGEST: usize = 20;

/// The number of values of each field: few, so that many applies repeat the current value.
const VALUES: u8 = 2;

/// The number of fields in a sequence: few, so that managers conflict.
const FIELDS: std::ops::RangeInclusive<usize> = 3..=5;

/// The manager that creates the object and owns the fields that no step changes.
const CREATOR: &str = "creator";

/// Any sequence. Shrinking prefers the first alternatives of each choice.
pub(super) fn sequence(
    kind: &AppliedType,
) -> impl Strategy<Value = Vec<ApplyStep>, Tree: Send> + Sync + use<> {
    let anchors: CellValues = kind.anchors().into_iter().map(|name| (name, Some(0))).collect();
    let first = prop_oneof![Just(Verb::Create), Just(Verb::Apply { force: false })];
    let fields = subsequence(kind.names(), FIELDS);
    (first, fields, vec(step(), 1..=LONGEST)).prop_map(move |(verb, fields, steps)| {
        let first = ApplyStep { manager: CREATOR, verb, change: anchors.clone() };
        std::iter::once(first).chain(steps.into_iter().map(|drawn| drawn.about(&fields))).collect()
    })
}

/// A step whose fields are indexes.
#[derive(Debug, Clone)]
struct Drawn {
    manager: &'static str,
    verb: Verb,
    /// The changes, by the index of the field.
    change: BTreeMap<usize, Option<u8>>,
}

impl Drawn {
    fn about(self, fields: &[&'static str]) -> ApplyStep {
        let change = self.change.into_iter();
        let change = change.filter_map(|(field, number)| Some((*fields.get(field)?, number)));
        ApplyStep { manager: self.manager, verb: self.verb, change: change.collect() }
    }
}

fn step() -> impl Strategy<Value = Drawn, Tree: Send> + Sync {
    // Few managers: a manager may both apply and update.
    let manager = select(vec!["m1", "m2", "m3"]);
    let verb = prop_oneof![
        6 => weighted(0.3).prop_map(|force| Verb::Apply { force }),
        2 => Just(Verb::Merge),
        2 => Just(Verb::Update),
    ];
    let most = *FIELDS.end();
    let change = btree_map(0..most, option::weighted(0.75, 0..VALUES), 0..=most);
    (manager, verb, change).prop_map(|(manager, verb, change)| Drawn { manager, verb, change })
}
