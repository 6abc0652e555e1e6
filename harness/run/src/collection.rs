//! A collection of a scenario, and the requests to it.

use std::sync::Arc;

use checkers::script::Scene;
use model::{Exchange, GROUP, Halt, Object, Page, Request, Resource, ResourceUnderTest};
use serde_json::Value;

use crate::context::Context;
use crate::definition;
use crate::fixture::{RUN_LABEL, namespace_manifest};
use crate::query::Query;

/// The objects of one type, in one namespace or in all.
#[derive(Debug, Clone)]
pub struct Collection {
    cx: Context,
    resource_under_test: Arc<ResourceUnderTest>,
    namespace: Option<String>,
    /// The prefix of the scenario's objects, if the type has no namespaces.
    prefix: Option<String>,
}

impl Collection {
    pub(crate) fn new(
        cx: Context,
        resource_under_test: Arc<ResourceUnderTest>,
        namespace: Option<String>,
    ) -> Self {
        if let Some(namespace) = &namespace {
            let path = path(&resource_under_test.resource, Some(namespace));
            cx.session().fixtures.register_collection(namespace, &path);
        }
        Self { cx, resource_under_test, namespace, prefix: None }
    }

    /// A collection of a type without namespaces.
    pub(crate) fn cluster_scoped(
        cx: Context,
        resource_under_test: Arc<ResourceUnderTest>,
        prefix: String,
    ) -> Self {
        cx.session().fixtures.register_shared(&path(&resource_under_test.resource, None), true);
        Self { cx, resource_under_test, namespace: None, prefix: Some(prefix) }
    }

    /// The scenario, through the server of this collection.
    pub fn context(&self) -> &Context {
        &self.cx
    }

    /// Its type.
    pub fn resource(&self) -> &Resource {
        &self.resource_under_test.resource
    }

    /// The form of its objects.
    pub fn resource_under_test(&self) -> &ResourceUnderTest {
        &self.resource_under_test
    }

    /// Whether its objects live in namespaces. If not, its lists have the objects of others, too.
    pub fn is_namespaced(&self) -> bool {
        self.resource_under_test.namespaced
    }

    /// Whether the type has a status subresource.
    pub fn has_status(&self) -> bool {
        self.resource_under_test.status
    }

    /// Whether the type has a scale subresource.
    pub fn has_scale(&self) -> bool {
        self.resource_under_test.scale
    }

    /// Its path.
    pub fn path(&self) -> String {
        path(&self.resource_under_test.resource, self.namespace.as_deref())
    }

    /// The full name of an object of the scenario, as in `metadata.name`: in a type without namespaces it has a prefix.
    pub fn name_of(&self, name: &str) -> String {
        match &self.prefix {
            Some(prefix) if !name.starts_with(prefix.as_str()) => format!("{prefix}{name}"),
            _ => name.to_owned(),
        }
    }

    /// The path of one of its objects.
    pub fn path_of(&self, name: &str) -> String {
        let path = format!("{}/{}", self.path(), self.name_of(name));
        if self.prefix.is_some() {
            self.cx.session().fixtures.register_cluster_scoped(&path);
        }
        path
    }

    /// The path of an object's status.
    pub fn status_path_of(&self, name: &str) -> String {
        format!("{}/status", self.path_of(name))
    }

    /// The path of an object's scale.
    pub fn scale_path_of(&self, name: &str) -> String {
        format!("{}/scale", self.path_of(name))
    }

    /// The same type in another namespace of the scenario; in a type without namespaces, with other names.
    pub fn within(&self, namespace: &str) -> Self {
        if self.prefix.is_some() {
            return Self { prefix: Some(format!("{namespace}-")), ..self.clone() };
        }
        Self::new(self.cx.clone(), self.resource_under_test.clone(), Some(namespace.to_owned()))
    }

    /// The same collection, through another server of the control plane.
    #[must_use]
    pub fn through(&self, server: u8) -> Self {
        Self { cx: self.cx.through(server), ..self.clone() }
    }

    /// The same type in all namespaces.
    pub fn everywhere(&self) -> Self {
        self.cx
            .session()
            .fixtures
            .register_shared(&path(&self.resource_under_test.resource, None), !self.is_namespaced());
        Self { namespace: None, ..self.clone() }
    }

    /// An object with this name and value, not yet sent. The value has no blanks: a template may have it in a label.
    pub fn body(&self, name: &str, value: &str) -> Value {
        // The scenario may send the body to any path: the run must remove the object in any case.
        self.path_of(name);
        let mut body = self.resource_under_test.body(&self.name_of(name), value);
        if self.prefix.is_some() || self.cx.session().fixtures.lacks_namespaces() {
            body["metadata"]["labels"][RUN_LABEL] = self.cx.session().id.as_str().into();
        }
        body
    }

