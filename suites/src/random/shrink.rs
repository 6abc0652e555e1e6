//! Shrinking of a failing sequence to the shortest one.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::{Finding, Player};
use crate::prelude::*;

/// The maximum number of sequences.
const SEQUENCES: usize = 30;

/// The maximum number of shorter sequences.
const SHORTER: usize = 300;

/// The parts of the scenario's time: sequences play until the second one ends, and shrinking until the fifth one ends.
/// A slow server gets fewer requests, and the scenario still reports its difference.
const PARTS: u32 = 6;
const FOR_PLAYING: u32 = 2;
const UNTIL_SHORT: u32 = 5;

/// Plays sequences until one shows a difference, and returns the shortest one that still shows it.
pub(super) async fn shortest<P: Player>(
    player: &mut P,
    sequences: impl Strategy<Value = Vec<P::Step>, Tree: Send> + Sync,
    seed: [u8; 32],
    time: Duration,
) -> Result<Option<Finding<P>>, Halt> {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let start = Instant::now();
    let (until, short) = (start + time * FOR_PLAYING / PARTS, start + time * UNTIL_SHORT / PARTS);
    for _ in 0..SEQUENCES {
        // The strategy has no filter, so it always generates a sequence.
        let Ok(tree) = sequences.new_tree(&mut runner) else { break };
        match player.play(&tree.current(), until).await? {
            Some(found) => return Ok(Some(shorten(player, tree, found, short).await)),
            None if Instant::now() > until => break,
            None => {}
        }
    }
    Ok(None)
}

/// A test error of a shorter sequence does not affect the finding of the original one.
async fn shorten<P: Player>(
    player: &mut P,
    mut tree: impl ValueTree<Value = Vec<P::Step>> + Send,
    found: Finding<P>,
    until: Instant,
) -> Finding<P> {
    let (mut shortest, mut shows_it) = (found, true);
    for _ in 0..SHORTER {
        let another = if shows_it { tree.simplify() } else { tree.complicate() };
        if !another || Instant::now() > until {
            break;
        }
        match player.play(&tree.current(), until).await {
            Ok(Some(shorter)) => (shortest, shows_it) = (shorter, true),
            Ok(None) => shows_it = false,
            Err(_) => break,
        }
    }
    shortest
}
