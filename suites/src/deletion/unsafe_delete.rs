//! Unsafe deletion: `ignoreStoreReadErrorWithClusterBreakingPotential`.
//!
//! A server with the feature gate off ignores the option and deletes as usual. Requests about a missing object and an
//! empty selection find out whether the gate is on.

use super::{ACCEPTED, FIRST, expect_alive, expect_terminating, held, with_options};
use crate::object_fixture::NO_UID;
use crate::prelude::*;
use crate::rejections::{RejectionFixture, rejected};

const OPTION: &str = "ignoreStoreReadErrorWithClusterBreakingPotential";

pub(super) fn rows() -> Vec<Row> {
    vec![
        row!(deletion_unsafe_option_defaults_off).own_kinds(),
        // 422 up to 1.36, 409 since.
        rejected("deletion-unsafe-readable-object-rejected", &[409, 422], |held: &HeldConfigMap| {
            unsafe_delete(&held.collection, json!({}))
        })
        .row()
        .own_kinds(),
        rejected("deletion-unsafe-incompatible-options-422", &[422], |held: &HeldConfigMap| {
            let others = [
                json!({ "gracePeriodSeconds": 0 }),
                json!({ "orphanDependents": true }),
                json!({ "preconditions": { "uid": held.created.metadata("uid") } }),
                json!({ "propagationPolicy": "Background" }),
            ];
            others.map(|options| unsafe_delete(&held.collection, options))
        })
        .row()
        .own_kinds(),
        // Because of the dry run up to 1.36, and since because the object is readable.
        rejected("deletion-unsafe-dryrun", &[409, 422], |held: &HeldConfigMap| {
            unsafe_delete(&held.collection, json!({ "dryRun": ["All"] }))
        })
        .row()
        .own_kinds(),
        rejected("deletion-unsafe-not-for-collections-422", &[422], |held: &HeldConfigMap| {
            of_a_collection(&held.collection)
        })
        .reason("Invalid")
        .response_only()
        .row()
        .own_kinds(),
        row!(deletion_unsafe_needs_extra_verb).own_kinds(),
    ]
}

/// A deletion with the unsafe option on or off, and with other options.
fn with_option(path: String, on: bool, others: Value) -> Request {
    let mut options = others;
    options[OPTION] = json!(on);
    with_options(path, &options)
}

/// An unsafe deletion of the object `a`, with other options.
fn unsafe_delete(collection: &Collection, others: Value) -> Request {
    with_option(collection.path_of("a"), true, others)
}

/// An unsafe deletion of a collection, with a selector that matches nothing.
fn of_a_collection(collection: &Collection) -> Request {
    with_option(collection.path(), true, json!({})).query("labelSelector", "kube-assay.dev/nothing=has-this")
}

/// `ConfigMaps`, and one with a finalizer, which an ordinary deletion does not remove.
struct HeldConfigMap {
    collection: Collection,
    created: Object,
}

impl Fixture for HeldConfigMap {
    /// Skips where the server ignores the option: it must reject the option in other places.
    async fn arrange(cx: &Context) -> Result<Self, Halt> {
        let collection = cx.configmaps().await?;
        let background = json!({ "propagationPolicy": "Background" });
        let of_missing = with_option(collection.path_of("absent"), true, background);
        for harmless in [of_missing, of_a_collection(&collection)] {
            if cx.send(harmless).await?.status() == 422 {
                let created = held(&collection, "a", &[FIRST]).await?;
                return Ok(Self { collection, created });
            }
        }
        Err(cx.lacks("AllowUnsafeMalformedObjectDeletion", format!("the option {OPTION} has no effect")))
    }
}

impl RejectionFixture for HeldConfigMap {
    fn collection(&self) -> &Collection {
        &self.collection
    }

    async fn expect_unchanged(&self) -> Checked {
        expect_alive(&*self.collection.get("a").await?, &self.created).map(drop)
    }
}

async fn deletion_unsafe_option_defaults_off(cx: Context, collection: ConfigMaps) -> Checked {
    let created = held(&collection, "a", &[FIRST]).await?;
    let off = |others: Value| with_option(collection.path_of("a"), false, others);

    let mismatch = cx.send(off(json!({ "preconditions": { "uid": NO_UID } }))).await?;
    expect_alive(&*collection.get("a").await?, &created)?;
    let deleted = cx.send(off(json!({}))).await?;
    let got = collection.get("a").await?;

    mismatch.expect_error(&[409], &["Conflict"])?;
    deleted.expect_status(ACCEPTED)?;
    expect_terminating(&got, &created).map(drop)
}

async fn deletion_unsafe_needs_extra_verb(cx: Context, held: HeldConfigMap) -> Checked {
    let user = grant_deletion(&cx).await?;
    wait_until_granted(&cx, &held.collection, &user).await?;

    let delete = unsafe_delete(&held.collection, json!({}));
    let refused = cx.send(delete.header("impersonate-user", &user)).await?;

    refused.expect_rejection(&[403])?;
    held.expect_unchanged().await
}

const RBAC: &str = "rbac.authorization.k8s.io";

/// A user whose only permission is to delete the `ConfigMaps` of the scenario's namespace.
async fn grant_deletion(cx: &Context) -> Result<String, Halt> {
    if !cx.target_info().serves(RBAC) {
        return Err(Halt::skip(format!("the server does not serve {RBAC}, for a user with few permissions")));
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
        Halt::skip_unless(created.status() != 403, "no permission to create a Role and a RoleBinding")?;
        created.written()?;
    }
    Ok(user)
}

/// Waits until the role of the user is in force. Skips if it is not in time.
async fn wait_until_granted(cx: &Context, collection: &Collection, user: &str) -> Checked {
    let granted = cx.eventually(|| async {
        let usual = with_options(collection.path_of("a"), &json!({ "dryRun": ["All"] }));
        let tried = cx.send(usual.header("impersonate-user", user)).await?;
        Ok((tried.status() != 403).then_some(()))
    });
    let reason = "a Role does not allow its user to delete: no permission to impersonate, or RBAC is off";
    cx.yield_place_while(granted).await?.ok_or_else(|| Halt::skip(reason))
}
