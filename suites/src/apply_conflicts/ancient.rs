//! Owners that are put together because there are many.

use harness::{Context, Halt, Object, Suite};
use serde_json::json;

use crate::story::Story;
use crate::story::conflict::expect_conflicts;
use crate::story::owner::{owned_by, updater};

/// The name of what many updaters owned.
const TOGETHER: &str = "ancient-changes";

/// How many updaters a server may keep apart before we give up.
const MANY: usize = 25;

/// Adds the scenario of this part.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("apply-conflicts-ancient-changes-still-owned", what_many_updaters_wrote_is_still_owned)
        .on_every_shape()
}

async fn what_many_updaters_wrote_is_still_owned(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_thing(&cx, &[]).await?;
    let key = put_together(&story).await?;

    let labelled = json!({ "metadata": { "labels": { &key: "another" } } });
    let refused = story.ask(story.applying("m1", &labelled)).await?;

    expect_conflicts(&refused, &[(TOGETHER, &format!(".metadata.labels.{key}"))])
}

/// A label whose updater is not told apart any more. Skips where all are.
async fn put_together(story: &Story) -> Result<String, Halt> {
    let key = |number: usize| format!("l{number}");
    for number in 0..MANY {
        let labelled = json!({ "metadata": { "labels": { key(number): "1" } } });
        let shown = story.merged(&format!("u{number}"), &labelled).await?;
        if let Some(key) = (0..=number).map(key).find(|key| is_put_together(&shown, key)) {
            return Ok(key);
        }
    }
    Err(Halt::Skipped("this server tells many updaters apart".to_owned()))
}

fn is_put_together(shown: &Object, key: &str) -> bool {
    owned_by(shown, updater(TOGETHER)).contains(&format!("f:metadata/f:labels/f:{key}"))
}
