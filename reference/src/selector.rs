//! Label and field selectors.

mod field;
mod label;
#[cfg(test)]
mod tests;

use serde_json::Value;

use crate::failure::Failure;
use crate::query::Query;
use crate::resource_type::ResourceType;

use field::FieldSelector;
use label::LabelSelector;

/// Which objects a list, watch or deletion is about.
#[derive(Debug, Default, Clone)]
pub(crate) struct Selector {
    labels: LabelSelector,
    fields: FieldSelector,
}

impl Selector {
    /// Reads the selectors of a request.
    pub(crate) fn of(query: &Query, ty: &ResourceType) -> Result<Self, Failure> {
        Ok(Self {
            labels: LabelSelector::parse(query.first("labelSelector"))?,
            fields: FieldSelector::parse(query.first("fieldSelector"), ty)?,
        })
    }

    /// Whether an object is meant.
    pub(crate) fn matches(&self, object: &Value) -> bool {
        self.labels.matches(object) && self.fields.matches(object)
    }

    /// Whether every object is meant.
    pub(crate) fn is_everything(&self) -> bool {
        self.labels.is_empty() && self.fields.is_empty()
    }

    /// Whether one object is meant by name.
    pub(crate) fn names_one(&self) -> bool {
        self.fields.requires_name()
    }
}
