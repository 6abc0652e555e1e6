//! The request of a step.

use http::Method;
use serde_json::{Map, Value, json};

use super::state::{COLOUR, Content, NOTE, WrittenObject};
use super::step::{FINALIZERS, ObjectChange, Test, UidChoice, Verb, VersionChoice, WriteStep};
use model::ResourceUnderTest;

use crate::object::make_object;
use crate::script::{NOBODY, StepRequest};

/// The known facts of an object before a step.
#[derive(Debug, Clone, Default)]
pub(super) struct Known {
    /// Its state, if it exists.
    pub(super) now: Option<WrittenObject>,
    /// Its versions, the oldest first, each with the number of the step that returned it.
    pub(super) versions: Vec<(String, usize)>,
}

impl Known {
    /// The version that a step names, and the number of the step that returned it.
    fn version(&self, pick: VersionChoice) -> Option<(String, usize)> {
        let current = self.now.as_ref().map(|state| state.version.as_str());
        let mut versions = self.versions.iter().rev();
        match pick {
            VersionChoice::Omitted => None,
            VersionChoice::Current => {
                versions.find(|(version, _)| Some(version.as_str()) == current).cloned()
            }
            VersionChoice::Old => versions.find(|(version, _)| Some(version.as_str()) != current).cloned(),
        }
    }

    fn uid(&self, which: UidChoice) -> Option<String> {
        match which {
            UidChoice::Omitted => None,
            UidChoice::Own => self.now.as_ref().map(|state| state.uid.clone()),
            UidChoice::Wrong => Some(NOBODY.to_owned()),
        }
    }
}

/// The request of a step on the object with this full name.
pub(super) fn step_request(
    step: &WriteStep,
    known: &Known,
    name: &str,
    tested: &ResourceUnderTest,
) -> StepRequest {
    let nothing = (VersionChoice::Omitted, UidChoice::Omitted);
    let (pick, which) = match &step.verb {
        Verb::Create(_) | Verb::Json(..) => nothing,
        Verb::Update(_, pick, which) | Verb::Merge(_, pick, which) | Verb::Delete(pick, which) => {
            (*pick, *which)
        }
    };
    let (version, version_of) = known.version(pick).unzip();
    let uid = known.uid(which);
    let as_json = |value: &Option<String>| value.clone().map(Value::from);
    let identity = [("resourceVersion", as_json(&version)), ("uid", as_json(&uid))];
    let identity: Vec<_> = identity.into_iter().filter_map(|(field, value)| Some((field, value?))).collect();
    let (method, content_type, body) = match &step.verb {
        Verb::Create(change) => (Method::POST, "application/json", Some(create_body(change, name, tested))),
        Verb::Update(change, ..) => {
            let mut body = update_body(change, known.now.as_ref(), name, tested);
            for (field, value) in identity {
                body["metadata"][field] = value;
            }
            (Method::PUT, "application/json", Some(body))
        }
        Verb::Merge(change, ..) => {
            let mut patch = merge_patch(change, known.now.as_ref(), tested);
            for (field, value) in identity {
                patch["metadata"][field] = value;
            }
            (Method::PATCH, "application/merge-patch+json", Some(patch))
        }
        Verb::Json(test, value) => {
            let patch = json_patch(*test, *value, known.now.as_ref(), tested);
            (Method::PATCH, "application/json-patch+json", Some(patch))
        }
        Verb::Delete(..) => (Method::DELETE, "application/json", options(step.dry_run, identity)),
    };
    let in_query = step.dry_run && method != Method::DELETE;
    let query = in_query.then_some(("dryRun", "All")).into_iter().collect();
    StepRequest { method, query, content_type, body, version, version_of, uid }
}

/// The options of a deletion, all in its body.
fn options(dry_run: bool, preconditions: Vec<(&str, Value)>) -> Option<Value> {
    let mut options = Map::new();
    if !preconditions.is_empty() {
        let preconditions = preconditions.into_iter().map(|(field, value)| (field.to_owned(), value));
        options.insert("preconditions".to_owned(), Value::Object(preconditions.collect()));
    }
    if dry_run {
        options.insert("dryRun".to_owned(), json!(["All"]));
    }
    if options.is_empty() {
        return None;
    }
    let kind = json!({ "apiVersion": "v1", "kind": "DeleteOptions" });
    let kind = kind.as_object().cloned().unwrap_or_default();
    Some(Value::Object(kind.into_iter().chain(options).collect()))
}

