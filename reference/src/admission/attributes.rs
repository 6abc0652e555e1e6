//! What admission knows of a request: its operation, and the objects before and after it.

use serde_json::{Value, json};

use crate::metadata::text;
use crate::resource_type::ResourceType;

/// The operation of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    Create,
    Update,
    Delete,
}

impl Operation {
    /// The name in rules.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Create => "CREATE",
            Self::Update => "UPDATE",
            Self::Delete => "DELETE",
        }
    }

    fn options(self) -> &'static str {
        match self {
            Self::Create => "CreateOptions",
            Self::Update => "UpdateOptions",
            Self::Delete => "DeleteOptions",
        }
    }
}

/// A request about an object.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Attributes<'a> {
    pub(super) operation: Operation,
    pub(super) subresource: &'static str,
    /// Absent in a deletion.
    pub(super) object: Option<&'a Value>,
    /// Absent in a create.
    pub(super) old: Option<&'a Value>,
    /// The version of the request, if a policy sees it in another one.
    pub(super) requested: Option<&'a ResourceType>,
}

impl<'a> Attributes<'a> {
    pub(crate) fn create(object: &'a Value) -> Self {
        Self {
            operation: Operation::Create,
            subresource: "",
            object: Some(object),
            old: None,
            requested: None,
        }
    }

    pub(crate) fn update(object: &'a Value, old: &'a Value, subresource: &'static str) -> Self {
        Self {
            operation: Operation::Update,
            subresource,
            object: Some(object),
            old: Some(old),
            requested: None,
        }
    }

    pub(crate) fn delete(old: &'a Value) -> Self {
        Self { operation: Operation::Delete, subresource: "", object: None, old: Some(old), requested: None }
    }

    /// The objects of the request.
    pub(super) fn objects(&self) -> impl Iterator<Item = &'a Value> {
        self.object.into_iter().chain(self.old)
    }

    /// The name of the object.
    pub(super) fn name(&self) -> &'a str {
        self.objects().next().map_or("", |object| text(object, "name"))
    }

    /// The options of the request.
    pub(super) fn options(&self) -> Value {
        json!({"kind": self.operation.options(), "apiVersion": "meta.k8s.io/v1"})
    }
}
