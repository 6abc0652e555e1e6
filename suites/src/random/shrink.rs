//! Shrinking of a failing sequence to the shortest one.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::{Finding, Player};
use crate::prelude::*;

/// How many sequences are played.
const SEQUENCES: usize = 30;

/// How many shorter ones are tried.
const SHORTER: usize = 300;

/// Of the time that there is, one part is for playing, and what was found is shortened until so many are over: a slow
/// server is asked less, and what it showed is told all the same.
const PARTS: u32 = 6;
const FOR_PLAYING: u32 = 2;
const UNTIL_SHORT: u32 = 5;

/// Plays sequences until one shows a difference, and gives the shortest that still does.
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
        // Nothing is filtered out, so there always is one.
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
