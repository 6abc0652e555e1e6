//! Pods, whose subresources take other kinds than theirs, or theirs under other rules.

use harness::{Collection, Context, Halt, Object, Request, Resource, Suite};
use serde_json::json;

use crate::deletion::pod::{create, idle};
use crate::stored::NAME;

/// Adds the scenarios of this part.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("kinds-binding-subresource-sets-node", a_binding_sets_the_node)
        .scenario("kinds-status-resource-accepts-parent-kind", the_status_is_written_with_the_whole_object)
}

/// A Pod that nobody schedules. Skips where the server has none.
async fn pod(cx: &Context) -> Result<(Collection, Object), Halt> {
    let pods = cx.collection(Resource::core("pods", "Pod")).await?;
    if pods.list().await?.status() == 404 {
        return Err(cx.lacks("Pods", "it does not serve them"));
    }
    let created = create(cx, &pods, &idle(NAME)).await?;
    Ok((pods, created))
}

/// A node that is not there, so that nobody looks after what is bound to it.
const NODE: &str = "kube-assay-no-such-node";

async fn a_binding_sets_the_node(cx: Context) -> Result<(), Halt> {
    let (pods, _) = pod(&cx).await?;
    let binding = json!({
        "apiVersion": "v1", "kind": "Binding", "metadata": { "name": NAME },
        "target": { "apiVersion": "v1", "kind": "Node", "name": NODE },
    });
    let bind = Request::post(format!("{}/binding", pods.path_of(NAME)), &binding);

    let asked = async {
        let bound = cx.send(bind.clone()).await?;
        let got = pods.get(NAME).await?;
        let again = cx.send(bind).await?;

        bound.expect_status(&[201])?;
        let success =
            bound.json().is_some_and(|json| json["kind"] == "Status" && json["status"] == "Success");
        bound.expect(success, "a Status with status Success", bound.brief())?;
        let node = got.object()?.json()["spec"]["nodeName"].clone();
        got.expect(node == NODE, format!("spec.nodeName {NODE}"), node.to_string())?;
        again.expect_error(&[409], &["Conflict"]).map(drop)
    };
    let asked = asked.await;
    // Nobody else would end it.
    let removed = cx.send(Request::delete(pods.path_of(NAME)).query("gracePeriodSeconds", 0)).await;
    asked?;
    removed.map(drop)
}

async fn the_status_is_written_with_the_whole_object(cx: Context) -> Result<(), Halt> {
    let (pods, _) = pod(&cx).await?;
    let phase = |phase: &str| {
        let phase = phase.to_owned();
        async {
            let mut body = pods.get(NAME).await?.written()?.json().clone();
            body["status"]["phase"] = phase.into();
            Ok::<_, Halt>(body)
        }
    };

    let through_status = cx.send(Request::put(pods.status_path_of(NAME), &phase("Running").await?)).await?;
    let stored = pods.get(NAME).await?;
    let through_main = cx.send(Request::put(pods.path_of(NAME), &phase("Failed").await?)).await?;

    through_status.expect_status(&[200])?;
    through_main.expect_status(&[200])?;
    for answer in [through_status, stored, through_main, pods.get(NAME).await?] {
        let shown = answer.object()?.json()["status"]["phase"].clone();
        answer.expect(shown == "Running", "status.phase Running", shown.to_string())?;
    }
    Ok(())
}
