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

/// The label and field selectors of a request.
#[derive(Debug, Default, Clone)]
pub(crate) struct Selector {
    labels: LabelSelector,
    fields: FieldSelector,
}

impl Selector {
    /// Parses the selectors of a request.
    pub(crate) fn of(query: &Query, ty: &ResourceType) -> Result<Self, Failure> {
        Ok(Self {
            labels: LabelSelector::parse(query.first("labelSelector"))?,
            fields: FieldSelector::parse(query.first("fieldSelector"), ty)?,
        })
    }

    /// Whether an object matches.
    pub(crate) fn matches(&self, object: &Value) -> bool {
        self.labels.matches(object) && self.fields.matches(object)
    }

    /// Whether it matches every object.
    pub(crate) fn is_everything(&self) -> bool {
        self.labels.is_empty() && self.fields.is_empty()
    }

    /// Whether it requires a name.
    pub(crate) fn names_one(&self) -> bool {
        self.fields.requires_name()
    }
}
