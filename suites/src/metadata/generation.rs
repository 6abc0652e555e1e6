//! `metadata.generation`.

use super::expect_not_writable;
use crate::generations;
use crate::prelude::*;

/// Number of changes of the spec.
const CHANGES: usize = 10;

rows![
    metadata_generation_set_by_system.with_status(),
    metadata_generation_not_client_writable.with_status(),
    metadata_generation_rises_on_spec_change.with_status(),
    metadata_generation_monotonic.with_status(),
    metadata_generation_unchanged_by_metadata.with_status(),
    metadata_generation_unchanged_by_status.with_status(),
    metadata_generation_per_object.with_status(),
];

/// The generation in a response. Fails where there is none.
fn generation(response: &Exchange) -> Result<i64, Halt> {
    let object = response.object()?;
    generations::of(&object).ok_or_else(|| response.fail("a number as metadata.generation", "none"))
}

/// Skips where the type has no generation.
fn expect_same(response: &Exchange, before: &Object) -> Checked {
    let (before, after) = (generations::counted(before)?, generation(response)?);
    response.expect(after == before, format!("generation {before} as before"), after.to_string())
}

async fn metadata_generation_set_by_system(cx: Context, collection: Collection) -> Checked {
    let post = post_with(&collection, "a", |body| body["metadata"]["generation"] = 77.into());

    let with = cx.send(post).await?;
    let without = cx.send(post_with(&collection, "b", |_| ())).await?;

    let first = generations::counted(&without.object()?)?;
    let actual = generation(&with)?;
    let expected = format!("generation {first}, as for any new object");
    with.expect(actual == first && first != 77, expected, actual.to_string())
}

async fn metadata_generation_not_client_writable(cx: Context, stored: StoredObject) -> Checked {
    let same = |response: &Exchange| expect_same(response, &stored.read);

    expect_not_writable(&cx, &stored, "generation", 99.into(), same).await
}

async fn metadata_generation_rises_on_spec_change(mut stored: StoredObject) -> Checked {
    for change in 0..CHANGES {
        let put = stored.put(&stored.body(&format!("value-{change}"))).await?;

        let (before, after) = (generations::counted(&stored.read)?, generation(&put)?);
        put.expect(after > before, format!("a generation greater than {before}"), after.to_string())?;
        stored.read = put.object()?;
    }
    Ok(())
}

async fn metadata_generation_monotonic(cx: Context, stored: StoredObject) -> Checked {
    let mut watch = stored.watch().await?;
    let mut responses = Vec::new();
    for round in ["1", "2", "3"] {
        let label = json!({ "metadata": { "labels": { "assay": round } } });
        let status = stored.collection.status_change(&format!("status-{round}"))?;
        for request in [
            stored.patch(MERGE, &stored.collection.change(&format!("value-{round}"))),
            stored.patch(MERGE, &label),
            Request::merge_patch(stored.collection.status_path_of(NAME), &status),
        ] {
            responses.push(cx.send(request).await?);
        }
    }

    let mut before = generations::counted(&stored.read)?;
    for response in &responses {
        let after = generation(response)?;
        response.expect(after >= before, format!("generation {before} at least"), after.to_string())?;
        before = after;
    }
    let last = stored.write("last").await?;
    let events = watch.until("the last change", |event| event.object.version() == last.version()).await?;
    let generations: Vec<_> = events.iter().filter_map(|event| generations::of(&event.object)).collect();
    let right = generations.is_sorted();
    watch.expect_that(right, "events whose generations never decrease", format!("{generations:?}"))
}

async fn metadata_generation_unchanged_by_metadata(cx: Context, stored: StoredObject) -> Checked {
    let change = |map: &str| json!({ "metadata": { map: { "assay": "changed" } } });
    // The Deployment controller copies annotations to ReplicaSets.
    let maps: &[_] = if stored.is_built_in() { &["labels"] } else { &["labels", "annotations"] };

    for map in maps {
        let patched = cx.send(stored.patch(MERGE, &change(map))).await?;

        expect_same(&patched, &stored.read)?;
        let (before, after) = (stored.read.version(), patched.object()?.version().to_owned());
        patched.expect(after != before, format!("a resourceVersion other than {before}"), after)?;
    }
    Ok(())
}

async fn metadata_generation_unchanged_by_status(cx: Context, stored: StoredObject) -> Checked {
    let path = stored.collection.status_path_of(NAME);
    let mut body: Value = stored.read.json().clone();
    body["status"] = stored.collection.status_change("changed")?["status"].take();
    let change = stored.collection.status_change("patched")?;

    for request in [Request::put(&path, &body), Request::merge_patch(&path, &change)] {
        expect_same(&*cx.send(request).await?, &stored.read)?;
    }
    expect_same(&*stored.get().await?, &stored.read)
}

async fn metadata_generation_per_object(cx: Context, collection: Collection) -> Checked {
    let mut first = None;

    for name in ["a", "b", "c"] {
        let created = cx.send(Request::post(collection.path(), &collection.body(name, "first"))).await?;

        let expected = *first.get_or_insert(generations::counted(&created.object()?)?);
        let actual = generation(&created)?;
        let expected_text = format!("generation {expected}, as for the other new objects");
        created.expect(actual == expected, expected_text, actual.to_string())?;
    }
    Ok(())
}
