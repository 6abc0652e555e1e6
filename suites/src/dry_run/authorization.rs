//! Authorization of dry runs: the same as of the real request.

use super::dry;
use crate::prelude::*;
use crate::unprivileged_user;

const GROUP: &str = "rbac.authorization.k8s.io";

rows![dryrun_authorization_same.own_kinds(), dryrun_authorization_no_extra.own_kinds()];

async fn dryrun_authorization_same(cx: Context, stored: StoredObject) -> Checked {
    let requests = [
        Request::post(stored.collection.path(), &stored.collection.body("b", "first")),
        Request::put(stored.path(), &stored.body("second")),
        Request::merge_patch(stored.path(), &stored.collection.change("third")),
        Request::delete(stored.path()),
    ];

    for request in requests {
        let real = cx.send(unprivileged_user::sends(&cx, request.clone())).await?;
        if real.status() != 403 || real.text().contains("impersonate") {
            return Err(not_rejected(&real));
        }
        let tried = cx.send(unprivileged_user::sends(&cx, dry(request))).await?;

        tried.expect_error(&[403], &["Forbidden"])?;
    }
    stored.expect_unchanged().await
}

/// The skip where the server does not reject requests of a user without permissions.
fn not_rejected(response: &Exchange) -> Halt {
    Halt::skip(format!("the response to a user without permissions is {}", response.brief()))
}

async fn dryrun_authorization_no_extra(cx: Context) -> Checked {
    cx.require_feature("RBAC", cx.target_info().serves(GROUP), format!("it does not serve {GROUP}"))?;
    let stored = StoredObject::create(&cx).await?;
    let patch = || Request::merge_patch(stored.path(), &stored.collection.change("second"));
    let refused = cx.send(unprivileged_user::sends(&cx, patch())).await?;
    if refused.status() != 403 || refused.text().contains("impersonate") {
        return Err(not_rejected(&refused));
    }
    grant_patch(&cx).await?;
    // A new role takes a moment to be in force.
    let granted = cx.eventually(|| async {
        Ok(cx.send(unprivileged_user::sends(&cx, patch())).await?.succeeded().then_some(()))
    });
    let cause = "a Role and its RoleBinding are not in force in time";
    granted.await?.ok_or_else(|| cx.late("grant a user the verb patch", cause))?;

    let tried = cx.send(unprivileged_user::sends(&cx, dry(patch()))).await?;

    tried.expect_status(&[200])
}

/// Grants the user of the scenario the verb `patch` of `ConfigMaps`, and no other.
async fn grant_patch(cx: &Context) -> Checked {
    let rules = json!([{ "apiGroups": [""], "resources": ["configmaps"], "verbs": ["patch"] }]);
    let role = json!({ "apiGroup": GROUP, "kind": "Role", "name": NAME });
    let user = json!({ "apiGroup": GROUP, "kind": "User", "name": cx.own_name("user") });
    for (plural, kind, rest) in [
        ("roles", "Role", json!({ "rules": rules })),
        ("rolebindings", "RoleBinding", json!({ "roleRef": role, "subjects": [user] })),
    ] {
        let mut body = rest;
        body["apiVersion"] = format!("{GROUP}/v1").into();
        body["kind"] = kind.into();
        body["metadata"] = json!({ "name": NAME });
        cx.collection(Resource::of(GROUP, "v1", plural, kind)).await?.create_body(&body).await?;
    }
    Ok(())
}
