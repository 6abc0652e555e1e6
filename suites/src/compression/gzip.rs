//! Requests for compressed responses, and their bodies.

use std::io::Read;

use flate2::read::MultiGzDecoder;
use harness::invariant::{CheckResult, ensure};

use crate::prelude::*;

/// The length of the longest body that an invariant check unpacks, in bytes.
const LONGEST: u64 = 32 << 20;

/// The first bytes of every gzip member.
const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// The same request with this Accept-Encoding.
pub(super) fn accepting(request: Request, codings: &str) -> Request {
    request.header("accept-encoding", codings)
}

/// The same request for a compressed response. Never with q-values: kube-apiserver does not know them.
pub(super) fn compressed(query: Query) -> Query {
    query.with(|request| accepting(request, "gzip"))
}

/// The coding of a response; empty if it has none.
pub(super) fn coding(response: &Exchange) -> String {
    let coding = response.header("content-encoding").unwrap_or_default().to_ascii_lowercase();
    if coding == "identity" { String::new() } else { coding }
}

/// Whether a response says that it is compressed.
pub(super) fn is_compressed(response: &Exchange) -> bool {
    coding(response) == "gzip"
}

/// The body of a response, unpacked if it is compressed; at most so many bytes.
pub(super) fn unpacked(response: &Exchange, most: usize) -> Result<Vec<u8>, Halt> {
    let body = &response.response.body;
    if !is_compressed(response) {
        return Ok(body.to_vec());
    }
    unpack(body, most).map_err(|why| response.fail("a complete gzip stream", why))
}

fn unpack(packed: &[u8], most: usize) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let limit = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    let read = MultiGzDecoder::new(packed).take(limit).read_to_end(&mut bytes);
    read.map_err(|why| format!("{} bytes that are no gzip stream: {why}", packed.len()))?;
    if bytes.len() > most {
        return Err(format!("{} bytes that unpack to more than {most}", packed.len()));
    }
    Ok(bytes)
}

/// A compressed response has the content of the plain one. A server may order the fields of JSON anew each time.
pub(super) fn expect_same(compressed: &Exchange, plain: &Exchange) -> Checked {
    /// For a longer resourceVersion in the metadata.
    const MORE: usize = 1 << 10;
    let expected = &plain.response.body;
    let bytes = unpacked(compressed, expected.len() + MORE)?;
    let content = |json: &Value| json.get("items").unwrap_or(json).clone();
    let same =
        || serde_json::from_slice(&bytes).is_ok_and(|json| plain.json().map(content) == Some(content(&json)));
    let actual = || format!("{} bytes, which differ", bytes.len());
    if bytes == *expected || same() {
        return Ok(());
    }
    Err(compressed.fail(format!("the content of the plain response, of {} bytes", expected.len()), actual()))
}

/// A response to a request for gzip says that it is compressed exactly if it is.
pub(super) fn says_whether_compressed(exchange: &Exchange) -> CheckResult {
    let accepts = |(name, value): &(String, String)| name == "accept-encoding" && value.contains("gzip");
    let body = &exchange.response.body;
    if !exchange.request.headers.iter().any(accepts)
        || body.is_empty()
        || exchange.request.parameter("watch").is_some()
    {
        return None;
    }
    if !is_compressed(exchange) {
        let plain = !body.starts_with(&MAGIC);
        return Some(ensure(plain, "Content-Encoding: gzip for a gzip stream", || "none".to_owned()));
    }
    // Without a copy of it: the body may unpack to anything.
    let unpacked = std::io::copy(&mut MultiGzDecoder::new(&**body).take(LONGEST), &mut std::io::sink());
    Some(ensure(unpacked.is_ok(), "a gzip stream for Content-Encoding: gzip", || {
        format!("{} bytes that are none: {unpacked:?}", body.len())
    }))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn a_stream_unpacks_to_bounded_memory() {
        let bomb = packed(&vec![b'x'; 8 << 20]);
        assert!(bomb.len() < 100_000);
        assert_eq!(unpack(&bomb, 8 << 20).unwrap().len(), 8 << 20);
        assert_eq!(
            unpack(&bomb, 1000).unwrap_err(),
            format!("{} bytes that unpack to more than 1000", bomb.len())
        );
    }

    #[test]
    fn every_member_of_a_complete_stream_is_unpacked() {
        let members = [packed(b"a"), packed(b"b")].concat();
        assert_eq!(unpack(&members, 10).unwrap(), b"ab");
        assert!(unpack(&members[..members.len() - 1], 10).is_err());
        assert!(unpack(b"plain", 10).is_err());
    }
}
