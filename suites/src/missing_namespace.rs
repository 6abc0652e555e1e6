//! Namespaces that nobody has created.

use crate::prelude::*;

/// Skips if an object was created in a missing namespace, and admission is the reason: `NamespaceAutoProvision` creates any
/// namespace with its first object.
pub(crate) async fn skip_if_provided(created: &Exchange, cx: &Context, collection: &Collection) -> Checked {
    if !created.succeeded() {
        return Ok(());
    }
    let elsewhere = collection.within(&cx.own_name("elsewhere"));
    let control = cx.send(Request::post(elsewhere.path(), &elsewhere.body(NAME, "first"))).await?;
    Halt::skip_unless(!control.succeeded(), "the server creates missing namespaces (NamespaceAutoProvision)")
}
