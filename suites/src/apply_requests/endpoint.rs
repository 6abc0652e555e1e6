//! The endpoint of applies: PATCH of the object itself.

use super::MANAGER;
use crate::access_review;
use crate::missing_namespace::skip_if_provided;
use crate::prelude::*;

rows![
    apply_requests_patch_verb_on_object,
    apply_requests_not_on_collection.namespaced(),
    apply_requests_objects_only.own_kinds(),
    apply_requests_missing_namespace.own_kinds(),
];

/// The codes for a request that is no apply.
const REFUSED: [u16; 5] = [400, 404, 405, 415, 422];

async fn apply_requests_patch_verb_on_object(fixture: ApplyFixture) -> Checked {
    let sent = |method: Method, path: String| {
        Request::new(method, path).json(APPLY, &fixture.whole(&[("k", "v")])).query("fieldManager", MANAGER)
    };
    let post = || sent(Method::POST, fixture.collection.path());

    fixture.send(post()).await?.expect_rejection(&REFUSED)?;
    fixture.expect_absent().await?;

    let applied = fixture.send(sent(Method::PATCH, fixture.path())).await?;
    fixture.expect_texts(&applied, &[("k", Some("v"))]).await?;

    let before = fixture.read().await?.object()?;
    for request in [post(), sent(Method::PUT, fixture.path()), sent(Method::POST, fixture.path())] {
        fixture.send(request).await?.expect_rejection(&REFUSED)?;
    }
    fixture.expect_unchanged(&before).await
}

async fn apply_requests_not_on_collection(cx: Context, fixture: ApplyFixture) -> Checked {
    fixture.write(fixture.applying_whole(MANAGER, &[("k", "v")])).await?;
    let before = fixture.read().await?.written()?;

    for name in ["a", "b"] {
        let body = fixture.of(name).whole(&[("k", "w")]);
        let request = Request::new(Method::PATCH, fixture.collection.path()).json(APPLY, &body);
        let refused = cx.send(request.query("fieldManager", MANAGER)).await?;
        refused.expect_rejection(&[400, 403, 404, 405, 415, 422])?;
    }
    fixture.collection.now().await?.expect_names(&["a"])?;
    fixture.expect_unchanged(&before).await
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

    // 403 where the target's user may not patch the resource.
    refused.expect_rejection(&[403, 404, 405]).map(drop)
}

async fn apply_requests_missing_namespace(fixture: ConfigMapApplyFixture) -> Checked {
    let nowhere = fixture.path().replace("/configmaps/", "-nowhere/configmaps/");
    let body = fixture.whole(&[("k", "v")]);

    let request = Request::new(Method::PATCH, &nowhere).json(APPLY, &body);
    let refused = fixture.send(request.query("fieldManager", MANAGER)).await?;

    if refused.succeeded() {
        fixture.send(Request::delete(&nowhere)).await?;
    }
    skip_if_provided(&refused, &fixture.cx, &fixture.collection).await?;
    refused.expect_error(&[404], &["NotFound"]).map(drop)
}
