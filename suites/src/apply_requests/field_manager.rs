//! The parameter `fieldManager` of applies.

use super::{MANAGER, expect_refused};
use crate::apply_fixture::owner::{entries, owners_text};
use crate::prelude::*;
use crate::string_map;

rows![apply_requests_field_manager_length_128, apply_requests_field_manager_printable];

/// The maximum length of a name, in bytes.
const LONGEST: usize = 128;

async fn apply_requests_field_manager_length_128(fixture: ApplyFixture) -> Checked {
    let (longest, too_long) = ("a".repeat(LONGEST), "a".repeat(LONGEST + 1));

    let refused = fixture.send(fixture.applying_whole(&too_long, &[("k", "v")])).await?;
    refused.expect_rejection(&[400, 422])?;
    fixture.expect_absent().await?;

    let accepted = fixture.send(fixture.applying_whole(&longest, &[("k", "v")])).await?;
    let object = accepted.object()?;
    let has_entry = entries(&object).iter().any(|entry| entry["manager"] == json!(longest));
    accepted.expect(has_entry, format!("an entry of the manager {longest}"), owners_text(&object))
}

async fn apply_requests_field_manager_printable(fixture: ApplyFixture) -> Checked {
    let change = string_map::set(&fixture.collection, "k", "w");
    let names = ["kube\nassay", "kube\tassay", "kube\u{7}assay"];

    let applies = names.map(|name| fixture.applying_whole(name, &[("k", "w")]));
    expect_refused(&fixture, &applies, &[400, 422]).await?;

    let before = fixture.read().await?.written()?;
    for name in names {
        fixture.send(fixture.merging(name, &change)).await?.expect_rejection(&[400, 422])?;
    }
    fixture.expect_unchanged(&before).await?;
    fixture.send(fixture.merging(MANAGER, &change)).await?.expect_status(&[200])
}
