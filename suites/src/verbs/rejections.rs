//! Patches that must be rejected and change nothing.

use crate::patch_types::{every_field, patch, raw_patch};
use crate::prelude::*;
use crate::rejections::{StringMap, rejected};
use crate::string_map;

pub(super) fn rows() -> Vec<Row> {
    vec![
        rejected("verbs-patch-missing-object-404", &[404], |collection: &Collection| {
            let body = collection.body(NAME, "first");
            [patch(collection, NAME, MERGE, &body), patch(collection, NAME, JSON, &every_field(&body))]
        })
        .reason("NotFound")
        .row(),
        rejected("verbs-json-patch-atomic", &[400, 422], |a: &StringMap| {
            let half = r#"[{"op":"add","path":"@/b","value":"1"},{"op":"remove","path":"@/missing"}]"#;
            raw_patch(&a.collection, NAME, JSON, &string_map::operations(&a.collection, half))
        })
        .row(),
    ]
}
