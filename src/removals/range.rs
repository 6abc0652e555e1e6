//! The minors before and after an upgrade, and the APIs that are removed or deprecated between them.

use std::collections::HashMap;

use harness::Version;
use suites::{ApiLifecycle, NEWEST_RELEASE, api_lifecycles};

/// An upgrade of the server.
pub(super) struct Range {
    pub(super) from: u32,
    pub(super) to: u32,
    /// Deprecated and removed APIs, the earliest removal first.
    lifecycles: Vec<ApiLifecycle>,
    /// Their places in `lifecycles`, by version and kind.
    places: HashMap<(&'static str, &'static str), usize>,
}

/// What happens to an API until the end of the range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// No server of the last minor serves it.
    Removed,
    /// Servers of the last minor serve it, and warn.
    Deprecated,
}

impl Range {
    /// The range that the user gives, or else from the minor of the target.
    pub(super) fn new(
        from: Option<Version>,
        to: Option<Version>,
        target: Option<u32>,
    ) -> Result<Self, String> {
        let (from, to) = (minor("--from", from)?, minor("--to", to)?);
        let lifecycles = api_lifecycles();
        let first = lifecycles.iter().filter_map(|api| api.removed).min().unwrap_or(NEWEST_RELEASE);
        let from = from.or(target).unwrap_or(first - 1);
        let to = to.unwrap_or(NEWEST_RELEASE.max(from));
        if from > to {
            return Err(format!("failed to compare 1.{from} with 1.{to}: --from is newer than --to"));
        }
        let places = lifecycles.iter().enumerate().map(|(at, api)| ((api.version, api.kind), at)).collect();
        Ok(Self { from, to, lifecycles, places })
    }

    /// A deprecated or removed API, with what happens to it.
    pub(super) fn find(&self, version: &str, kind: &str) -> Option<(usize, Change)> {
        let at = *self.places.get(&(version, kind))?;
        Some((at, self.change(&self.lifecycles[at])?))
    }

    /// The API at a place that [`Range::find`] gave.
    pub(super) fn api(&self, at: usize) -> &ApiLifecycle {
        &self.lifecycles[at]
    }

    /// The APIs that the last minor removes or deprecates.
    pub(super) fn changed(&self) -> impl Iterator<Item = (&ApiLifecycle, Change)> {
        self.lifecycles.iter().filter_map(|api| Some((api, self.change(api)?)))
    }

    /// The APIs that the first minor serves and the last does not.
    pub(super) fn removed_between(&self) -> impl Iterator<Item = &ApiLifecycle> {
        self.lifecycles.iter().filter(|api| api.is_removed_in(self.to) && !api.is_removed_in(self.from))
    }

    fn change(&self, api: &ApiLifecycle) -> Option<Change> {
        if api.is_removed_in(self.to) {
            return Some(Change::Removed);
        }
        (api.deprecated <= self.to).then_some(Change::Deprecated)
    }
}

fn minor(flag: &str, given: Option<Version>) -> Result<Option<u32>, String> {
    match given {
        Some(version) if version.major != 1 => Err(format!(
            "failed to use {flag} {version}: there is no such Kubernetes; hint: give one such as 1.36"
        )),
        given => Ok(given.map(|version| version.minor)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(from: &str, to: &str) -> Range {
        let version = |text: &str| Some(text.parse().unwrap());
        Range::new(version(from), version(to), None).unwrap()
    }

    #[test]
    fn the_range_of_a_target_begins_with_its_minor() {
        let ends = |range: Range| (range.from, range.to);
        assert_eq!(ends(Range::new(None, None, Some(30)).unwrap()), (30, NEWEST_RELEASE));
        assert_eq!(ends(Range::new(None, None, Some(99)).unwrap()), (99, 99));
        assert_eq!(ends(Range::new(None, None, None).unwrap()), (15, NEWEST_RELEASE));
        assert!(Range::new(Some("1.30".parse().unwrap()), Some("1.29".parse().unwrap()), None).is_err());
        assert!(Range::new(Some("2.30".parse().unwrap()), None, None).is_err());
    }

    #[test]
    fn an_api_is_removed_deprecated_or_neither() {
        let change = |to: &str| Some(range("1.15", to).find("batch/v1beta1", "CronJob")?.1);
        assert_eq!(change("1.20"), None);
        assert_eq!(change("1.21"), Some(Change::Deprecated));
        assert_eq!(change("1.24"), Some(Change::Deprecated));
        assert_eq!(change("1.25"), Some(Change::Removed));
        assert_eq!(range("1.15", "1.37").find("batch/v1", "CronJob"), None);
        assert_eq!(range("1.15", "1.37").find("example.com/v1beta1", "CronJob"), None);
    }

    #[test]
    fn a_removal_before_the_range_is_not_in_it() {
        let kinds: Vec<&str> = range("1.31", "1.32").removed_between().map(|api| api.kind).collect();
        assert!(kinds.contains(&"FlowSchema") && !kinds.contains(&"CronJob"), "{kinds:?}");
        assert_eq!(range("1.32", "1.32").removed_between().count(), 0);
    }
}
