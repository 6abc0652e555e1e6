//! Area `deprecation`: the rules of the deprecation policy, as far as one server shows them.

mod conversion;
mod deprecated_api;
mod feature_gates;
mod lifetime;
mod metric_policy;
mod releases;
mod requested_apis;
mod versions;
mod warnings;

suite!["deprecation", versions, conversion, lifetime, warnings, requested_apis, feature_gates, metric_policy,];
