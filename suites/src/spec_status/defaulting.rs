//! Defaulting of spec fields.

use crate::patch_types::merge_in;
use crate::prelude::*;
use crate::verbs::or_note;
use crate::watch::from_now;

rows![
    spec_status_default_visible_on_read.own_kinds().also("spec-status-default-set-by-server"),
    spec_status_default_in_create_response.own_kinds(),
    spec_status_default_not_overriding.own_kinds(),
    spec_status_default_after_put.own_kinds(),
];

/// A type with defaults: the spec of an object without the defaulted fields, and their defaults.
struct Defaulted {
    collection: Collection,
    spec: Value,
    defaults: Value,
}

impl Defaulted {
    /// A custom type and a built-in one, as far as the server serves them. Skips where it serves neither.
    async fn all(cx: &Context) -> Result<Vec<Self>, Halt> {
        let mut all = Vec::new();
        if let Some(collection) = or_note(cx, cx.gizmos().await)? {
            let (spec, defaults) = (json!({ "value": "first" }), json!({ "size": 1 }));
            all.push(Self { collection, spec, defaults });
        }
        if let Some(collection) = cx.collection_if_listed(Resource::core("services", "Service")).await? {
            let defaults = json!({ "type": "ClusterIP", "sessionAffinity": "None" });
            all.push(Self { collection, spec: json!({ "ports": [{ "port": 80 }] }), defaults });
        }
        Halt::skip_unless(!all.is_empty(), "the server serves no type with known defaults")?;
        Ok(all)
    }

    /// An object with these fields besides those of the spec; not yet sent.
    fn body(&self, name: &str, fields: &Value) -> Value {
        let mut body = self.collection.body(name, "first");
        body["spec"] = self.spec.clone();
        merge_in(&mut body["spec"], fields);
        body
    }

    fn expect_defaults(&self, response: &Exchange, object: &Value) -> Checked {
        expect_fields(response, object, &self.defaults)
    }
}

/// The spec of an object has these fields.
fn expect_fields(response: &Exchange, object: &Value, fields: &Value) -> Checked {
    for (field, expected) in fields.as_object().into_iter().flatten() {
        let actual = &object["spec"][field];
        response.expect(actual == expected, format!("spec.{field} {expected}"), actual.to_string())?;
    }
    Ok(())
}

async fn spec_status_default_visible_on_read(cx: Context) -> Checked {
    for ty in Defaulted::all(&cx).await? {
        let mut watch = from_now(&ty.collection).await?;
        ty.collection.create_body(&ty.body(NAME, &json!({}))).await?;

        let added = watch.expect("ADDED", NAME).await?;
        ty.expect_defaults(&watch.exchange(), added.json())?;
        let got = ty.collection.get(NAME).await?;
        ty.expect_defaults(&got, got.object()?.json())?;
        let listed = ty.collection.list().await?;
        let page = listed.page()?;
        let item = page.item(NAME).ok_or_else(|| page.fail(format!("{NAME} in the list"), "no such item"))?;
        ty.expect_defaults(&listed, item.json())?;
    }
    Ok(())
}

async fn spec_status_default_in_create_response(cx: Context) -> Checked {
    for ty in Defaulted::all(&cx).await? {
        let created = cx.send(Request::post(ty.collection.path(), &ty.body(NAME, &json!({})))).await?;

        created.expect_status(&[201])?;
        ty.expect_defaults(&created, created.object()?.json())?;
    }
    Ok(())
}

async fn spec_status_default_not_overriding(cx: Context) -> Checked {
    for ty in Defaulted::all(&cx).await? {
        let fields = if ty.defaults["size"].is_number() {
            [json!({ "size": 0 }), json!({ "size": 7 })]
        } else {
            [json!({ "sessionAffinity": "ClientIP" }), json!({ "type": "NodePort" })]
        };
        for (name, fields) in ["a", "b"].into_iter().zip(&fields) {
            let created = cx.send(Request::post(ty.collection.path(), &ty.body(name, fields))).await?;

            for response in [created, ty.collection.get(name).await?] {
                expect_fields(&response, response.object()?.json(), fields)?;
            }
        }
    }
    Ok(())
}

async fn spec_status_default_after_put(cx: Context) -> Checked {
    let gizmos = cx.gizmos().await?;
    let mut body = gizmos.body(NAME, "first");
    body["spec"]["size"] = json!(7);
    let created = gizmos.create_body(&body).await?;
    let mut less = gizmos.body(NAME, "first");
    less["metadata"]["resourceVersion"] = created.version().into();

    let put = cx.send(Request::put(gizmos.path_of(NAME), &less)).await?;

    for response in [put, gizmos.get(NAME).await?] {
        expect_fields(&response, response.object()?.json(), &json!({ "size": 1 }))?;
    }
    Ok(())
}
