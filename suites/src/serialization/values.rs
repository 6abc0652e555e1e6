//! Edge values in JSON: null, zero, large numbers and rare characters.

use serde_json::Map;

use crate::fields::remove;
use crate::prelude::*;
use crate::string_map;

rows![
    serialization_unset_optional_omitted,
    serialization_unset_distinct_from_zero.with_status(),
    serialization_null_treated_as_unset.own_kinds(),
    serialization_int64_exact.own_kinds(),
    serialization_unicode_exact,
];

/// Timestamps that kube-apiserver returns as null.
const MAY_BE_NULL: [&str; 2] = ["creationTimestamp", "lastProbeTime"];

/// The paths of null values, and of empty maps and lists in the metadata.
fn empty_fields(path: &str, value: &Value, found: &mut Vec<String>) {
    let below = |name: &str| format!("{path}.{name}");
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let empty = value.is_null() && !MAY_BE_NULL.contains(&name.as_str());
                if empty || path == ".metadata" && is_empty(value) {
                    found.push(below(name));
                }
                empty_fields(&below(name), value, found);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| empty_fields(path, item, found)),
        _ => {}
    }
}

fn is_empty(value: &Value) -> bool {
    value.as_object().is_some_and(Map::is_empty) || value.as_array().is_some_and(Vec::is_empty)
}

async fn serialization_unset_optional_omitted(stored: StoredObject) -> Checked {
    let got = stored.get().await?;

    let mut found = Vec::new();
    empty_fields("", got.object()?.json(), &mut found);
    got.expect(found.is_empty(), "no null or empty fields", found.join(", "))
}

async fn serialization_unset_distinct_from_zero(collection: Collection) -> Checked {
    let (fields, unset): (&[(&str, Value)], _) = match collection.resource().plural.as_str() {
        "deployments" => (&[("replicas", json!(0)), ("paused", Value::Null)], Some(("replicas", json!(1)))),
        "gadgets" => (&[("size", json!(0)), ("done", json!(false))], Some(("size", Value::Null))),
        plural => return Err(Halt::skip(format!("the numeric fields of {plural} are not known"))),
    };
    let mut body = collection.body("zero", "first");
    for (field, value) in fields {
        body["spec"][*field] = value.clone();
    }
    collection.create_body(&body).await?;

    for (field, value) in fields {
        expect_spec(&collection, "zero", field, value).await?;
    }
    let Some((field, value)) = unset else { return Ok(()) };
    remove(&mut body["spec"], field);
    body["metadata"]["name"] = collection.name_of("unset").into();
    collection.create_body(&body).await?;
    expect_spec(&collection, "unset", field, &value).await
}

async fn expect_spec(collection: &Collection, name: &str, field: &str, expected: &Value) -> Checked {
    let got = collection.get(name).await?;
    let actual = got.object()?.json()["spec"][field].clone();
    got.expect(actual == *expected, format!("spec.{field}: {expected}"), actual.to_string())
}

async fn serialization_null_treated_as_unset(cx: Context, ConfigMaps(collection): ConfigMaps) -> Checked {
    let create = post_with(&collection, NAME, |body| body["data"] = Value::Null);
    cx.send(create).await?.expect_status(&[201])?;
    let got = collection.get(NAME).await?;
    let object = got.object()?;
    got.expect(object.json().get("data").is_none(), "no data", object.json().to_string())?;

    let custom = cx.custom_resources().await?;
    let nulls = json!({ "colour": null, "size": null });
    cx.send(post_with(&custom, NAME, |body| body["spec"]["style"] = nulls)).await?.expect_status(&[201])?;
    let got = custom.get(NAME).await?;
    let object = got.object()?;
    let style = &object.json()["spec"]["style"];
    let unset = style["colour"] == "red" && style.get("size").is_none();
    got.expect(unset, "spec.style with the default colour, and no size", style.to_string())
}

/// The smallest integer that a double cannot represent, and the largest int64.
const LARGE: [i64; 2] = [9_007_199_254_740_993, i64::MAX];

async fn serialization_int64_exact(cx: Context, CustomResources(collection): CustomResources) -> Checked {
    for (name, number) in ["a", "b"].into_iter().zip(LARGE) {
        let create = post_with(&collection, name, |body| body["spec"]["total"] = number.into());
        cx.send(create).await?.expect_status(&[201])?;

        expect_spec(&collection, name, "total", &number.into()).await?;
    }
    Ok(())
}

/// A combining accent, a character beyond the basic plane, a line separator, and characters that HTML and JSON escape.
const TEXT: &str = "e\u{301} \u{1f980} \u{2028} <a href=\"x\"> & ' \\ \\u0041 \u{ffff} \t";

async fn serialization_unicode_exact(collection: Collection) -> Checked {
    string_map::create(&collection, NAME, &[("text", TEXT)]).await?;

    let got = collection.get(NAME).await?;

    string_map::expect(&collection, &got, &[("text", Some(TEXT))])
}
