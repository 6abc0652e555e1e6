//! Validation of names, labels, annotations and other metadata.

use serde_json::Value;

use crate::failure::Cause;
use crate::managed_fields;
use crate::resource_type::ResourceType;

const LABEL_NAME: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end \
     with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is \
     '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const LABEL_VALUE: &str = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' \
     or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', \
     regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const SUBDOMAIN: &str = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or \
     '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is \
     '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LABEL: &str = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must \
     start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is \
     '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

const LABEL_OF_1035: &str = "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an \
     alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for \
     validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

/// The group of roles: their names are path segments.
const RBAC_GROUP: &str = "rbac.authorization.k8s.io";

/// The maximum total size of annotations, in bytes.
const MAX_ANNOTATIONS_SIZE: usize = 256 * 1024;

/// The error of a label key (or annotation key, or finalizer): `[prefix/]name`.
pub(crate) fn label_key(key: &str) -> Option<String> {
    let (prefix, name) = match key.split_once('/') {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, key),
    };
    if let Some(detail) = prefix.and_then(subdomain) {
        return Some(format!("prefix part {detail}"));
    }
    if name.is_empty() {
        return Some("name part must be non-empty".to_owned());
    }
    if name.len() > 63 {
        return Some("name part must be no more than 63 bytes".to_owned());
    }
    (!is_word(name, "-_.")).then(|| format!("name part {LABEL_NAME}"))
}

/// The error of a label value.
pub(crate) fn label_value(value: &str) -> Option<String> {
    if value.len() > 63 {
        return Some("must be no more than 63 bytes".to_owned());
    }
    (!value.is_empty() && !is_word(value, "-_.")).then(|| LABEL_VALUE.to_owned())
}

/// The error of a DNS subdomain.
pub(crate) fn subdomain(name: &str) -> Option<String> {
    if name.len() > 253 {
        return Some("must be no more than 253 bytes".to_owned());
    }
    let valid = name.split('.').all(|label| is_lower(label) && is_word(label, "-"));
    (!valid).then(|| SUBDOMAIN.to_owned())
}

/// The error of a DNS label.
pub(crate) fn dns_label(name: &str) -> Option<String> {
    if name.contains('.') {
        return Some("must not contain dots".to_owned());
    }
    if name.len() > 63 {
        return Some("must be no more than 63 bytes".to_owned());
    }
    (!(is_lower(name) && is_word(name, "-"))).then(|| LABEL.to_owned())
}

/// The error of a DNS-1035 label.
pub(crate) fn label_of_1035(name: &str) -> Option<String> {
    let starts_with_letter = name.starts_with(|character: char| character.is_ascii_lowercase());
    let valid = starts_with_letter && name.len() <= 63 && is_lower(name) && is_word(name, "-");
    (!valid).then(|| LABEL_OF_1035.to_owned())
}

/// The error of a path segment.
fn path_segment(name: &str) -> Option<String> {
    match name {
        "." | ".." => Some(format!("may not be '{name}'")),
        name => ['/', '%']
            .iter()
            .find(|character| name.contains(**character))
            .map(|character| format!("may not contain '{character}'")),
    }
}

/// The error of an object name.
pub(crate) fn object_name(ty: &ResourceType, name: &str) -> Option<String> {
    if ty.is_built_in("namespaces") {
        dns_label(name)
    } else if ty.group == RBAC_GROUP {
        path_segment(name)
    } else {
        subdomain(name)
    }
}

/// The errors of an object's metadata.
pub(crate) fn metadata(ty: &ResourceType, metadata: &Value) -> Vec<Cause> {
    let mut causes = Vec::new();
    let name = metadata["name"].as_str().unwrap_or_default();
    if let Some(prefix) = metadata["generateName"].as_str().filter(|prefix| !prefix.is_empty()) {
        let sample = format!("{prefix}x");
        if let Some(detail) = object_name(ty, &sample) {
            causes.push(Cause::invalid("metadata.generateName", &prefix.into(), &detail));
        }
    }
    if name.is_empty() {
        causes.push(Cause::required("metadata.name", "name or generateName is required"));
    } else if let Some(detail) = object_name(ty, name) {
        causes.push(Cause::invalid("metadata.name", &name.into(), &detail));
    }
    causes.extend(labels(&metadata["labels"]));
    causes.extend(annotations(&metadata["annotations"]));
    causes.extend(owners(&metadata["ownerReferences"]));
    causes.extend(finalizers(&metadata["finalizers"]));
    causes.extend(managers(&metadata["managedFields"]));
    causes
}

