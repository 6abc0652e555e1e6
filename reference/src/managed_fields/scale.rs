//! managedFields of the scale subresource, mapped to those of its object.

use serde_json::Value;

use super::entries::Managed;
use crate::apply::{FieldSet, Owned, Path};

/// The API version of a Scale.
const VERSION: &str = "autoscaling/v1";

/// The place of `replicas` in a version of an object.
pub(crate) enum Place {
    /// The version does not exist.
    NoVersion,
    /// The version has no scale.
    NoScale,
    At(Path),
}

/// The entries of an object, and the path of `replicas` in each version.
pub(crate) struct ScaleEntries<'a> {
    pub(crate) parent: &'a Value,
    /// The version of the written object.
    pub(crate) version: String,
    /// The place of `replicas` in a version.
    pub(crate) place: &'a dyn Fn(&str) -> Place,
}

impl ScaleEntries<'_> {
    pub(crate) fn of_scale(&self) -> Value {
        let parent = self.managed();
        let mut scale = Managed::default();
        for (manager, owned) in &parent.owners {
            let Place::At(path) = (self.place)(&owned.version) else { continue };
            if owned.fields.has(&path) {
                let fields = FieldSet::of(&[replicas()]);
                scale.owners.insert(manager.clone(), Owned { version: VERSION.to_owned(), fields });
                scale.times.extend(parent.times.get(manager).map(|time| (manager.clone(), time.clone())));
            }
        }
        scale.encode()
    }

    /// The entries of the object after a write of its scale's entries.
    pub(crate) fn of_parent(&self, scale: &Value) -> Value {
        let parent = self.managed();
        let mut of_scale = Managed::decode(scale).unwrap_or_default().owners;
        let mut managed = Managed { times: parent.times, ..Managed::default() };
        for (manager, mut owned) in parent.owners {
            match (self.place)(&owned.version) {
                Place::NoVersion => continue,
                Place::At(path) if owned.fields.has(&path) && of_scale.remove(&manager).is_none() => {
                    owned.fields = owned.fields.difference(&FieldSet::of(&[path]));
                }
                Place::At(_) | Place::NoScale => {}
            }
            if !owned.fields.is_empty() {
                managed.owners.insert(manager, owned);
            }
        }
        let Place::At(path) = (self.place)(&self.version) else { return managed.encode() };
        for (manager, _) in of_scale.into_iter().filter(|(_, owned)| owned.fields.has(&replicas())) {
            let owned = Owned { version: self.version.clone(), fields: FieldSet::of([&path]) };
            managed.owners.insert(manager, owned);
        }
        managed.encode()
    }

    fn managed(&self) -> Managed {
        Managed::decode(self.parent).unwrap_or_default()
    }
}

fn replicas() -> Path {
    Path::of(&["spec", "replicas"])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn entry(manager: &str, operation: &str, fields: &Value) -> Value {
        json!({
            "manager": manager, "operation": operation, "apiVersion": "apps/v1", "time": "2026-01-01T00:00:00Z",
            "fieldsType": "FieldsV1", "fieldsV1": fields,
        })
    }

    #[test]
    fn only_the_replicas_field_changes_its_owner() {
        let both = json!({"f:spec": {"f:paused": {}, "f:replicas": {}}});
        let parent =
            json!([entry("m", "Apply", &both), entry("o", "Apply", &json!({"f:spec": {"f:paused": {}}}))]);
        let place =
            |version: &str| if version == "apps/v1" { Place::At(replicas()) } else { Place::NoVersion };
        let entries = ScaleEntries { parent: &parent, version: "apps/v1".to_owned(), place: &place };
        let mut scale = entries.of_scale();
        assert_eq!((scale.as_array().unwrap().len(), &scale[0]["apiVersion"]), (1, &json!(VERSION)));
        assert_eq!(entries.of_parent(&scale), parent);
        scale[0]["manager"] = "s".into();
        scale[0]["subresource"] = "scale".into();
        let moved = entries.of_parent(&scale);
        let fields: Vec<_> =
            moved.as_array().unwrap().iter().map(|entry| entry["fieldsV1"].clone()).collect();
        let paused = json!({"f:spec": {"f:paused": {}}});
        assert_eq!(fields, [json!({"f:spec": {"f:replicas": {}}}), paused.clone(), paused]);
        assert_eq!((&moved[0]["subresource"], moved[0].get("time")), (&json!("scale"), None));
    }
}
