//! Compaction of the etcd behind a real server, through etcd's JSON gateway.

use std::net::SocketAddr;

use serde_json::{Value, json};

use super::wire;
use crate::notice::Notices;
use crate::task_error::TaskError;

/// `compact_rev_key` in base64, as the gateway requires: API servers share the compacted revision in this key. Without
/// an update of this key, an API server still serves old versions from its cache.
const KEY: &str = "Y29tcGFjdF9yZXZfa2V5";

/// Compacts all history up to now.
pub(crate) fn compact(url: &str) -> Result<Notices, TaskError> {
    let address = url.trim_end_matches('/').trim_start_matches("http://");
    let address: SocketAddr =
        address.parse().map_err(TaskError::failed_to(format!("use the address {url}")))?;
    let now = revision(&call(address, "range", &json!({"key": KEY}))?)?;
    // The update is itself a write: compaction at its revision removes everything before.
    let value = base64(&(now + 1).to_string());
    let at = revision(&call(address, "put", &json!({"key": KEY, "value": value}))?)?;
    call(address, "compaction", &json!({"revision": at.to_string(), "physical": true}))?;
    println!("compacted at revision {at}");
    Ok(Notices::new())
}

fn call(address: SocketAddr, method: &str, body: &Value) -> Result<Value, TaskError> {
    let response = wire::post(address, &format!("/v3/kv/{method}"), &body.to_string())?;
    if response.code != 200 {
        let sentence = format!("etcd rejects {method} with {}: {}", response.code, response.body.trim());
        return Err(TaskError::new(sentence));
    }
    serde_json::from_str(&response.body)
        .map_err(TaskError::failed_to(format!("read etcd's response to {method}")))
}

/// The gateway writes 64-bit numbers as strings.
fn revision(response: &Value) -> Result<u64, TaskError> {
    let revision = response["header"]["revision"].as_str().and_then(|text| text.parse().ok());
    revision.ok_or_else(|| TaskError::new(format!("etcd's response has no revision: {response}")))
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
    fn base64_has_the_standard_alphabet_and_padding() {
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
