//! Responses of every kind that shows an object, for invariant checks.

use harness::invariant::ExchangeCheck;

use crate::patch_types::patch;
use crate::prelude::*;

/// A rule for every exchange is kept by all answers about an object of the subject's type.
pub(crate) async fn keep(cx: &Context, rule: ExchangeCheck) -> Checked {
    let collection = cx.collection_under_test().await?;
    let answers = of_one_life(cx, &collection).await?;
    let mut applied = false;
    for answer in &answers {
        let Some(result) = rule(answer) else { continue };
        applied = true;
        answer.expect_kept(Some(result), "")?;
    }
    match (applied, answers.last()) {
        (false, Some(last)) => Err(last.fail("an answer that shows whether the rule is kept", "none")),
        _ => Ok(()),
    }
}

/// The answers about an object from before it is there until it is gone.
async fn of_one_life(cx: &Context, collection: &Collection) -> Result<Vec<Arc<Exchange>>, Halt> {
    let own = format!("metadata.name={}", collection.name_of(NAME));
    let list = || collection.list().fields(&own);
    let before = list().await?;
    let watch = collection.watch().fields(&own).at(&before.page()?.version).open_if_offered().await?;
    let mut body = collection.body(NAME, "first");
    body["metadata"]["labels"]["assay"] = "first".into();
    let created = cx.send(Request::post(collection.path(), &body)).await?;
    body["metadata"]["resourceVersion"] = created.written()?.version().into();
    let label = json!({ "metadata": { "labels": { "assay": "second" } } });
    let put = cx.send_if_offered(Request::put(collection.path_of(NAME), &body)).await?;
    let patched = cx.send_if_offered(patch(collection, NAME, MERGE, &label)).await?;
    let mut answers = vec![before, created];
    answers.extend(put.into_iter().chain(patched));
    answers.extend([collection.get(NAME).await?, list().await?]);
    answers.extend(of_the_status(cx, collection).await?);
    answers.push(of_a_made_up_name(cx, collection).await?);
    answers.push(cx.send(Request::delete(collection.path_of(NAME))).await?);
    answers.push(collection.get(NAME).await?);
    if let Some(mut watch) = watch {
        // Whether all of it is told is asked elsewhere.
        while let Next::Event(event) = watch.next().await? {
            if event.kind == "DELETED" {
                break;
            }
        }
        answers.push(Arc::new(watch.exchange()));
    }
    Ok(answers)
}

/// The status, read and written, where it can be.
async fn of_the_status(cx: &Context, collection: &Collection) -> Result<Vec<Arc<Exchange>>, Halt> {
    if !collection.has_status() {
        return Ok(Vec::new());
    }
    let path = collection.status_path_of(NAME);
    let mut asked = vec![Request::get(&path)];
    if let Ok(change) = collection.status_change("second") {
        asked.push(Request::new(Method::PATCH, path).json(MERGE, &change));
    }
    let mut answers = Vec::new();
    for request in asked {
        answers.extend(cx.send_if_offered(request).await?);
    }
    Ok(answers)
}

/// The create of an object whose name the server makes up.
async fn of_a_made_up_name(cx: &Context, collection: &Collection) -> Result<Arc<Exchange>, Halt> {
    let mut body = collection.body("made-up-", "first");
    let name = body["metadata"].as_object_mut().and_then(|metadata| metadata.shift_remove("name"));
    body["metadata"]["generateName"] = name.unwrap_or_default();
    cx.send(Request::post(collection.path(), &body)).await
}
