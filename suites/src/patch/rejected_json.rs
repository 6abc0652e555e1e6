//! Rejected JSON Patches: the server applies none of their operations.

use std::iter::repeat_n;

use super::rejections::failing;
use crate::finalizers::{HOLD, and_release};
use crate::patch_types;
use crate::prelude::*;
use crate::string_map;
use crate::unchanged_object::expect_unchanged;

rows![
    patch_json_test_failure_atomic,
    patch_json_missing_path_422,
    patch_json_malformed_400.also("verbs-json-patch-malformed"),
    patch_json_too_many_ops_413,
];

async fn patch_json_test_failure_atomic(cx: Context, collection: Collection) -> Checked {
    string_map::create(&collection, "a", &[("k", "v"), ("a", "1")]).await?;
    let stored = StoredObject::read(&cx, collection).await?;

    cx.send(failing(&stored)).await?;

    stored.expect_unchanged().await
}

/// Operations that are impossible on an object of two texts and one finalizer.
///
/// Not among them: to replace or copy what is missing, and a negative index. kube-apiserver takes them, against the RFC.
const IMPOSSIBLE: &[&str] = &[
    r#"[{"op":"remove","path":"@/missing"}]"#,
    r#"[{"op":"test","path":"@/missing","value":"x"}]"#,
    r#"[{"op":"move","from":"@/missing","path":"@/moved"}]"#,
    r#"[{"op":"add","path":"/metadata/nowhere/x","value":"1"}]"#,
    r#"[{"op":"remove","path":"/metadata/finalizers/7"}]"#,
];

async fn patch_json_missing_path_422(cx: Context, collection: Collection) -> Checked {
    let mut body = string_map::body(&collection, "a", &[("k", "v"), ("a", "1")]);
    body["metadata"]["finalizers"] = json!([HOLD]);
    collection.create_body(&body).await?;
    let before = collection.get("a").object().await?;

    and_release(&collection, async {
        for operations in IMPOSSIBLE {
            let refused = send(&cx, &collection, operations).await?;
            refused.expect_refusal(&[422])?;
        }
        expect_unchanged(&collection, "a", &before).await
    })
    .await
}

/// No lists of operations. Nothing at all is among them.
const NO_LISTS: &[&str] = &["{", "{}", "\"x\"", "[1]", ""];

/// Lists of what is no operation.
///
/// Not among them: null and the empty list, paths without a slash at the beginning, and additions without a value.
const NO_OPERATIONS: &[&str] =
    &[r#"[{"op":"bogus","path":"@/k"}]"#, r#"[{"path":"@/k","value":"w"}]"#, r#"[{"op":"add","value":"w"}]"#];

async fn patch_json_malformed_400(cx: Context, collection: Collection) -> Checked {
    string_map::create(&collection, "a", &[("k", "v")]).await?;
    let before = collection.get("a").object().await?;

    for body in NO_LISTS {
        send(&cx, &collection, body).await?.expect_refusal(&[400])?;
    }
    for body in NO_OPERATIONS {
        send(&cx, &collection, body).await?.expect_refusal(&[400, 422])?;
    }
    expect_unchanged(&collection, "a", &before).await
}

/// One more than kube-apiserver takes.
const VERY_MANY: usize = 10_001;

async fn patch_json_too_many_ops_413(cx: Context, collection: Collection) -> Checked {
    string_map::create(&collection, "a", &[("k", "v")]).await?;
    let before = collection.get("a").object().await?;
    let test = r#"{"op":"test","path":"@/k","value":"v"}"#;
    let tests = repeat_n(test, VERY_MANY).collect::<Vec<_>>().join(",");

    let answer = send(&cx, &collection, &format!("[{tests}]")).await?;

    answer.expect_status(&[200, 413])?;
    expect_unchanged(&collection, "a", &before).await
}

/// Sends a JSON patch as it stands, `@` being where texts are.
async fn send(cx: &Context, collection: &Collection, body: &str) -> Result<Arc<Exchange>, Halt> {
    cx.send(patch_types::raw_patch(collection, "a", JSON, &string_map::operations(collection, body))).await
}
