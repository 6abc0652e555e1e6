//! YAML.

use super::content::{body_of_strings, decoded, expect_created, expect_encoding, expect_same_value, offered};
use crate::patch_types::{raw, yaml};
use crate::prelude::*;
use crate::serialization::encodings::{YAML, is_of_type};

rows![representations_yaml_response, representations_yaml_request, representations_yaml_watch_406];

async fn representations_yaml_response(cx: Context, collection: Collection) -> Checked {
    collection.create_body(&body_of_strings(&collection, NAME)).await?;
    let own = format!("metadata.name={}", collection.name_of(NAME));

    for query in [collection.get(NAME), collection.list().fields(&own)] {
        let response = query.clone().with(|request| request.accept(YAML)).await?;
        offered(&cx, &response, YAML)?;
        expect_encoding(&response, YAML)?;
        expect_same_value(&response, &*query.await?)?;
    }
    Ok(())
}

async fn representations_yaml_request(cx: Context, collection: Collection) -> Checked {
    let body = body_of_strings(&collection, NAME);
    let post = raw(Request::new(Method::POST, collection.path()), YAML, &yaml(&body));

    let created = cx.send(post.accept(YAML)).await?;

    expect_created(&cx, &collection, &created).await?;
    expect_encoding(&created, YAML)?;
    let put = raw(Request::new(Method::PUT, collection.path_of(NAME)), YAML, &created.text());
    let updated = cx.send(put.accept(YAML)).await?;
    updated.expect_status(&[200])?;
    expect_encoding(&updated, YAML)?;
    let annotations = decoded(&updated).map(|object| object["metadata"]["annotations"].clone());
    let expected = &body["metadata"]["annotations"];
    // Admission may add annotations.
    let mut sent = expected.as_object().into_iter().flatten();
    let has_all = annotations.is_some_and(|annotations| sent.all(|(key, text)| annotations[key] == *text));
    updated.expect(has_all, expected.to_string(), updated.brief())
}

async fn representations_yaml_watch_406(cx: Context, stored: StoredObject) -> Checked {
    stored.collection.create("b").await?;
    let watch = stored.collection.watch().with(|request| request.accept(YAML)).param("timeoutSeconds", 3);

    let response = cx.yield_place_while(cx.send(watch.into())).await?;

    response.expect_status(&[200, 406])?;
    if response.status() == 406 {
        return Ok(());
    }
    let text = response.text();
    let is_event = |document: &str| {
        serde_saphyr::from_str::<Value>(document).is_ok_and(|event| event["type"].is_string())
    };
    let framed = text.trim_start_matches("---\n").split("\n---\n").all(is_event);
    response.expect(
        is_of_type(&response, YAML) && framed,
        "HTTP 406, or one YAML document per event",
        response.brief(),
    )
}
