//! The fixture of one object with several field managers.
//!
//! A request is made by a participle (`applying`, `merging`) and sent as it is by [`ApplyFixture::send`], so that a scenario can
//! add a parameter first. What only leads up to the question is sent by [`ApplyFixture::write`]: a failure is a test error.

pub(crate) mod conflict;
pub(crate) mod custom_type;
mod managed_fields;
pub(crate) mod owner;
pub(crate) mod replicas;
mod resource_under_test;
pub(crate) mod string_field;
pub(crate) mod topology_change;

use crate::patch_types;
use crate::prelude::*;

/// The name of the object.
const NAME: &str = "a";

/// One object, and requests about it in the name of managers.
#[derive(Debug, Clone)]
pub(crate) struct ApplyFixture {
    /// The scenario's.
    pub(crate) cx: Context,
    /// Where the object is, or will be.
    pub(crate) collection: Collection,
    /// The name of the object.
    pub(crate) name: &'static str,
}

impl ApplyFixture {
    /// About an object in this collection that is not there yet.
    pub(crate) fn new(cx: &Context, collection: Collection) -> Self {
        Self { cx: cx.clone(), collection, name: NAME }
    }

    /// About a `ConfigMap`.
    pub(crate) async fn of_a_configmap(cx: &Context) -> Result<Self, Halt> {
        Ok(Self::new(cx, cx.configmaps().await?))
    }

    /// About a custom resource with every type of list and map: see [`Context::gizmos`].
    pub(crate) async fn of_a_gizmo(cx: &Context) -> Result<Self, Halt> {
        Ok(Self::new(cx, cx.gizmos().await?))
    }

    /// About a Deployment without a controller.
    pub(crate) async fn of_a_deployment(cx: &Context) -> Result<Self, Halt> {
        Ok(Self::new(cx, cx.deployments().await?))
    }

    /// About another object in the same collection.
    pub(crate) fn of(&self, name: &'static str) -> Self {
        Self { name, ..self.clone() }
    }

    /// The same, through another server of the control plane.
    pub(crate) fn through(&self, server: u8) -> Self {
        Self { cx: self.cx.through(server), collection: self.collection.through(server), name: self.name }
    }

    /// Whether its type is one of Kubernetes' own.
    pub(crate) fn is_built_in(&self) -> bool {
        patch_types::is_built_in(&self.collection)
    }

    /// The object's path.
    pub(crate) fn path(&self) -> String {
        self.collection.path_of(self.name)
    }

    /// The identity of the object, and these fields: `{"data": …}`, `{"metadata": {"labels": …}, "spec": …}`.
    pub(crate) fn body(&self, fields: &Value) -> Value {
        let resource = self.collection.resource();
        let mut body = json!({
            "apiVersion": resource.api_version(),
            "kind": resource.kind,
            "metadata": { "name": self.collection.name_of(self.name) },
        });
        for (field, value) in fields.as_object().into_iter().flatten() {
            match value.as_object().filter(|_| field == "metadata") {
                Some(metadata) => metadata.iter().for_each(|(field, value)| {
                    body["metadata"][field.as_str()] = value.clone();
                }),
                None => body[field.as_str()] = value.clone(),
            }
        }
        body
    }

    /// An apply of these fields.
    pub(crate) fn applying(&self, manager: &str, fields: &Value) -> Request {
        patch_types::apply(&self.collection, self.name, manager, &self.body(fields))
    }

    /// The same with force.
    pub(crate) fn forcing(&self, manager: &str, fields: &Value) -> Request {
        self.applying(manager, fields).query("force", true)
    }

    /// A create with these fields.
    pub(crate) fn posting(&self, manager: &str, fields: &Value) -> Request {
        Request::post(self.collection.path(), &self.body(fields)).query("fieldManager", manager)
    }

    /// A replacement by this whole object.
    pub(crate) fn putting(&self, manager: &str, whole: &Value) -> Request {
        Request::put(self.path(), whole).query("fieldManager", manager)
    }

    /// A merge patch.
    pub(crate) fn merging(&self, manager: &str, patch: &Value) -> Request {
        self.patching(MERGE, manager, patch)
    }

    /// A JSON patch.
    pub(crate) fn editing(&self, manager: &str, operations: &Value) -> Request {
        self.patching(JSON, manager, operations)
    }

    /// A strategic merge patch.
    pub(crate) fn merging_strategically(&self, manager: &str, patch: &Value) -> Request {
        self.patching(STRATEGIC, manager, patch)
    }

    fn patching(&self, form: &str, manager: &str, patch: &Value) -> Request {
        patch_types::patch(&self.collection, self.name, form, patch).query("fieldManager", manager)
    }

    /// Sends a request. Skips where the server knows no apply.
    pub(crate) async fn send(&self, request: Request) -> Result<Arc<Exchange>, Halt> {
        let response = self.cx.send(request).await?;
        if is_apply(&response.request) {
            patch_types::applies(&self.cx, &response)?;
        }
        Ok(response)
    }

    /// Sends a write and returns its response; a failure is a test error.
    pub(crate) async fn write_response(&self, request: Request) -> Result<Arc<Exchange>, Halt> {
        let response = self.send(request).await?;
        response.written()?;
        Ok(response)
    }

    /// Sends a request that leads up to a question, and gives the object as it is then.
    pub(crate) async fn write(&self, request: Request) -> Result<Object, Halt> {
        self.send(request).await?.written()
    }

    /// Applies, as a part of what leads up to a question.
    pub(crate) async fn applied(&self, manager: &str, fields: &Value) -> Result<Object, Halt> {
        self.write(self.applying(manager, fields)).await
    }

    /// Creates, as a part of what leads up to a question.
    pub(crate) async fn posted(&self, manager: &str, fields: &Value) -> Result<Object, Halt> {
        self.write(self.posting(manager, fields)).await
    }

    /// Merges, as a part of what leads up to a question.
    pub(crate) async fn merged(&self, manager: &str, patch: &Value) -> Result<Object, Halt> {
        self.write(self.merging(manager, patch)).await
    }

    /// Reads the object.
    pub(crate) async fn read(&self) -> Result<Arc<Exchange>, Halt> {
        self.collection.get(self.name).await
    }
}

/// The same request to a subresource of the object.
pub(crate) fn on_subresource(subresource: &str, request: Request) -> Request {
    Request { path: format!("{}/{subresource}", request.path), ..request }
}

/// Whether a request is an apply.
pub(crate) fn is_apply(request: &Request) -> bool {
    let applies = |(name, value): &(String, String)| {
        name.eq_ignore_ascii_case("content-type") && value.starts_with("application/apply-patch")
    };
    request.method == Method::PATCH && request.headers.iter().any(applies)
}
