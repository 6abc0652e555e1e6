//! Namespaces that nobody has created.

use harness::ApiPath;

use crate::prelude::*;

/// Skips if an object was created in a missing namespace, and admission is the reason: `NamespaceAutoProvision` creates any
/// namespace with its first object.
pub(crate) async fn skip_if_provided(created: &Exchange, cx: &Context, collection: &Collection) -> Checked {
    if !created.succeeded() {
        remove_if_provided(created, cx);
        return Ok(());
    }
    let elsewhere = collection.within(&cx.own_name("elsewhere"));
    let control = cx.send(Request::post(elsewhere.path(), &elsewhere.body(NAME, "first"))).await?;
    Halt::skip_unless(!control.succeeded(), "the server creates missing namespaces (NamespaceAutoProvision)")
}

/// A policy may refuse an object for which the server has already created the namespace.
fn remove_if_provided(refused: &Exchange, cx: &Context) {
    let namespace = ApiPath::read(&refused.request.path).and_then(|path| path.namespace);
    if let Some(namespace) = namespace.filter(|_| refused.status() != 404) {
        cx.remove_in_the_end(&format!("/api/v1/namespaces/{namespace}"));
    }
}
