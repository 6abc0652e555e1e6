//! Timestamps.

use harness::invariant;
use harness::invariant::{CheckResult, ensure};

use crate::api_resources;
use crate::error_response::{group, of_resource};
use crate::openapi::is_of_the_project;
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    vec![
        row!(serialization_dates_rfc3339).own_kinds(),
        invariant("serialization-dates-rfc3339", has_times_of_utc),
        row!(serialization_time_input_normalised).own_kinds(),
        row!(serialization_time_invalid_refused).own_kinds(),
    ]
}

/// The timestamps of metadata.
const OF_METADATA: [&str; 2] = ["creationTimestamp", "deletionTimestamp"];

/// The timestamps of built-in types, at any depth.
#[rustfmt::skip]
const OF_BUILT_IN_TYPES: [&str; 12] = [
    "lastTransitionTime", "lastUpdateTime", "lastProbeTime", "lastHeartbeatTime", "renewTime", "acquireTime",
    "eventTime", "firstTimestamp", "lastTimestamp", "startTime", "creationTimestamp", "deletionTimestamp",
];

/// In UTC, with seconds and optional fractions of a second.
fn is_time_of_utc(text: &str) -> bool {
    let pattern = |text: &str, pattern: &str| {
        text.len() == pattern.len()
            && text.bytes().zip(pattern.bytes()).all(|(found, wanted)| match wanted {
                b'0' => found.is_ascii_digit(),
                other => found == other,
            })
    };
    let Some(time) = text.strip_suffix('Z') else { return false };
    let (seconds, fraction) = time.split_once('.').unwrap_or((time, "0"));
    pattern(seconds, "0000-00-00T00:00:00")
        && (1..=9).contains(&fraction.len())
        && fraction.bytes().all(|digit| digit.is_ascii_digit())
}

fn is_time_or_null(value: &Value) -> bool {
    value.is_null() || value.as_str().is_some_and(is_time_of_utc)
}

/// The metadata and managedFields of objects and of the items of lists.
fn has_times_of_utc(exchange: &Exchange) -> CheckResult {
    let body = exchange.json().filter(|_| exchange.succeeded() && of_resource(exchange))?;
    let items = body["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    let all = [body].into_iter().chain(items).map(|object| &object["metadata"]);
    let mut times = all.flat_map(times).peekable();
    times.peek()?;
    let wrong = times.find(|time| !is_time_or_null(time));
    Some(ensure(wrong.is_none(), "times like 2006-01-02T15:04:05Z", || format!("{wrong:?}")))
}

fn times(metadata: &Value) -> impl Iterator<Item = &Value> {
    let own = OF_METADATA.iter().filter_map(|field| metadata.get(field));
    let managers = metadata["managedFields"].as_array().into_iter().flatten();
    own.chain(managers.filter_map(|manager| manager.get("time")))
}

async fn serialization_dates_rfc3339(cx: Context, ConfigMaps(collection): ConfigMaps) -> Checked {
    collection.create(NAME).await?;
    let got = collection.get(NAME).await?;
    got.expect_passed(has_times_of_utc(&got), "an object with a time in its metadata")?;

    for (_, listed) in api_resources::lists(&cx).await? {
        if !is_of_the_project(group(&listed)) {
            continue;
        }
        let mut wrong = Vec::new();
        wrong_times(listed.json().unwrap_or(&Value::Null), &mut wrong);
        listed.expect(wrong.is_empty(), "times like 2006-01-02T15:04:05Z", wrong.join(", "))?;
    }
    Ok(())
}

/// The fields whose values are invalid timestamps.
fn wrong_times(value: &Value, wrong: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields.iter().filter(|(name, _)| *name != "fieldsV1") {
                let timestamp = OF_BUILT_IN_TYPES.contains(&name.as_str());
                if timestamp && !is_time_or_null(value) && !value.is_object() {
                    wrong.push(format!("{name}: {value}"));
                }
                wrong_times(value, wrong);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| wrong_times(item, wrong)),
        _ => {}
    }
}

fn leases() -> Resource {
    Resource::of("coordination.k8s.io", "v1", "leases", "Lease")
}

/// Creates a Lease with this renewTime. Skips where the server does not serve Leases.
async fn renewed(cx: &Context, time: &str) -> Result<Arc<Exchange>, Halt> {
    let leases = cx.collection(leases()).await?;
    let body = json!({
        "apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
        "metadata": { "name": NAME }, "spec": { "renewTime": time },
    });
    cx.send(Request::post(leases.path(), &body)).await
}

async fn serialization_time_input_normalised(cx: Context) -> Checked {
    let created = renewed(&cx, "2020-01-01T02:00:00.000000+02:00").await?;

    created.expect_status(&[201])?;
    let got = cx.collection(leases()).await?.get(NAME).await?;
    let object = got.object()?;
    let actual = object.json()["spec"]["renewTime"].as_str().unwrap_or_default();
    let same = actual.starts_with("2020-01-01T00:00:00") && is_time_of_utc(actual);
    got.expect(same, "2020-01-01T00:00:00.000000Z", actual)
}

async fn serialization_time_invalid_refused(cx: Context) -> Checked {
    renewed(&cx, "yesterday").await?.expect_rejection(&[400, 422])?;

    let custom = cx.custom_resources().await?;
    let create = post_with(&custom, NAME, |body| body["spec"]["when"] = "yesterday".into());
    cx.send(create).await?.expect_rejection(&[400, 422])?;
    expect_absent(&custom, NAME).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_of_utc_and_has_seconds() {
        for time in ["2020-01-01T00:00:00Z", "2020-01-01T00:00:00.000001Z"] {
            assert!(is_time_of_utc(time), "{time}");
        }
        for other in ["", "2020-01-01", "2020-01-01T00:00:00", "2020-01-01T02:00:00+02:00", "1577836800000Z"]
        {
            assert!(!is_time_of_utc(other), "{other}");
        }
    }
}
