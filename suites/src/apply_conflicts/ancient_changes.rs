//! The manager `ancient-changes`: old entries that the server merges into one.

use crate::apply_fixture::conflict::expect_conflicts;
use crate::apply_fixture::owner::{owned_by, updater};
use crate::prelude::*;

/// The name of what many updaters owned.
const TOGETHER: &str = "ancient-changes";

/// How many updaters a server may keep apart before we give up.
const MANY: usize = 25;

rows![apply_conflicts_ancient_changes_still_owned];

async fn apply_conflicts_ancient_changes_still_owned(CreatedByOther(fixture): CreatedByOther) -> Checked {
    let key = put_together(&fixture).await?;

    let labelled = json!({ "metadata": { "labels": { &key: "another" } } });
    let refused = fixture.ask(fixture.applying("m1", &labelled)).await?;

    expect_conflicts(&refused, &[(TOGETHER, &format!(".metadata.labels.{key}"))])
}

/// A label whose updater is not told apart any more. Skips where all are.
async fn put_together(fixture: &ApplyFixture) -> Result<String, Halt> {
    let key = |number: usize| format!("l{number}");
    for number in 0..MANY {
        let labelled = json!({ "metadata": { "labels": { key(number): "1" } } });
        let shown = fixture.merged(&format!("u{number}"), &labelled).await?;
        if let Some(key) = (0..=number).map(key).find(|key| is_put_together(&shown, key)) {
            return Ok(key);
        }
    }
    Err(Halt::Skipped("this server tells many updaters apart".to_owned()))
}

fn is_put_together(shown: &Object, key: &str) -> bool {
    owned_by(shown, updater(TOGETHER)).contains(&format!("f:metadata/f:labels/f:{key}"))
}
