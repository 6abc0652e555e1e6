//! Reads a few written objects back after the load: the server must have what it acknowledged.
//!
//! Only the run writes to these objects and deletes them. A read without a clear answer proves nothing and counts for
//! nothing.

use std::time::Duration;

use futures::StreamExt;
use harness::{Client, Request};
use serde_json::Value;

use crate::stamp::{ANNOTATION, Stamp, Stamps};

/// The maximum number of objects of each kind: created and changed.
pub(crate) const MOST_READ_BACK: usize = 10;

/// The number of concurrent reads.
const AT_A_TIME: usize = 4;

/// Timeout for all reads together.
const WITHIN: Duration = Duration::from_secs(5);

/// An object that the server must have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stored {
    pub(crate) path: String,
    /// Its last write, which the server acknowledged; `None` for an object that was only created.
    pub(crate) stamp: Option<Stamp>,
}

/// A sentence for each object without its last write.
pub(crate) async fn missing(client: &Client, stamps: &Stamps, stored: Vec<Stored>) -> Vec<String> {
    let client = client.with_own_memory();
    let reads = futures::stream::iter(stored)
        .map(|stored| read(&client, stamps, stored))
        .buffered(AT_A_TIME)
        .filter_map(std::future::ready)
        .collect();
    tokio::time::timeout(WITHIN, reads).await.unwrap_or_default()
}

async fn read(client: &Client, stamps: &Stamps, stored: Stored) -> Option<String> {
    let (response, _) = client.send(&Request::get(&stored.path), "kube-assay read back").await.ok()?;
    match response.status {
        404 => Some(format!("{} is not found after an acknowledged write", stored.path)),
        200 => {
            let object = serde_json::from_slice(&response.body).ok()?;
            differs(&object, stamps, &stored).then(|| format!("{} lacks its last write", stored.path))
        }
        _ => None,
    }
}

/// Whether an object lacks its last write.
fn differs(object: &Value, stamps: &Stamps, stored: &Stored) -> bool {
    let Some(stamp) = stored.stamp else { return false };
    let text = object["metadata"]["annotations"][ANNOTATION].as_str().unwrap_or_default();
    let found = Stamp::read(text.as_bytes());
    // The server may perform a write later whose response was lost.
    let is_later = found.is_some_and(|found| stamps.is_unacknowledged(found));
    object["metadata"].is_object() && found != Some(stamp) && !is_later
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
        let stored = Stored { path: "/o0".to_owned(), stamp: stamps.last_acknowledged(0) };
        let judge = |text: &str| {
            let object = json!({ "metadata": { "annotations": { ANNOTATION: text } } });
            differs(&object, &stamps, &stored)
        };
        assert!(!judge(&last.text()) && !judge(&lost.text()));
        assert!(judge(&first.text()) && judge("") && judge("9.1"));
        assert!(differs(&json!({ "metadata": {} }), &stamps, &stored));
        assert!(!differs(&Value::Null, &stamps, &stored), "no object");
        assert!(!differs(&json!({ "metadata": {} }), &stamps, &Stored { stamp: None, ..stored.clone() }));
    }
}
