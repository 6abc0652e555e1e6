//! `metadata.managedFields`, parsed into sets of paths.
//!
//! A path is written as on the wire, its steps joined by slashes: `f:data/f:k`, `f:spec/f:tags/v:"x"`,
//! `f:spec/f:ports/k:{"port":80,"protocol":"TCP"}/f:label`. Only the leaves of a tree are paths. The step "." for the
//! containers of leaves differs between servers, and these functions ignore it.

use std::collections::BTreeSet;
use std::fmt;

use crate::prelude::*;

/// A manager and its operation: one name with two operations is two owners.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Owner {
    /// `fieldManager` of the request.
    pub(crate) manager: &'static str,
    /// `Apply` or `Update`.
    pub(crate) operation: &'static str,
    /// The subresource, such as `status`; often empty.
    pub(crate) subresource: &'static str,
}

/// The owner of the fields that a manager applies.
pub(crate) const fn applier(manager: &'static str) -> Owner {
    Owner { manager, operation: "Apply", subresource: "" }
}

/// The owner of the fields that a manager writes in any other way.
pub(crate) const fn updater(manager: &'static str) -> Owner {
    Owner { manager, operation: "Update", subresource: "" }
}

impl Owner {
    /// The owner of the same manager through a subresource.
    pub(crate) const fn through(self, subresource: &'static str) -> Self {
        Self { subresource, ..self }
    }

    fn made_entry(&self, entry: &Value) -> bool {
        let text = |field: &str| entry[field].as_str().unwrap_or_default();
        text("manager") == self.manager
            && text("operation") == self.operation
            && text("subresource") == self.subresource
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.manager, self.operation)?;
        if self.subresource.is_empty() { Ok(()) } else { write!(f, "/{}", self.subresource) }
    }
}

/// The entries of an object, in their order.
pub(crate) fn entries(object: &Object) -> &[Value] {
    object.json()["metadata"]["managedFields"].as_array().map_or(&[], Vec::as_slice)
}

/// The entry of an owner.
pub(crate) fn entry_of(object: &Object, owner: Owner) -> Option<&Value> {
    entries(object).iter().find(|entry| owner.made_entry(entry))
}

/// The paths of an owner.
pub(crate) fn owned_by(object: &Object, owner: Owner) -> BTreeSet<String> {
    entry_of(object, owner).map(|entry| paths(&entry["fieldsV1"])).unwrap_or_default()
}

/// The leaves of a tree of fields.
pub(crate) fn paths(fields: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    collect(fields, "", &mut found);
    found
}

fn collect(fields: &Value, above: &str, found: &mut BTreeSet<String>) {
    let steps = fields.as_object().into_iter().flatten().filter(|(step, _)| *step != ".");
    let mut is_end = true;
    for (step, below) in steps {
        is_end = false;
        let slash = if above.is_empty() { "" } else { "/" };
        collect(below, &format!("{above}{slash}{}", spelled(step)), found);
    }
    if is_end && !above.is_empty() {
        found.insert(above.to_owned());
    }
}

/// The canonical spelling of a step: the keys of an item in alphabetical order.
fn spelled(step: &str) -> String {
    let Some(keys) = step.strip_prefix("k:") else { return step.to_owned() };
    match serde_json::from_str::<std::collections::BTreeMap<String, Value>>(keys) {
        Ok(keys) => format!("k:{}", serde_json::json!(keys)),
        Err(_) => step.to_owned(),
    }
}

/// An owner has exactly these paths; without paths, it has no entry.
pub(crate) fn expect_owned(response: &Exchange, owner: Owner, paths: &[&str]) -> Checked {
    let object = response.object()?;
    let expected: BTreeSet<&str> = paths.iter().copied().collect();
    let same = owned_by(&object, owner).iter().map(String::as_str).eq(expected);
    let holds = same && entry_of(&object, owner).is_some() != paths.is_empty();
    response.expect(holds, format!("{owner} owns exactly [{}]", paths.join(", ")), owners_text(&object))
}

