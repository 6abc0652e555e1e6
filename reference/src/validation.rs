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

/// The group of roles, of which the names are paths.
const RIGHTS: &str = "rbac.authorization.k8s.io";

/// How long all annotations of an object may be together.
const ANNOTATIONS: usize = 256 * 1024;

/// Why a text is no label key (or annotation key, or finalizer): `[prefix/]name`.
pub(crate) fn label_key(key: &str) -> Option<String> {
    let (prefix, name) = match key.split_once('/') {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, key),
    };
    if let Some(why) = prefix.and_then(subdomain) {
        return Some(format!("prefix part {why}"));
    }
    if name.is_empty() {
        return Some("name part must be non-empty".to_owned());
    }
    if name.len() > 63 {
        return Some("name part must be no more than 63 bytes".to_owned());
    }
    (!is_word(name, "-_.")).then(|| format!("name part {LABEL_NAME}"))
}

/// Why a text is no label value.
pub(crate) fn label_value(value: &str) -> Option<String> {
    if value.len() > 63 {
        return Some("must be no more than 63 bytes".to_owned());
    }
    (!value.is_empty() && !is_word(value, "-_.")).then(|| LABEL_VALUE.to_owned())
}

/// Why a text is no DNS subdomain.
pub(crate) fn subdomain(name: &str) -> Option<String> {
    if name.len() > 253 {
        return Some("must be no more than 253 bytes".to_owned());
    }
    let fine = name.split('.').all(|label| is_lower(label) && is_word(label, "-"));
    (!fine).then(|| SUBDOMAIN.to_owned())
}

/// Why a text is no DNS label.
fn dns_label(name: &str) -> Option<String> {
    if name.contains('.') {
        return Some("must not contain dots".to_owned());
    }
    if name.len() > 63 {
        return Some("must be no more than 63 bytes".to_owned());
    }
    (!(is_lower(name) && is_word(name, "-"))).then(|| LABEL.to_owned())
}

/// Why a text is no DNS label that begins with a letter.
pub(crate) fn label_of_1035(name: &str) -> Option<String> {
    let begun = name.starts_with(|character: char| character.is_ascii_lowercase());
    let fine = begun && name.len() <= 63 && is_lower(name) && is_word(name, "-");
    (!fine).then(|| LABEL_OF_1035.to_owned())
}

/// Why a text cannot be a part of a path.
fn path_segment(name: &str) -> Option<String> {
    match name {
        "." | ".." => Some(format!("may not be '{name}'")),
        name => {
            ['/', '%'].iter().find(|bad| name.contains(**bad)).map(|bad| format!("may not contain '{bad}'"))
        }
    }
}

/// Why a text cannot name an object of a type.
pub(crate) fn object_name(ty: &ResourceType, name: &str) -> Option<String> {
    if ty.is_built_in("namespaces") {
        dns_label(name)
    } else if ty.group == RIGHTS {
        path_segment(name)
    } else {
        subdomain(name)
    }
}

/// What is wrong with an object's metadata.
pub(crate) fn metadata(ty: &ResourceType, metadata: &Value) -> Vec<Cause> {
    let mut causes = Vec::new();
    let name = metadata["name"].as_str().unwrap_or_default();
    if let Some(prefix) = metadata["generateName"].as_str().filter(|prefix| !prefix.is_empty()) {
        let sample = format!("{prefix}x");
        if let Some(why) = object_name(ty, &sample) {
            causes.push(Cause::invalid("metadata.generateName", &prefix.into(), &why));
        }
    }
    if name.is_empty() {
        causes.push(Cause::required("metadata.name", "name or generateName is required"));
    } else if let Some(why) = object_name(ty, name) {
        causes.push(Cause::invalid("metadata.name", &name.into(), &why));
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
    let wrong = |(index, entry): (usize, &Value)| {
        let name = entry["manager"].as_str().unwrap_or_default();
        manager(&format!("metadata.managedFields[{index}].manager"), name)
    };
    entries.flat_map(wrong).collect()
}

/// What is wrong with the name of a manager.
pub(crate) fn manager(field: &str, name: &str) -> Vec<Cause> {
    let long = (name.len() > managed_fields::LONGEST)
        .then(|| Cause::too_long(field, managed_fields::LONGEST as u64));
    let odd = managed_fields::unprintable(name).map(|(place, character)| {
        let why = format!("invalid character U+{:04X} (at position {place})", u32::from(character));
        Cause::invalid(field, &name.into(), &why)
    });
    long.into_iter().chain(odd).collect()
}

/// Keys of annotations may be written in capitals, too.
fn annotations(annotations: &Value) -> Vec<Cause> {
    let map = annotations.as_object();
    let mut causes = Vec::new();
    for key in map.into_iter().flat_map(|map| map.keys()) {
        if let Some(why) = label_key(&key.to_lowercase()) {
            causes.push(Cause::invalid("metadata.annotations", &key.as_str().into(), &why));
        }
    }
    let size = |(key, value): (&String, &Value)| key.len() + value.as_str().map_or(0, str::len);
    if map.into_iter().flatten().map(size).sum::<usize>() > ANNOTATIONS {
        causes.push(Cause::too_long("metadata.annotations", ANNOTATIONS as u64));
    }
    causes
}

fn owners(owners: &Value) -> Vec<Cause> {
    let list = owners.as_array().map(Vec::as_slice).unwrap_or_default();
    let mut causes = Vec::new();
    for owner in list {
        for field in ["apiVersion", "kind", "name", "uid"] {
            if owner[field].as_str().unwrap_or_default().is_empty() {
                let why =
                    if field == "apiVersion" { "version must not be empty" } else { "must not be empty" };
                causes.push(Cause::invalid(format!("metadata.ownerReferences.{field}"), &"".into(), why));
            }
        }
        if owner["apiVersion"] == "v1" && owner["kind"] == "Event" {
            let why = "/v1, Kind=Event is disallowed from being an owner";
            causes.push(Cause::invalid("metadata.ownerReferences", owner, why));
        }
    }
    if list.iter().filter(|owner| owner["controller"] == true).count() > 1 {
        let why = "Only one reference can have Controller set to true";
        causes.push(Cause::invalid("metadata.ownerReferences", owners, why));
    }
    causes
}

fn labels(labels: &Value) -> Vec<Cause> {
    let mut causes = Vec::new();
    for (key, value) in labels.as_object().into_iter().flatten() {
        if let Some(why) = label_key(key) {
            causes.push(Cause::invalid("metadata.labels", &key.as_str().into(), &why));
        }
        let text = value.as_str().unwrap_or_default();
        if let Some(why) = label_value(text) {
            causes.push(Cause::invalid("metadata.labels", value, &why));
        }
    }
    causes
}

fn finalizers(finalizers: &Value) -> Vec<Cause> {
    let names = finalizers.as_array().into_iter().flatten();
    let wrong = |name: &Value| {
        let why = label_key(name.as_str().unwrap_or_default())?;
        Some(Cause::invalid("metadata.finalizers", name, &why))
    };
    names.filter_map(wrong).collect()
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
