//! Generated fields in dry runs: names, uids and timestamps.

use super::dry;
use crate::patch_types::nameless;
use crate::prelude::*;

rows![
    dryrun_generated_name.namespaced(),
    dryrun_generated_timestamps,
    dryrun_delete_response_deletiontimestamp,
    dryrun_generated_uid,
    dryrun_generated_resourceversion,
];

async fn dryrun_generated_name(cx: Context, collection: Collection) -> Checked {
    let body = nameless(&collection, "gen-", "first");

    for _ in 0..2 {
        let tried = cx.send(dry(Request::post(collection.path(), &body))).await?;

        let name = tried.object()?.name().to_owned();
        let generated = name.starts_with("gen-") && name.len() > "gen-".len();
        tried.expect(generated, "a name that begins with gen- and has a suffix", format!("{name:?}"))?;
        collection.get(&name).await?.expect_status(&[404])?;
    }
    collection.now().await?.expect_names(&[])
}

async fn dryrun_generated_timestamps(cx: Context, collection: Collection) -> Checked {
    let tried = cx.send(dry(Request::post(collection.path(), &collection.body(NAME, "first")))).await?;

    tried.expect_status(&[201])?;
    let object = tried.object()?;
    let actual = object.metadata("creationTimestamp");
    // Other scenarios are about the clock of the server.
    tried.expect(is_time(actual), "a creationTimestamp", format!("{actual:?}"))
}

/// Whether a text has the form of a time in UTC.
fn is_time(text: &str) -> bool {
    let is_number = |text: &str| text.len() >= 2 && text.bytes().all(|byte| byte.is_ascii_digit());
    let numbers =
        |text: &str, separator| text.split(separator).all(is_number).then(|| text.split(separator).count());
    let Some((date, time)) = text.strip_suffix('Z').and_then(|text| text.split_once('T')) else {
        return false;
    };
    let seconds = time.split('.').next().unwrap_or_default();
    numbers(date, '-') == Some(3) && numbers(seconds, ':') == Some(3)
}

async fn dryrun_delete_response_deletiontimestamp(cx: Context) -> Checked {
    let held = StoredObject::create_held(&cx).await?;

    let tried = cx.send(dry(Request::delete(held.path()))).await?;
    let left = held.expect_unchanged().await;
    if held.get().await?.succeeded() {
        held.release().await?;
    }

    left?;
    tried.expect_status(&[200, 202])?;
    let document = tried.json().cloned().unwrap_or_default();
    let terminating = is_time(document["metadata"]["deletionTimestamp"].as_str().unwrap_or_default());
    // Every deletion may return a Status.
    let status = document["kind"] == "Status" && document["status"] != "Failure";
    let expected = "the object with a deletionTimestamp, or a Status";
    tried.expect(terminating || status, expected, document.to_string())
}

async fn dryrun_generated_uid(cx: Context, collection: Collection) -> Checked {
    let create = Request::post(collection.path(), &collection.body(NAME, "first"));

    let first = cx.send(dry(create.clone())).await?.object()?;
    let second = cx.send(dry(create.clone())).await?.object()?;
    let real = cx.send(create).await?;

    let stored = real.written()?;
    let uid = stored.metadata("uid");
    let tried = [first.metadata("uid"), second.metadata("uid")];
    real.expect(!tried.contains(&uid), format!("a uid other than {tried:?} of the dry runs"), uid)
}

async fn dryrun_generated_resourceversion(cx: Context, stored: StoredObject) -> Checked {
    let create = Request::post(stored.collection.path(), &stored.collection.body("b", "first"));

    let put = cx.send(dry(Request::put(stored.path(), &stored.body("second")))).await?;
    let patched =
        cx.send(dry(Request::merge_patch(stored.path(), &stored.collection.change("third")))).await?;
    let created = cx.send(dry(create.clone())).await?;
    let real = cx.send(create).await?.written()?;

    for response in [put, patched] {
        let actual = response.object()?.version().to_owned();
        let legal = ["", stored.read.version()].contains(&actual.as_str());
        let expected = format!("no resourceVersion, or {} of the stored object", stored.read.version());
        response.expect(legal, expected, actual)?;
    }
    let actual = created.object()?.version().to_owned();
    created.expect(actual != real.version(), "a resourceVersion other than that of the real create", actual)
}
