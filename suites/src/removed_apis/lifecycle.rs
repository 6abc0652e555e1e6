//! The same tables for everybody else: when an API is deprecated, when it is removed, and what replaces it.

use super::api::{Api, Removal};
use super::more_apis::{DEPRECATED, MORE_REMOVED, MORE_REPLACEMENTS};
use super::table::{REMOVED, REVIEWS, SERVED};
use harness::Catalogue;

/// The newest release of Kubernetes that the tables know. A later removal is a plan, which a release may change.
pub const NEWEST_RELEASE: u32 = 37;

const GUIDE: &str = "https://kubernetes.io/docs/reference/using-api/deprecation-guide/";

/// A deprecated API. Minors are those of Kubernetes 1.
#[derive(Debug, Clone)]
pub struct ApiLifecycle {
    /// Group and version, as in objects.
    pub version: &'static str,
    /// The plural, as in paths.
    pub plural: &'static str,
    /// The kind, as in objects.
    pub kind: &'static str,
    /// The first minor in which it is deprecated.
    pub deprecated: u32,
    /// The first minor that does not serve it; `None` if no removal is planned.
    pub removed: Option<u32>,
    /// The page about the removal.
    pub guide: String,
    replacements: Vec<ApiReplacement>,
}

/// An API that replaces another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ApiReplacement {
    /// Group and version, as in objects.
    pub version: &'static str,
    /// The kind, as in objects.
    pub kind: &'static str,
    /// The first minor that serves it.
    pub since: u32,
    removed: Option<u32>,
}

impl ApiLifecycle {
    /// Whether a minor no longer serves it.
    pub fn is_removed_in(&self, minor: u32) -> bool {
        is_removed(self.removed, minor)
    }

    /// Its version, and those that replace it.
    pub fn versions(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.version).chain(self.replacements.iter().map(|replacement| replacement.version))
    }

    /// The replacement for users of a minor: one that this minor serves, or else one that a later minor serves.
    pub fn replacement_in(&self, minor: u32) -> Option<ApiReplacement> {
        let mut lasting =
            self.replacements.iter().copied().filter(|replacement| !is_removed(replacement.removed, minor));
        lasting.clone().find(|replacement| replacement.since <= minor).or_else(|| lasting.next())
    }
}

/// All deprecated and removed APIs of Kubernetes, the earliest removal first.
pub fn api_lifecycles() -> Vec<ApiLifecycle> {
    let catalogue = crate::catalogue();
    let guide =
        |clause: &str| catalogue.get(clause).map(|clause| clause.upstream.clone()).unwrap_or_default();
    let lifecycle = |api: Api, deprecated, removed, guide| {
        let Api { version, plural, kind, .. } = api;
        let replacements = replacements(api, &catalogue);
        ApiLifecycle { version, plural, kind, deprecated, removed, guide, replacements }
    };
    let of_clauses = REMOVED.iter().map(|(clause, removal)| (*removal, guide(clause)));
    let others = MORE_REMOVED.iter().map(|removal| (*removal, GUIDE.to_owned()));
    let removed = of_clauses
        .chain(others)
        .map(|(removal, guide)| lifecycle(removal.api, removal.deprecated, Some(removal.minor), guide));
    let kept = DEPRECATED.iter().map(|(minor, api)| lifecycle(*api, *minor, None, GUIDE.to_owned()));
    let mut all: Vec<ApiLifecycle> = removed.chain(kept).collect();
    all.sort_by_key(|api| (api.removed.unwrap_or(u32::MAX), api.version, api.kind));
    all
}

/// What replaces an API, the best first.
fn replacements(api: Api, catalogue: &Catalogue) -> Vec<ApiReplacement> {
    let since =
        |clause: &str| catalogue.get(clause).and_then(|clause| clause.since).map_or(0, |since| since.minor);
    let served = SERVED.iter().map(|(clause, replacement)| (*clause, replacement.api));
    let of_clauses = served.chain(REVIEWS.iter().copied()).filter(|(_, other)| other.kind == api.kind);
    let of_clauses = of_clauses.map(|(clause, other)| (other.version, other.kind, since(clause)));
    let others = MORE_REPLACEMENTS.iter().filter(|other| other.replaced == api.kind);
    let others = others.map(|other| (other.version, other.kind, other.since));
    let replacement = |(version, kind, since)| ApiReplacement {
        version,
        kind,
        since,
        removed: removal_of(version, kind).map(|removal| removal.minor),
    };
    of_clauses.chain(others).filter(|(version, ..)| *version != api.version).map(replacement).collect()
}

fn removal_of(version: &str, kind: &str) -> Option<Removal> {
    let mut all = REMOVED.iter().map(|(_, removal)| removal).chain(MORE_REMOVED);
    all.find(|removal| removal.api.version == version && removal.api.kind == kind).copied()
}

fn is_removed(removed: Option<u32>, minor: u32) -> bool {
    removed.is_some_and(|removed| removed <= minor)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn lifecycle(version: &str, kind: &str) -> ApiLifecycle {
        api_lifecycles().into_iter().find(|api| api.version == version && api.kind == kind).unwrap()
    }

    #[test]
    fn an_api_is_there_once_and_deprecated_before_it_is_removed() {
        let mut known = HashSet::new();
        for api in api_lifecycles() {
            assert!(known.insert((api.version, api.kind)), "{api:?}");
            assert!(api.removed.is_none_or(|removed| api.deprecated <= removed), "{api:?}");
            assert!(api.guide.starts_with(GUIDE), "{api:?}");
        }
    }

    #[test]
    fn a_replacement_is_served_when_an_api_of_the_guide_is_removed() {
        // An alpha version may go before anything replaces it.
        for api in api_lifecycles().into_iter().filter(|api| api.guide != GUIDE) {
            let Some(removed) = api.removed else { continue };
            let found = api.replacement_in(removed);
            assert!(found.is_none_or(|replacement| replacement.since <= removed), "{api:?}");
        }
    }

    #[test]
    fn the_replacement_is_one_that_the_minor_serves() {
        let schemas = lifecycle("flowcontrol.apiserver.k8s.io/v1beta1", "FlowSchema");
        let version = |minor| schemas.replacement_in(minor).unwrap().version;
        assert_eq!(version(26), "flowcontrol.apiserver.k8s.io/v1beta3");
        assert_eq!(version(37), "flowcontrol.apiserver.k8s.io/v1");
        assert_eq!(lifecycle("extensions/v1beta1", "PodSecurityPolicy").replacement_in(25), None);
        assert_eq!(lifecycle("v1", "Endpoints").replacement_in(33).unwrap().kind, "EndpointSlice");
    }
}
