//! Events of `events.k8s.io`: required fields, renamed fields, and fields of the core group alone.

use super::creation::{Creations, INVALID, REQUIRED, accepted, create, creations, invalid};
use super::draft::{Draft, expect_in};
use super::manifest::{Fields, Manifest, REMOVED, json_of, manifest};
use crate::prelude::*;
use crate::removed_apis::api::namespaced;

pub(super) fn rows() -> Vec<Row> {
    let own =
        [row!(migrated_fields_event_type).own_kinds(), row!(migrated_fields_event_regarding).own_kinds()];
    table(CREATIONS, Kinds::Own, create)
        .into_iter()
        .chain(table(DEPRECATED, Kinds::Own, deprecated))
        .chain(table(REPLACED, Kinds::Own, shown_in_core))
        .chain(own)
        .collect()
}

/// An event with all required fields.
const EVENT: Manifest = manifest(namespaced("events.k8s.io/v1", "events", "Event"), |_, namespace| {
    json!({
        "eventTime": "2026-01-01T00:00:00.000000Z", "type": "Normal", "action": "Tested", "reason": "Assayed",
        "reportingController": "kube-assay.dev/none", "reportingInstance": "kube-assay-1", "note": "It was looked at.",
        "regarding": { "apiVersion": "v1", "kind": "ConfigMap", "name": "assayed", "namespace": namespace },
    })
});

/// An event of the core group, with few fields.
const CORE_EVENT: Manifest = manifest(namespaced("v1", "events", "Event"), |_, namespace| {
    json!({
        "type": "Normal", "reason": "Assayed",
        "involvedObject": { "apiVersion": "v1", "kind": "ConfigMap", "name": "assayed", "namespace": namespace },
    })
});

const EVENTS: &[Manifest] = &[EVENT];
const SERIES: &str = "/series";
const SERIES_OF_TWO: &str = r#"{"count":2,"lastObservedTime":"2026-01-01T00:00:01.000000Z"}"#;

