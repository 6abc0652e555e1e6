//! Protobuf in requests, and in watches.

use std::collections::BTreeMap;

use k8s_pb::api::core::v1::ConfigMap;
use k8s_pb::apimachinery::pkg::apis::meta::v1::{ObjectMeta, WatchEvent as Event};
use k8s_pb::apimachinery::pkg::runtime::{TypeMeta, Unknown};
use prost::Message;

use super::content::{beginning, expect_created, offered};
use super::protobuf_envelope::{InProtobuf, config_map};
use crate::prelude::*;
use crate::serialization::encodings::{MAGIC, PROTOBUF, is_of_type};

rows![
    representations_protobuf_request_json_response.own_kinds(),
    representations_protobuf_put.own_kinds(),
    representations_protobuf_equivalent.own_kinds(),
    representations_protobuf_bad_body_400.own_kinds(),
    representations_protobuf_watch.own_kinds(),
];

/// A request with this body in Protobuf.
fn in_protobuf(mut request: Request, body: Vec<u8>) -> Request {
    request.body = Some(body.into());
    request.header("content-type", PROTOBUF)
}

/// The create of a config map with a label and data; not yet sent.
fn create(collection: &Collection) -> Request {
    let texts = |name: &str| BTreeMap::from([(name.to_owned(), "1".to_owned())]);
    let metadata =
        ObjectMeta { name: Some(NAME.to_owned()), labels: texts("label"), ..ObjectMeta::default() };
    let config_map = ConfigMap { metadata: Some(metadata), data: texts("value"), ..ConfigMap::default() };
    let type_meta = TypeMeta { api_version: Some("v1".to_owned()), kind: Some("ConfigMap".to_owned()) };
    let envelope =
        Unknown { type_meta: Some(type_meta), raw: Some(config_map.encode_to_vec()), ..Unknown::default() };
    in_protobuf(Request::new(Method::POST, collection.path()), [MAGIC, &envelope.encode_to_vec()].concat())
}

async fn representations_protobuf_request_json_response(cx: Context, collection: ConfigMaps) -> Checked {
    let created = cx.send(create(&collection).accept("application/json")).await?;

    expect_created(&cx, &collection, &created).await?;
    let object = created.object()?;
    let typed = object.json()["kind"] == "ConfigMap" && object.json()["apiVersion"] == "v1";
    created.expect(typed, "a ConfigMap of v1 in JSON", created.brief())
}

async fn representations_protobuf_put(cx: Context, InProtobuf { stored, response }: InProtobuf) -> Checked {
    let put = in_protobuf(Request::new(Method::PUT, stored.path()), response.response.body.to_vec());

    let updated = cx.send(put).await?;

    updated.expect_status(&[200])?;
    stored.expect_unchanged().await
}

async fn representations_protobuf_equivalent(cx: Context, collection: ConfigMaps) -> Checked {
    let created = cx.send(create(&collection).accept(PROTOBUF)).await?;
    expect_created(&cx, &collection, &created).await?;
    let got = collection.get(NAME).await?;
    let object = got.object()?;
    let response = collection.get(NAME).with(|request| request.accept(PROTOBUF)).await?;
    offered(&cx, &response, PROTOBUF)?;

    let found = config_map(&response)?;

    let metadata = found.metadata.unwrap_or_default();
    let shown = json!({
        "uid": metadata.uid, "resourceVersion": metadata.resource_version,
        "labels": metadata.labels, "data": found.data,
    });
    let json = object.json();
    let expected = json!({
        "uid": json["metadata"]["uid"], "resourceVersion": json["metadata"]["resourceVersion"],
        // Admission may add labels.
        "labels": json["metadata"]["labels"], "data": { "value": "1" },
    });
    let same = json["metadata"]["labels"]["label"] == "1" && json["data"] == expected["data"];
    got.expect(same, expected.to_string(), got.brief())?;
    response.expect(shown == expected, expected.to_string(), shown.to_string())
}

async fn representations_protobuf_bad_body_400(
    cx: Context,
    InProtobuf { stored, .. }: InProtobuf,
) -> Checked {
    let collection = &stored.collection;
    let body = collection.body("b", "first").to_string();

    let response = cx.send(in_protobuf(Request::new(Method::POST, collection.path()), body.into())).await?;

    response.expect_rejection(&[400, 415])?;
    expect_absent(collection, "b").await
}

async fn representations_protobuf_watch(cx: Context, InProtobuf { stored, .. }: InProtobuf) -> Checked {
    let own = format!("metadata.name={NAME}");
    let watch = stored.collection.watch().fields(&own).at("0").param("timeoutSeconds", 3);
    let watch = watch.with(|request| request.accept(PROTOBUF));

    let response = cx.yield_place_while(cx.send(watch.into())).await?;

    response.expect_status(&[200, 406])?;
    let media_type = response.header("content-type").unwrap_or_default();
    let right = is_of_type(&response, PROTOBUF) && media_type.contains("stream=watch");
    response.expect(right, format!("Content-Type {PROTOBUF};stream=watch"), media_type)?;
    let event = first_event(&response.response.body);
    let expected = "an event ADDED with a ConfigMap, after its length in 4 bytes";
    let right = event.is_some_and(|(kind, object)| {
        kind == "ADDED" && super::protobuf_envelope::object::<ConfigMap>(&object).is_some()
    });
    response.expect(right, expected, beginning(&response))
}

/// The type and the object of the first event.
fn first_event(stream: &[u8]) -> Option<(String, Vec<u8>)> {
    let (length, rest) = stream.split_first_chunk::<4>()?;
    let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
    let event = Event::decode(rest.get(..length)?).ok()?;
    Some((event.r#type?, event.object?.raw?))
}