fn managers(entries: &Value) -> Vec<Cause> {
    let entries = entries.as_array().into_iter().flatten().enumerate();
    let errors = |(index, entry): (usize, &Value)| {
        let name = entry["manager"].as_str().unwrap_or_default();
        manager(&format!("metadata.managedFields[{index}].manager"), name)
    };
    entries.flat_map(errors).collect()
}

/// The errors of a manager's name.
pub(crate) fn manager(field: &str, name: &str) -> Vec<Cause> {
    let long = (name.len() > managed_fields::LONGEST)
        .then(|| Cause::too_long(field, managed_fields::LONGEST as u64));
    let unprintable = managed_fields::unprintable(name).map(|(place, character)| {
        let detail = format!("invalid character U+{:04X} (at position {place})", u32::from(character));
        Cause::invalid(field, &name.into(), &detail)
    });
    long.into_iter().chain(unprintable).collect()
}

/// Annotation keys may have upper-case letters as well.
fn annotations(annotations: &Value) -> Vec<Cause> {
    let map = annotations.as_object();
    let mut causes = Vec::new();
    for key in map.into_iter().flat_map(|map| map.keys()) {
        if let Some(detail) = label_key(&key.to_lowercase()) {
            causes.push(Cause::invalid("metadata.annotations", &key.as_str().into(), &detail));
        }
    }
    let size = |(key, value): (&String, &Value)| key.len() + value.as_str().map_or(0, str::len);
    if map.into_iter().flatten().map(size).sum::<usize>() > MAX_ANNOTATIONS_SIZE {
        causes.push(Cause::too_long("metadata.annotations", MAX_ANNOTATIONS_SIZE as u64));
    }
    causes
}

fn owners(owners: &Value) -> Vec<Cause> {
    let list = owners.as_array().map(Vec::as_slice).unwrap_or_default();
    let mut causes = Vec::new();
    for owner in list {
        for field in ["apiVersion", "kind", "name", "uid"] {
            if owner[field].as_str().unwrap_or_default().is_empty() {
                let detail =
                    if field == "apiVersion" { "version must not be empty" } else { "must not be empty" };
                causes.push(Cause::invalid(format!("metadata.ownerReferences.{field}"), &"".into(), detail));
            }
        }
        if owner["apiVersion"] == "v1" && owner["kind"] == "Event" {
            let detail = "/v1, Kind=Event is disallowed from being an owner";
            causes.push(Cause::invalid("metadata.ownerReferences", owner, detail));
        }
    }
    if list.iter().filter(|owner| owner["controller"] == true).count() > 1 {
        let detail = "Only one reference can have Controller set to true";
        causes.push(Cause::invalid("metadata.ownerReferences", owners, detail));
    }
    causes
}

fn labels(labels: &Value) -> Vec<Cause> {
    let mut causes = Vec::new();
    for (key, value) in labels.as_object().into_iter().flatten() {
        if let Some(detail) = label_key(key) {
            causes.push(Cause::invalid("metadata.labels", &key.as_str().into(), &detail));
        }
        let text = value.as_str().unwrap_or_default();
        if let Some(detail) = label_value(text) {
            causes.push(Cause::invalid("metadata.labels", value, &detail));
        }
    }
    causes
}

fn finalizers(finalizers: &Value) -> Vec<Cause> {
    let names = finalizers.as_array().into_iter().flatten();
    let error = |name: &Value| {
        let detail = label_key(name.as_str().unwrap_or_default())?;
        Some(Cause::invalid("metadata.finalizers", name, &detail))
    };
    names.filter_map(error).collect()
}

fn is_word(text: &str, inner: &str) -> bool {
    let alphanumeric = |character: char| character.is_ascii_alphanumeric();
    text.starts_with(alphanumeric)
        && text.ends_with(alphanumeric)
        && text.chars().all(|character| alphanumeric(character) || inner.contains(character))
}

fn is_lower(text: &str) -> bool {
    !text.contains(|character: char| character.is_ascii_uppercase())
}