#[rustfmt::skip]
const CREATIONS: &[(&str, Creations)] = &[
    ("migrated-fields-event-valid", creations(EVENTS, &[accepted(&[], &[("/type", r#""Normal""#), ("/action", r#""Tested""#)])])),
    ("migrated-fields-event-required-action", creations(EVENTS, &[invalid(&[("/action", REMOVED)], REQUIRED, &["action"])])),
    ("migrated-fields-event-required-reason", creations(EVENTS, &[invalid(&[("/reason", REMOVED)], REQUIRED, &["reason"])])),
    ("migrated-fields-event-required-reportingcontroller", creations(EVENTS, &[
        invalid(&[("/reportingController", REMOVED)], REQUIRED, &["reportingController"]),
    ])),
    ("migrated-fields-event-required-reportinginstance", creations(EVENTS, &[
        invalid(&[("/reportingInstance", REMOVED)], REQUIRED, &["reportingInstance"]),
    ])),
    ("migrated-fields-event-eventtime", creations(EVENTS, &[invalid(&[("/eventTime", REMOVED)], REQUIRED, &["eventTime"])])),
    ("migrated-fields-event-series-lastobservedtime", creations(EVENTS, &[
        accepted(&[(SERIES, SERIES_OF_TWO)], &[(SERIES, SERIES_OF_TWO)]),
        invalid(&[(SERIES, r#"{"count":2}"#)], REQUIRED, &["series.lastObservedTime"]),
    ])),
    ("migrated-fields-event-series-count", creations(EVENTS, &[
        invalid(&[(SERIES, SERIES_OF_TWO), ("/series/count", "1")], INVALID, &["series.count"]),
        accepted(&[(SERIES, SERIES_OF_TWO)], &[("/series/count", "2")]),
    ])),
];

async fn migrated_fields_event_type(cx: Context) -> Checked {
    let strict = [
        invalid(&[("/type", r#""Info""#)], INVALID, &["type"]),
        invalid(&[("/type", REMOVED)], INVALID, &["type"]),
        accepted(&[("/type", r#""Warning""#)], &[("/type", r#""Warning""#)]),
    ];
    let draft = Draft::of(&cx, EVENT).await?;
    for case in strict {
        case.run(&draft).await?;
    }

    let lenient = accepted(&[("/type", r#""Info""#)], &[("/type", r#""Info""#)]);
    lenient.run(&Draft::of(&cx, CORE_EVENT).await?).await
}

/// A field that a new event of `events.k8s.io` may not have, and the same in the core group.
#[derive(Debug, Clone, Copy)]
struct Deprecated {
    own: Fields,
    core: Fields,
    /// How a cause may name it.
    causes: &'static [&'static str],
}

#[rustfmt::skip]
const DEPRECATED: &[(&str, Deprecated)] = &[
    ("migrated-fields-event-deprecatedfirsttimestamp", Deprecated {
        own: &[("/deprecatedFirstTimestamp", r#""2024-01-01T00:00:00Z""#)], core: &[("/firstTimestamp", r#""2024-01-01T00:00:00Z""#)],
        causes: &["firstTimestamp", "deprecatedFirstTimestamp"],
    }),
    ("migrated-fields-event-deprecatedlasttimestamp", Deprecated {
        own: &[("/deprecatedLastTimestamp", r#""2024-01-01T00:00:00Z""#)], core: &[("/lastTimestamp", r#""2024-01-01T00:00:00Z""#)],
        causes: &["lastTimestamp", "deprecatedLastTimestamp"],
    }),
    ("migrated-fields-event-deprecatedcount", Deprecated {
        own: &[("/deprecatedCount", "3")], core: &[("/count", "3")],
        causes: &["count", "deprecatedCount"],
    }),
    ("migrated-fields-event-deprecatedsource-component", Deprecated {
        own: &[("/deprecatedSource/component", r#""c""#)], core: &[("/source/component", r#""c""#)],
        causes: &["source", "deprecatedSource", "deprecatedSource.component"],
    }),
    ("migrated-fields-event-deprecatedsource-host", Deprecated {
        own: &[("/deprecatedSource/host", r#""h""#)], core: &[("/source/host", r#""h""#)],
        causes: &["source", "deprecatedSource", "deprecatedSource.host"],
    }),
];

async fn deprecated(cx: Context, field: Deprecated) -> Checked {
    let events = Draft::of(&cx, EVENT).await?;
    invalid(field.own, INVALID, field.causes).run(&events).await?;

    let stored = Draft::of(&cx, CORE_EVENT).await?.store(field.core).await?;
    expect_in(&events, &stored, &values(field.own)).await
}

fn values(fields: Fields) -> Vec<(&'static str, Value)> {
    fields.iter().map(|(pointer, value)| (*pointer, json_of(value))).collect()
}

/// Values of [`EVENT`] in the core group.
#[rustfmt::skip]
const REPLACED: &[(&str, Fields)] = &[
    ("migrated-fields-event-reportingcontroller-replaces-source",
        &[("/reportingComponent", r#""kube-assay.dev/none""#), ("/source/component", "null"), ("/source/host", "null")]),
    ("migrated-fields-event-reportinginstance-replaces-source",
        &[("/reportingInstance", r#""kube-assay-1""#), ("/source/host", "null")]),
];

async fn shown_in_core(cx: Context, fields: Fields) -> Checked {
    let stored = Draft::of(&cx, EVENT).await?.store(&[]).await?;

    expect_in(&Draft::of(&cx, CORE_EVENT).await?, &stored, &values(fields)).await
}

async fn migrated_fields_event_regarding(cx: Context) -> Checked {
    let events = Draft::of(&cx, EVENT).await?;
    let renamed = accepted(
        &[("/involvedObject", r#"{"kind":"ConfigMap","name":"other"}"#)],
        &[("/regarding/name", r#""assayed""#), ("/involvedObject", "null")],
    );
    renamed.unknown(&["involvedObject"]).run(&events).await?;

    let stored = events.store(&[]).await?;
    let regarding = stored.json()["regarding"].clone();
    let shown = [("/involvedObject", regarding), ("/message", json!("It was looked at."))];
    expect_in(&Draft::of(&cx, CORE_EVENT).await?, &stored, &shown).await
}
