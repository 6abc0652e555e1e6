//! PATCH: JSON patch, merge patch, strategic merge patch and apply.
//!
//! The `json-patch` crate implements RFC 6902 and RFC 7386. Where kube-apiserver is laxer than the RFC
//! (`replace` of a missing member), this server follows the RFC, as a conformant server may.

mod apply_configuration;
mod operations;
mod strategic;
#[cfg(test)]
mod tests;

use bytes::Bytes;
use serde_json::Value;

use crate::document::{self, Document};
use crate::event;
use crate::failure::{Cause, Failure};
use crate::field_validation::{FieldCheck, duplicate};
use crate::kind;
use crate::resource_type::ResourceType;

pub(crate) use apply_configuration::Configuration;
use operations::apply_operations;

/// The media type of server-side apply.
pub(crate) const APPLY: &str = "application/apply-patch+yaml";

/// The media type of server-side apply in CBOR.
const APPLY_CBOR: &str = "application/apply-patch+cbor";

/// The media type of JSON patches.
const JSON: &str = "application/json-patch+json";

/// The number of copies in a JSON patch that cost little: each at most doubles the object, up to its largest size.
const MOST_COPIES: usize = 8;

/// The maximum number of operations of a JSON patch.
const MOST: usize = 10_000;

/// The members of an operation of a JSON patch.
const MEMBERS: &[&str] = &["op", "path", "from", "value"];

/// Whether a media type is one of server-side apply.
pub(crate) fn is_apply(media: &str) -> bool {
    matches!(media, APPLY | APPLY_CBOR)
}

/// Whether a patch may copy or move values many times: a few bytes of it then stand for much work, also if the patch is
/// refused.
pub(crate) fn may_copy_much(media: &str, body: &[u8]) -> bool {
    let count = |text: &[u8]| body.windows(text.len()).filter(|part| *part == text).count();
    // Escapes can spell the name of an operation. `remove` is none of these.
    media == JSON && count(b"\"copy\"") + count(b"\"move\"") + count(b"\\u") > MOST_COPIES
}

/// A decoded patch, with its duplicate and unknown fields.
pub(crate) struct Patch {
    change: PatchDocument,
    found: Vec<String>,
}

enum PatchDocument {
    /// RFC 7386.
    Merge(Value),
    /// RFC 6902: a list of operations, all or none.
    Json(Value),
    /// A strategic merge patch, with directives.
    Strategic(Value),
}

impl Patch {
    /// Checks the media type for a type. This is the first check of a patch.
    pub(crate) fn check_media(media: &str, ty: &ResourceType) -> Result<(), Failure> {
        match media {
            "application/merge-patch+json" | JSON => Ok(()),
            media if is_apply(media) => Ok(()),
            "application/strategic-merge-patch+json" if ty.custom.is_none() => Ok(()),
            _ => Err(unsupported(ty)),
        }
    }

    /// Decodes a patch for a type.
    pub(crate) fn read(media: &str, body: &Bytes, ty: &ResourceType) -> Result<Self, Failure> {
        let mut patch = Self::read_as_sent(media, body, ty)?;
        match &mut patch.change {
            PatchDocument::Merge(change) | PatchDocument::Strategic(change) => ty.rename_fields(change),
            PatchDocument::Json(operations) if ty.group == event::GROUP => event::rename_paths(operations),
            PatchDocument::Json(_) => {}
        }
        Ok(patch)
    }

    fn read_as_sent(media: &str, body: &Bytes, ty: &ResourceType) -> Result<Self, Failure> {
        let read = |context: &str| document::read(body).map_err(|error| malformed(context, &error));
        match media {
            "application/merge-patch+json" => {
                let document = require_object(DECODING, read(DECODING)?)?;
                Ok(Self { found: duplicates(&document, ""), change: PatchDocument::Merge(document.value) })
            }
            JSON => {
                let document = read(DECODING)?;
                let found = unknown_members(&document)?;
                Ok(Self { found, change: PatchDocument::Json(document.value) })
            }
            "application/strategic-merge-patch+json" if ty.custom.is_none() => {
                let document = require_object("", read("")?)?;
                Ok(Self {
                    found: duplicates(&document, ""),
                    change: PatchDocument::Strategic(document.value),
                })
            }
            _ => Err(unsupported(ty)),
        }
    }

