//! Objects in several versions: nothing is lost on the way from one to another.

use super::releases::{DEPRECATED, Releases, STORED, WITH_TEXT};
use crate::discovery;
use crate::prelude::*;

rows![
    deprecation_rule_2_round_trip_builtin.own_kinds(),
    deprecation_rule_2_round_trip_events.own_kinds(),
    deprecation_rule_2_round_trip_custom.own_kinds(),
    deprecation_rule_2_new_field_representable.own_kinds(),
    deprecation_field_renamed_in_newer_version.own_kinds(),
];

/// Autoscalers in both versions.
struct Autoscalers {
    v2: Collection,
    v1: Collection,
}

impl Fixture for Autoscalers {
    async fn arrange(cx: &Context) -> Result<Self, Halt> {
        let version = |version| {
            Resource::of("autoscaling", version, "horizontalpodautoscalers", "HorizontalPodAutoscaler")
        };
        Ok(Self { v2: cx.collection(version("v2")).await?, v1: cx.collection(version("v1")).await? })
    }
}

/// An autoscaler of v2 with metrics and behavior that v1 has no fields for.
fn autoscaler() -> Value {
    let resource = |name: &str, target: Value| json!({ "type": "Resource", "resource": { "name": name, "target": target } });
    let metrics = [
        resource("cpu", json!({ "type": "Utilization", "averageUtilization": 53 })),
        resource("memory", json!({ "type": "AverageValue", "averageValue": "317Mi" })),
        json!({ "type": "Pods", "pods": {
            "metric": { "name": "assay-rate" }, "target": { "type": "AverageValue", "averageValue": "19" },
        } }),
    ];
    let policy = json!({ "type": "Pods", "value": 3, "periodSeconds": 37 });
    json!({
        "apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": { "name": NAME },
        "spec": {
            "scaleTargetRef": { "apiVersion": "apps/v1", "kind": "Deployment", "name": "none" },
            "minReplicas": 1, "maxReplicas": 5, "metrics": metrics,
            "behavior": { "scaleDown": { "stabilizationWindowSeconds": 61, "policies": [policy] } },
        },
    })
}

/// Values of the autoscaler that are fields in v2 alone.
const NEW: [&str; 5] = ["memory", "317Mi", "assay-rate", "61", "37"];

async fn deprecation_rule_2_round_trip_builtin(cx: Context, autoscalers: Autoscalers) -> Checked {
    let Autoscalers { v2, v1 } = autoscalers;
    v2.create_body(&autoscaler()).await?;
    let before = cx.send(Request::get(v2.path_of(NAME))).await?;
    before.expect_status(&[200])?;
    for value in NEW {
        before.expect(
            before.text().contains(value),
            format!("{value}, as created, in v2"),
            before.brief(),
        )?;
    }

    let part = |of: &Exchange, pointer: &str| of.json().and_then(|json| json.pointer(pointer)).cloned();
    // A controller may write to the object meanwhile.
    let written = cx.eventually(|| async {
        let read = cx.send(Request::get(v1.path_of(NAME))).await?;
        read.expect_status(&[200])?;
        let body = read.json().cloned().unwrap_or_default();
        read.expect_value("/metadata/uid", &part(&before, "/metadata/uid").unwrap_or_default())?;
        let written = cx.send(Request::put(v1.path_of(NAME), &body)).await?;
        Ok((written.status() != 409).then_some((read, written)))
    });
    let conflict = || cx.test_error("write an autoscaler in v1", "every write has a conflict");
    let (read, written) = written.await?.ok_or_else(conflict)?;
    written.expect_status(&[200])?;
    let after = cx.send(Request::get(v2.path_of(NAME))).await?;

    let unchanged = |pointer: &str| {
        let expected = part(&before, pointer).unwrap_or_default();
        after.expect_value(pointer, &expected)
    };
    for pointer in
        ["/metadata/uid", "/spec/behavior", "/spec/minReplicas", "/spec/maxReplicas", "/spec/scaleTargetRef"]
    {
        unchanged(pointer)?;
    }
    // kube-apiserver changes the order of metrics.
    let metrics = |of: &Exchange| part(of, "/spec/metrics").unwrap_or_default();
    let (expected, actual) = (metrics(&before), metrics(&after));
    let right = has_all(&expected, &actual) && has_all(&actual, &expected);
    after.expect(right, format!("the metrics {expected}, in any order"), actual.to_string())?;
    let again = cx.send(Request::get(v1.path_of(NAME))).await?;
    again.expect_value("/spec", &part(&read, "/spec").unwrap_or_default())
}

