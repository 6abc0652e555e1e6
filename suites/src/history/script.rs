//! The script of each client, generated from the seed.

use harness::history::Freshness;
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::prelude::*;

/// The few objects that all fight over.
pub(super) const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];

const WRITERS: usize = 4;
const READERS: usize = 3;

/// How much each of them does, if the server is fast enough.
const WRITES: usize = 24;
const READS: usize = 50;

/// Whether some writes are not waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cuts {
    /// Every answer is read.
    None,
    /// The connections of some writes are cut.
    Some,
}

/// What a writer does to an object.
#[derive(Debug, Clone, Copy)]
pub(super) enum Deed {
    Create,
    /// Reads it first, and replaces what it read.
    Update,
    Patch,
    Delete,
}

/// One write.
#[derive(Debug, Clone, Copy)]
pub(super) struct Write {
    pub(super) name: &'static str,
    pub(super) deed: Deed,
    /// The connection is cut after so many hundredths of the time that the last answer took.
    pub(super) cut: Option<u32>,
}

/// One read.
#[derive(Debug, Clone, Copy)]
pub(super) enum Read {
    Get(&'static str, Freshness),
    List(Freshness),
}

/// What all clients do.
#[derive(Debug, Clone)]
pub(super) struct Script {
    pub(super) writers: Vec<Vec<Write>>,
    pub(super) readers: Vec<Vec<Read>>,
}

impl Script {
    /// The same for the same scenario and the same seed.
    pub(super) fn of(cx: &Context, cuts: Cuts) -> Self {
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &cx.seed());
        let mut runner = TestRunner::new_with_rng(Config::default(), rng);
        let script = script(cuts).new_tree(&mut runner);
        // Nothing is filtered out, so there always is one.
        script.map_or_else(|_| Self { writers: Vec::new(), readers: Vec::new() }, |tree| tree.current())
    }
}

fn script(cuts: Cuts) -> impl Strategy<Value = Script> {
    let writers = vec(vec(write(cuts), WRITES), WRITERS);
    let readers = vec(vec(read(), READS), READERS);
    (writers, readers).prop_map(|(writers, readers)| Script { writers, readers })
}

fn write(cuts: Cuts) -> impl Strategy<Value = Write> {
    let deed = prop_oneof![
        3 => Just(Deed::Create),
        4 => Just(Deed::Update),
        4 => Just(Deed::Patch),
        2 => Just(Deed::Delete),
    ];
    let cut = (any::<bool>(), 0..150u32);
    (name(), deed, cut).prop_map(move |(name, deed, (cut, after))| {
        let cut = (cut && cuts == Cuts::Some).then_some(after);
        Write { name, deed, cut }
    })
}

fn read() -> impl Strategy<Value = Read> {
    let freshness = || prop_oneof![Just(Freshness::MostRecent), Just(Freshness::Any)];
    prop_oneof![
        2 => (name(), freshness()).prop_map(|(name, freshness)| Read::Get(name, freshness)),
        1 => freshness().prop_map(Read::List),
    ]
}

fn name() -> impl Strategy<Value = &'static str> {
    (0..NAMES.len()).prop_map(|index| NAMES[index])
}