    /// A merge patch that writes the value.
    pub fn change(&self, value: &str) -> Value {
        self.resource_under_test.change(value)
    }

    /// A merge patch that writes the value of the status; skips if no field for it is known.
    pub fn status_change(&self, value: &str) -> Result<Value, Halt> {
        let plural = &self.resource().plural;
        let unknown = || Halt::Skipped(format!("no field of the status of {plural} is known"));
        self.resource_under_test.status_change(value).ok_or_else(unknown)
    }

    /// The JSON pointer to the value: for JSON patches.
    pub fn value_at(&self) -> &str {
        self.resource_under_test.value_at()
    }

    /// The place of a script: the collection, and the objects that must exist first.
    pub fn scene(&self) -> Scene {
        let session = self.cx.session();
        let mut needed = Vec::new();
        let own = self.namespace.as_ref().filter(|_| !session.fixtures.lacks_namespaces());
        if let Some(namespace) = own {
            let manifest = namespace_manifest(namespace, &session.id, self.cx.scenario().as_str());
            needed.push(("/api/v1/namespaces".to_owned(), manifest));
        }
        if self.resource().group.ends_with(GROUP) {
            needed.push((
                definition::DEFINITIONS.to_owned(),
                definition::manifest(self.resource(), &session.id),
            ));
        }
        let own = self.namespace.clone().or_else(|| self.prefix.clone()).unwrap_or_default();
        Scene { curl: session.curl.clone(), collection: self.path(), own, needed }
    }

    /// Creates an object; a failure is a test error.
    pub async fn create(&self, name: &str) -> Result<Object, Halt> {
        self.create_body(&self.body(name, "first")).await
    }

    /// Creates a labelled object.
    pub async fn create_labelled(&self, name: &str, label: &str, value: &str) -> Result<Object, Halt> {
        let mut body = self.body(name, "first");
        body["metadata"]["labels"][label] = value.into();
        self.create_body(&body).await
    }

    /// Creates this object.
    pub async fn create_body(&self, body: &Value) -> Result<Object, Halt> {
        let name = body["metadata"]["name"].as_str().unwrap_or_default();
        let created = self.cx.send(Request::post(self.path(), body)).await?;
        self.arranged(&created, &format!("create {}", self.path_of(name)))
    }

    /// Creates several objects, in this order.
    pub async fn create_all(&self, names: &[&str]) -> Result<Vec<Object>, Halt> {
        let mut objects = Vec::with_capacity(names.len());
        for name in names {
            objects.push(self.create(name).await?);
        }
        Ok(objects)
    }

    /// Writes a value into an object; a failure is a test error.
    pub async fn write(&self, name: &str, value: &str) -> Result<Object, Halt> {
        self.patch(name, &self.change(value)).await
    }

    /// Applies a merge patch; a failure is a test error.
    pub async fn patch(&self, name: &str, patch: &Value) -> Result<Object, Halt> {
        let patched = self.cx.send(Request::merge_patch(self.path_of(name), patch)).await?;
        self.arranged(&patched, &format!("patch {}", self.path_of(name)))
    }

    /// Deletes an object; a failure is a test error.
    pub async fn delete(&self, name: &str) -> Result<(), Halt> {
        let deleted = self.cx.send(Request::delete(self.path_of(name))).await?;
        self.arranged(&deleted, &format!("delete {}", self.path_of(name))).map(drop)
    }

    /// The object of a successful write. Other clauses test its 2xx code.
    fn arranged(&self, exchange: &Exchange, action: &str) -> Result<Object, Halt> {
        exchange.written().map_err(|_| self.cx.test_error(action, exchange.brief()).into())
    }

    /// A GET of one object.
    pub fn get(&self, name: &str) -> Query {
        Query::new(self.cx.clone(), Request::get(self.path_of(name)))
    }

    /// A list request. Where the collection has objects of others, a long list may lack some of them.
    pub fn list(&self) -> Query {
        Query::new(self.cx.clone(), self.read())
    }

    /// A watch request. Where the collection has objects of others, a long stream may lack some of them.
    pub fn watch(&self) -> Query {
        Query::new(self.cx.clone(), self.read().query("watch", 1))
    }

    fn read(&self) -> Request {
        let request = Request::get(self.path());
        // All names, and all names of namespaces, contain the ID of the run.
        if self.namespace.is_none() { request.needing_items(&self.cx.session().id) } else { request }
    }

    /// The current list.
    pub async fn now(&self) -> Result<Page, Halt> {
        self.list().page().await
    }
}

fn path(resource: &Resource, namespace: Option<&str>) -> String {
    let root = resource.root();
    match namespace {
        Some(namespace) => format!("{root}/namespaces/{namespace}/{}", resource.plural),
        None => format!("{root}/{}", resource.plural),
    }
}
