//! Defaults in several API versions of one type.

use crate::prelude::*;

rows![
    spec_status_default_version_specific.own_kinds(),
    spec_status_default_applied_to_old_objects.own_kinds(),
];

const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/// A type of the scenario's own.
struct DefinedType {
    group: String,
}

impl DefinedType {
    /// Defines a type with these versions and schemas of their specs, and waits until the server serves all.
    async fn create(cx: &Context, versions: &[(&str, Value)]) -> Result<Self, Halt> {
        if !cx.target_info().serves("apiextensions.k8s.io") {
            return Err(cx.lacks("CustomResources", "it does not serve apiextensions.k8s.io"));
        }
        let defined = Self { group: format!("{}.kube-assay.dev", cx.own_name("defaults")) };
        cx.remove_in_the_end(&defined.path());
        cx.send(Request::post(DEFINITIONS, &defined.definition(cx, versions))).await?.written()?;
        for (version, _) in versions {
            let path = defined.collection(cx, version).await?.path();
            let served =
                cx.eventually(|| async { Ok(cx.send(Request::get(&path)).await?.succeeded().then_some(())) });
            served.await?.ok_or_else(|| cx.late(format!("list {path}"), "it is not served in time"))?;
        }
        Ok(defined)
    }

    fn definition(&self, cx: &Context, versions: &[(&str, Value)]) -> Value {
        let version = |(index, (name, spec)): (usize, &(&str, Value))| {
            let schema = json!({ "type": "object", "properties": { "spec": spec } });
            json!({
                "name": name, "served": true, "storage": index == 0, "schema": { "openAPIV3Schema": schema },
            })
        };
        json!({
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": { "name": format!("elders.{}", self.group), "labels": cx.own_labels() },
            "spec": {
                "group": self.group,
                "scope": "Namespaced",
                "names": { "plural": "elders", "kind": "Elder" },
                "versions": versions.iter().enumerate().map(version).collect::<Vec<_>>(),
            },
        })
    }

    fn path(&self) -> String {
        format!("{DEFINITIONS}/elders.{}", self.group)
    }

    /// Its objects in one version.
    async fn collection(&self, cx: &Context, version: &str) -> Result<Collection, Halt> {
        cx.collection(Resource::of(&self.group, version, "elders", "Elder")).await
    }
}

/// The schema of a spec with the value and a string field with a default.
fn with_default(field: &str, default: &str) -> Value {
    let text = json!({ "type": "string" });
    json!({ "type": "object", "properties": { "value": text, field: { "type": "string", "default": default } } })
}

fn expect_text(response: &Exchange, field: &str, expected: &str) -> Checked {
    let actual = response.object()?.json()["spec"][field].clone();
    response.expect(actual == expected, format!("spec.{field} {expected:?}"), actual.to_string())
}

async fn spec_status_default_version_specific(cx: Context) -> Checked {
    let versions = [("v1", with_default("text", "of-v1")), ("v2", with_default("text", "of-v2"))];
    let defined = DefinedType::create(&cx, &versions).await?;
    let (first, second) = (defined.collection(&cx, "v1").await?, defined.collection(&cx, "v2").await?);

    for (name, through, expected) in [("a", &first, "of-v1"), ("b", &second, "of-v2")] {
        let created = cx.send(Request::post(through.path(), &through.body(name, "first"))).await?;
        expect_text(&created, "text", expected)?;
        for version in [&first, &second] {
            expect_text(&*version.get(name).await?, "text", expected)?;
        }
    }
    Ok(())
}

async fn spec_status_default_applied_to_old_objects(cx: Context) -> Checked {
    let text = json!({ "type": "string" });
    let plain = json!({ "type": "object", "properties": { "value": text } });
    let defined = DefinedType::create(&cx, &[("v1", plain)]).await?;
    let collection = defined.collection(&cx, "v1").await?;
    collection.create(NAME).await?;

    let place = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/added";
    let later = json!([{ "op": "add", "path": place, "value": { "type": "string", "default": "later" } }]);
    cx.send(Request::new(Method::PATCH, defined.path()).json(JSON, &later)).await?.written()?;

    // The server may serve the old definition for a moment.
    let defaulted = cx.eventually(|| async {
        let got = collection.get(NAME).await?;
        Ok((got.object()?.json()["spec"]["added"] == "later").then_some(()))
    });
    match defaulted.await? {
        Some(()) => Ok(()),
        None => expect_text(&*collection.get(NAME).await?, "added", "later"),
    }
}