/// An owner has these paths, and perhaps others.
pub(crate) fn expect_owns(response: &Exchange, owner: Owner, paths: &[&str]) -> Checked {
    let object = response.object()?;
    let owned = owned_by(&object, owner);
    let all = paths.iter().all(|path| owned.contains(*path));
    response.expect(all, format!("{owner} owns [{}]", paths.join(", ")), owners_text(&object))
}

/// An owner has none of these paths, and nothing below them.
pub(crate) fn expect_owns_none(response: &Exchange, owner: Owner, paths: &[&str]) -> Checked {
    let object = response.object()?;
    let at_or_below = |owned: &str, path: &str| {
        owned.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let owned = owned_by(&object, owner);
    let none = !owned.iter().any(|owned| paths.iter().any(|path| at_or_below(owned, path)));
    response.expect(none, format!("{owner} owns nothing of [{}]", paths.join(", ")), owners_text(&object))
}

/// Exactly these owners have a path.
pub(crate) fn expect_owners(response: &Exchange, path: &str, owners: &[Owner]) -> Checked {
    let object = response.object()?;
    let owning = entries(&object).iter().filter(|entry| paths(&entry["fieldsV1"]).contains(path)).count();
    let all = owners.iter().all(|owner| owned_by(&object, *owner).contains(path));
    let names: Vec<_> = owners.iter().map(Owner::to_string).collect();
    let expected = format!("{path} owned by [{}] alone", names.join(", "));
    response.expect(all && owning == owners.len(), expected, owners_text(&object))
}

/// An owner has no entry.
pub(crate) fn expect_no_entry(response: &Exchange, owner: Owner) -> Checked {
    expect_owned(response, owner, &[])
}

/// The owners and their paths, as text.
pub(crate) fn owners_text(object: &Object) -> String {
    let text = |entry: &Value, field: &str| entry[field].as_str().unwrap_or_default().to_owned();
    let entries = entries(object).iter().map(|entry| {
        let subresource = text(entry, "subresource");
        let slash = if subresource.is_empty() { "" } else { "/" };
        let owned: Vec<_> = paths(&entry["fieldsV1"]).into_iter().collect();
        let (manager, operation) = (text(entry, "manager"), text(entry, "operation"));
        format!("{manager}/{operation}{slash}{subresource} owns [{}]", owned.join(", "))
    });
    let entries: Vec<_> = entries.collect();
    if entries.is_empty() { "no managedFields".to_owned() } else { entries.join("; ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_the_ends_of_a_tree_are_paths() {
        let fields = json!({
            "f:data": { ".": {}, "f:a": {} },
            "f:spec": {
                "f:ports": { ".": {}, r#"k:{"protocol":"TCP","port":80}"#: { ".": {}, "f:label": {} } },
                "f:tags": { r#"v:"x""#: {} },
                "f:settings": { ".": {} },
            },
        });
        let expected = [
            "f:data/f:a",
            r#"f:spec/f:ports/k:{"port":80,"protocol":"TCP"}/f:label"#,
            "f:spec/f:settings",
            r#"f:spec/f:tags/v:"x""#,
        ];
        assert_eq!(paths(&fields).into_iter().collect::<Vec<_>>(), expected);
        assert!(paths(&json!({})).is_empty());
    }

    #[test]
    fn one_name_used_in_two_ways_is_two_owners() {
        let entry = |operation: &str, field: &str| json!({ "manager": "m", "operation": operation, "fieldsV1": { "f:data": { field: {} } } });
        let managed = json!([entry("Apply", "f:a"), entry("Update", "f:b")]);
        let object = Object::new(json!({ "metadata": { "managedFields": managed } }));
        assert_eq!(owned_by(&object, applier("m")), BTreeSet::from(["f:data/f:a".to_owned()]));
        assert_eq!(owned_by(&object, updater("m")), BTreeSet::from(["f:data/f:b".to_owned()]));
        assert!(entry_of(&object, updater("m").through("status")).is_none());
        assert_eq!(owners_text(&object), "m/Apply owns [f:data/f:a]; m/Update owns [f:data/f:b]");
    }
}
