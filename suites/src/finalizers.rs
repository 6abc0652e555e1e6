//! Finalizers of the tests, on objects of any kind.

use std::future::Future;

use crate::prelude::*;

/// No controller removes these finalizers.
pub(crate) const HOLD: &str = "kube-assay.dev/hold";
pub(crate) const WAIT: &str = "kube-assay.dev/wait";
pub(crate) const STAY: &str = "kube-assay.dev/stay";

/// A merge patch that sets the list.
pub(crate) fn set(finalizers: &[&str]) -> Value {
    json!({ "metadata": { "finalizers": finalizers } })
}

/// The finalizers of an object.
pub(crate) fn of(object: &Object) -> Vec<&str> {
    let list = object.json()["metadata"]["finalizers"].as_array();
    list.into_iter().flatten().filter_map(Value::as_str).collect()
}

/// The response has these finalizers, in any order.
pub(crate) fn expect(response: &Exchange, expected: &[&str]) -> Checked {
    let object = response.object()?;
    let mut shown = of(&object);
    shown.sort_unstable();
    response.expect(shown == expected, format!("the finalizers {expected:?}"), format!("{shown:?}"))
}

/// Awaits a check, and then removes the finalizers of the object `a` in any case: they would keep it.
pub(crate) async fn and_release(collection: &Collection, check: impl Future<Output = Checked>) -> Checked {
    let checked = check.await;
    let released = collection.patch("a", &json!({ "metadata": { "finalizers": null } })).await;
    checked.and(released.map(drop))
}
