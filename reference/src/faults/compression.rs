//! Faults of compressed responses.

use bytes::Bytes;
use flate2::Compression;

use crate::fault::{Edit, Edit::*, Event, Fault, When, When::*, on};
use crate::gzip;

const CODING: &str = "accept-encoding";
const GZIP: When = HeaderHas(CODING, "gzip");
const FORBIDDEN: When = HeaderHas(CODING, "gzip;q=0");
const PLAIN: Edit = SetRequestHeader(CODING, "identity");
const COMPRESSED: Edit = SetRequestHeader(CODING, "gzip");
const STREAMING: When = Is("sendInitialEvents", "true");
const MARK: Edit = Header("content-encoding", "gzip");
const GET: When = Method("GET");
/// Exactly this coding, without others.
const GZIP_ALONE: When =
    Matches(|request| request.headers.get(CODING).is_some_and(|coding| coding == "gzip"));

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    on("compression-on-by-default", "the server never compresses", &[GZIP], &[PLAIN]),
    on("compression-smaller", "the server stores the data in the gzip stream without compression", &[List, GZIP],
        &[PLAIN, MARK, EditBytes(store)]),
    on("compression-list-gzip", "the gzip stream of a list has no trailer", &[List, GZIP], &[PLAIN, Gzip, EditBytes(cut_trailer)]),
    on("compression-get-gzip", "compression changes the object", &[GET, Object, GZIP], &[PLAIN, ReplaceText("ready", "steady"), Gzip]),
    on("compression-header-truthful", "compressed responses have no Content-Encoding", &[GZIP], &[WithoutHeader("content-encoding")]),
    on("compression-content-type-unchanged", "the Content-Type of compressed responses is that of gzip", &[List, GZIP], &[Header("content-type", "application/gzip")]),
    on("compression-not-without-request", "the server compresses for every client", &[Resource, Not(&GZIP)], &[COMPRESSED]),
    on("compression-not-when-forbidden", "the server compresses for clients that forbid it", &[Resource, FORBIDDEN], &[COMPRESSED]),
    on("compression-threshold", "small responses are plain, with Content-Encoding: gzip", &[GET, Object, GZIP], &[PLAIN, MARK]),
    on("compression-vary", "compressed responses have no Vary", &[GZIP], &[WithoutHeader("vary")]),
    on("compression-unknown-coding-identity", "the server rejects unknown codings", &[HeaderHas(CODING, "zstd")], &[Reject(406, "NotAcceptable", "no such coding")]),
    on("compression-gzip-among-others", "the server recognizes gzip only as the whole value", &[GZIP, Not(&GZIP_ALONE)], &[PLAIN]),
    on("compression-error-bodies", "compressed errors have no Content-Encoding", &[GZIP, StatusIs(404)], &[Gzip, WithoutHeader("content-encoding")]),
    on("compression-watch-plain", "the events of a watch stay in the compressor", &[Watch, GZIP], &[PLAIN, Events(Event::Drop("")), Gzip]),
    on("compression-watchlist", "the closing bookmark stays in the compressor", &[Watch, STREAMING, GZIP], &[PLAIN, Events(Event::Drop("BOOKMARK")), Gzip]),
    on("compression-streamed-encoding-threshold", "the server decides on compression by the first bytes of a list", &[List, GZIP], &[PLAIN]),
];

/// A gzip member without compression.
fn store(body: &Bytes) -> Bytes {
    gzip::member(body, Compression::none())
}

fn cut_trailer(body: &Bytes) -> Bytes {
    /// The checksum and the length.
    const TRAILER: usize = 8;
    body.slice(..body.len().saturating_sub(TRAILER))
}
