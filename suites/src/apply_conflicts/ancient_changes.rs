//! The manager `ancient-changes`: the server merges old entries into one.

use crate::apply_fixture::conflict::expect_conflicts;
use crate::apply_fixture::owner::{owned_by, updater};
use crate::prelude::*;

/// The manager of the merged entry.
const ANCIENT: &str = "ancient-changes";

/// The number of updaters. A server may keep more entries than that.
const UPDATERS: usize = 25;

rows![apply_conflicts_ancient_changes_still_owned];

async fn apply_conflicts_ancient_changes_still_owned(fixture: CreatedByOther) -> Checked {
    let key = key_of_a_merged_entry(&fixture).await?;

    let labelled = json!({ "metadata": { "labels": { &key: "another" } } });
    let refused = fixture.send(fixture.applying("m1", &labelled)).await?;

    expect_conflicts(&refused, &[(ANCIENT, &format!(".metadata.labels.{key}"))])
}

/// The key of a label of a merged entry. Skips where the server merges no entries.
async fn key_of_a_merged_entry(fixture: &ApplyFixture) -> Result<String, Halt> {
    let key = |number: usize| format!("l{number}");
    for number in 0..UPDATERS {
        let labelled = json!({ "metadata": { "labels": { key(number): "1" } } });
        let owned = owned_by(&fixture.merged(&format!("u{number}"), &labelled).await?, updater(ANCIENT));
        let is_owned = |key: &String| owned.contains(&format!("f:metadata/f:labels/f:{key}"));
        if let Some(key) = (0..=number).map(key).find(is_owned) {
            return Ok(key);
        }
    }
    Err(Halt::skip(format!("the server keeps an entry for each of {UPDATERS} updaters")))
}
