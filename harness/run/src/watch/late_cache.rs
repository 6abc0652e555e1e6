//! A 410 in a watch from a version that the server itself gave. The watch cache of a new type, or that of one among several
//! servers, starts late, and lacks earlier versions.

use model::{Halt, Request, decimal};
use serde_json::Value;

use super::{PAUSE, Watch};
use crate::context::open::Opening;
use crate::watch_event::{Next, WatchEvent};

/// The number of objects of which the newest is sought.
const LISTED: usize = 500;

const LATE_CACHE: &str = "the server accepts the version of a new list: did its watch cache of this type start late, or that of \
                          another server at this address?";

impl Watch {
    /// The failure for another event than expected. A 410 is a test error if watches from a new list, and from its newest
    /// object, are taken.
    pub async fn unexpected(&mut self, expected: impl Into<String>, event: &WatchEvent) -> Halt {
        if !event.expired() {
            return self.fail(expected, event.brief());
        }
        match self.are_new_versions_taken().await {
            Ok(false) => self.fail(expected, event.brief()),
            Ok(true) => {
                let action = format!("watch {}", self.request.path);
                self.cx.test_error(action, event.brief()).hint(LATE_CACHE).into()
            }
            Err(halt) => halt,
        }
    }

    /// Whether the server takes the version of a new list, as clients try after a 410, and that of its newest object: the
    /// scenario has made one since it opened the watch.
    async fn are_new_versions_taken(&self) -> Result<bool, Halt> {
        let listed = self.cx.send(self.get().query("limit", LISTED)).await?;
        let Some(list) = listed.json() else { return Ok(false) };
        let Some(of_list) = version(list) else { return Ok(false) };
        let objects = list["items"].as_array().into_iter().flatten().filter_map(version);
        let newest = objects.filter_map(|version| Some((decimal(version)?, version))).max();
        for version in std::iter::once(of_list).chain(newest.map(|(_, version)| version)) {
            if !self.is_taken(version).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a watch from this version starts, and has no 410.
    async fn is_taken(&self, version: &str) -> Result<bool, Halt> {
        let watch = self.get().query("watch", 1).query("resourceVersion", version);
        let opening = self.cx.open_within(watch, self.cx.event_timeout()).await?;
        let Some(Opening::Watch(mut watch)) = opening else { return Ok(false) };
        Ok(!matches!(watch.next_within(PAUSE).await?, Next::Event(event) if event.expired()))
    }

    fn get(&self) -> Request {
        Request { connection: self.request.connection.clone(), ..Request::get(&self.request.path) }
    }
}

/// The version of a list or of an object.
fn version(object: &Value) -> Option<&str> {
    object["metadata"]["resourceVersion"].as_str()
}
