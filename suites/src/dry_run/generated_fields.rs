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
        let made = name.starts_with("gen-") && name.len() > "gen-".len();
        tried.expect(made, "a name that begins with gen- and goes on", format!("{name:?}"))?;
        collection.get(&name).await?.expect_status(&[404])?;
    }
    collection.now().await?.expect_names(&[])
}

async fn dryrun_generated_timestamps(cx: Context, collection: Collection) -> Checked {
    let tried = cx.send(dry(Request::post(collection.path(), &collection.body(NAME, "first")))).await?;

    tried.expect_status(&[201])?;
    let object = tried.object()?;
    let shown = object.metadata("creationTimestamp");
    // Whose clock it is, and whether it is right, is asked elsewhere.
    tried.expect(is_time(shown), "a creationTimestamp", format!("{shown:?}"))
}

/// Whether a text has the form of a time in UTC.
fn is_time(text: &str) -> bool {
    let digits = |text: &str| text.len() >= 2 && text.bytes().all(|byte| byte.is_ascii_digit());
    let Some((date, time)) = text.strip_suffix('Z').and_then(|text| text.split_once('T')) else {
        return false;
    };
    let seconds = time.split('.').next().unwrap_or_default();
    date.split('-').count() == 3
        && date.split('-').all(digits)
        && seconds.split(':').count() == 3
        && seconds.split(':').all(digits)
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
    let said = tried.json().cloned().unwrap_or_default();
    let shown = is_time(said["metadata"]["deletionTimestamp"].as_str().unwrap_or_default());
    // A deletion may always be answered with a Status.
    let status = said["kind"] == "Status" && said["status"] != "Failure";
    tried.expect(shown || status, "the object with a deletionTimestamp, or a Status", said.to_string())
}

async fn dryrun_generated_uid(cx: Context, collection: Collection) -> Checked {
    let create = Request::post(collection.path(), &collection.body(NAME, "first"));

    let first = cx.send(dry(create.clone())).await?.object()?;
    let second = cx.send(dry(create.clone())).await?.object()?;
    let real = cx.send(create).await?;

    let stored = real.written()?;
    let uid = stored.metadata("uid");
    let tried = [first.metadata("uid"), second.metadata("uid")];
    real.expect(!tried.contains(&uid), format!("a uid other than those of dry runs, {tried:?}"), uid)
}

async fn dryrun_generated_resourceversion(cx: Context, stored: StoredObject) -> Checked {
    let create = Request::post(stored.collection.path(), &stored.collection.body("b", "first"));

    let put = cx.send(dry(Request::put(stored.path(), &stored.body("second")))).await?;
    let patched =
        cx.send(dry(Request::merge_patch(stored.path(), &stored.collection.change("third")))).await?;
    let created = cx.send(dry(create.clone())).await?;
    let real = cx.send(create).await?.written()?;

    for answer in [put, patched] {
        let shown = answer.object()?.version().to_owned();
        let legal = ["", stored.read.version()].contains(&shown.as_str());
        let expected = format!("no version, or {}, that of what is stored", stored.read.version());
        answer.expect(legal, expected, shown)?;
    }
    let shown = created.object()?.version().to_owned();
    created.expect(shown != real.version(), "another version than the real create was given", shown)
}
