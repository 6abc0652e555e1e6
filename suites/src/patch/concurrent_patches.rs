//! Concurrent patches of one object.

use super::PatchFixture;
use crate::prelude::*;
use crate::rejections::OF_CLIENTS;
use crate::string_map;

rows![patch_json_test_counter, patch_unaffected_by_unrelated_changes];

/// Number of clients that increment a counter.
const CLIENTS: usize = 10;

async fn patch_json_test_counter(cx: Context, collection: Collection) -> Checked {
    let fixture = PatchFixture::create(&cx, collection, &[("n", "0")]).await?;

    let mut counts = try_join_all((0..CLIENTS).map(|_| increment(&cx, &fixture))).await?;

    counts.sort_unstable();
    let got = fixture.stored.get().await?;
    string_map::expect(&fixture.stored.collection, &got, &[("n", Some("10"))])?;
    let once: Vec<_> = (1..=CLIENTS).collect();
    got.expect(counts == once, format!("each of the counts {once:?} once"), format!("{counts:?}"))
}

/// Attempts of one client. Each attempt can fail once for each of the other clients.
const ATTEMPTS: usize = 4 * CLIENTS;

/// Increments the counter by one, assuming 0 at first, and returns the new count.
async fn increment(cx: &Context, PatchFixture { stored, .. }: &PatchFixture) -> Result<usize, Halt> {
    let path = format!("{}/n", string_map::place(&stored.collection));
    let mut count = 0;
    for _ in 0..ATTEMPTS {
        let next = count + 1;
        let operations = json!([
            { "op": "test", "path": path, "value": count.to_string() },
            { "op": "replace", "path": path, "value": next.to_string() },
        ]);
        let response = cx.send(stored.patch(JSON, &operations)).await?;
        if response.succeeded() {
            return Ok(next);
        }
        response.expect_rejection(OF_CLIENTS)?;
        let current = stored.get().object().await?;
        let number = string_map::held(&stored.collection, &current, "n").and_then(Value::as_str);
        count = number.and_then(|number| number.parse().ok()).unwrap_or_default();
    }
    Err(cx.failed("an incremented counter", format!("{ATTEMPTS} rejected attempts"), None))
}

/// Number of clients that patch one object.
const WRITERS: usize = 30;

async fn patch_unaffected_by_unrelated_changes(fixture: PatchFixture) -> Checked {
    let keys: Vec<_> = (0..WRITERS).map(|writer| format!("writer-{writer}")).collect();

    let responses = try_join_all(keys.iter().map(|key| fixture.set(key, "present"))).await?;

    responses.iter().try_for_each(|response| response.expect_status(&[200]))?;
    let got = fixture.stored.get().await?;
    let object = got.object()?;
    let text = |key: &str| string_map::held(&fixture.stored.collection, &object, key);
    let lost: Vec<_> = keys.iter().filter(|key| text(key) != Some(&json!("present"))).collect();
    got.expect(lost.is_empty(), format!("the texts of {WRITERS} clients"), format!("none of {lost:?}"))
}
