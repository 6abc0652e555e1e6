//! Defaulting of spec fields.

use crate::prelude::*;
use crate::watch::from_now;

rows![
    spec_status_default_visible_on_read.own_kinds().also("spec-status-default-set-by-server"),
    spec_status_default_in_create_response.own_kinds(),
    spec_status_default_not_overriding.own_kinds(),
    spec_status_default_after_put.own_kinds(),
];

/// A type with defaults: how one of its objects is written without them, and what they are.
struct Defaulted {
    collection: Collection,
    spec: Value,
    defaults: Value,
}

impl Defaulted {
    /// A custom type and a built-in one, as far as the server has them. Skips where it has neither.
    async fn all(cx: &Context) -> Result<Vec<Self>, Halt> {
        let mut all = Vec::new();
        match cx.gizmos().await {
            Ok(collection) => {
                let (spec, defaults) = (json!({ "value": "first" }), json!({ "size": 1 }));
                all.push(Self { collection, spec, defaults });
            }
            Err(Halt::Skipped(why)) => cx.note(why),
            Err(other) => return Err(other),
        }
        if let Some(collection) = cx.collection_if_listed(Resource::core("services", "Service")).await? {
            let defaults = json!({ "type": "ClusterIP", "sessionAffinity": "None" });
            all.push(Self { collection, spec: json!({ "ports": [{ "port": 80 }] }), defaults });
        }
        if all.is_empty() {
            return Err(Halt::Skipped("no type here is known to have defaults".to_owned()));
        }
        Ok(all)
    }

    fn body(&self, name: &str, given: &Value) -> Value {
        let mut body = self.collection.body(name, "first");
        body["spec"] = self.spec.clone();
        for (field, value) in given.as_object().into_iter().flatten() {
            body["spec"][field] = value.clone();
        }
        body
    }

    fn expect_defaults(&self, answer: &Exchange, object: &Value) -> Checked {
        expect_fields(answer, object, &self.defaults)
    }
}

/// The spec of an object holds these.
fn expect_fields(answer: &Exchange, object: &Value, fields: &Value) -> Checked {
    for (field, expected) in fields.as_object().into_iter().flatten() {
        let shown = &object["spec"][field];
        answer.expect(shown == expected, format!("spec.{field} {expected}"), shown.to_string())?;
    }
    Ok(())
}

async fn spec_status_default_visible_on_read(cx: Context) -> Checked {
    for ty in Defaulted::all(&cx).await? {
        let mut watch = from_now(&ty.collection).await?;
        ty.collection.create_body(&ty.body(NAME, &json!({}))).await?;

        let told = watch.expect("ADDED", NAME).await?;
        ty.expect_defaults(&watch.exchange(), told.json())?;
        let got = ty.collection.get(NAME).await?;
        ty.expect_defaults(&got, got.object()?.json())?;
        let listed = ty.collection.list().await?;
        let page = listed.page()?;
        let item = page.item(NAME).ok_or_else(|| page.fail(format!("{NAME} in the list"), "not there"))?;
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
        let given = if ty.defaults["size"].is_number() {
            [json!({ "size": 0 }), json!({ "size": 7 })]
        } else {
            [json!({ "sessionAffinity": "ClientIP" }), json!({ "type": "NodePort" })]
        };
        for (name, given) in ["a", "b"].into_iter().zip(&given) {
            let created = cx.send(Request::post(ty.collection.path(), &ty.body(name, given))).await?;

            expect_fields(&created, created.object()?.json(), given)?;
            let got = ty.collection.get(name).await?;
            expect_fields(&got, got.object()?.json(), given)?;
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

    for answer in [put, gizmos.get(NAME).await?] {
        expect_fields(&answer, answer.object()?.json(), &json!({ "size": 1 }))?;
    }
    Ok(())
}
