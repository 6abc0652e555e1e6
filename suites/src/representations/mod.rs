//! Area `representations`: media types of requests and responses.

mod accept;
mod cbor;
mod content;
mod content_type;
mod drop;
mod metadata;
mod protobuf;
mod protobuf_bodies;
mod protobuf_envelope;
mod yaml;

pub(crate) use metadata::LIST as METADATA_LIST;

suite![
    "representations",
    accept,
    content_type,
    yaml,
    protobuf,
    protobuf_envelope,
    protobuf_bodies,
    metadata,
    cbor,
    drop,
];
