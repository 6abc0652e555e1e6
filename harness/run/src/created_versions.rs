//! The resourceVersions of the `ConfigMaps` that the run creates: they go back where a store is restored from a backup.
//!
//! Only creations of one type are compared, which no cache and no replica serves, and only where versions are decimal: each
//! has a greater version than those that the server had acknowledged before the run sent it.

use std::sync::{Mutex, OnceLock, PoisonError};

use model::{ApiPath, Exchange, Method, decimal};

/// The creations so far.
#[derive(Debug, Default)]
pub(crate) struct CreatedVersions {
    newest: Mutex<Option<Created>>,
    decrease: OnceLock<String>,
}

/// An object at its creation.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Created {
    version: u128,
    name: String,
}

impl Created {
    /// `None` if the exchange creates no `ConfigMap`, or its version is not decimal.
    fn read(exchange: &Exchange) -> Option<Self> {
        let request = &exchange.request;
        let path = ApiPath::read(&request.path)?;
        let creates = request.method == Method::POST && exchange.status() == 201 && !request.is_dry_run();
        let object = exchange.json().filter(|object| creates && object["kind"] == "ConfigMap")?;
        let metadata = &object["metadata"];
        let version = decimal(metadata["resourceVersion"].as_str()?)?;
        let name = metadata["name"].as_str()?.to_owned();
        (path.collection() == "v1/configmaps" && path.name.is_none()).then_some(Self { version, name })
    }

    fn described(&self) -> String {
        format!("the ConfigMap {} was created at version {}", self.name, self.version)
    }
}

impl CreatedVersions {
    /// The acknowledged creation with the greatest version.
    pub(crate) fn newest(&self) -> Option<Created> {
        self.newest.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Compares a creation with the [newest](Self::newest) one before its request.
    pub(crate) fn note(&self, exchange: &Exchange, before: Option<Created>) {
        let Some(created) = Created::read(exchange) else { return };
        if let Some(before) = before.filter(|before| before.version > created.version) {
            let (newer, older) = (created.described(), before.described());
            let what = "the resourceVersions went back, as when a store is restored from a backup";
            let _ = self.decrease.set(format!("{what}: {newer}, after {older}"));
        }
        let mut newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
        *newest = newest.take().max(Some(created));
    }

    /// The first creation with a version that an earlier one had exceeded, in words.
    pub(crate) fn decrease(&self) -> Option<String> {
        self.decrease.get().cloned()
    }
}

#[cfg(test)]
mod tests {
    use model::{Request, Response, Timing};
    use serde_json::json;

    use super::*;

    const CONFIG_MAPS: &str = "/api/v1/namespaces/a/configmaps";

    fn response(request: Request, status: u16, kind: &str, version: &str) -> Exchange {
        let body = json!({ "kind": kind, "metadata": { "name": "b", "resourceVersion": version } });
        let response = Response { status, body: body.to_string().into(), ..Response::default() };
        Exchange::new(0, request, response, Timing::default())
    }

    fn creation(version: &str) -> Exchange {
        response(Request::post(CONFIG_MAPS, &json!({})), 201, "ConfigMap", version)
    }

    /// The decrease in these exchanges, one after the other.
    fn decrease(exchanges: &[Exchange]) -> Option<String> {
        let versions = CreatedVersions::default();
        for exchange in exchanges {
            versions.note(exchange, versions.newest());
        }
        versions.decrease()
    }

    #[test]
    fn a_creation_below_an_acknowledged_one_is_a_decrease() {
        let decrease = decrease(&[creation("9"), creation("10"), creation("4"), creation("5")]).unwrap();
        let created = "at version 4, after the ConfigMap b was created at version 10";
        assert!(decrease.ends_with(created), "{decrease}");
    }

    #[test]
    fn only_creations_of_one_type_with_decimal_versions_are_compared() {
        let post = |path: &str| Request::post(path, &json!({}));
        let secret = response(post("/api/v1/namespaces/a/secrets"), 201, "Secret", "1");
        let dry_run = response(post(CONFIG_MAPS).query("dryRun", "All"), 201, "ConfigMap", "1");
        let unchanged = response(Request::put(format!("{CONFIG_MAPS}/b"), &json!({})), 200, "ConfigMap", "1");
        let opaque = creation("0a");
        for other in [secret, dry_run, unchanged, opaque] {
            assert_eq!(decrease(&[creation("9"), other]), None);
        }
    }

    #[test]
    fn a_creation_that_was_sent_before_the_other_one_was_acknowledged_may_be_older() {
        let versions = CreatedVersions::default();
        let before = versions.newest();
        versions.note(&creation("9"), before.clone());
        versions.note(&creation("4"), before);
        assert_eq!(versions.decrease(), None);
    }
}
