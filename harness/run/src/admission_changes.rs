//! Admission that changes objects with each write, such as a policy that counts writes: what asks for no change changes
//! something, and the server is right. Admission that adds finalizers: what is deleted stays. And a patch of a webhook gives an
//! object the kind of its type: kube-apiserver then accepts a custom resource of another kind.

use std::collections::BTreeSet;

use model::Request;
use serde_json::Value;

use crate::context::Context;
use crate::fixture::{METADATA, is_foreign, path_of};
use crate::other_writer::REWRITTEN;
use crate::session::Session;

/// The types whose objects configure admission that changes objects.
const MUTATING: [&str; 4] = [
    "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
    "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies",
    "/apis/admissionregistration.k8s.io/v1beta1/mutatingadmissionpolicies",
    "/apis/admissionregistration.k8s.io/v1alpha1/mutatingadmissionpolicies",
];

/// The maximum number of objects of a scenario that are read, to find one that still exists.
const MOST_READ: usize = 3;

impl Session {
    /// The labels and annotations that admission changes with each write of a `ConfigMap`; found out once per run.
    async fn admission_changes(&self) -> &BTreeSet<String> {
        let branch = || self.client.shared("changes by admission");
        let looking = || branch().run(async { self.changed_by_a_rewrite().await.unwrap_or_default() });
        self.admission_changes.get_or_init(looking).await
    }

    /// What differs after an update that asks for no change; `None` where there is no object to update.
    async fn changed_by_a_rewrite(&self) -> Option<BTreeSet<String>> {
        let creation = self.fixtures.create_configmap(self.namespace_of_unchanged()?, REWRITTEN).await?;
        let created = creation.json()?;
        self.changed_by_rewriting(&path_of(&creation.request.path, REWRITTEN), created).await
    }

    async fn changed_by_rewriting(&self, path: &str, object: &Value) -> Option<BTreeSet<String>> {
        let updated = self.fixtures.send(Request::put(path, object)).await.ok()?;
        Some(changed(object, updated.json().filter(|_| updated.succeeded())?))
    }

    /// The path of a webhook configuration or a policy of others that may change objects.
    async fn mutating_admission(&self) -> Option<String> {
        for collection in MUTATING {
            let list = Request::get(collection).accept(METADATA);
            let list = self.fixtures.page(list).await.unwrap_or_default();
            let mut items = list["items"].as_array().into_iter().flatten();
            let foreign = items.find(|item| is_foreign(item));
            if let Some(name) = foreign.and_then(|item| item["metadata"]["name"].as_str()) {
                return Some(path_of(collection, name));
            }
        }
        None
    }
}

impl Context {
    /// The path of a webhook configuration or a policy of others that may change objects. `None` without one, or where the
    /// user may not list them.
    pub async fn mutating_admission(&self) -> Option<String> {
        self.session().mutating_admission().await
    }

    /// What admission changes in objects of the scenario, which a response of the scenario shows.
    pub(crate) async fn change_by_admission(&self) -> Option<String> {
        if let Some(changed) = self.changed_with_each_write().await {
            return Some(format!(
                "admission changes {changed} of objects with each write, whatever it asks for"
            ));
        }
        let change = self.unasked_change()?;
        let by = self.session().mutating_admission().await?;
        Some(format!("{change}; {by} may be the cause"))
    }

    /// A label or an annotation with another value after a write that asks for no change.
    async fn changed_with_each_write(&self) -> Option<String> {
        let session = self.session();
        let mut changes = session.admission_changes().await.clone();
        if let Some((path, object)) = self.own_object().await {
            changes.extend(session.changed_by_rewriting(&path, &object).await.unwrap_or_default());
        }
        changes.into_iter().find(|name| self.was_told(&format!("\"{name}\"")))
    }

    /// Path and content of an object that the scenario created, and that still exists.
    async fn own_object(&self) -> Option<(String, Value)> {
        for path in self.created_paths().into_iter().rev().take(MOST_READ) {
            let read = self.session().fixtures.send(Request::get(&path)).await.ok()?;
            if let Some(object) = read.json().filter(|_| read.succeeded()) {
                return Some((path, object.clone()));
            }
        }
        None
    }
}

/// The labels and annotations with another value.
fn changed(before: &Value, after: &Value) -> BTreeSet<String> {
    let mut changed = BTreeSet::new();
    for texts in ["labels", "annotations"] {
        let (before, after) = (&before["metadata"][texts], &after["metadata"][texts]);
        let now = after.as_object().into_iter().flatten();
        changed.extend(
            now.filter(|(name, value)| before[name.as_str()] != **value).map(|(name, _)| name.clone()),
        );
    }
    changed
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn changed_and_added_labels_and_annotations_are_found() {
        let before = json!({ "metadata": { "resourceVersion": "1", "labels": { "a": "1" }, "annotations": { "writes": "1" } } });
        let after = json!({ "metadata": {
            "resourceVersion": "2", "labels": { "a": "1", "b": "1" }, "annotations": { "writes": "2" },
        } });
        assert_eq!(changed(&before, &before), BTreeSet::new());
        assert_eq!(changed(&before, &after), ["b", "writes"].map(str::to_owned).into());
    }
}
