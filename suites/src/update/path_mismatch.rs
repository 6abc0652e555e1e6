//! PUT bodies whose namespace differs from the path.

use crate::fields::remove;
use crate::prelude::*;

rows![update_put_namespace_mismatch_400.namespaced(), update_put_namespace_missing_filled.namespaced()];

async fn update_put_namespace_mismatch_400(cx: Context, stored: StoredObject) -> Checked {
    let namespace = cx.another_namespace().await?;
    let other = StoredObject::create_among(&cx, stored.collection.within(&namespace)).await?;

    let put = cx.send(stored.put_with(|body| body["metadata"]["namespace"] = namespace.into())).await?;

    put.expect_rejection(&[400])?;
    stored.expect_unchanged().await?;
    other.expect_unchanged().await
}

async fn update_put_namespace_missing_filled(cx: Context, stored: StoredObject) -> Checked {
    let namespace = stored.read.namespace();

    let put = cx.send(stored.put_with(|body| remove(&mut body["metadata"], "namespace"))).await?;

    for response in [put, stored.get().await?] {
        let object = response.object()?;
        let expected = format!("the namespace {namespace}");
        response.expect(object.namespace() == namespace, expected, object.json().to_string())?;
    }
    stored.expect_value("second").await
}
