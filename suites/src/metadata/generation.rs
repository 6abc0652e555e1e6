//! `metadata.generation`.

use crate::generations;
use crate::patch_types::patch;
use crate::prelude::*;

/// How often what is wanted changes.
const TIMES: usize = 10;

rows![
    metadata_generation_set_by_system.with_status(),
    metadata_generation_not_client_writable.with_status(),
    metadata_generation_rises_on_spec_change.with_status(),
    metadata_generation_monotonic.with_status(),
    metadata_generation_unchanged_by_metadata.with_status(),
    metadata_generation_unchanged_by_status.with_status(),
    metadata_generation_per_object.with_status(),
];

/// The generation that an object of a type that counts them has; that it has none is against the clause.
fn shown(answer: &Exchange) -> Result<i64, Halt> {
    let object = answer.object()?;
    generations::of(&object).ok_or_else(|| answer.fail("a number as metadata.generation", "none"))
}

/// The generation is as it was. Skips where the type counts none.
fn expect_same(answer: &Exchange, before: &Object) -> Checked {
    let before = generations::counted(before)?;
    let now = shown(answer)?;
    answer.expect(now == before, format!("generation {before}, as before"), now.to_string())
}

async fn metadata_generation_set_by_system(cx: Context, collection: Collection) -> Checked {
    let mut body = collection.body("a", "first");
    body["metadata"]["generation"] = 77.into();

    let given = cx.send(Request::post(collection.path(), &body)).await?;
    let plain = cx.send(Request::post(collection.path(), &collection.body("b", "first"))).await?;

    let first = generations::counted(&plain.object()?)?;
    let given_first = shown(&given)?;
    let expected = format!("generation {first}, as for any new object");
    given.expect(given_first == first && first != 77, expected, given_first.to_string())
}

async fn metadata_generation_not_client_writable(cx: Context, stored: StoredObject) -> Checked {
    let mut body = stored.read.json().clone();
    body["metadata"]["generation"] = 99.into();
    let change = json!({ "metadata": { "generation": 99 } });

    let put = stored.put(&body).await?;
    let patched = cx.send(stored.patch(MERGE, &change)).await?;

    for answer in [put, patched] {
        if answer.status() == 422 {
            answer.expect_refusal(&[422])?;
        } else {
            expect_same(&answer, &stored.read)?;
        }
        expect_same(&*stored.get().await?, &stored.read)?;
    }
    Ok(())
}

async fn metadata_generation_rises_on_spec_change(mut stored: StoredObject) -> Checked {
    for time in 0..TIMES {
        let put = stored.put(&stored.body(&format!("value-{time}"))).await?;

        let before = generations::counted(&stored.read)?;
        let now = shown(&put)?;
        put.expect(now > before, format!("a generation greater than {before}"), now.to_string())?;
        stored.read = put.object()?;
    }
    Ok(())
}

async fn metadata_generation_monotonic(cx: Context, stored: StoredObject) -> Checked {
    let mut watch = stored.watch().await?;
    let mut answers = Vec::new();
    for time in ["1", "2", "3"] {
        let label = json!({ "metadata": { "labels": { "assay": time } } });
        let status = Request::merge_patch(
            stored.collection.status_path_of(NAME),
            &stored.collection.status_change(&format!("status-{time}"))?,
        );
        let wanted =
            patch(&stored.collection, NAME, MERGE, &stored.collection.change(&format!("value-{time}")));
        for request in [wanted, stored.patch(MERGE, &label), status] {
            answers.push(cx.send(request).await?);
        }
    }

    let mut before = generations::counted(&stored.read)?;
    for answer in &answers {
        let now = shown(answer)?;
        answer.expect(now >= before, format!("generation {before} at least"), now.to_string())?;
        before = now;
    }
    let last = stored.write("last").await?;
    let told = watch.until("the last change", |event| event.object.version() == last.version()).await?;
    let told: Vec<_> = told.iter().filter_map(|event| generations::of(&event.object)).collect();
    if told.is_sorted() {
        Ok(())
    } else {
        Err(watch.fail("generations that never fall", format!("{told:?}")))
    }
}

async fn metadata_generation_unchanged_by_metadata(cx: Context, stored: StoredObject) -> Checked {
    let label = json!({ "metadata": { "labels": { "assay": "changed" } } });
    let annotation = json!({ "metadata": { "annotations": { "assay": "changed" } } });
    // Deployments hand annotations on to what they create.
    let changes = if stored.is_built_in() { vec![label] } else { vec![label, annotation] };

    for change in changes {
        let patched = cx.send(stored.patch(MERGE, &change)).await?;

        expect_same(&patched, &stored.read)?;
        let version = patched.object()?.version().to_owned();
        let another = version != stored.read.version();
        patched.expect(another, format!("another version than {}", stored.read.version()), version)?;
    }
    Ok(())
}

async fn metadata_generation_unchanged_by_status(cx: Context, stored: StoredObject) -> Checked {
    let mut body: Value = stored.read.json().clone();
    body["status"] = stored.collection.status_change("changed")?["status"].take();

    let put = cx.send(Request::put(stored.collection.status_path_of(NAME), &body)).await?;
    let patch = stored.collection.status_change("patched")?;
    let patched = cx.send(Request::merge_patch(stored.collection.status_path_of(NAME), &patch)).await?;

    expect_same(&put, &stored.read)?;
    expect_same(&patched, &stored.read)?;
    expect_same(&*stored.get().await?, &stored.read)
}

async fn metadata_generation_per_object(cx: Context, collection: Collection) -> Checked {
    let mut first = None;

    for name in ["a", "b", "c"] {
        let created = cx.send(Request::post(collection.path(), &collection.body(name, "first"))).await?;

        let expected = *first.get_or_insert(generations::counted(&created.object()?)?);
        let begun = shown(&created)?;
        created.expect(
            begun == expected,
            format!("generation {expected}, as for the others"),
            begun.to_string(),
        )?;
    }
    Ok(())
}
