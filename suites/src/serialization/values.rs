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

/// Times that a part of an object may be without, and says so.
const MAY_BE_NULL: [&str; 2] = ["creationTimestamp", "lastProbeTime"];

/// What is null, or an empty map or list of metadata.
fn nothings(path: &str, value: &Value, found: &mut Vec<String>) {
    let below = |name: &str| format!("{path}.{name}");
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let empty = value.is_null() && !MAY_BE_NULL.contains(&name.as_str());
                if empty || path == ".metadata" && is_empty(value) {
                    found.push(below(name));
                }
                nothings(&below(name), value, found);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| nothings(path, item, found)),
        _ => {}
    }
}

fn is_empty(value: &Value) -> bool {
    value.as_object().is_some_and(Map::is_empty) || value.as_array().is_some_and(Vec::is_empty)
}

async fn serialization_unset_optional_omitted(stored: StoredObject) -> Checked {
    let got = stored.get().await?;

    let mut found = Vec::new();
    nothings("", got.object()?.json(), &mut found);
    got.expect(found.is_empty(), "nothing that is null or empty", found.join(", "))
}

async fn serialization_unset_distinct_from_zero(collection: Collection) -> Checked {
    let (fields, unset): (&[(&str, Value)], _) = match collection.resource().plural.as_str() {
        "deployments" => (&[("replicas", json!(0)), ("paused", Value::Null)], Some(("replicas", json!(1)))),
        "gadgets" => (&[("size", json!(0)), ("done", json!(false))], Some(("size", Value::Null))),
        plural => return Err(Halt::Skipped(format!("it is not known which fields of {plural} are numbers"))),
    };
    let mut body = collection.body("zero", "first");
    for (field, value) in fields {
        body["spec"][*field] = value.clone();
    }
    collection.create_body(&body).await?;

    let got = collection.get("zero").await?;

    for (field, value) in fields {
        let shown = got.object()?.json()["spec"][*field].clone();
        got.expect(shown == *value, format!("spec.{field}: {value}"), shown.to_string())?;
    }
    let Some((field, value)) = unset else { return Ok(()) };
    remove(&mut body["spec"], field);
    body["metadata"]["name"] = collection.name_of("unset").into();
    collection.create_body(&body).await?;
    let got = collection.get("unset").await?;
    let shown = got.object()?.json()["spec"][field].clone();
    got.expect(shown == value, format!("spec.{field}: {value}, as it was not set"), shown.to_string())
}

async fn serialization_null_treated_as_unset(cx: Context, ConfigMaps(collection): ConfigMaps) -> Checked {
    let mut body = collection.body(NAME, "first");
    body["data"] = Value::Null;
    cx.send(Request::post(collection.path(), &body)).await?.expect_status(&[201])?;
    let got = collection.get(NAME).await?;
    let object = got.object()?;
    got.expect(object.json().get("data").is_none(), "no data", object.json().to_string())?;

    let custom = cx.custom_resources().await?;
    let mut body = custom.body(NAME, "first");
    body["spec"]["style"] = json!({ "colour": null, "size": null });
    cx.send(Request::post(custom.path(), &body)).await?.expect_status(&[201])?;
    let got = custom.get(NAME).await?;
    let object = got.object()?;
    let style = &object.json()["spec"]["style"];
    let unset = style["colour"] == "red" && style.get("size").is_none();
    got.expect(unset, "the default where there is one, else nothing", style.to_string())
}

/// One more than a double can tell, and the largest of all.
const LARGE: [i64; 2] = [9_007_199_254_740_993, i64::MAX];

async fn serialization_int64_exact(cx: Context, CustomResources(collection): CustomResources) -> Checked {
    for (name, number) in ["a", "b"].into_iter().zip(LARGE) {
        let mut body = collection.body(name, "first");
        body["spec"]["total"] = json!(number);
        let created = cx.send(Request::post(collection.path(), &body)).await?;
        created.expect_status(&[201])?;

        let got = collection.get(name).await?;

        let shown = got.object()?.json()["spec"]["total"].clone();
        got.expect(shown == number, format!("spec.total: {number}"), shown.to_string())?;
    }
    Ok(())
}

/// A combining accent, beyond the basic plane, a line separator, what HTML and JSON escape.
const TEXT: &str = "e\u{301} \u{1f980} \u{2028} <a href=\"x\"> & ' \\ \\u0041 \u{ffff} \t";

async fn serialization_unicode_exact(collection: Collection) -> Checked {
    string_map::create(&collection, NAME, &[("text", TEXT)]).await?;

    let got = collection.get(NAME).await?;

    string_map::expect(&collection, &got, &[("text", Some(TEXT))])
}
