//! A subject that the user names, and the template of its objects.

use std::fmt;
use std::str::FromStr;

use serde_json::Value;

use super::{ResourceUnderTest, pointer};
use crate::resource::Resource;
use crate::target_info::Type;

/// The mark in a template for the value that scenarios write.
const MARK: &str = "$VALUE";

/// The pointer to the value without a mark: every object may have annotations.
const ANNOTATION: &str = "/metadata/annotations/kube-assay.dev~1value";

/// A type by name, and the template of its objects.
#[derive(Debug, Clone)]
pub struct SubjectSpec {
    /// The API group; empty for the core group.
    pub group: String,
    /// Such as `v1`.
    pub version: String,
    /// The plural, as in paths.
    pub plural: String,
    /// An object that the server accepts.
    pub template: Template,
}

/// An object that the server accepts under any name.
#[derive(Debug, Clone)]
pub struct Template {
    manifest: Value,
    value_at: String,
    status_at: Option<String>,
}

/// Why a template is invalid.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum TemplateError {
    /// The template is not an object.
    #[error("the template is not an object; begin it with apiVersion and kind")]
    NoObject,
    /// Two fields have a mark.
    #[error("the template has $VALUE at {0} and at {1}: mark one field (and one of the status, if you like)")]
    TwoMarks(String, String),
    /// Scenarios write this annotation or label themselves.
    #[error(
        "the template has the key {0} in its metadata, which scenarios write themselves; give it a key with a prefix, such as example.com/{0}"
    )]
    ReservedKey(String),
    /// The server or kube-assay sets this field.
    #[error(
        "the template marks {0}, which scenarios cannot change: mark a string field that accepts any value"
    )]
    WrongMark(String),
}

impl TryFrom<Value> for Template {
    type Error = TemplateError;

    fn try_from(manifest: Value) -> Result<Self, TemplateError> {
        if !manifest.is_object() {
            return Err(TemplateError::NoObject);
        }
        if let Some(key) = reserved_key(&manifest) {
            return Err(TemplateError::ReservedKey(key));
        }
        let (status, others): (Vec<_>, Vec<_>) =
            pointer::find(&manifest, MARK).into_iter().partition(|place| place.starts_with("/status/"));
        for places in [&status, &others] {
            if let [first, second, ..] = places.as_slice() {
                return Err(TemplateError::TwoMarks(first.clone(), second.clone()));
            }
        }
        let value_at = others.into_iter().next().unwrap_or_else(|| ANNOTATION.to_owned());
        let free = ["/metadata/annotations/", "/metadata/labels/"];
        let in_metadata =
            value_at.starts_with("/metadata/") && !free.iter().any(|at| value_at.starts_with(at));
        if in_metadata || ["/apiVersion", "/kind"].contains(&value_at.as_str()) {
            return Err(TemplateError::WrongMark(value_at));
        }
        Ok(Self { manifest: without_identity(manifest), value_at, status_at: status.into_iter().next() })
    }
}

/// Keys of annotations and labels that scenarios write, besides all keys of one letter.
const RESERVED: [&str; 9] =
    ["assay", "colour", "first", "kept", "large", "noted", "omitted", "second", "tier"];

/// The first annotation or label of a manifest that collides with those of scenarios.
fn reserved_key(manifest: &Value) -> Option<String> {
    let keys =
        ["annotations", "labels"].into_iter().filter_map(|field| manifest["metadata"][field].as_object());
    let mut keys = keys.flat_map(|keys| keys.keys());
    keys.find(|key| key.len() == 1 || RESERVED.contains(&key.as_str())).cloned()
}

/// Removes the fields of one object or of the server.
fn without_identity(mut manifest: Value) -> Value {
    if let Some(metadata) = manifest["metadata"].as_object_mut() {
        metadata.retain(|field, _| ["labels", "annotations"].contains(&field.as_str()));
    }
    if manifest["metadata"].is_null() {
        manifest["metadata"] = Value::Object(serde_json::Map::new());
    }
    manifest
}

impl Template {
    /// Whether it marks a field for the value.
    pub fn is_marked(&self) -> bool {
        self.value_at != ANNOTATION
    }

    /// The object that it was made from, with its marks.
    pub fn manifest(&self) -> &Value {
        &self.manifest
    }

    /// Its kind, if it has one.
    pub fn kind(&self) -> Option<&str> {
        self.manifest["kind"].as_str()
    }
}

impl SubjectSpec {
    /// Its type, without the kind, which is not known yet.
    pub fn resource(&self) -> Resource {
        Resource::of(&self.group, &self.version, &self.plural, "")
    }

    /// The resource under test, from the server's discovery and the template.
    pub fn resource_under_test(&self, found: &Type) -> ResourceUnderTest {
        let Template { manifest, value_at, status_at } = self.template.clone();
        ResourceUnderTest {
            resource: Resource { kind: found.kind.clone(), ..self.resource() },
            namespaced: found.namespaced,
            verbs: Some(found.verbs.clone()),
            status: found.has("status"),
            scale: found.has("scale"),
            keeps_unknown_fields: found.keeps_unknown_fields,
            manifest,
            value_at: value_at.into(),
            status_at: status_at.filter(|_| found.has("status")).map(Into::into),
        }
    }
}