    /// The patched object, decoded as its type.
    pub(crate) fn apply(
        &self,
        ty: &ResourceType,
        current: &Value,
        check: &mut FieldCheck,
    ) -> Result<Value, Failure> {
        let mut object = current.clone();
        match &self.change {
            PatchDocument::Merge(patch) => json_patch::merge(&mut object, patch),
            PatchDocument::Json(operations) => apply_operations(&mut object, operations)?,
            PatchDocument::Strategic(patch) => {
                strategic::merge(kind::of_type(ty), &mut object, patch).map_err(Failure::untranslated)?;
            }
        }
        check_type(ty, &object)?;
        let mut decoded = object.clone();
        check.decode(ty, &mut decoded, &self.found).map_err(|detail| Failure::bad_patch(&object, &detail))?;
        decoded["kind"] = ty.kind.as_str().into();
        decoded["apiVersion"] = ty.api_version().into();
        Ok(decoded)
    }
}

const DECODING: &str = "error decoding patch: ";

fn duplicates(document: &Document, context: &str) -> Vec<String> {
    document.duplicates.iter().map(|path| format!("{context}{}", duplicate(path))).collect()
}

/// The duplicate and unknown members of a JSON patch. `Err` if it is not a list of operations.
fn unknown_members(document: &Document) -> Result<Vec<String>, Failure> {
    let type_error =
        |what: &str| Failure::bad_request(format!("{DECODING}json: cannot unmarshal into {what}"));
    let operations = match &document.value {
        Value::Null => return Ok(Vec::new()),
        Value::Array(operations) => operations,
        _ => return Err(type_error("a list of operations")),
    };
    if operations.len() > MOST {
        let message =
            format!("The allowed maximum operations in a JSON patch is {MOST}, got {}", operations.len());
        return Err(Failure::request_too_large(&message));
    }
    let mut found = duplicates(document, "json patch ");
    for (index, operation) in operations.iter().enumerate() {
        let members = operation.as_object().ok_or_else(|| type_error("an operation"))?;
        let unknown = members.keys().filter(|name| !MEMBERS.contains(&name.as_str()));
        found.extend(
            unknown.map(|name| format!("json patch unknown field {:?}", format!("[{index}].{name}"))),
        );
    }
    Ok(found)
}

/// A patch cannot change the type of an object.
fn check_type(ty: &ResourceType, object: &Value) -> Result<(), Failure> {
    if !object.is_object() {
        return Err(Failure::bad_patch(object, "couldn't get version/kind; json parse error"));
    }
    let text = |field: &str| object[field].as_str().unwrap_or_default();
    let (kind, version) = (text("kind"), text("apiVersion"));
    if ty.custom.is_none() {
        return match (kind, version) {
            (_, version) if !version.is_empty() && version != ty.api_version() => {
                let detail = format!("no kind {kind:?} is registered for version {version:?}");
                Err(Failure::bad_patch(object, &detail))
            }
            (kind, _) if !kind.is_empty() && kind != ty.kind => {
                let detail = format!("converting ({kind}) to ({}): unknown conversion", ty.kind);
                Err(Failure::bad_patch(object, &detail))
            }
            _ => Ok(()),
        };
    }
    let mut causes = Vec::new();
    if version != ty.api_version() {
        let detail = format!("must be {}", ty.api_version());
        causes.push(Cause::invalid("apiVersion", &version.into(), &detail));
    }
    if kind != ty.kind {
        causes.push(Cause::invalid("kind", &kind.into(), &format!("must be {}", ty.kind)));
    }
    let group = version.split_once('/').map_or("", |(group, _)| group);
    let name = object["metadata"]["name"].as_str().unwrap_or_default();
    if causes.is_empty() { Ok(()) } else { Err(Failure::invalid(group, kind, name, &causes)) }
}

fn malformed(context: &str, error: &serde_json::Error) -> Failure {
    let detail = if error.is_eof() { "unexpected end of JSON input".to_owned() } else { error.to_string() };
    Failure::bad_request(format!("{context}{detail}"))
}

fn require_object(context: &str, patch: Document) -> Result<Document, Failure> {
    if patch.value.is_object() {
        return Ok(patch);
    }
    Err(Failure::bad_request(format!("{context}json: cannot unmarshal the patch into an object")))
}

fn unsupported(ty: &ResourceType) -> Failure {
    Failure::unsupported_media_type(if ty.custom.is_some() {
        "the body of the request was in an unknown format - accepted media types include: \
         application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml"
    } else {
        "415: Unsupported Media Type"
    })
}
