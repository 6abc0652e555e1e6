//! From any sequence that shows a difference to the shortest one.

use std::time::{Duration, Instant};

use harness::Halt;
use harness::writes::Step;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::draw::sequence;
use super::play::{Finding, Player};

/// How many sequences are played.
const SEQUENCES: usize = 10;

/// How long that may take; a slow server is asked less.
const AT_MOST: Duration = Duration::from_secs(8);

/// How many shorter ones are tried, and for how long.
const SHORTER: usize = 300;
const SHORTER_WITHIN: Duration = Duration::from_secs(20);

/// Plays sequences until one shows a difference, and gives the shortest that still does.
pub(super) async fn shortest(player: &mut Player, seed: [u8; 32]) -> Result<Option<Finding>, Halt> {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let until = Instant::now() + AT_MOST;
    for played in 0..SEQUENCES {
        if played > 0 && Instant::now() > until {
            break;
        }
        // Nothing is filtered out, so there always is one.
        let Ok(tree) = sequence().new_tree(&mut runner) else { break };
        if let Some(found) = player.play(&tree.current()).await? {
            return Ok(Some(shorten(player, tree, found).await));
        }
    }
    Ok(None)
}

/// What stands in the way of a shorter sequence says nothing about the one that was found.
async fn shorten(
    player: &mut Player,
    mut tree: impl ValueTree<Value = Vec<Step>> + Send,
    found: Finding,
) -> Finding {
    let until = Instant::now() + SHORTER_WITHIN;
    let (mut shortest, mut shows_it) = (found, true);
    for _ in 0..SHORTER {
        let another = if shows_it { tree.simplify() } else { tree.complicate() };
        if !another || Instant::now() > until {
            break;
        }
        match player.play(&tree.current()).await {
            Ok(Some(shorter)) => (shortest, shows_it) = (shorter, true),
            Ok(None) => shows_it = false,
            Err(_) => break,
        }
    }
    shortest
}
