//! Reads a few written objects back after the load: the server must have what it acknowledged.
//!
//! Only the run writes to these objects and deletes them. A read without a clear answer proves nothing; if no read has one,
//! the run is inconclusive.

use std::time::Duration;

use futures::StreamExt;
use harness::load::PartialCause;
use harness::{Client, Request};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::stamp::{ANNOTATION, Stamp, Stamps};

/// The maximum number of objects of each kind: created, changed, applied and deleted. Of a server that does not store one
/// write in ten, 50 reads miss every such write in one of 200 runs.
pub(crate) const MOST_READ_BACK: usize = 50;

/// The number of concurrent reads.
const AT_A_TIME: usize = 4;

/// Timeout for all reads together.
const WITHIN: Duration = Duration::from_secs(5);

/// An object that the server must have, or must not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stored {
    pub(crate) path: String,
    pub(crate) content: Content,
}

/// What an object must contain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Content {
    /// Anything: it was only created.
    Any,
    /// Its last write, which the server acknowledged.
    Write(Stamp),
    /// An annotation that was applied, with any value.
    Annotation(String),
    /// Nothing: it was deleted.
    Deleted,
}

/// What the reads show.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ReadBack {
    /// A sentence for each object without its last write or deletion.
    pub(crate) missing: Vec<String>,
    /// Why no object could be read, if any was to be read.
    pub(crate) unread: Option<String>,
    /// Whether a read had a clear answer.
    #[serde(default)]
    is_clear: bool,
    /// Whether a read had no response of the server's.
    #[serde(default)]
    is_silent: bool,
}

impl ReadBack {
    /// Adds the reads of another worker: one clear answer is enough.
    pub(crate) fn add(&mut self, other: Self) {
        self.missing.extend(other.missing);
        self.is_clear |= other.is_clear;
        self.is_silent |= other.is_silent;
        self.unread = self.unread.take().or(other.unread).filter(|_| !self.is_clear);
    }

    /// The sentences, in which a server has a part.
    pub(crate) fn texts(&mut self) -> impl Iterator<Item = &mut String> {
        self.missing.iter_mut().chain(&mut self.unread)
    }

    /// The cause of a run that is partial because no object could be read. A server that is gone rejects nothing.
    pub(crate) fn cause(&self) -> PartialCause {
        if self.is_silent { PartialCause::EndedEarly } else { PartialCause::ReadBackRejected }
    }
}

/// One read.
enum Read {
    Right,
    Missing(String),
    /// The server responds with an error of its own.
    Rejected(String),
    Unclear(String),
}

/// Reads the objects.
pub(crate) async fn read_back(client: &Client, stamps: &Stamps, stored: Vec<Stored>) -> ReadBack {
    let client = client.with_own_memory();
    let until = tokio::time::Instant::now() + WITHIN;
    let in_time = |stored: Stored| {
        let client = client.clone();
        async move {
            let reading = read(&client, stamps, &stored);
            let late = || Read::Unclear(format!("no response to GET {} in time", stored.path));
            tokio::time::timeout_at(until, reading).await.unwrap_or_else(|_| late())
        }
    };
    let reads: Vec<Read> = futures::stream::iter(stored).map(in_time).buffered(AT_A_TIME).collect().await;
    combine(reads)
}

fn combine(reads: Vec<Read>) -> ReadBack {
    let all = reads.len();
    let is_silent = reads.iter().any(|read| matches!(read, Read::Unclear(_)));
    let (mut missing, mut unclear) = (Vec::new(), Vec::new());
    for read in reads {
        match read {
            Read::Right => {}
            Read::Missing(sentence) => missing.push(sentence),
            Read::Rejected(why) | Read::Unclear(why) => unclear.push(why),
        }
    }
    let first = unclear.first().filter(|_| unclear.len() == all);
    let unread = first.map(|why| format!("none of {all} objects could be read back: {why}"));
    ReadBack { missing, unread, is_clear: unclear.len() < all, is_silent }
}

async fn read(client: &Client, stamps: &Stamps, stored: &Stored) -> Read {
    let path = &stored.path;
    let (response, _) = match client.send(&Request::get(path), "kube-assay read back").await {
        Ok(answered) => answered,
        Err(why) => return Read::Unclear(client.redactor().redact(&why.to_string())),
    };
    let is_deleted = stored.content == Content::Deleted;
    match response.status {
        404 if is_deleted => Read::Right,
        404 => Read::Missing(format!("{path} is not found after an acknowledged write")),
        200 => match serde_json::from_slice::<Value>(&response.body) {
            Ok(object) if !is_named(&object, path) => {
                Read::Missing(format!("GET {path} returns 200 without the object"))
            }
            Ok(object) if is_deleted => deleted(&object, path),
            Ok(object) if differs(&object, stamps, stored) => {
                Read::Missing(format!("{path} lacks its last write"))
            }
            Ok(_) => Read::Right,
            Err(_) => Read::Unclear(format!("GET {path} returns 200 without JSON")),
        },
        status @ 500..=599 => Read::Rejected(format!("GET {path} returns {status}")),
        status => Read::Unclear(format!("GET {path} returns {status}")),
    }
}

