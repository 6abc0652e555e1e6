//! Deprecated types: the warning of a response, and the use of each.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use crate::metrics::Labels;
use crate::resource_type::ResourceType;

/// The deprecated built-in types by plural, with the texts of their warnings. No release removes them.
const BUILT_IN: &[(&str, &str)] = &[
    ("componentstatuses", "v1 ComponentStatus is deprecated in v1.19+"),
    ("endpoints", "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"),
];

/// The deprecated types that clients have requested.
#[derive(Debug, Default)]
pub(crate) struct DeprecatedRequests(Mutex<BTreeSet<Labels>>);

impl DeprecatedRequests {
    /// Notes a request for a type. The text is a warning about the type, if it is deprecated.
    pub(crate) fn note(&self, ty: &ResourceType, subresource: &str) -> Option<String> {
        let text = warning(ty)?;
        let labels = [
            ("group", ty.group.as_str()),
            ("removed_release", ""),
            ("resource", ty.plural.as_str()),
            ("subresource", subresource),
            ("version", ty.version.as_str()),
        ];
        let labels = labels.map(|(label, value)| (label, value.to_owned())).into();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(labels);
        Some(text)
    }

    /// The labels of each requested type.
    pub(crate) fn requested(&self) -> impl Iterator<Item = Labels> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone().into_iter()
    }
}

fn warning(ty: &ResourceType) -> Option<String> {
    if let Some(custom) = &ty.custom {
        return custom.warning.clone();
    }
    let known = BUILT_IN.iter().find(|(plural, _)| ty.group.is_empty() && ty.plural == *plural);
    known.map(|(_, text)| (*text).to_owned())
}
