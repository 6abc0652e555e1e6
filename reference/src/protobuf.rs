//! Protobuf: built-in types, errors, metadata and watch events. `kind` has the field numbers.

mod read;
mod wire;
mod write;

use crate::resource_type::ResourceType;

pub(crate) use read::{kind, parts, read};
pub(crate) use wire::Message;
pub(crate) use write::{body, enveloped, frame};

pub(crate) const MEDIA_TYPE: &str = "application/vnd.kubernetes.protobuf";

/// The prefix of every body.
const MAGIC: &[u8] = b"k8s\0";

/// Whether a type can be read and written: a built-in type with known field numbers.
pub(crate) fn offers(ty: &ResourceType) -> bool {
    // The table does not contain the schema in a CustomResourceDefinition.
    ty.custom.is_none() && ty.kind != "CustomResourceDefinition" && crate::kind::of_type(ty).is_some()
}
