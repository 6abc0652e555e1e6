//! A subject that the user names, and the template of its objects.

use std::fmt;
use std::str::FromStr;

use serde_json::Value;

use super::{ResourceUnderTest, pointer};
use crate::resource::Resource;
use crate::target_info::Type;

/// What stands in a template where scenarios write their value.
const MARK: &str = "$VALUE";

/// Where a value stands if the template marks no place for it: any object may have an annotation.
const ANNOTATION: &str = "/metadata/annotations/kube-assay.dev~1value";

/// A type by name, and what its objects look like.
#[derive(Debug, Clone)]
pub struct SubjectSpec {
    /// Empty for the core group.
    pub group: String,
    /// Such as `v1`.
    pub version: String,
    /// The plural, as in paths.
    pub plural: String,
    /// An object that the server accepts.
    pub template: Template,
}

/// An object that a server accepts, whatever its name is.
#[derive(Debug, Clone)]
pub struct Template {
    manifest: Value,
    value_at: String,
    status_at: Option<String>,
}

/// Why a template is none.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum TemplateError {
    /// It is no object.
    #[error("the template is no object: it begins with apiVersion, kind and what follows")]
    NoObject,
    /// The value is written at one place.
    #[error("the template has $VALUE at {0} and at {1}: mark one field (and one of the status, if you like)")]
    TwoMarks(String, String),
    /// Scenarios write this annotation or label themselves.
    #[error(
        "the template has the key {0} in its metadata, which scenarios write themselves; give it a key with a prefix, such as example.com/{0}"
    )]
    ReservedKey(String),
    /// These are made by the server, or by us.
    #[error("the template marks {0}, which scenarios cannot change: mark a text that may have any value")]
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

/// Keys of annotations and labels that scenarios write, beside all of one letter.
const RESERVED: [&str; 9] =
    ["assay", "colour", "first", "kept", "large", "noted", "omitted", "second", "tier"];

/// An annotation or a label of a manifest that would collide with those of scenarios.
fn reserved_key(manifest: &Value) -> Option<String> {
    let keys =
        ["annotations", "labels"].into_iter().filter_map(|field| manifest["metadata"][field].as_object());
    let mut keys = keys.flat_map(|keys| keys.keys());
    keys.find(|key| key.len() == 1 || RESERVED.contains(&key.as_str())).cloned()
}

/// What belongs to one object, or to the server, is not part of a template.
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
    /// Whether it marks where a value is written.
    pub fn is_marked(&self) -> bool {
        self.value_at != ANNOTATION
    }

    /// The kind that it names, if it names one.
    pub fn kind(&self) -> Option<&str> {
        self.manifest["kind"].as_str()
    }
}

impl SubjectSpec {
    /// Its type, of a kind that is not known yet.
    pub fn resource(&self) -> Resource {
        Resource::of(&self.group, &self.version, &self.plural, "")
    }

    /// Its shape, as the server's discovery and the template tell it.
    pub fn shape(&self, found: &Type) -> ResourceUnderTest {
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
            _ => return Err(wrong(text)),
        };
        let plain = |part: &str| part.chars().all(|c| c.is_ascii_alphanumeric() || "-.".contains(c));
        let number =
            version.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        if !number || plural.is_empty() || ![group, version, plural].into_iter().all(plain) {
            return Err(wrong(text));
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

fn wrong(text: &str) -> String {
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
        let mut given: SubjectSpec = "example.com/v1/widgets".parse().unwrap();
        given.template = template(manifest).unwrap();
        given.shape(&Type {
            kind: "Widget".to_owned(),
            subresources: vec!["status".to_owned()],
            ..Type::default()
        })
    }

    #[test]
    fn a_subject_is_named_as_in_paths() {
        let named = |text: &str| text.parse::<SubjectSpec>().map(|given| given.to_string());
        assert_eq!(named("apps/v1/deployments").as_deref(), Ok("apps/v1/deployments"));
        assert_eq!(named("v1/configmaps").as_deref(), Ok("v1/configmaps"));
        assert_eq!(named("/v1/configmaps").as_deref(), Ok("v1/configmaps"));
        assert!(named("configmaps").is_err());
        assert!(named("apps/deployments").is_err());
        assert!(named("a/v1/b/status").is_err());
        assert!(named("a/v1/b?c").is_err());
    }

    #[test]
    fn a_template_says_where_the_value_is() {
        let shape = widgets(json!({
            "apiVersion": "example.com/v1", "kind": "Widget",
            "metadata": { "name": "mine", "labels": { "app": "b" }, "uid": "u" },
            "spec": { "size": 3, "titles": ["$VALUE"] },
            "status": { "phase": "$VALUE" },
        }));
        let expected = json!({
            "apiVersion": "example.com/v1", "kind": "Widget", "metadata": { "name": "x", "labels": { "app": "b" } },
            "spec": { "size": 3, "titles": ["first"] },
        });
        assert_eq!(shape.body("x", "first"), expected);
        assert_eq!(shape.change("second"), json!({ "spec": { "titles": ["second"] } }));
        assert_eq!(shape.status_change("done"), Some(json!({ "status": { "phase": "done" } })));
        assert!(shape.value_in_spec());
    }

    #[test]
    fn without_a_mark_an_annotation_holds_the_value() {
        let shape = widgets(json!({ "spec": { "size": 3 } }));
        let annotations = json!({ "kube-assay.dev/value": "first" });
        assert_eq!(shape.body("x", "first")["metadata"]["annotations"], annotations);
        assert_eq!(shape.change("first"), json!({ "metadata": { "annotations": annotations } }));
        assert!(!shape.value_in_spec());
        assert_eq!(shape.status_change("done"), None);
    }

    #[test]
    fn a_template_that_cannot_be_used_says_why() {
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
