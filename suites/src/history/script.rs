//! The script of each client, generated from the seed.

use harness::history::Freshness;
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::prelude::*;

/// The objects of all clients.
pub(super) const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];

const WRITERS: usize = 4;
const READERS: usize = 3;

/// The requests of each client, if the server is fast enough.
const WRITES: usize = 24;
const READS: usize = 50;

/// Whether clients cut some connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cuts {
    /// Clients read every response.
    None,
    /// Clients cut the connections of some writes.
    Some,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum WriteMethod {
    Create,
    /// A read and an update of the object as read.
    Update,
    Patch,
    Delete,
}

/// One write.
#[derive(Debug, Clone, Copy)]
pub(super) struct Write {
    pub(super) name: &'static str,
    pub(super) method: WriteMethod,
    /// When the client cuts the connection, in hundredths of the last latency.
    pub(super) cut: Option<u32>,
}

/// One read.
#[derive(Debug, Clone, Copy)]
pub(super) enum Read {
    Get(&'static str, Freshness),
    List(Freshness),
}

/// The requests of all clients.
#[derive(Debug, Clone)]
pub(super) struct Script {
    pub(super) writers: Vec<Vec<Write>>,
    pub(super) readers: Vec<Vec<Read>>,
}

impl Script {
    /// The script of a scenario and seed.
    pub(super) fn of(cx: &Context, cuts: Cuts) -> Self {
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &cx.seed());
        let mut runner = TestRunner::new_with_rng(Config::default(), rng);
        let script = script(cuts).new_tree(&mut runner);
        // The strategy filters nothing, so it always generates a script.
        script.map_or_else(|_| Self { writers: Vec::new(), readers: Vec::new() }, |tree| tree.current())
    }
}

fn script(cuts: Cuts) -> impl Strategy<Value = Script> {
    let writers = vec(vec(write(cuts), WRITES), WRITERS);
    let readers = vec(vec(read(), READS), READERS);
    (writers, readers).prop_map(|(writers, readers)| Script { writers, readers })
}

fn write(cuts: Cuts) -> impl Strategy<Value = Write> {
    let method = prop_oneof![
        3 => Just(WriteMethod::Create),
        4 => Just(WriteMethod::Update),
        4 => Just(WriteMethod::Patch),
        2 => Just(WriteMethod::Delete),
    ];
    let cut = (any::<bool>(), 0..150u32);
    (name(), method, cut).prop_map(move |(name, method, (cut, after))| {
        let cut = (cut && cuts == Cuts::Some).then_some(after);
        Write { name, method, cut }
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
