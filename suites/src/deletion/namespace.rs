//! Deletion of namespaces.

use super::{ACCEPTED, FIRST, expect_alive, expect_marked, expect_there, held, is_marked, with_finalizers};
use crate::pods;
use crate::prelude::*;

rows![
    deletion_namespace_enters_terminating.own_kinds(),
    deletion_namespace_terminating_rejects_creates.own_kinds(),
    deletion_namespace_removes_content.own_kinds(),
    deletion_namespace_pods_first.own_kinds(),
    deletion_immortal_namespaces_403.own_kinds(),
];

/// How many times the event timeout the work of a controller may take.
const AT_WORK: u32 = 3;

fn path(namespace: &str) -> String {
    format!("/api/v1/namespaces/{namespace}")
}

/// A namespace of ours, and what keeps it when it is deleted: an object with a finalizer.
struct Ending {
    cx: Context,
    path: String,
    namespace: Object,
    keeper: Collection,
}

impl Ending {
    /// Creates both.
    async fn create(cx: &Context) -> Result<Self, Halt> {
        let name = cx.another_namespace().await?;
        let keeper = cx.configmaps().await?.within(&name);
        let namespace = cx.send(Request::get(path(&name))).await?.written()?;
        held(&keeper, KEEPER, &[FIRST]).await?;
        Ok(Self { cx: cx.clone(), path: path(&name), namespace, keeper })
    }

    /// Lets the namespace go, whatever came of the question.
    async fn end(&self, asked: impl Future<Output = Checked>) -> Checked {
        let asked = asked.await;
        let path = self.keeper.path_of(KEEPER);
        let released = self.cx.send(Request::merge_patch(path, &with_finalizers(&[]))).await;
        asked?;
        released.map(drop)
    }
}

const KEEPER: &str = "keeper";

async fn deletion_namespace_enters_terminating(cx: Context) -> Checked {
    let ending = Ending::create(&cx).await?;

    ending
        .end(async {
            let deleted = cx.send(Request::delete(&ending.path)).await?;
            let got = cx.send(Request::get(&ending.path)).await?;
            let kept = ending.keeper.get(KEEPER).await?;

            deleted.expect_status(ACCEPTED)?;
            let namespace = expect_marked(&got, &ending.namespace)?;
            let phase = namespace.json()["status"]["phase"].clone();
            got.expect(phase == "Terminating", "status.phase Terminating", phase.to_string())?;
            kept.object().map(drop)
        })
        .await
}

async fn deletion_namespace_terminating_rejects_creates(cx: Context) -> Checked {
    let ending = Ending::create(&cx).await?;

    ending
        .end(async {
            cx.send(Request::delete(&ending.path)).await?.written()?;
            let body = ending.keeper.body("late", "first");
            let refused = cx.send(Request::post(ending.keeper.path(), &body)).await?;

            let status = refused.expect_error(&[403], &["Forbidden"])?;
            let causes = status["details"]["causes"].as_array();
            let ends = |cause: &Value| cause["reason"] == "NamespaceTerminating";
            // A refusal need not say more than its reason; where it does, it must be this.
            let named = causes.is_none_or(|causes| causes.iter().any(ends));
            refused.expect(named, "a cause of reason NamespaceTerminating", refused.brief())
        })
        .await
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
        got.expect(got.status() == 404, "nothing left of what was in the namespace", got.brief())?;
    }
    Ok(())
}

/// Waits until a namespace is gone; skips where nobody ends namespaces.
async fn wait_until_gone(cx: &Context, name: &str) -> Checked {
    if cx.aside(cx.eventually(|| is_gone(cx, name))).await?.is_some() {
        return Ok(());
    }
    let got = cx.send(Request::get(path(name))).await?;
    if !got.json().is_some_and(|json| json["status"]["conditions"].is_array()) {
        return Err(
            cx.lacks("NamespaceController", "a namespace that was deleted stays, and nobody says why")
        );
    }
    let gone = cx.aside(cx.poll(cx.soon() + AT_WORK * cx.event_timeout(), || is_gone(cx, name))).await?;
    let why = "the namespace is still there";
    gone.ok_or_else(|| cx.test_error(format!("see the namespace {name} end"), why).into())
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

    let asked = pods_go_first(&cx, &name, &pods, (&collection, &created)).await;
    let release = Request::merge_patch(pods.path_of(KEEPER), &with_finalizers(&[]));
    let released = cx.send(release).await;

    asked?;
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
    let turned = cx.eventually(|| async {
        let keeper = pods.get(KEEPER).await?.written()?;
        Ok(is_marked(&keeper).then_some(()))
    });
    if cx.aside(turned).await?.is_none() {
        return Err(
            cx.lacks("OrderedNamespaceDeletion", "nobody deletes the Pods of a namespace that was deleted")
        );
    }
    // It says what is left when it has done what it could.
    let told = cx.poll(cx.soon(), || async {
        let got = cx.send(Request::get(path(namespace))).await?;
        let conditions = got.json().map(|json| json["status"]["conditions"].clone()).unwrap_or_default();
        let left = |condition: &Value| {
            let kind = condition["type"].as_str().unwrap_or_default();
            kind.ends_with("Remaining") && condition["status"] == "True"
        };
        Ok(conditions.as_array().is_some_and(|all| all.iter().any(left)).then_some(()))
    });
    cx.aside(told).await?;

    let got = collection.get("a").await?;

    expect_alive(&got, created).map(drop)
}

async fn deletion_immortal_namespaces_403(cx: Context) -> Checked {
    // Only a server that surely deletes nothing is asked to delete what is not ours.
    let own = path(&cx.another_namespace().await?);
    let before = cx.send(Request::get(&own)).await?.written()?;
    let rehearsed = cx.send(Request::delete(&own).query("dryRun", "All")).await?;
    let after = cx.send(Request::get(&own)).await?;
    let harmless = expect_there(&after, &before).is_ok_and(|namespace| !is_marked(&namespace));
    if !harmless {
        let why = format!("a dry run deletes namespaces here: {}", rehearsed.brief());
        return Err(cx.test_error("ask to delete the namespace default in a dry run", why).into());
    }

    let refused = cx.send(Request::delete(path("default")).query("dryRun", "All")).await?;

    refused.expect_error(&[403], &["Forbidden"]).map(drop)
}
