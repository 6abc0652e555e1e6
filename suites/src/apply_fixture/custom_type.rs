//! A custom resource definition for one apply scenario.

use super::ApplyFixture;
use crate::prelude::*;

const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/// A custom resource definition: `spec` has the same fields in every version. The last version is the storage version.
#[derive(Debug, Clone)]
pub(crate) struct Definition {
    cx: Context,
    group: String,
    versions: &'static [&'static str],
    fields: Value,
}

impl Definition {
    /// A definition with these fields and their schemas; not yet created. Skips where the server has no definitions.
    pub(crate) fn new(cx: &Context, versions: &'static [&'static str], fields: &Value) -> Result<Self, Halt> {
        if !cx.target_info().serves("apiextensions.k8s.io") {
            return Err(cx.lacks("CustomResources", "it does not serve apiextensions.k8s.io"));
        }
        let group = format!("{}.kube-assay.dev", cx.own_name("own"));
        let definition = Self { cx: cx.clone(), group, versions, fields: fields.clone() };
        cx.remove_in_the_end(&definition.path());
        Ok(definition)
    }

    /// The path of the definition.
    fn path(&self) -> String {
        format!("{DEFINITIONS}/probes.{}", self.group)
    }

    fn manifest(&self) -> Value {
        let spec = json!({ "type": "object", "properties": self.fields });
        let schema = json!({ "type": "object", "properties": { "spec": spec } });
        let last = self.versions.last();
        let version = |name: &&str| json!({ "name": name, "served": true, "storage": Some(name) == last, "schema": { "openAPIV3Schema": schema } });
        json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": { "name": format!("probes.{}", self.group), "labels": self.cx.own_labels() },
            "spec": {
                "group": self.group, "scope": "Namespaced", "names": { "plural": "probes", "kind": "Probe" },
                "versions": self.versions.iter().map(version).collect::<Vec<_>>(),
            },
        })
    }

    /// Creates the definition.
    pub(crate) async fn create(&self) -> Result<Arc<Exchange>, Halt> {
        self.cx.send(Request::post(DEFINITIONS, &self.manifest())).await
    }

    /// Creates the definition as a dry run.
    pub(crate) async fn try_out(&self) -> Result<Arc<Exchange>, Halt> {
        self.cx.send(Request::post(DEFINITIONS, &self.manifest()).query("dryRun", "All")).await
    }

    /// Creates the definition, and waits until the server serves it.
    pub(crate) async fn defined(self) -> Result<Self, Halt> {
        self.create().await?.written()?;
        self.served().await?;
        Ok(self)
    }

    /// Waits until the server serves all its versions.
    pub(crate) async fn served(&self) -> Checked {
        for version in self.versions {
            self.wait_for(version, |status| status == 200, "it is not served in time").await?;
        }
        Ok(())
    }

    /// Changes the definition by a JSON patch.
    pub(crate) async fn change(&self, operations: &Value) -> Checked {
        let request = Request::new(Method::PATCH, self.path()).json(JSON, operations);
        self.cx.send(request).await?.written().map(drop)
    }

    /// Removes the first version, and waits until the server no longer serves it.
    pub(crate) async fn give_up_first_version(&self) -> Checked {
        self.change(&json!([{ "op": "remove", "path": "/spec/versions/0" }])).await?;
        self.wait_for(self.versions[0], |status| status == 404, "it is still served").await
    }

    async fn wait_for(&self, version: &str, good: fn(u16) -> bool, why: &str) -> Checked {
        let path = format!("{}/probes", self.resource(version).root());
        let responds = self.cx.eventually(|| async {
            let response = self.cx.send(Request::get(&path)).await?;
            Ok(good(response.status()).then_some(()))
        });
        self.cx
            .yield_place_while(responds)
            .await?
            .ok_or_else(|| self.cx.late(format!("define {path}"), why).into())
    }

    fn resource(&self, version: &str) -> Resource {
        Resource::of(&self.group, version, "probes", "Probe")
    }

    /// The apply fixture of an object, in one version of the type.
    pub(crate) async fn fixture(&self, version: &str) -> Result<ApplyFixture, Halt> {
        Ok(ApplyFixture::new(&self.cx, self.cx.collection(self.resource(version)).await?))
    }
}

/// The apply fixtures of one object in two versions, with a text, `value`, and a number, `size`.
pub(crate) async fn in_two_versions(cx: &Context) -> Result<[ApplyFixture; 2], Halt> {
    let fields = json!({ "value": { "type": "string" }, "size": { "type": "integer" } });
    let definition = Definition::new(cx, &["v1", "v2"], &fields)?.defined().await?;
    Ok([definition.fixture("v1").await?, definition.fixture("v2").await?])
}
