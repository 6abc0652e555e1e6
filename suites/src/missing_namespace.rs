//! Namespaces that nobody has created.

use crate::prelude::*;

/// Skips if an object was created in a missing namespace, and admission is the reason: `NamespaceAutoProvision` creates any
/// namespace with its first object.
pub(crate) async fn skip_if_provided(created: &Exchange, cx: &Context, collection: &Collection) -> Checked {
    if !created.succeeded() {
        return remove_if_provided(created, cx).await;
    }
    let elsewhere = collection.within(&cx.own_name("elsewhere"));
    let control = cx.send(Request::post(elsewhere.path(), &elsewhere.body(NAME, "first"))).await?;
    Halt::skip_unless(!control.succeeded(), "the server creates missing namespaces (NamespaceAutoProvision)")
}

/// Removes the namespace of a refused object: the server may have created it before a policy refused the object.
async fn remove_if_provided(refused: &Exchange, cx: &Context) -> Checked {
    let path = &refused.request.path;
    let namespace = path.split_once("/namespaces/").and_then(|(_, behind)| behind.split('/').next());
    if let Some(namespace) = namespace.filter(|_| refused.status() != 404) {
        cx.send(Request::delete(format!("/api/v1/namespaces/{namespace}"))).await?;
    }
    Ok(())
}
