//! Responses with nothing but metadata.

use k8s_pb::apimachinery::pkg::apis::meta::v1::{PartialObjectMetadata, PartialObjectMetadataList};

use super::content::{PLAIN_JSON, decoded, expect_encoding, offers_built_in_type};
use super::protobuf_envelope::{object, type_meta};
use crate::prelude::*;
use crate::rejections::{RejectionFixture, rejected};
use crate::serialization::encodings::{PROTOBUF, YAML};

pub(super) fn rows() -> Vec<Row> {
    let unknown = rejected("representations-metadata-unsupported-406", &[406], |stored: &StoredObject| {
        stored.get().with(|request| request.accept(&OBJECT.replace("v=v1", "v=v9")))
    });
    let of_object = rejected("representations-metadata-get-wrong-kind", &[406], |of: &InMetadata| {
        of.0.get().with(|request| request.accept(LIST))
    });
    vec![
        row!(representations_metadata_get),
        row!(representations_metadata_list),
        row!(representations_metadata_only_metadata),
        row!(representations_metadata_list_wrong_kind),
        of_object.or_of_custom_types(&[500]).row(),
        row!(representations_metadata_watch),
        row!(representations_metadata_list_meta).namespaced(),
        unknown.row(),
        row!(representations_metadata_fallback),
        row!(representations_metadata_encodings),
        row!(representations_metadata_protobuf_crd).own_kinds(),
    ]
}

const OBJECT: &str = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
pub(crate) const LIST: &str = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

/// The fields of every object that are left.
const ENVELOPE: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// A stored object with an owner. Skips where the server returns no metadata alone.
struct InMetadata(StoredObject);

impl Fixture for InMetadata {
    async fn arrange(cx: &Context) -> Result<Self, Halt> {
        let stored = StoredObject::create_owned(cx).await?;
        if as_metadata(stored.get(), OBJECT).await?.status() == 406 {
            return Err(cx.lacks("PartialObjectMetadata", "a get of metadata gets 406"));
        }
        Ok(Self(stored))
    }
}

impl RejectionFixture for InMetadata {
    fn collection(&self) -> &Collection {
        &self.0.collection
    }

    async fn expect_unchanged(&self) -> Checked {
        self.0.expect_unchanged().await
    }
}

/// The response to a request that accepts this form of metadata alone.
async fn as_metadata(query: Query, media_type: &str) -> Result<Arc<Exchange>, Halt> {
    query.with(|request| request.accept(media_type)).await
}

/// A response with 200, and a JSON document of this kind.
fn expect_kind<'a>(response: &'a Exchange, kind: &str) -> Result<&'a Value, Halt> {
    response.expect_status(&[200])?;
    let json = response.json().unwrap_or(&Value::Null);
    let right = json["kind"] == kind && json["apiVersion"] == "meta.k8s.io/v1";
    response.expect(right, format!("a {kind} of meta.k8s.io/v1"), response.brief())?;
    Ok(json)
}

async fn representations_metadata_get(InMetadata(stored): InMetadata) -> Checked {
    let response = as_metadata(stored.get(), OBJECT).await?;

    let metadata = &expect_kind(&response, "PartialObjectMetadata")?["metadata"];
    let expected = &stored.read.json()["metadata"];
    response.expect(metadata == expected, format!("the metadata {expected}"), metadata.to_string())?;
    // A server may keep responses in this form: after a write they must be new.
    let written = stored.write("second").await?;
    let again = as_metadata(stored.get(), OBJECT).await?;
    expect_current(&stored, &again, &written, &expect_kind(&again, "PartialObjectMetadata")?["metadata"])
        .await
}

/// The metadata was read after a write: its version is that of the write, or of a later write of a controller.
async fn expect_current(
    stored: &StoredObject,
    response: &Exchange,
    written: &Object,
    metadata: &Value,
) -> Checked {
    let now = stored.again().await?.read;
    let version = metadata["resourceVersion"].as_str().unwrap_or_default();
    let current = [written.version(), now.version()].contains(&version);
    response.expect(current, format!("the resourceVersion {} of the write", written.version()), version)
}

