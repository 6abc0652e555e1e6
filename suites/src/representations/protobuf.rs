//! Protobuf in Accept headers: where it is preferred, and where it is not available.

use super::content::{PLAIN_JSON, code_of_status, expect_content, expect_encoding};
use super::protobuf_envelope::InProtobuf;
use crate::prelude::*;
use crate::serialization::encodings::{PROTOBUF, is_of_type};

rows![
    representations_protobuf_not_for_crd.own_kinds(),
    representations_protobuf_fallback.own_kinds(),
    representations_protobuf_preferred.own_kinds(),
    representations_protobuf_error_status,
];

/// The Accept header of a client that prefers Protobuf.
fn or_json() -> String {
    format!("{PROTOBUF}, {PLAIN_JSON}")
}

async fn representations_protobuf_not_for_crd(collection: CustomResources) -> Checked {
    collection.create(NAME).await?;

    for query in [collection.get(NAME), collection.list()] {
        query.with(|request| request.accept(PROTOBUF)).await?.expect_status(&[406])?;
    }
    Ok(())
}

async fn representations_protobuf_fallback(collection: CustomResources) -> Checked {
    collection.create(NAME).await?;

    let response = collection.get(NAME).with(|request| request.accept(&or_json())).await?;

    response.expect_status(&[200])?;
    expect_encoding(&response, PLAIN_JSON)
}

async fn representations_protobuf_preferred(InProtobuf { stored, .. }: InProtobuf) -> Checked {
    let response = stored.get().with(|request| request.accept(&or_json())).await?;

    response.expect_status(&[200])?;
    expect_encoding(&response, PROTOBUF)
}

async fn representations_protobuf_error_status(collection: Collection) -> Checked {
    let response = collection.get("absent").with(|request| request.accept(&or_json())).await?;

    response.expect_status(&[404])?;
    expect_content(&response)?;
    let negotiated = is_of_type(&response, PROTOBUF) || is_of_type(&response, PLAIN_JSON);
    let right = negotiated && code_of_status(&response) == Some(404);
    response.expect(right, "a Status of code 404 in Protobuf or JSON", response.brief())
}
