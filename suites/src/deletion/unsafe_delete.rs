//! Unsafe deletion: `ignoreStoreReadErrorWithClusterBreakingPotential`.
//!
//! A server whose gate is off drops the option without a word and deletes as usual. Whether it is offered is therefore
//! asked of an object and a selection that are not there.

use super::{ACCEPTED, FIRST, NO_UID, expect_alive, expect_marked, held, with_options};
use crate::prelude::*;

const OPTION: &str = "ignoreStoreReadErrorWithClusterBreakingPotential";

rows![
    deletion_unsafe_option_defaults_off.own_kinds(),
    deletion_unsafe_readable_object_rejected.own_kinds(),
    deletion_unsafe_incompatible_options_422.own_kinds(),
    deletion_unsafe_dryrun.own_kinds(),
    deletion_unsafe_not_for_collections_422.own_kinds(),
    deletion_unsafe_needs_extra_verb.own_kinds(),
];

/// A deletion by force, with other options.
fn by_force(path: String, others: Value) -> Request {
    let mut options = others;
    options[OPTION] = json!(true);
    with_options(path, &options)
}

/// A forced deletion of everything that a label selects which nothing has.
fn of_a_collection(collection: &Collection) -> Request {
    by_force(collection.path(), json!({})).query("labelSelector", "kube-assay.dev/nothing=has-this")
}

/// Config maps of ours, if the server takes note of the option: it refuses it where it does not belong.
async fn offered(cx: &Context) -> Result<Collection, Halt> {
    let collection = cx.configmaps().await?;
    let elsewhere = by_force(collection.path_of("absent"), json!({ "propagationPolicy": "Background" }));
    for harmless in [elsewhere, of_a_collection(&collection)] {
        if cx.send(harmless).await?.status() == 422 {
            return Ok(collection);
        }
    }
    Err(cx.lacks("AllowUnsafeMalformedObjectDeletion", format!("the option {OPTION} has no effect")))
}

/// An object that no deletion by force may reach, and that none in the usual way would remove.
async fn kept(collection: &Collection) -> Result<Object, Halt> {
    held(collection, "a", &[FIRST]).await
}

/// A deletion of the object is refused, and has not begun.
async fn expect_refused(
    collection: &Collection,
    refused: Arc<Exchange>,
    legal: &[u16],
    before: &Object,
) -> Checked {
    let got = collection.get("a").await?;
    refused.expect_refusal(legal)?;
    expect_alive(&got, before).map(drop)
}

async fn deletion_unsafe_option_defaults_off(cx: Context, ConfigMaps(collection): ConfigMaps) -> Checked {
    let created = kept(&collection).await?;
    let off = |others: Value| {
        let mut options = others;
        options[OPTION] = json!(false);
        with_options(collection.path_of("a"), &options)
    };

    let another = cx.send(off(json!({ "preconditions": { "uid": NO_UID } }))).await?;
    expect_alive(&*collection.get("a").await?, &created)?;
    let deleted = cx.send(off(json!({}))).await?;
    let got = collection.get("a").await?;

    another.expect_error(&[409], &["Conflict"])?;
    deleted.expect_status(ACCEPTED)?;
    expect_marked(&got, &created).map(drop)
}

async fn deletion_unsafe_readable_object_rejected(cx: Context) -> Checked {
    let collection = offered(&cx).await?;
    let created = kept(&collection).await?;

    let refused = cx.send(by_force(collection.path_of("a"), json!({}))).await?;

    // 422 up to 1.36, 409 since.
    expect_refused(&collection, refused, &[409, 422], &created).await
}

async fn deletion_unsafe_incompatible_options_422(cx: Context) -> Checked {
    let collection = offered(&cx).await?;
    let created = kept(&collection).await?;

    for other in [
        json!({ "gracePeriodSeconds": 0 }),
        json!({ "orphanDependents": true }),
        json!({ "preconditions": { "uid": created.metadata("uid") } }),
        json!({ "propagationPolicy": "Background" }),
    ] {
        let refused = cx.send(by_force(collection.path_of("a"), other)).await?;

        expect_refused(&collection, refused, &[422], &created).await?;
    }
    Ok(())
}

async fn deletion_unsafe_dryrun(cx: Context) -> Checked {
    let collection = offered(&cx).await?;
    let created = kept(&collection).await?;

    let refused = cx.send(by_force(collection.path_of("a"), json!({ "dryRun": ["All"] }))).await?;

    // Refused for the dry run up to 1.36, and since because the object can be read.
    expect_refused(&collection, refused, &[409, 422], &created).await
}

async fn deletion_unsafe_not_for_collections_422(cx: Context) -> Checked {
    let collection = offered(&cx).await?;

    let refused = cx.send(of_a_collection(&collection)).await?;

    refused.expect_error(&[422], &["Invalid"]).map(drop)
}

async fn deletion_unsafe_needs_extra_verb(cx: Context) -> Checked {
    let collection = offered(&cx).await?;
    let created = kept(&collection).await?;
    let user = grant_deletion(&cx).await?;
    wait_until_granted(&cx, &collection, &user).await?;

    let forced = by_force(collection.path_of("a"), json!({}));
    let refused = cx.send(forced.header("impersonate-user", &user)).await?;

    expect_refused(&collection, refused, &[403], &created).await
}

const RBAC: &str = "rbac.authorization.k8s.io";

/// A user of this scenario who may delete the config maps of its namespace, and nothing else.
async fn grant_deletion(cx: &Context) -> Result<String, Halt> {
    if !cx.target_info().serves(RBAC) {
        return Err(Halt::Skipped(format!("needs users of different rights, and {RBAC} is not served")));
    }
    let namespace = cx.namespace().await?;
    let (root, name) = (format!("/apis/{RBAC}/v1/namespaces/{namespace}"), "kube-assay-deletes");
    let user = format!("{name}-in-{namespace}");
    let role = json!({
        "apiVersion": format!("{RBAC}/v1"), "kind": "Role", "metadata": { "name": name },
        "rules": [{ "apiGroups": [""], "resources": ["configmaps"], "verbs": ["delete"] }],
    });
    let binding = json!({
        "apiVersion": format!("{RBAC}/v1"), "kind": "RoleBinding", "metadata": { "name": name },
        "roleRef": { "apiGroup": RBAC, "kind": "Role", "name": name },
        "subjects": [{ "apiGroup": RBAC, "kind": "User", "name": user }],
    });
    for (plural, body) in [("roles", role), ("rolebindings", binding)] {
        let created = cx.send(Request::post(format!("{root}/{plural}"), &body)).await?;
        if created.status() == 403 {
            return Err(Halt::Skipped(
                "needs users of different rights, and we may not grant any".to_owned(),
            ));
        }
        created.written()?;
    }
    Ok(user)
}

/// Waits until the user may delete in the usual way: rights take a moment. Skips where they are not granted so.
async fn wait_until_granted(cx: &Context, collection: &Collection, user: &str) -> Checked {
    let granted = cx.eventually(|| async {
        let usual = with_options(collection.path_of("a"), &json!({ "dryRun": ["All"] }));
        let tried = cx.send(usual.header("impersonate-user", user)).await?;
        Ok((tried.status() != 403).then_some(()))
    });
    let why =
        "a user of ours may not delete although a Role allows it: we cannot act for others, or RBAC is off";
    cx.aside(granted).await?.ok_or_else(|| Halt::Skipped(why.to_owned()))
}
