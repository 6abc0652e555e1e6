//! Random sequences of writes: the proptest strategies.

use harness::writes::{ObjectChange, Test, UidChoice, Verb, VersionChoice, WriteStep};
use proptest::bool::weighted;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::{Just, Strategy, prop_oneof};

/// The most steps of a sequence.
const LONGEST: usize = 20;

/// Number of values of each part: few, so that many writes change nothing.
const VALUES: u8 = 3;

/// Any sequence. Shrinking prefers the first alternatives of each choice.
///
/// Each begins with a create: requests for a missing object test little.
pub(super) fn sequence() -> impl Strategy<Value = Vec<WriteStep>, Tree: Send> {
    let first = || WriteStep { name: "a", verb: Verb::Create(ObjectChange::default()), dry_run: false };
    vec(step(), 1..=LONGEST).prop_map(move |steps| std::iter::once(first()).chain(steps).collect())
}

fn step() -> impl Strategy<Value = WriteStep, Tree: Send> {
    let name = prop_oneof![4 => Just("a"), 1 => Just("b")];
    (name, verb(), weighted(0.15)).prop_map(|(name, verb, dry_run)| WriteStep { name, verb, dry_run })
}

fn verb() -> impl Strategy<Value = Verb, Tree: Send> {
    prop_oneof![
        4 => change().prop_map(Verb::Create),
        5 => (change(), pick(), which()).prop_map(|(change, pick, which)| Verb::Update(change, pick, which)),
        5 => (change(), pick(), which()).prop_map(|(change, pick, which)| Verb::Merge(change, pick, which)),
        2 => (test(), 0..VALUES).prop_map(|(test, value)| Verb::Json(test, value)),
        3 => (pick(), which()).prop_map(|(pick, which)| Verb::Delete(pick, which)),
    ]
}

fn change() -> impl Strategy<Value = ObjectChange, Tree: Send> {
    let field = || option::weighted(0.3, option::weighted(0.7, 0..VALUES));
    let parts = (option::weighted(0.6, 0..VALUES), field(), field(), option::weighted(0.3, 0..=2_usize));
    parts.prop_map(|(value, note, colour, finalizers)| ObjectChange { value, note, colour, finalizers })
}

fn pick() -> impl Strategy<Value = VersionChoice, Tree: Send> {
    prop_oneof![3 => Just(VersionChoice::Omitted), 4 => Just(VersionChoice::Current), 3 => Just(VersionChoice::Old)]
}

fn which() -> impl Strategy<Value = UidChoice, Tree: Send> {
    prop_oneof![5 => Just(UidChoice::Omitted), 2 => Just(UidChoice::Own), 1 => Just(UidChoice::Wrong)]
}

fn test() -> impl Strategy<Value = Test, Tree: Send> {
    prop_oneof![Just(Test::None), Just(Test::Holds), Just(Test::Fails)]
}
