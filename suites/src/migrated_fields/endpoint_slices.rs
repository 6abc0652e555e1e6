//! Endpoint slices: fields in place of the keys of a topology.

use super::creation::{Creations, accepted, create, creations};
use super::manifest::{Manifest, manifest};
use crate::prelude::*;
use crate::removed_apis::api::namespaced;

pub(super) fn rows() -> Vec<Row> {
    table(CREATIONS, Kinds::Own, create)
}

/// A slice of no service.
const SLICE: &[Manifest] = &[manifest(
    namespaced("discovery.k8s.io/v1", "endpointslices", "EndpointSlice"),
    |_, _| json!({ "addressType": "IPv4", "endpoints": [{ "addresses": ["10.1.1.1"] }] }),
)];

const NODE: &str = "/endpoints/0/nodeName";
const OLD: &str = "/endpoints/0/deprecatedTopology";
const OLDER: &str = "/endpoints/0/topology";

#[rustfmt::skip]
const CREATIONS: &[(&str, Creations)] = &[
    ("migrated-fields-endpointslice-nodename", creations(SLICE, &[
        accepted(&[(NODE, r#""n1""#)], &[(NODE, r#""n1""#), (OLD, "null"), (OLDER, "null")]),
    ])),
    ("migrated-fields-endpointslice-zone", creations(SLICE, &[
        accepted(&[("/endpoints/0/zone", r#""z1""#)], &[("/endpoints/0/zone", r#""z1""#), (OLD, "null"), (OLDER, "null")]),
    ])),
    ("migrated-fields-endpointslice-deprecatedtopology-not-writable", creations(SLICE, &[
        accepted(&[(OLD, r#"{"kubernetes.io/hostname":"n1","a":"b"}"#)], &[(OLD, "null"), (NODE, "null")]).at_every_level(),
    ])),
    ("migrated-fields-endpointslice-topology-renamed", creations(SLICE, &[
        accepted(&[(OLDER, r#"{"a":"b"}"#)], &[(OLDER, "null"), (OLD, "null")]).unknown(&["endpoints[0].topology"]),
    ])),
];