/// Whether a list has all items of another one.
fn has_all(list: &Value, other: &Value) -> bool {
    let items = list.as_array().map(Vec::as_slice).unwrap_or_default();
    other.as_array().is_some_and(|other| other.iter().all(|item| items.contains(item)))
}

async fn deprecation_rule_2_new_field_representable(cx: Context, autoscalers: Autoscalers) -> Checked {
    let Autoscalers { v2, v1 } = autoscalers;
    v2.create_body(&autoscaler()).await?;
    let read = cx.send(Request::get(v1.path_of(NAME))).await?;
    read.expect_status(&[200])?;
    let mut object = read.object()?.json().clone();
    crate::fields::remove(&mut object["metadata"], "managedFields");
    let text = object.to_string();
    for value in NEW {
        let expected = format!("{value} of v2 in a field or an annotation of v1");
        read.expect(text.contains(value), expected, object["metadata"].to_string())?;
    }
    expect_template_generation(&cx).await
}

/// The annotation for the field templateGeneration of removed versions, which only kube-apiserver has served.
async fn expect_template_generation(cx: &Context) -> Checked {
    let daemon_sets = Resource::of("apps", "v1", "daemonsets", "DaemonSet");
    let Some(collection) = cx.collection_if_listed(daemon_sets).await? else { return Ok(()) };
    if !discovery::is_whole_but(cx, "") {
        return Ok(());
    }
    let labels = json!({ "app": "assay" });
    let container = json!({ "name": "none", "image": "kube-assay.dev/none:none" });
    let body = json!({
        "apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": { "name": NAME },
        "spec": {
            "selector": { "matchLabels": labels },
            "template": { "metadata": { "labels": labels }, "spec": { "containers": [container] } },
        },
    });
    let created = cx.send(Request::post(collection.path(), &body).query("dryRun", "All")).await?;
    created.expect_status(&[201])?;
    created.expect_value("/metadata/annotations/deprecated.daemonset.template.generation", &"1".into())
}

/// The fields of an event: in the core group, and in `events.k8s.io`.
const RENAMED: [(&str, &str); 6] = [
    ("/involvedObject", "/regarding"),
    ("/message", "/note"),
    ("/source", "/deprecatedSource"),
    ("/firstTimestamp", "/deprecatedFirstTimestamp"),
    ("/lastTimestamp", "/deprecatedLastTimestamp"),
    ("/count", "/deprecatedCount"),
];

/// The same for events that are written in `events.k8s.io`.
const NEWER: [(&str, &str); 6] = [
    ("/involvedObject", "/regarding"),
    ("/message", "/note"),
    ("/reportingComponent", "/reportingController"),
    ("/reportingInstance", "/reportingInstance"),
    ("/eventTime", "/eventTime"),
    ("/series", "/series"),
];

/// Fields with the same name in both groups.
const SAME: [&str; 4] = ["/reason", "/type", "/metadata/uid", "/metadata/resourceVersion"];

/// Events in both groups.
struct Events {
    core: Collection,
    newer: Collection,
}

impl Fixture for Events {
    async fn arrange(cx: &Context) -> Result<Self, Halt> {
        let core = cx.collection(Resource::core("events", "Event")).await?;
        Ok(Self { core, newer: cx.collection(Resource::of("events.k8s.io", "v1", "events", "Event")).await? })
    }
}

