//! Rejected JSON Patches: the server applies none of their operations.

use super::rejections::failing;
use super::{PatchFixture, create_with_finalizers};
use crate::finalizers::{HOLD, and_release};
use crate::patch_types;
use crate::prelude::*;
use crate::rejections::StringMap;
use crate::string_map;

rows![
    patch_json_test_failure_atomic,
    patch_json_missing_path_422,
    patch_json_malformed_400.also("verbs-json-patch-malformed"),
    patch_json_too_many_ops_413,
];

async fn patch_json_test_failure_atomic(cx: Context, stored: StringMap) -> Checked {
    cx.send(failing(&stored)).await?;

    stored.expect_unchanged().await
}

/// Operations that an object with the texts `k` and `a` and one finalizer does not allow.
///
/// Without replace and copy of a missing path, and negative indexes: kube-apiserver accepts them, against the RFC.
const IMPOSSIBLE: &[&str] = &[
    r#"[{"op":"remove","path":"@/missing"}]"#,
    r#"[{"op":"test","path":"@/missing","value":"x"}]"#,
    r#"[{"op":"move","from":"@/missing","path":"@/moved"}]"#,
    r#"[{"op":"add","path":"/metadata/nowhere/x","value":"1"}]"#,
    r#"[{"op":"remove","path":"/metadata/finalizers/7"}]"#,
];

async fn patch_json_missing_path_422(cx: Context, collection: Collection) -> Checked {
    create_with_finalizers(&collection, &[HOLD]).await?;
    let stored = StoredObject::read(&cx, collection).await?;

    and_release(&stored.collection, async {
        for operations in IMPOSSIBLE {
            let body = string_map::operations(&stored.collection, operations);
            let patch = patch_types::raw_patch(&stored.collection, NAME, JSON, &body);
            cx.send(patch).await?.expect_rejection(&[422])?;
        }
        stored.expect_unchanged().await
    })
    .await
}

/// Bodies that are no list of operations.
const NO_LISTS: &[&str] = &["{", "{}", "\"x\"", "[1]", ""];

/// Lists of invalid operations.
///
/// Without null and the empty list, paths without a leading slash, and add without a value: kube-apiserver accepts them.
const NO_OPERATIONS: &[&str] =
    &[r#"[{"op":"bogus","path":"@/k"}]"#, r#"[{"path":"@/k","value":"w"}]"#, r#"[{"op":"add","value":"w"}]"#];

async fn patch_json_malformed_400(fixture: PatchFixture) -> Checked {
    for body in NO_LISTS {
        fixture.operations(body).await?.expect_rejection(&[400])?;
    }
    for body in NO_OPERATIONS {
        fixture.operations(body).await?.expect_rejection(&[400, 422])?;
    }
    fixture.stored.expect_unchanged().await
}

/// One more than kube-apiserver accepts.
const TOO_MANY: usize = 10_001;

async fn patch_json_too_many_ops_413(fixture: PatchFixture) -> Checked {
    let tests = vec![r#"{"op":"test","path":"@/k","value":"v"}"#; TOO_MANY].join(",");

    let response = fixture.operations(&format!("[{tests}]")).await?;

    response.expect_status(&[200, 413])?;
    fixture.stored.expect_unchanged().await
}