async fn representations_metadata_list(InMetadata(stored): InMetadata) -> Checked {
    let response = as_metadata(stored.collection.list(), LIST).await?;

    // A controller may have changed the object since.
    let (metadata, expected) = (metadata_in_list(&response, &stored)?, &stored.read.json()["metadata"]);
    let changed = metadata["resourceVersion"] != expected["resourceVersion"];
    response.expect(
        changed || metadata == expected,
        format!("the metadata {expected}"),
        metadata.to_string(),
    )?;
    let written = stored.write("second").await?;
    let again = as_metadata(stored.collection.list(), LIST).await?;
    expect_current(&stored, &again, &written, metadata_in_list(&again, &stored)?).await
}

/// The metadata of the object in a list of metadata.
fn metadata_in_list<'a>(response: &'a Exchange, stored: &StoredObject) -> Result<&'a Value, Halt> {
    let list = expect_kind(response, "PartialObjectMetadataList")?;
    let items = list["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    let other = items.iter().find(|item| item["kind"] != "PartialObjectMetadata");
    response.expect(other.is_none(), "items of kind PartialObjectMetadata", format!("{other:?}"))?;
    let own = items.iter().find(|item| item["metadata"]["name"] == stored.read.name());
    let own =
        own.ok_or_else(|| response.fail(format!("an item {}", stored.read.name()), response.brief()))?;
    Ok(&own["metadata"])
}

async fn representations_metadata_only_metadata(InMetadata(stored): InMetadata) -> Checked {
    let body = stored.body("first");
    let written = body.as_object().into_iter().flatten().map(|(name, _)| name.as_str());
    let content: Vec<_> = written.filter(|name| !ENVELOPE.contains(name)).chain(["spec", "status"]).collect();
    let list = as_metadata(stored.collection.list(), LIST).await?;
    let one = as_metadata(stored.get(), OBJECT).await?;

    for response in [one, list] {
        let json = response.json().unwrap_or(&Value::Null);
        let items = json["items"].as_array().into_iter().flatten();
        let found =
            items.chain([json]).find_map(|object| content.iter().find(|name| !object[*name].is_null()));
        response.expect(
            found.is_none(),
            "metadata without other content",
            found.copied().unwrap_or_default(),
        )?;
    }
    Ok(())
}

async fn representations_metadata_list_wrong_kind(cx: Context, InMetadata(stored): InMetadata) -> Checked {
    let response = as_metadata(stored.collection.list(), OBJECT).await?;

    if response.status() == 200 {
        cx.note("the server returns a list of metadata to a client that accepts metadata of one object");
        return expect_kind(&response, "PartialObjectMetadataList").map(drop);
    }
    response.expect_error(&[406], &["NotAcceptable"]).map(drop)
}

async fn representations_metadata_watch(InMetadata(stored): InMetadata) -> Checked {
    let own = format!("metadata.name={}", stored.read.name());
    let watch = stored.collection.watch().fields(&own).at(stored.read.version());
    let mut watch = watch.with(|request| request.accept(OBJECT)).open().await?;

    let written = stored.write("second").await?;

    let event = watch.event_or_fail("an event with a PartialObjectMetadata").await?;
    let object = event.object.json();
    let (metadata, expected) = (&object["metadata"], &written.json()["metadata"]);
    let other = metadata["resourceVersion"] == expected["resourceVersion"] && metadata != expected;
    watch.expect_that(!other, format!("the metadata {expected}"), metadata.to_string())?;
    let right = object["kind"] == "PartialObjectMetadata" && object["metadata"]["name"] == stored.read.name();
    watch.expect_that(right, "an event with the object's PartialObjectMetadata", object.to_string())
}