fn create_body(change: &ObjectChange, name: &str, tested: &ResourceUnderTest) -> Value {
    let content =
        Content::default().changed(&ObjectChange { value: change.value.or(Some(0)), ..change.clone() });
    let mut body = tested.body(name, &content.value);
    write(&mut body, &content);
    body
}

/// The object as read, without the server's own fields; or a new one, if none exists.
fn update_body(
    change: &ObjectChange,
    now: Option<&WrittenObject>,
    name: &str,
    tested: &ResourceUnderTest,
) -> Value {
    let Some(now) = now else { return create_body(change, name, tested) };
    let content = now.content.changed(change);
    let mut body = now.json.clone();
    make_object(&mut body);
    if let Some(fields) = body.as_object_mut() {
        fields.shift_remove("status");
    }
    if let Some(metadata) = body["metadata"].as_object_mut() {
        let kept = ["name", "namespace", "labels", "annotations", "finalizers"];
        metadata.retain(|field, _| kept.contains(&field.as_str()));
    }
    tested.write(&mut body, &content.value);
    write(&mut body, &content);
    body
}

/// Writes everything but the value into an object.
fn write(body: &mut Value, content: &Content) {
    let metadata = make_object(&mut body["metadata"]);
    for (field, name, text) in [("annotations", NOTE, &content.note), ("labels", COLOUR, &content.colour)] {
        let texts = make_object(&mut metadata[field]);
        match text {
            Some(text) => texts[name] = text.as_str().into(),
            None => remove(texts, name),
        }
        if texts.as_object().is_none_or(Map::is_empty) {
            remove(metadata, field);
        }
    }
    set_finalizers(body, content, false);
}

/// Sets our finalizers, and keeps those of others.
fn set_finalizers(body: &mut Value, content: &Content, even_none: bool) {
    let there = body["metadata"]["finalizers"].as_array().cloned().unwrap_or_default();
    let ours = |one: &Value| FINALIZERS.iter().any(|known| *one == **known);
    let all: Vec<Value> = there
        .into_iter()
        .filter(|one| !ours(one))
        .chain(content.finalizers.iter().map(|finalizer| finalizer.as_str().into()))
        .collect();
    if all.is_empty() && !even_none {
        remove(&mut body["metadata"], "finalizers");
    } else {
        body["metadata"]["finalizers"] = Value::Array(all);
    }
}

fn remove(object: &mut Value, field: &str) {
    if let Some(fields) = object.as_object_mut() {
        fields.shift_remove(field);
    }
}

fn merge_patch(change: &ObjectChange, now: Option<&WrittenObject>, tested: &ResourceUnderTest) -> Value {
    let content = now.map(|now| now.content.clone()).unwrap_or_default().changed(change);
    let mut patch = match change.value {
        Some(_) => tested.change(&content.value),
        None => json!({}),
    };
    if change.note.is_some() {
        patch["metadata"]["annotations"][NOTE] = content.note.clone().map_or(Value::Null, Value::from);
    }
    if change.colour.is_some() {
        patch["metadata"]["labels"][COLOUR] = content.colour.clone().map_or(Value::Null, Value::from);
    }
    if change.finalizers.is_some() {
        let there = now.map_or(Value::Null, |now| now.json["metadata"]["finalizers"].clone());
        patch["metadata"]["finalizers"] = there;
        set_finalizers(&mut patch, &content, true);
    }
    patch
}

fn json_patch(test: Test, value: u8, now: Option<&WrittenObject>, tested: &ResourceUnderTest) -> Value {
    let path: &str = tested.value_at();
    let tested = match test {
        Test::None => None,
        Test::Holds => Some(now.map_or("v0", |now| now.content.value.as_str())),
        Test::Fails => Some("another"),
    };
    let tested = tested.map(|value| json!({ "op": "test", "path": path, "value": value }));
    let write = json!({ "op": "replace", "path": path, "value": format!("v{value}") });
    Value::Array(tested.into_iter().chain([write]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::Resource;

    #[test]
    fn an_update_replaces_fields_of_wrong_types() {
        let tested = ResourceUnderTest::of(Resource::core("configmaps", "ConfigMap"));
        let change = ObjectChange { value: Some(1), colour: Some(Some(2)), ..ObjectChange::default() };
        let expected = json!({ "metadata": { "labels": { COLOUR: "c2" } }, "data": { "value": "v1" } });
        for wrong in [
            json!([]),
            json!({ "metadata": 1, "data": "x" }),
            json!({ "metadata": { "labels": "x", "annotations": 1 }, "data": 1 }),
        ] {
            let now = WrittenObject::read(&wrong, &tested);
            assert_eq!(update_body(&change, Some(&now), "a", &tested), expected, "{wrong}");
        }
    }
}
