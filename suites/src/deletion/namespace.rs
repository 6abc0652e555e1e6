//! Deletion of namespaces.

use super::{
    ACCEPTED, FIRST, expect_alive, expect_terminating, expect_there, held, is_terminating, patch_finalizers,
};
use crate::pods;
use crate::prelude::*;

rows![
    deletion_namespace_enters_terminating.own_kinds(),
    deletion_namespace_terminating_rejects_creates.own_kinds(),
    deletion_namespace_removes_content.own_kinds().waits().also("resource-uris-namespace-delete-cascades"),
    deletion_namespace_pods_first.own_kinds().waits(),
    deletion_immortal_namespaces_403.own_kinds(),
];

/// The time for the work of a controller, in event timeouts.
const PATIENCE: u32 = 3;

fn path(namespace: &str) -> String {
    format!("/api/v1/namespaces/{namespace}")
}

/// A namespace of the scenario, which an object with a finalizer keeps after its deletion.
struct HeldNamespace {
    cx: Context,
    path: String,
    namespace: Object,
    configmaps: Collection,
}

impl HeldNamespace {
    async fn create(cx: &Context) -> Result<Self, Halt> {
        let name = cx.another_namespace().await?;
        let configmaps = cx.configmaps().await?.within(&name);
        let namespace = cx.send(Request::get(path(&name))).await?.written()?;
        held(&configmaps, KEEPER, &[FIRST]).await?;
        Ok(Self { cx: cx.clone(), path: path(&name), namespace, configmaps })
    }

    /// Runs the checks, and then removes the finalizer, whatever their result.
    async fn and_release(&self, checks: impl Future<Output = Checked>) -> Checked {
        let result = checks.await;
        let released = self.cx.send(patch_finalizers(&self.configmaps, KEEPER, &[])).await;
        result.and(released.map(drop))
    }
}

/// The name of the object that keeps a namespace.
const KEEPER: &str = "keeper";

async fn deletion_namespace_enters_terminating(cx: Context) -> Checked {
    let held = HeldNamespace::create(&cx).await?;

    let checks = async {
        let deleted = cx.send(Request::delete(&held.path)).await?;
        let got = cx.send(Request::get(&held.path)).await?;
        let kept = held.configmaps.get(KEEPER).await?;

        deleted.expect_status(ACCEPTED)?;
        let namespace = expect_terminating(&got, &held.namespace)?;
        let phase = namespace.json()["status"]["phase"].clone();
        got.expect(phase == "Terminating", "status.phase Terminating", phase.to_string())?;
        kept.object().map(drop)
    };
    held.and_release(checks).await
}

async fn deletion_namespace_terminating_rejects_creates(cx: Context) -> Checked {
    let held = HeldNamespace::create(&cx).await?;

    let checks = async {
        cx.send(Request::delete(&held.path)).await?.written()?;
        let body = held.configmaps.body("late", "first");
        let refused = cx.send(Request::post(held.configmaps.path(), &body)).await?;

        let status = refused.expect_error(&[403], &["Forbidden"])?;
        let causes = status["details"]["causes"].as_array();
        let terminating = |cause: &Value| cause["reason"] == "NamespaceTerminating";
        // Causes are optional.
        let named = causes.is_none_or(|causes| causes.iter().any(terminating));
        refused.expect(named, "a cause of reason NamespaceTerminating", refused.brief())
    };
    held.and_release(checks).await
}

async fn deletion_namespace_removes_content(cx: Context) -> Checked {
    let name = cx.another_namespace().await?;
    let mut kinds = vec![cx.configmaps().await?.within(&name)];
    if cx.target_info().serves("apiextensions.k8s.io") {
        kinds.push(cx.custom_resources().await?.within(&name));
    }
    for collection in &kinds {
        collection.create("a").await?;
    }

    cx.send(Request::delete(path(&name))).await?.written()?;
    wait_until_gone(&cx, &name).await?;

    for collection in &kinds {
        let got = collection.get("a").await?;
        got.expect(got.status() == 404, "HTTP 404: the namespace was removed with its content", got.brief())?;
    }
    Ok(())
}