async fn representations_metadata_list_meta(InMetadata(stored): InMetadata) -> Checked {
    stored.collection.create("b").await?;
    let plain = stored.collection.list().limit(1).await?;
    let has_more = plain
        .json()
        .and_then(|list| list["metadata"]["continue"].as_str())
        .is_some_and(|token| !token.is_empty());

    let response = as_metadata(stored.collection.list().limit(1), LIST).await?;

    let metadata = &expect_kind(&response, "PartialObjectMetadataList")?["metadata"];
    let version = metadata["resourceVersion"].as_str().unwrap_or_default();
    response.expect(!version.is_empty(), "a resourceVersion", metadata.to_string())?;
    let token = metadata["continue"].as_str().unwrap_or_default();
    response.expect(!has_more || !token.is_empty(), "a continue token", metadata.to_string())?;
    let counts =
        plain.json().map(|list| &list["metadata"]["remainingItemCount"]).filter(|count| count.is_u64());
    let same = counts.is_none_or(|count| metadata["remainingItemCount"] == *count);
    response.expect(same, "remainingItemCount as in the typed list", metadata.to_string())
}

async fn representations_metadata_fallback(stored: StoredObject) -> Checked {
    let accept = format!("{}, {PLAIN_JSON};q=0.9", OBJECT.replace("v=v1", "v=v9"));

    let response = as_metadata(stored.get(), &accept).await?;

    response.expect_status(&[200])?;
    let kind = stored.collection.resource().kind.as_str();
    let right = response.json().is_some_and(|json| json["kind"] == kind);
    response.expect(right, format!("the {kind}"), response.brief())
}

async fn representations_metadata_encodings(InMetadata(stored): InMetadata) -> Checked {
    let yaml = as_metadata(stored.get(), &OBJECT.replace(PLAIN_JSON, YAML)).await?;
    if is_offered(&stored, YAML, &yaml).await? {
        expect_encoding(&yaml, YAML)?;
        let right = decoded(&yaml).is_some_and(|object| object["kind"] == "PartialObjectMetadata");
        yaml.expect(right, "a PartialObjectMetadata in YAML", yaml.brief())?;
    }
    let protobuf = as_metadata(stored.get(), &OBJECT.replace(PLAIN_JSON, PROTOBUF)).await?;
    if is_offered(&stored, PROTOBUF, &protobuf).await? {
        expect_encoding(&protobuf, PROTOBUF)?;
        let name =
            object::<PartialObjectMetadata>(&protobuf.response.body).and_then(|object| object.metadata?.name);
        let kind = type_meta(&protobuf.response.body).map(|(_, kind)| kind);
        let right =
            kind.as_deref() == Some("PartialObjectMetadata") && name.as_deref() == Some(stored.read.name());
        protobuf.expect(right, "the PartialObjectMetadata in Protobuf", format!("{kind:?} {name:?}"))?;
    }
    Ok(())
}

/// Whether metadata must be available in an encoding: the object is, or the metadata was returned.
async fn is_offered(stored: &StoredObject, media_type: &str, metadata: &Exchange) -> Result<bool, Halt> {
    let object = stored.get().with(|request| request.accept(media_type)).await?;
    Ok(metadata.status() != 406 || object.status() != 406)
}

async fn representations_metadata_protobuf_crd(cx: Context, collection: CustomResources) -> Checked {
    let created = collection.create(NAME).await?;
    if as_metadata(collection.get(NAME), OBJECT).await?.status() == 406 {
        return Err(cx.lacks("PartialObjectMetadata", "a get of metadata gets 406"));
    }
    if !offers_built_in_type(&cx, PROTOBUF).await? {
        return Err(cx.lacks("Protobuf", "a request for a Protobuf config map gets 406"));
    }

    let response = as_metadata(collection.list(), &LIST.replace(PLAIN_JSON, PROTOBUF)).await?;

    response.expect_status(&[200])?;
    expect_encoding(&response, PROTOBUF)?;
    let list = object::<PartialObjectMetadataList>(&response.response.body).unwrap_or_default();
    let names: Vec<_> = list.items.into_iter().filter_map(|item| item.metadata?.name).collect();
    response.expect(
        names == [created.name()],
        format!("the metadata of {}", created.name()),
        names.join(", "),
    )
}
