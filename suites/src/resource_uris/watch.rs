//! The watch parameter.

use crate::prelude::*;

rows![resource_uris_watch_param_forms.namespaced(), resource_uris_watch_on_item_path];

/// `verbs_watch_query_parameter` tests other values.
async fn resource_uris_watch_param_forms(stored: StoredObject) -> Checked {
    for form in ["watch=1", "watch=true", "watch"] {
        let mut watch = stored.collection.list().with(|request| request.raw_query(form)).open().await?;

        watch.expect("ADDED", stored.read.name()).await?;
    }
    Ok(())
}

/// The object, or its watch events.
async fn resource_uris_watch_on_item_path(cx: Context, stored: StoredObject) -> Checked {
    let get = stored.get().param("watch", 1).param("timeoutSeconds", 2);

    let response = get.response_within(cx.event_timeout()).await?;

    let expected = "the object, or its watch events";
    let response = response.ok_or_else(|| cx.failed(expected, "a response that does not end", None))?;
    response.expect_status(&[200])?;
    let uid = stored.read.metadata("uid");
    let of_it = |found: &Value| [found, &found["object"]].iter().any(|one| one["metadata"]["uid"] == uid);
    let right = !response.documents().is_empty() && response.documents().iter().all(of_it);
    response.expect(right, expected, response.brief())
}