/// Waits until a namespace is gone. Skips where no controller removes namespaces.
async fn wait_until_gone(cx: &Context, name: &str) -> Checked {
    if cx.yield_place_while(cx.eventually(|| is_gone(cx, name))).await?.is_some() {
        return Ok(());
    }
    let got = cx.send(Request::get(path(name))).await?;
    let has_conditions = got.json().is_some_and(|json| json["status"]["conditions"].is_array());
    // A controller that has much to do begins late.
    if !has_conditions && !cx.has_controllers().await {
        return Err(cx.lacks("NamespaceController", "a deleted namespace stays, without conditions"));
    }
    let gone = cx
        .yield_place_while(cx.poll(cx.soon() + PATIENCE * cx.event_timeout(), || is_gone(cx, name)))
        .await?;
    let cause = "the namespace still exists";
    gone.ok_or_else(|| cx.test_error(format!("wait for the removal of the namespace {name}"), cause).into())
}

async fn is_gone(cx: &Context, name: &str) -> Result<Option<()>, Halt> {
    Ok((cx.send(Request::get(path(name))).await?.status() == 404).then_some(()))
}

async fn deletion_namespace_pods_first(cx: Context) -> Checked {
    let name = cx.another_namespace().await?;
    let pods = pods::collection(&cx).await?.within(&name);
    let collection = cx.configmaps().await?.within(&name);
    let created = collection.create("a").await?;
    let mut body = pods::idle(KEEPER);
    body["metadata"]["finalizers"] = json!([FIRST]);
    pods::create(&cx, &pods, &body).await?;

    let checked = pods_go_first(&cx, &name, &pods, (&collection, &created)).await;
    let released = cx.send(patch_finalizers(&pods, KEEPER, &[])).await;

    checked?;
    released?.expect_status(&[200])?;
    wait_until_gone(&cx, &name).await
}

async fn pods_go_first(
    cx: &Context,
    namespace: &str,
    pods: &Collection,
    (collection, created): (&Collection, &Object),
) -> Checked {
    cx.send(Request::delete(path(namespace))).await?.written()?;
    let pod_deleted =
        cx.eventually(|| async { Ok(is_terminating(&pods.get(KEEPER).await?.written()?).then_some(())) });
    if cx.yield_place_while(pod_deleted).await?.is_none() {
        let why = "no controller deletes the Pods of a deleted namespace";
        return Err(if cx.has_controllers().await {
            cx.late(format!("wait for the deletion of the Pods of {namespace}"), why).into()
        } else {
            cx.lacks("OrderedNamespaceDeletion", why)
        });
    }
    // The controller reports the remaining content after its last possible step.
    let reported = cx.poll(cx.soon(), || async {
        let got = cx.send(Request::get(path(namespace))).await?;
        let conditions = got.json().map(|json| json["status"]["conditions"].clone()).unwrap_or_default();
        let remaining = |condition: &Value| {
            let kind = condition["type"].as_str().unwrap_or_default();
            kind.ends_with("Remaining") && condition["status"] == "True"
        };
        Ok(conditions.as_array().is_some_and(|all| all.iter().any(remaining)).then_some(()))
    });
    cx.yield_place_while(reported).await?;

    let got = collection.get("a").await?;

    expect_alive(&got, created).map(drop)
}

async fn deletion_immortal_namespaces_403(cx: Context) -> Checked {
    // A dry run on a namespace of the scenario first, because the next request is about a namespace of others.
    let own = path(&cx.another_namespace().await?);
    let before = cx.send(Request::get(&own)).await?.written()?;
    let rehearsed = cx.send(Request::delete(&own).query("dryRun", "All")).await?;
    let after = cx.send(Request::get(&own)).await?;
    let harmless = expect_there(&after, &before).is_ok_and(|namespace| !is_terminating(&namespace));
    if !harmless {
        let cause = format!("a dry run deletes namespaces: {}", rehearsed.brief());
        return Err(cx.test_error("delete the namespace default in a dry run", cause).into());
    }

    let refused = cx.send(Request::delete(path("default")).query("dryRun", "All")).await?;

    refused.expect_error(&[403], &["Forbidden"]).map(drop)
}
