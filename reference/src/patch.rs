//! The kinds of patches: each turns an object and a patch into a new object.

mod json_patch;
mod merge;
mod strategic;
#[cfg(test)]
mod tests;

use bytes::Bytes;
use serde_json::Value;

use crate::failure::{Cause, Failure};
use crate::resource::ResourceType;

/// A patch, by its media type.
pub(crate) enum Patch {
    /// RFC 7386.
    Merge(Value),
    /// RFC 6902.
    Json(Value),
    /// A merge that knows how lists of the type are merged, with directives.
    Strategic(Value),
}

impl Patch {
    /// Reads a patch for a type.
    pub(crate) fn read(media: &str, body: &Bytes, ty: &ResourceType) -> Result<Self, Failure> {
        let read = || serde_json::from_slice::<Value>(body).map_err(|error| malformed(&error));
        match media {
            "application/merge-patch+json" => Ok(Self::Merge(an_object(read()?)?)),
            "application/json-patch+json" => Ok(Self::Json(read()?)),
            "application/strategic-merge-patch+json" if ty.custom.is_none() => {
                Ok(Self::Strategic(an_object(read()?)?))
            }
            _ => Err(unsupported(ty)),
        }
    }

    /// The patched object.
    pub(crate) fn apply(&self, ty: &ResourceType, current: &Value) -> Result<Value, Failure> {
        let mut object = current.clone();
        match self {
            Self::Merge(patch) => merge::merge(&mut object, patch),
            Self::Json(patch) => json_patch::apply(&mut object, patch)?,
            Self::Strategic(patch) => {
                strategic::merge(&mut object, patch, "").map_err(|why| rejected(&why))?;
            }
        }
        if !object.is_object() {
            return Err(rejected("the patched object is no object"));
        }
        for (field, value) in
            [("kind", Value::from(ty.kind.as_str())), ("apiVersion", ty.api_version().into())]
        {
            if object[field] != value {
                let cause = Cause::invalid(field, &object[field], &format!("must be {value}"));
                return Err(Failure::invalid(&ty.group, &ty.kind, "", &[cause]));
            }
        }
        Ok(object)
    }
}

/// A patch that cannot be applied to this object.
fn rejected(why: &str) -> Failure {
    let cause = Cause::invalid("patch", &Value::Null, why);
    Failure::invalid("", "", "", &[cause])
}

fn malformed(error: &serde_json::Error) -> Failure {
    Failure::bad_request(if error.is_eof() {
        "unexpected end of JSON input".to_owned()
    } else {
        error.to_string()
    })
}

fn an_object(patch: Value) -> Result<Value, Failure> {
    if patch.is_object() {
        return Ok(patch);
    }
    Err(Failure::bad_request("json: cannot unmarshal the patch into an object"))
}

fn unsupported(ty: &ResourceType) -> Failure {
    Failure::unsupported_media_type(if ty.custom.is_some() {
        "the body of the request was in an unknown format - accepted media types include: \
         application/json-patch+json, application/merge-patch+json"
    } else {
        "415: Unsupported Media Type"
    })
}
