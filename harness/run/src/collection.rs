//! A collection of a scenario's own, and the requests that are made to it.

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
    shape: Arc<ResourceUnderTest>,
    namespace: Option<String>,
    /// What the names of the scenario's own objects begin with, where there is no namespace to tell them.
    beginning: Option<String>,
}

impl Collection {
    pub(crate) fn new(cx: Context, shape: Arc<ResourceUnderTest>, namespace: Option<String>) -> Self {
        if let Some(namespace) = &namespace {
            let path = path(&shape.resource, Some(namespace));
            cx.session().fixtures.register_collection(namespace, &path);
        }
        Self { cx, shape, namespace, beginning: None }
    }

    /// Of a type without namespaces.
    pub(crate) fn cluster_scoped(cx: Context, shape: Arc<ResourceUnderTest>, beginning: String) -> Self {
        cx.session().fixtures.register_shared(&path(&shape.resource, None), true);
        Self { cx, shape, namespace: None, beginning: Some(beginning) }
    }

    /// Its type.
    pub fn resource(&self) -> &Resource {
        &self.shape.resource
    }

    /// How its objects are written.
    pub fn resource_under_test(&self) -> &ResourceUnderTest {
        &self.shape
    }

    /// Whether its objects live in namespaces. Where they do not, others' are in its lists, too.
    pub fn is_namespaced(&self) -> bool {
        self.shape.namespaced
    }

    /// Whether the status is written by a subresource.
    pub fn has_status(&self) -> bool {
        self.shape.status
    }

    /// Whether there is a scale subresource.
    pub fn has_scale(&self) -> bool {
        self.shape.scale
    }

    /// Its path.
    pub fn path(&self) -> String {
        path(&self.shape.resource, self.namespace.as_deref())
    }

    /// The whole name of one of the scenario's objects, as in `metadata.name`: where there are no namespaces it is not
    /// the scenario's own word for it.
    pub fn name_of(&self, name: &str) -> String {
        match &self.beginning {
            Some(beginning) if !name.starts_with(beginning.as_str()) => format!("{beginning}{name}"),
            _ => name.to_owned(),
        }
    }

    /// The path of one of its objects.
    pub fn path_of(&self, name: &str) -> String {
        let path = format!("{}/{}", self.path(), self.name_of(name));
        if self.beginning.is_some() {
            self.cx.session().fixtures.register_thing(&path);
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

    /// The same type in another namespace of the scenario; or other names, where there are no namespaces.
    pub fn within(&self, namespace: &str) -> Self {
        if self.beginning.is_some() {
            return Self { beginning: Some(format!("{namespace}-")), ..self.clone() };
        }
        Self::new(self.cx.clone(), self.shape.clone(), Some(namespace.to_owned()))
    }

    /// The same type in all namespaces.
    pub fn everywhere(&self) -> Self {
        self.cx.session().fixtures.register_shared(&path(&self.shape.resource, None), !self.is_namespaced());
        Self { namespace: None, ..self.clone() }
    }

    /// An object of that name holding one value, as scenarios write it; not yet sent. A template may have it in a label,
    /// so that it has no blanks.
    pub fn body(&self, name: &str, value: &str) -> Value {
        // Whoever asks for a body may send it to anywhere: it must be removed all the same.
        self.path_of(name);
        let mut body = self.shape.body(&self.name_of(name), value);
        if self.beginning.is_some() || self.cx.session().fixtures.makes_up_namespaces() {
            body["metadata"]["labels"][RUN_LABEL] = self.cx.session().id.as_str().into();
        }
        body
    }

    /// A merge patch that writes a value.
    pub fn change(&self, value: &str) -> Value {
        self.shape.change(value)
    }

    /// A merge patch of the status that writes a value there; skips where it is not known what a status may hold.
    pub fn status_change(&self, value: &str) -> Result<Value, Halt> {
        let plural = &self.resource().plural;
        let unknown = || Halt::Skipped(format!("it is not known what the status of {plural} may hold"));
        self.shape.status_change(value).ok_or_else(unknown)
    }

    /// Where an object holds its value, as a JSON pointer: for JSON patches.
    pub fn value_at(&self) -> &str {
        self.shape.value_at()
    }

    /// What somebody else must have to do the same: where this is, and what must be there first.
    pub fn scene(&self) -> Scene {
        let session = self.cx.session();
        let mut needed = Vec::new();
        let own = self.namespace.as_ref().filter(|_| !session.fixtures.makes_up_namespaces());
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
        let own = self.namespace.clone().or_else(|| self.beginning.clone()).unwrap_or_default();
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

    /// Which success it is, is asked elsewhere.
    fn arranged(&self, exchange: &Exchange, attempted: &str) -> Result<Object, Halt> {
        exchange.written().map_err(|_| self.cx.test_error(attempted, exchange.brief()).into())
    }

    /// Asks for one object.
    pub fn get(&self, name: &str) -> Query {
        Query::new(self.cx.clone(), Request::get(self.path_of(name)))
    }

    /// Asks for a list.
    pub fn list(&self) -> Query {
        Query::new(self.cx.clone(), Request::get(self.path()))
    }

    /// Asks for a watch.
    pub fn watch(&self) -> Query {
        Query::new(self.cx.clone(), Request::get(self.path()).query("watch", 1))
    }

    /// The list as it is now.
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