/// `GROUP/VERSION/RESOURCE`, or `VERSION/RESOURCE` of the core group.
impl FromStr for SubjectSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts: Vec<&str> = text.split('/').collect();
        let (group, version, plural) = match parts.as_slice() {
            [version, plural] | ["", version, plural] => ("", *version, *plural),
            [group, version, plural] => (*group, *version, *plural),
            _ => return Err(invalid_subject(text)),
        };
        let plain = |part: &str| part.chars().all(|c| c.is_ascii_alphanumeric() || "-.".contains(c));
        let number =
            version.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        if !number || plural.is_empty() || ![group, version, plural].into_iter().all(plain) {
            return Err(invalid_subject(text));
        }
        let [group, version, plural] = [group, version, plural].map(str::to_owned);
        let template = Template {
            manifest: without_identity(Value::Null),
            value_at: ANNOTATION.to_owned(),
            status_at: None,
        };
        Ok(Self { group, version, plural, template })
    }
}

fn invalid_subject(text: &str) -> String {
    format!(
        "{text:?} is not GROUP/VERSION/RESOURCE, such as apps/v1/deployments (v1/configmaps for the core group)"
    )
}

impl fmt::Display for SubjectSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slash = if self.group.is_empty() { "" } else { "/" };
        write!(f, "{}{slash}{}/{}", self.group, self.version, self.plural)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn template(manifest: Value) -> Result<Template, TemplateError> {
        Template::try_from(manifest)
    }

    fn widgets(manifest: Value) -> ResourceUnderTest {
        let mut spec: SubjectSpec = "example.com/v1/widgets".parse().unwrap();
        spec.template = template(manifest).unwrap();
        spec.resource_under_test(&Type {
            kind: "Widget".to_owned(),
            subresources: vec!["status".to_owned()],
            ..Type::default()
        })
    }

    #[test]
    fn a_subject_is_named_as_in_paths() {
        let named = |text: &str| text.parse::<SubjectSpec>().map(|spec| spec.to_string());
        assert_eq!(named("apps/v1/deployments").as_deref(), Ok("apps/v1/deployments"));
        assert_eq!(named("v1/configmaps").as_deref(), Ok("v1/configmaps"));
        assert_eq!(named("/v1/configmaps").as_deref(), Ok("v1/configmaps"));
        assert!(named("configmaps").is_err());
        assert!(named("apps/deployments").is_err());
        assert!(named("a/v1/b/status").is_err());
        assert!(named("a/v1/b?c").is_err());
    }

    #[test]
    fn a_template_marks_the_place_of_the_value() {
        let resource = widgets(json!({
            "apiVersion": "example.com/v1", "kind": "Widget",
            "metadata": { "name": "mine", "labels": { "app": "b" }, "uid": "u" },
            "spec": { "size": 3, "titles": ["$VALUE"] },
            "status": { "phase": "$VALUE" },
        }));
        let expected = json!({
            "apiVersion": "example.com/v1", "kind": "Widget", "metadata": { "name": "x", "labels": { "app": "b" } },
            "spec": { "size": 3, "titles": ["first"] },
        });
        assert_eq!(resource.body("x", "first"), expected);
        assert_eq!(resource.change("second"), json!({ "spec": { "titles": ["second"] } }));
        assert_eq!(resource.status_change("done"), Some(json!({ "status": { "phase": "done" } })));
        assert!(resource.value_in_spec());
    }

    #[test]
    fn without_a_mark_an_annotation_holds_the_value() {
        let resource = widgets(json!({ "spec": { "size": 3 } }));
        let annotations = json!({ "kube-assay.dev/value": "first" });
        assert_eq!(resource.body("x", "first")["metadata"]["annotations"], annotations);
        assert_eq!(resource.change("first"), json!({ "metadata": { "annotations": annotations } }));
        assert!(!resource.value_in_spec());
        assert_eq!(resource.status_change("done"), None);
    }

    #[test]
    fn an_invalid_template_has_a_reason() {
        assert_eq!(template(json!([])).unwrap_err(), TemplateError::NoObject);
        let twice = json!({ "spec": { "a": "$VALUE", "b": "$VALUE" } });
        assert!(matches!(template(twice).unwrap_err(), TemplateError::TwoMarks(..)));
        let name = json!({ "metadata": { "name": "$VALUE" } });
        assert!(matches!(template(name).unwrap_err(), TemplateError::WrongMark(_)));
        assert!(template(json!({ "metadata": { "labels": { "example.com/a": "$VALUE" } } })).is_ok());
        for field in ["annotations", "labels"] {
            let reserved = template(json!({ "metadata": { field: { "a": "$VALUE" } } })).unwrap_err();
            assert_eq!(reserved, TemplateError::ReservedKey("a".to_owned()));
        }
    }
}
