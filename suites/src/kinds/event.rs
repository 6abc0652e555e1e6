//! Events.

use crate::prelude::*;

rows![
    kinds_two_representations_of_one_object.own_kinds(),
    kinds_event_can_be_recorded.own_kinds(),
    kinds_event_reason_camelcase.own_kinds(),
    kinds_event_aggregation_supported.own_kinds(),
];

/// The component of the scenario's events.
const COMPONENT: &str = "kube-assay";

/// Components that record events for Kubernetes itself.
const COMPONENTS: [&str; 14] = [
    COMPONENT,
    "cronjob-controller",
    "daemonset-controller",
    "default-scheduler",
    "deployment-controller",
    "disruption-controller",
    "endpoint-controller",
    "horizontal-pod-autoscaler",
    "job-controller",
    "kubelet",
    "node-controller",
    "persistentvolume-controller",
    "replicaset-controller",
    "statefulset-controller",
];

/// Creates an event. Skips where discovery does not list events.
async fn record(cx: &Context) -> Result<(Collection, Object), Halt> {
    let events = cx.collection_if_listed(Resource::core("events", "Event")).await?;
    let events = events.ok_or_else(|| cx.lacks("Events", "discovery does not list events in v1"))?;
    let about = json!({
        "apiVersion": "v1", "kind": "ConfigMap", "namespace": cx.namespace().await?, "name": "assayed",
    });
    let body = json!({
        "apiVersion": "v1", "kind": "Event", "metadata": { "name": NAME }, "involvedObject": about,
        "reason": "Assayed", "message": "It was looked at.", "type": "Normal", "count": 1,
        "source": { "component": COMPONENT },
        "firstTimestamp": "2026-01-01T00:00:00Z", "lastTimestamp": "2026-01-01T00:00:00Z",
    });
    let recorded = events.create_body(&body).await?;
    Ok((events, recorded))
}

async fn kinds_two_representations_of_one_object(cx: Context) -> Checked {
    if !cx.discovers(&Resource::of("events.k8s.io", "v1", "events", "Event")).await? {
        return Err(cx.lacks("Events", "discovery does not list events in events.k8s.io/v1"));
    }
    let (_, recorded) = record(&cx).await?;
    let namespace = cx.namespace().await?;
    let path = format!("/apis/events.k8s.io/v1/namespaces/{namespace}/events/{NAME}");

    let got = cx.send(Request::get(path)).await?;

    let event = got.object()?;
    let same = [("/metadata/uid", "/metadata/uid"), ("/note", "/message"), ("/regarding", "/involvedObject")];
    for (here, there) in same {
        let [actual, expected] =
            [(&event, here), (&recorded, there)].map(|(event, at)| event.json().pointer(at));
        let text = |value: Option<&Value>| format!("{here}: {}", value.unwrap_or(&Value::Null));
        got.expect(actual.is_some() && actual == expected, text(expected), text(actual))?;
    }
    Ok(())
}

async fn kinds_event_can_be_recorded(cx: Context) -> Checked {
    let (events, recorded) = record(&cx).await?;

    let found = events.list().fields("involvedObject.name=assayed").page().await?;

    found.expect_names(&[recorded.name()])
}

async fn kinds_event_reason_camelcase(cx: Context) -> Checked {
    const MANY: usize = 500;
    let (events, _) = record(&cx).await?;

    let everywhere = events.everywhere().list().limit(MANY).await?;
    let here = events.list().await?;

    for listed in [here, everywhere] {
        for event in listed.page()?.items {
            let of = |field: &str| event.json().pointer(field).and_then(Value::as_str).unwrap_or_default();
            let recorder = [of("/source/component"), of("/reportingComponent")];
            if recorder.iter().any(|component| COMPONENTS.contains(component)) {
                let word = is_camel_case(of("/reason"));
                listed.expect(word, "a reason in CamelCase", of("/reason"))?;
            }
        }
    }
    Ok(())
}

fn is_camel_case(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_uppercase()) && text.chars().all(|c| c.is_ascii_alphanumeric())
}

async fn kinds_event_aggregation_supported(cx: Context) -> Checked {
    const LATER: &str = "2026-01-02T00:00:00Z";
    let (events, _) = record(&cx).await?;
    let again = json!({ "count": 2, "lastTimestamp": LATER });

    let patched = cx.send(Request::merge_patch(events.path_of(NAME), &again)).await?;

    for response in [patched, events.get(NAME).await?] {
        response.expect_values(&[("/count", json!(2)), ("/lastTimestamp", json!(LATER))])?;
    }
    Ok(())
}
