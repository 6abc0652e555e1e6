//! Compaction of the etcd behind a real server, through etcd's JSON gateway.

use std::net::SocketAddr;

use serde_json::{Value, json};

use super::wire;
use crate::notice::Notices;
use crate::task_error::TaskError;

/// `compact_rev_key`, as the gateway wants its bytes: the key by which API servers tell each other what has
/// been compacted. An API server that is not told goes on answering for old versions from its cache.
const KEY: &str = "Y29tcGFjdF9yZXZfa2V5";

/// Drops all history up to now.
pub(crate) fn compact(url: &str) -> Result<Notices, TaskError> {
    let address = url.trim_end_matches('/').trim_start_matches("http://");
    let address: SocketAddr =
        address.parse().map_err(TaskError::while_trying(format!("use the address {url}")))?;
    let now = revision(&ask(address, "range", &json!({"key": KEY}))?)?;
    // The note is itself a write. Compacting at its revision leaves nothing of what was before.
    let note = base64(&(now + 1).to_string());
    let at = revision(&ask(address, "put", &json!({"key": KEY, "value": note}))?)?;
    ask(address, "compaction", &json!({"revision": at.to_string(), "physical": true}))?;
    println!("compacted at revision {at}");
    Ok(Notices::new())
}

fn ask(address: SocketAddr, method: &str, question: &Value) -> Result<Value, TaskError> {
    let response = wire::post(address, &format!("/v3/kv/{method}"), &question.to_string())?;
    if response.code != 200 {
        let sentence = format!("etcd refuses a {method} with {}: {}", response.code, response.body.trim());
        return Err(TaskError::new(sentence));
    }
    serde_json::from_str(&response.body)
        .map_err(TaskError::while_trying(format!("read etcd's answer to a {method}")))
}

/// The gateway writes 64-bit numbers as strings.
fn revision(response: &Value) -> Result<u64, TaskError> {
    let revision = response["header"]["revision"].as_str().and_then(|text| text.parse().ok());
    revision.ok_or_else(|| TaskError::new(format!("etcd's answer has no revision: {response}")))
}

fn base64(text: &str) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut encoded = String::new();
    for chunk in text.as_bytes().chunks(3) {
        let bits = (0..3).fold(0_usize, |bits, at| bits << 8 | usize::from(*chunk.get(at).unwrap_or(&0)));
        for at in 0..4 {
            let sextet = bits >> (18 - 6 * at) & 63;
            encoded.push(if at > chunk.len() { '=' } else { char::from(ALPHABET[sextet]) });
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_as_everybody_writes_it() {
        assert_eq!(base64("compact_rev_key"), KEY);
        assert_eq!(base64("1"), "MQ==");
        assert_eq!(base64("12"), "MTI=");
        assert_eq!(base64(""), "");
    }

    #[test]
    fn a_revision_is_read_from_the_header() {
        assert_eq!(revision(&json!({"header": {"revision": "42"}})).expect("a revision"), 42);
        assert!(revision(&json!({"error": "no"})).is_err());
    }
}
