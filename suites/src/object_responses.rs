//! Responses of every kind that shows an object, for invariant checks.

use harness::invariant::ExchangeCheck;

use crate::patch_types::patch;
use crate::prelude::*;

/// All responses about an object of the subject's type keep an invariant check.
pub(crate) async fn keep(cx: Context, rule: ExchangeCheck) -> Checked {
    let collection = cx.collection_under_test().await?;
    let responses = of_one_life(&cx, &collection).await?;
    let mut applied = false;
    for response in &responses {
        let Some(result) = rule(response) else { continue };
        applied = true;
        response.expect_passed(Some(result), "")?;
    }
    if applied {
        return Ok(());
    }
    let last = responses.last().map(|last| last.brief()).unwrap_or_default();
    let cause = format!("none of {} is one; the last: {last}", responses.len());
    Err(cx.test_error("get a response that the clause applies to", cause).into())
}

/// The responses about an object, from before its create until after its deletion.
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
    let mut responses = vec![before, created];
    responses.extend(put.into_iter().chain(patched));
    responses.extend([collection.get(NAME).await?, list().await?]);
    responses.extend(of_the_status(cx, collection).await?);
    responses.push(of_a_made_up_name(cx, collection).await?);
    responses.push(cx.send(Request::delete(collection.path_of(NAME))).await?);
    responses.push(collection.get(NAME).await?);
    if let Some(mut watch) = watch {
        // Another scenario tests whether the response is complete.
        while let Next::Event(event) = watch.next().await? {
            if event.kind == "DELETED" {
                break;
            }
        }
        responses.push(Arc::new(watch.exchange()));
    }
    Ok(responses)
}

/// The status, read and written, where it can be.
async fn of_the_status(cx: &Context, collection: &Collection) -> Result<Vec<Arc<Exchange>>, Halt> {
    if !collection.has_status() {
        return Ok(Vec::new());
    }
    let path = collection.status_path_of(NAME);
    let mut requests = vec![Request::get(&path)];
    if let Ok(change) = collection.status_change("second") {
        requests.push(Request::new(Method::PATCH, path).json(MERGE, &change));
    }
    let mut responses = Vec::new();
    for request in requests {
        responses.extend(cx.send_if_offered(request).await?);
    }
    Ok(responses)
}

/// The create of an object whose name the server makes up.
async fn of_a_made_up_name(cx: &Context, collection: &Collection) -> Result<Arc<Exchange>, Halt> {
    let mut body = collection.body("made-up-", "first");
    let name = body["metadata"].as_object_mut().and_then(|metadata| metadata.shift_remove("name"));
    body["metadata"]["generateName"] = name.unwrap_or_default();
    cx.send(Request::post(collection.path(), &body)).await
}
