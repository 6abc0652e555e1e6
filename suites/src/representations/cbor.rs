//! CBOR, where the server has it.

use super::content::{
    beginning, body_of_strings, expect_encoding, expect_same_value, offered, offers_built_in_type,
};
use crate::cbor::{self, CBOR};
use crate::prelude::*;
use crate::rejections::{RejectionFixture, rejected};
use crate::serialization::encodings::is_of_type;

pub(super) fn rows() -> Vec<Row> {
    let others = ["json-patch", "merge-patch", "strategic-merge-patch"];
    let patches = rejected("representations-cbor-no-json-patch", &[415], move |of: &InCbor| {
        let patch = of.stored.collection.change("second");
        others.map(|form| {
            cbor::with_body(
                Request::new(Method::PATCH, of.stored.path()),
                &format!("application/{form}+cbor"),
                &patch,
            )
        })
    });
    vec![
        row!(representations_cbor_response),
        row!(representations_cbor_request),
        row!(representations_cbor_self_described),
        row!(representations_cbor_watch),
        row!(representations_cbor_apply),
        patches.row(),
        row!(representations_cbor_disabled),
    ]
}

/// An object that the server has returned in CBOR.
struct InCbor {
    stored: StoredObject,
    response: Arc<Exchange>,
}

impl Fixture for InCbor {
    async fn arrange(cx: &Context) -> Result<Self, Halt> {
        let collection = cx.collection_under_test().await?;
        collection.create_body(&body_of_strings(&collection, NAME)).await?;
        let stored = StoredObject::read(cx, collection).await?;
        let response = stored.get().with(|request| request.accept(CBOR)).await?;
        if stored.is_built_in() || !offers_built_in_type(cx, CBOR).await? {
            offered(cx, &response, CBOR)?;
        }
        response.expect_status(&[200])?;
        expect_encoding(&response, CBOR)?;
        Ok(Self { stored, response })
    }
}

impl RejectionFixture for InCbor {
    fn collection(&self) -> &Collection {
        &self.stored.collection
    }

    async fn expect_unchanged(&self) -> Checked {
        self.stored.expect_unchanged().await
    }
}

async fn representations_cbor_response(InCbor { stored, response }: InCbor) -> Checked {
    expect_same_value(&response, &*stored.get().await?)?;
    let own = stored.collection.list().fields(&format!("metadata.name={}", stored.read.name()));

    let list = own.clone().with(|request| request.accept(CBOR)).await?;

    expect_encoding(&list, CBOR)?;
    expect_same_value(&list, &*own.await?)
}

async fn representations_cbor_request(cx: Context, InCbor { stored, .. }: InCbor) -> Checked {
    let collection = &stored.collection;
    let create = Request::new(Method::POST, collection.path());

    let created = cx.send(cbor::with_body(create, CBOR, &body_of_strings(collection, "b"))).await?;

    created.expect_status(&[201])?;
    let value = created.object()?.value().to_owned();
    created.expect(value == "first", "the value \"first\" of the request", value)
}

async fn representations_cbor_self_described(InCbor { response, .. }: InCbor) -> Checked {
    let tagged = response.response.body.starts_with(&[0xd9, 0xd9, 0xf7]);
    response.expect(tagged, "a body that begins with d9 d9 f7", beginning(&response))
}

async fn representations_cbor_watch(cx: Context, InCbor { stored, .. }: InCbor) -> Checked {
    let own = format!("metadata.name={}", stored.read.name());
    let watch = stored.collection.watch().fields(&own).at("0").param("timeoutSeconds", 3);

    let response = cx.yield_place_while(cx.send(watch.with(|request| request.accept(CBOR)).into())).await?;

    response.expect_status(&[200])?;
    let media_type = response.header("content-type").unwrap_or("none");
    let right = is_of_type(&response, "application/cbor-seq");
    response.expect(right, "Content-Type application/cbor-seq", media_type)?;
    let events = cbor::read(&response.response.body).unwrap_or_default();
    let added = events.first().is_some_and(|event| {
        event["type"] == "ADDED" && event["object"]["metadata"]["name"] == stored.read.name()
    });
    response.expect(added, format!("an event ADDED of {}", stored.read.name()), beginning(&response))
}

async fn representations_cbor_apply(cx: Context, InCbor { stored, .. }: InCbor) -> Checked {
    let body = stored.collection.body("b", "first");

    for code in [201, 200] {
        let applied = cx.send(cbor::apply(&stored.collection, "b", "m1", &body)).await?;
        applied.expect_status(&[code])?;
    }
    Ok(())
}

async fn representations_cbor_disabled(cx: Context, collection: Collection) -> Checked {
    let response = collection.list().with(|request| request.accept(CBOR)).await?;
    if response.status() == 200
        && is_of_type(&response, CBOR)
        && cbor::read(&response.response.body).is_some()
    {
        return Err(Halt::skip("the server offers CBOR"));
    }

    response.expect_status(&[406])?;
    let create = Request::new(Method::POST, collection.path());
    let created = cx.send(cbor::with_body(create, CBOR, &collection.body(NAME, "first"))).await?;
    created.expect_rejection(&[415])?;
    expect_absent(&collection, NAME).await?;
    let either = format!("{CBOR}, application/json;q=0.9");
    let fallback = collection.list().with(|request| request.accept(&either)).await?;
    fallback.expect_status(&[200])?;
    expect_encoding(&fallback, "application/json")
}
