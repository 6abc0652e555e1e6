//! Admission that changes objects with each write, such as a policy that counts writes: what asks for no change changes
//! something, and the server is right.

use std::collections::BTreeSet;

use model::Request;
use serde_json::Value;

use crate::fixture::path_of;
use crate::session::Session;

/// The name of the object that is written without a change.
const NAME: &str = "rewritten";

impl Session {
    /// The labels and annotations that admission changes with each write; found out once per run.
    pub(crate) async fn admission_changes(&self) -> &BTreeSet<String> {
        let branch = || self.client.shared("changes by admission");
        let looking = || branch().run(async { self.changed_by_a_rewrite().await.unwrap_or_default() });
        self.admission_changes.get_or_init(looking).await
    }

    /// What differs after an update that asks for no change; `None` where there is no object to update.
    async fn changed_by_a_rewrite(&self) -> Option<BTreeSet<String>> {
        let creation = self.fixtures.create_configmap(self.namespace_of_unchanged()?, NAME).await?;
        let created = creation.json()?;
        let update = Request::put(path_of(&creation.request.path, NAME), created);
        let updated = self.fixtures.send(update).await.ok()?;
        Some(changed(created, updated.json().filter(|_| updated.succeeded())?))
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