impl Events {
    /// Writes an event in the core group: the response, and the event in the other one.
    async fn write(&self, cx: &Context) -> Result<(Arc<Exchange>, Arc<Exchange>), Halt> {
        let body = json!({
            "apiVersion": "v1", "kind": "Event", "metadata": { "name": "core" },
            "involvedObject": { "kind": "ConfigMap", "name": "a", "namespace": cx.namespace().await? },
            "reason": "Tested", "message": "a message", "type": "Normal", "count": 4,
            "source": { "component": "kube-assay", "host": "none" },
            "firstTimestamp": "2024-01-01T00:00:00Z", "lastTimestamp": "2024-01-01T00:00:05Z",
        });
        self.core.create_body(&body).await?;
        self.read(cx, "core").await
    }

    /// Writes an event in `events.k8s.io`.
    async fn write_newer(&self, cx: &Context) -> Result<(Arc<Exchange>, Arc<Exchange>), Halt> {
        let body = json!({
            "apiVersion": "events.k8s.io/v1", "kind": "Event", "metadata": { "name": "newer" },
            "regarding": { "kind": "ConfigMap", "name": "a", "namespace": cx.namespace().await? },
            "reason": "Tested", "note": "a note", "type": "Normal", "action": "Testing",
            "reportingController": "kube-assay.dev/none", "reportingInstance": "none-1",
            "eventTime": "2024-01-01T00:00:00.123456Z",
            "series": { "count": 2, "lastObservedTime": "2024-01-01T00:00:01.123456Z" },
        });
        self.newer.create_body(&body).await?;
        self.read(cx, "newer").await
    }

    /// An event in both groups.
    async fn read(&self, cx: &Context, name: &str) -> Result<(Arc<Exchange>, Arc<Exchange>), Halt> {
        let core = cx.send(Request::get(self.core.path_of(name))).await?;
        core.expect_status(&[200])?;
        let newer = cx.send(Request::get(self.newer.path_of(name))).await?;
        newer.expect_status(&[200])?;
        Ok((core, newer))
    }
}

/// Both forms have the same values, and the former has one for each field.
fn expect_renamed(core: &Exchange, newer: &Exchange, fields: &[(&str, &str)]) -> Checked {
    for (before, after) in fields {
        let value = core.json().and_then(|event| event.pointer(before)).cloned().unwrap_or_default();
        core.expect(!value.is_null(), format!("a value of {before}"), "none")?;
        newer.expect_value(after, &value)?;
    }
    Ok(())
}

async fn deprecation_rule_2_round_trip_events(cx: Context, events: Events) -> Checked {
    let same = SAME.map(|field| (field, field));
    let (core, newer) = events.write(&cx).await?;
    expect_renamed(&core, &newer, &[&RENAMED[..], &same[..]].concat())?;
    let (core, newer) = events.write_newer(&cx).await?;
    expect_renamed(&core, &newer, &[&NEWER[..], &same[..], &[("/action", "/action")][..]].concat())?;
    core.expect_value("/message", &"a note".into())
}

async fn deprecation_field_renamed_in_newer_version(cx: Context, events: Events) -> Checked {
    let (core, newer) = events.write(&cx).await?;
    expect_renamed(&core, &newer, &RENAMED)?;
    newer.expect_value("/deprecatedCount", &4.into())
}

async fn deprecation_rule_2_round_trip_custom(cx: Context, releases: Releases) -> Checked {
    releases.read(&cx, DEPRECATED, "").await?;
    let body = releases.body(DEPRECATED, NAME);
    let created = cx.send(Request::post(releases.path(DEPRECATED, ""), &body)).await?;
    let created = created.written()?;
    for version in [DEPRECATED, WITH_TEXT, STORED] {
        let read = releases.read(&cx, version, NAME).await?;
        read.expect_values(&[
            ("/apiVersion", releases.api_version(version).into()),
            ("/spec", body["spec"].clone()),
            ("/metadata/uid", created.metadata("uid").into()),
            ("/metadata/resourceVersion", created.version().into()),
        ])?;
    }
    Ok(())
}
