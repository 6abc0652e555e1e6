//! The endpoint of applies: PATCH of the object itself.

use harness::{Checked, Context, Method, Request};
use serde_json::json;

use super::MANAGER;
use crate::access_review;
use crate::apply_fixture::Story;
use crate::patch_types::APPLY;
use crate::scenario::ConfigMapStory;

rows![
    apply_requests_patch_verb_on_object,
    apply_requests_not_on_collection.namespaced(),
    apply_requests_objects_only.own_kinds(),
    apply_requests_missing_namespace.own_kinds(),
];

/// How what is no apply may be refused.
const REFUSED: [u16; 5] = [400, 404, 405, 415, 422];

async fn apply_requests_patch_verb_on_object(story: Story) -> Checked {
    let sent = |method: Method, path: String| {
        Request::new(method, path).json(APPLY, &story.whole(&[("k", "v")])).query("fieldManager", MANAGER)
    };
    let post = || sent(Method::POST, story.collection.path());

    story.ask(post()).await?.expect_refusal(&REFUSED)?;
    story.expect_absent().await?;

    let applied = story.ask(sent(Method::PATCH, story.path())).await?;
    story.expect_texts(&applied, &[("k", Some("v"))]).await?;

    let before = story.read().await?.object()?;
    for request in [post(), sent(Method::PUT, story.path()), sent(Method::POST, story.path())] {
        story.ask(request).await?.expect_refusal(&REFUSED)?;
    }
    story.expect_unchanged(&before).await
}

async fn apply_requests_not_on_collection(cx: Context, story: Story) -> Checked {
    story.done(story.applying_whole(MANAGER, &[("k", "v")])).await?;
    let before = story.read().await?.written()?;

    for name in ["a", "b"] {
        let body = story.of(name).whole(&[("k", "w")]);
        let request = Request::new(Method::PATCH, story.collection.path()).json(APPLY, &body);
        let refused = cx.send(request.query("fieldManager", MANAGER)).await?;
        refused.expect_refusal(&[400, 403, 404, 405, 415, 422])?;
    }
    story.collection.now().await?.expect_names(&["a"])?;
    story.expect_unchanged(&before).await
}

async fn apply_requests_objects_only(cx: Context) -> Checked {
    let body = json!({
        "apiVersion": access_review::resource().api_version(),
        "kind": access_review::resource().kind,
        "metadata": { "name": "kube-assay" },
    });
    let path = format!("{}/kube-assay", access_review::path(&cx).await?);

    let request = Request::new(Method::PATCH, path).json(APPLY, &body);
    let refused = cx.send(request.query("fieldManager", MANAGER)).await?;

    // 403 where we may not patch such a thing, be there one or not.
    refused.expect_refusal(&[403, 404, 405]).map(drop)
}

async fn apply_requests_missing_namespace(ConfigMapStory(story): ConfigMapStory) -> Checked {
    let nowhere = story.path().replace("/configmaps/", "-nowhere/configmaps/");
    let body = story.whole(&[("k", "v")]);

    let request = Request::new(Method::PATCH, &nowhere).json(APPLY, &body);
    let refused = story.ask(request.query("fieldManager", MANAGER)).await?;

    if refused.succeeded() {
        story.ask(Request::delete(&nowhere)).await?;
    }
    refused.expect_error(&[404], &["NotFound"]).map(drop)
}