/// The object of an acknowledged deletion: it may wait for its finalizers.
fn deleted(object: &Value, path: &str) -> Read {
    match object["metadata"]["deletionTimestamp"] {
        Value::Null => Read::Missing(format!("{path} is still there after an acknowledged deletion")),
        _ => Read::Right,
    }
}

/// Whether an object has the name at the end of its path.
fn is_named(object: &Value, path: &str) -> bool {
    object["metadata"]["name"].as_str().is_some_and(|name| path.rsplit('/').next() == Some(name))
}

/// Whether an object lacks its last write.
fn differs(object: &Value, stamps: &Stamps, stored: &Stored) -> bool {
    let annotations = &object["metadata"]["annotations"];
    let stamp = match &stored.content {
        Content::Any | Content::Deleted => return false,
        Content::Annotation(key) => return annotations[key].as_str().is_none(),
        Content::Write(stamp) => *stamp,
    };
    let text = annotations[ANNOTATION].as_str().unwrap_or_default();
    let found = Stamp::read(text.as_bytes());
    // The server may perform a write later whose response was lost.
    let is_later = found.is_some_and(|found| stamps.is_unacknowledged(found));
    found != Some(stamp) && !is_later
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use serde_json::json;

    use super::*;

    #[test]
    fn an_object_has_its_last_write_or_one_without_an_acknowledgement() {
        let (stamps, now) = (Stamps::new(0, 1), Instant::now());
        let [first, lost, last] = [0; 3].map(|object| stamps.issue(object, now).unwrap());
        stamps.acknowledged(first, now);
        stamps.lost_sight(lost);
        assert_eq!(stamps.last_acknowledged(0), None);
        stamps.acknowledged(last, now);
        let of = |content| Stored { path: "/o0".to_owned(), content };
        let stored = of(Content::Write(stamps.last_acknowledged(0).unwrap()));
        let judge = |text: &str| {
            let object = json!({ "metadata": { "annotations": { ANNOTATION: text } } });
            differs(&object, &stamps, &stored)
        };
        assert!(!judge(&last.text()) && !judge(&lost.text()));
        assert!(judge(&first.text()) && judge("") && judge("9.1"));
        assert!(differs(&json!({ "metadata": {} }), &stamps, &stored));
        assert!(!differs(&json!({ "metadata": {} }), &stamps, &of(Content::Any)));
        let applied = of(Content::Annotation("example.com/a".to_owned()));
        let judge =
            |key: &str| differs(&json!({ "metadata": { "annotations": { key: "1" } } }), &stamps, &applied);
        assert!(!judge("example.com/a") && judge("example.com/b"));
    }

    #[test]
    fn a_deleted_object_is_only_there_while_it_is_being_deleted() {
        let judge = |metadata: Value| deleted(&json!({ "metadata": metadata }), "/o1");
        assert!(matches!(judge(json!({})), Read::Missing(_)));
        assert!(matches!(judge(json!({ "deletionTimestamp": "2026-01-01T00:00:00Z" })), Read::Right));
    }

    #[test]
    fn another_object_has_another_name() {
        let named = |name: &str| is_named(&json!({ "metadata": { "name": name } }), "/api/v1/configmaps/o1");
        assert!(named("o1") && !named("o12") && !named(""));
        assert!(!is_named(&Value::Null, "/api/v1/configmaps/o1"));
    }

    #[test]
    fn only_if_no_read_is_clear_nothing_was_read_back() {
        let unclear = || Read::Unclear("no response to GET /o1 in time".to_owned());
        let rejected = || Read::Rejected("GET /o1 returns 500".to_owned());
        let none = combine(vec![rejected(), rejected()]);
        assert_eq!(none.cause(), PartialCause::ReadBackRejected);
        assert_eq!(combine(vec![rejected(), unclear()]).cause(), PartialCause::EndedEarly);
        assert_eq!(none.unread.unwrap(), "none of 2 objects could be read back: GET /o1 returns 500");
        let some = combine(vec![unclear(), Read::Right, Read::Missing("o2 is gone".to_owned())]);
        assert_eq!((some.unread, some.missing), (None, vec!["o2 is gone".to_owned()]));
        assert!(combine(Vec::new()).unread.is_none());
    }
}
