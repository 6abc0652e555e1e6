//! The collection of a watch, and the request that opens it.

use std::time::Duration;

use http::uri::{InvalidUri, PathAndQuery};

use super::InitialObjects;
use crate::scan::Collection;

/// The collection and the parameters of a watch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// The collection: `/api/v1/namespaces/n/configmaps`.
    pub path: String,
    /// What all its objects have in common.
    pub collection: Collection,
    /// Further parameters, without `&` at the ends: `labelSelector=a%3Db`. Often empty.
    pub query: String,
    /// The first version; if empty, the watcher lists first.
    pub from: String,
    /// `timeoutSeconds`; 0 leaves it out.
    pub timeout_seconds: u32,
    /// Whether the watch requests initial events and the bookmark after them.
    pub initial_events: bool,
    /// The objects that a list must have at any time.
    pub population: InitialObjects,
    /// The number of objects of the population in all collections: later ones need not be there.
    pub objects: u32,
    /// The minimum length of the data of an object, in bytes.
    pub padding: u64,
}

/// The speed at which a watch reads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ReadRate {
    /// As fast as it can.
    #[default]
    Healthy,
    /// It pauses for this time between two reads.
    Slow(Duration),
}

impl Route {
    /// The events of a collection after a version.
    pub fn new(path: &str, collection: Collection, from: &str) -> Self {
        Self {
            path: path.to_owned(),
            collection,
            query: String::new(),
            from: from.to_owned(),
            timeout_seconds: 0,
            initial_events: false,
            population: InitialObjects::default(),
            objects: 0,
            padding: 0,
        }
    }

    /// The watch from a version; with initial events if there is no version yet and the route requests them.
    pub(super) fn watch(&self, version: &str) -> Result<PathAndQuery, InvalidUri> {
        let mut query = String::from("watch=1&allowWatchBookmarks=true");
        if version.is_empty() && self.initial_events {
            query += "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=";
        } else {
            query += "&resourceVersion=";
            query.extend(form_urlencoded::byte_serialize(version.as_bytes()));
        }
        if self.timeout_seconds > 0 {
            query += "&timeoutSeconds=";
            query += &self.timeout_seconds.to_string();
        }
        self.with(&query)
    }

    /// The list that precedes a watch.
    pub(super) fn list(&self) -> Result<PathAndQuery, InvalidUri> {
        self.with("")
    }

    fn with(&self, query: &str) -> Result<PathAndQuery, InvalidUri> {
        let parts = [query, self.query.as_str()];
        let query = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("&");
        let mark = if query.is_empty() { "" } else { "?" };
        format!("{}{mark}{query}", self.path).parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_watch_goes_on_from_its_version() {
        let route = Route {
            query: "labelSelector=a".to_owned(),
            timeout_seconds: 9,
            ..Route::new("/x", Collection::default(), "1")
        };
        assert_eq!(
            route.watch("a&b").unwrap(),
            "/x?watch=1&allowWatchBookmarks=true&resourceVersion=a%26b&timeoutSeconds=9&labelSelector=a"
        );
        assert_eq!(route.list().unwrap(), "/x?labelSelector=a");
        assert_eq!(Route::new("/x", Collection::default(), "").list().unwrap(), "/x");
    }

    #[test]
    fn a_watch_may_begin_with_all_that_is_there() {
        let route = Route { initial_events: true, ..Route::new("/x", Collection::default(), "") };
        let begins = route.watch("").unwrap();
        assert!(
            begins.as_str().contains("sendInitialEvents=true")
                && begins.as_str().ends_with("resourceVersion=")
        );
        assert!(!route.watch("5").unwrap().as_str().contains("sendInitialEvents"));
    }
}
