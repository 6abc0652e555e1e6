//! The prefix and the envelope of Protobuf.

use k8s_pb::api::core::v1::ConfigMap;
use k8s_pb::apimachinery::pkg::apis::meta::v1::Status;
use k8s_pb::apimachinery::pkg::runtime::Unknown;
use prost::Message;

use super::content::{beginning, offered};
use crate::prelude::*;
use crate::serialization::encodings::{MAGIC, PROTOBUF};

rows![
    representations_protobuf_response.own_kinds(),
    representations_protobuf_magic.own_kinds(),
    representations_protobuf_envelope.own_kinds(),
    representations_protobuf_typemeta.own_kinds(),
    representations_protobuf_raw.own_kinds(),
    representations_protobuf_content_encoding.own_kinds(),
    representations_protobuf_content_type_field.own_kinds(),
];

/// A config map that the server has returned as Protobuf.
pub(super) struct InProtobuf {
    pub(super) stored: StoredObject,
    pub(super) response: Arc<Exchange>,
}

impl Fixture for InProtobuf {
    async fn arrange(cx: &Context) -> Result<Self, Halt> {
        let stored = StoredObject::create_among(cx, cx.configmaps().await?).await?;
        let response = stored.get().with(|request| request.accept(PROTOBUF)).await?;
        offered(cx, &response, PROTOBUF)?;
        Ok(Self { stored, response })
    }
}

/// The envelope of a body, without the prefix.
fn envelope(body: &[u8]) -> Option<Unknown> {
    Unknown::decode(body.strip_prefix(MAGIC)?).ok()
}

/// The object in a body; `None` if it is another kind's, or encoded in another way.
pub(super) fn object<M: Message + Default>(body: &[u8]) -> Option<M> {
    M::decode(envelope(body)?.raw?.as_slice()).ok()
}

/// The apiVersion and the kind in a body.
pub(super) fn type_meta(body: &[u8]) -> Option<(String, String)> {
    let type_meta = envelope(body)?.type_meta?;
    Some((type_meta.api_version?, type_meta.kind?))
}

/// The code of a Status.
pub(super) fn status_code(response: &Exchange) -> Option<i64> {
    let body = &response.response.body;
    let is_status = type_meta(body).is_some_and(|(_, kind)| kind == "Status");
    object::<Status>(body).filter(|_| is_status)?.code.map(i64::from)
}

/// The config map in a response.
pub(super) fn config_map(response: &Exchange) -> Result<ConfigMap, Halt> {
    let found = object(&response.response.body);
    found.ok_or_else(|| response.fail("a ConfigMap in Protobuf", beginning(response)))
}

/// The envelope in a response.
fn envelope_of(response: &Exchange) -> Result<Unknown, Halt> {
    let found = envelope(&response.response.body).filter(|found| found.raw.is_some());
    let expected = "the prefix 6b 38 73 00, and an Unknown message with the field raw";
    found.ok_or_else(|| response.fail(expected, beginning(response)))
}

/// The envelope contains the object.
fn expect_name(stored: &StoredObject, response: &Exchange) -> Checked {
    let found = config_map(response)?.metadata.and_then(|metadata| metadata.name);
    let expected = stored.read.name();
    response.expect(found.as_deref() == Some(expected), format!("the name {expected}"), format!("{found:?}"))
}

fn expect_prefix(response: &Exchange) -> Checked {
    let prefixed = response.response.body.starts_with(MAGIC);
    response.expect(prefixed, "a body with the prefix 6b 38 73 00", beginning(response))
}

async fn representations_protobuf_response(InProtobuf { response, .. }: InProtobuf) -> Checked {
    expect_prefix(&response)
}

async fn representations_protobuf_magic(cx: Context, InProtobuf { stored, response }: InProtobuf) -> Checked {
    expect_prefix(&response)?;

    let list = stored.collection.list().with(|request| request.accept(PROTOBUF)).await?;
    offered(&cx, &list, PROTOBUF)?;
    expect_prefix(&list)
}

async fn representations_protobuf_envelope(InProtobuf { stored, response }: InProtobuf) -> Checked {
    let envelope = envelope_of(&response)?;
    response.expect(envelope.type_meta.is_some(), "the field typeMeta", beginning(&response))?;
    expect_name(&stored, &response)
}

async fn representations_protobuf_typemeta(
    cx: Context,
    InProtobuf { stored, response }: InProtobuf,
) -> Checked {
    let list = stored.collection.list().with(|request| request.accept(PROTOBUF)).await?;
    offered(&cx, &list, PROTOBUF)?;
    for (response, kind) in [(response, "ConfigMap"), (list, "ConfigMapList")] {
        let found = type_meta(&response.response.body);
        let right = found == Some(("v1".to_owned(), kind.to_owned()));
        response.expect(right, format!("typeMeta v1, {kind}"), format!("{found:?}"))?;
    }
    Ok(())
}

async fn representations_protobuf_raw(InProtobuf { stored, response }: InProtobuf) -> Checked {
    expect_name(&stored, &response)?;
    // A server may keep responses in this encoding: after a write they must be new.
    stored.write("second").await?;
    let again = stored.get().with(|request| request.accept(PROTOBUF)).await?;

    let data = config_map(&again)?.data;
    let current = data.values().any(|text| text == "second");
    again.expect(current, "the data of the last write, \"second\"", format!("{data:?}"))
}

async fn representations_protobuf_content_encoding(InProtobuf { response, .. }: InProtobuf) -> Checked {
    let found = envelope_of(&response)?.content_encoding.unwrap_or_default();

    response.expect(found.is_empty(), "an empty contentEncoding", found)?;
    config_map(&response).map(drop)
}

async fn representations_protobuf_content_type_field(InProtobuf { response, .. }: InProtobuf) -> Checked {
    let found = envelope_of(&response)?.content_type.unwrap_or_default();

    let right = found.is_empty() || found == PROTOBUF;
    response.expect(right, format!("the contentType {PROTOBUF}, or none"), found)
}
