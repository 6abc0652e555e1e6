//! Concurrent patches of one object.

use crate::patch_types;
use crate::prelude::*;
use crate::string_map;

rows![patch_json_test_counter, patch_unaffected_by_unrelated_changes];

/// How many clients raise a counter.
const CLIENTS: usize = 10;

async fn patch_json_test_counter(cx: Context, collection: Collection) -> Checked {
    string_map::create(&collection, "a", &[("n", "0")]).await?;

    let mut raised = try_join_all((0..CLIENTS).map(|_| raise(&cx, &collection))).await?;

    raised.sort_unstable();
    let got = collection.get("a").await?;
    string_map::expect(&collection, &got, &[("n", Some("10"))])?;
    let once: Vec<_> = (1..=CLIENTS).collect();
    got.expect(raised == once, format!("each of {once:?} reached once"), format!("{raised:?}"))
}

/// How often a client may lose before it says so: each time one of the others has won.
const ATTEMPTS: usize = 4 * CLIENTS;

/// Raises the counter by one, beginning with what it was at first; returns what it then was.
async fn raise(cx: &Context, collection: &Collection) -> Result<usize, Halt> {
    let path = format!("{}/n", string_map::place(collection));
    let mut seen = 0;
    for _ in 0..ATTEMPTS {
        let next = seen + 1;
        let operations = json!([
            { "op": "test", "path": path, "value": seen.to_string() },
            { "op": "replace", "path": path, "value": next.to_string() },
        ]);
        let patched = patch_types::patched(cx, collection, JSON, &operations).await?;
        if patched.succeeded() {
            return Ok(next);
        }
        patched.expect_refusal(&[400, 409, 412, 422])?;
        let current = collection.get("a").object().await?;
        let number = string_map::held(collection, &current, "n").and_then(Value::as_str);
        seen = number.and_then(|number| number.parse().ok()).unwrap_or_default();
    }
    Err(cx.failed("a counter that can be raised", format!("{ATTEMPTS} attempts in vain"), None))
}

/// How many clients patch the same object.
const WRITERS: usize = 30;

async fn patch_unaffected_by_unrelated_changes(cx: Context, collection: Collection) -> Checked {
    string_map::create(&collection, "a", &[("k", "v")]).await?;
    let keys: Vec<_> = (0..WRITERS).map(|writer| format!("writer-{writer}")).collect();
    let patches: Vec<_> = keys.iter().map(|key| string_map::set(&collection, key, "there")).collect();

    let patched =
        try_join_all(patches.iter().map(|patch| patch_types::patched(&cx, &collection, MERGE, patch)))
            .await?;

    patched.iter().try_for_each(|patched| patched.expect_status(&[200]))?;
    let got = collection.get("a").await?;
    let object = got.object()?;
    let there = |key: &&String| string_map::held(&collection, &object, key) == Some(&json!("there"));
    let lost: Vec<_> = keys.iter().filter(|key| !there(key)).collect();
    got.expect(lost.is_empty(), format!("the texts of {WRITERS} clients"), format!("not those of {lost:?}"))
}
