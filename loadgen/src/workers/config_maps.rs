//! A rendezvous at an API server: one `ConfigMap` for each document.

use std::collections::BTreeMap;
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use harness::{Client, Exchange, RUN_LABEL, Request, TestError};
use serde_json::{Value, json};

use super::rendezvous::Rendezvous;

/// The pause between two reads.
const PAUSE: Duration = Duration::from_millis(200);

/// A `ConfigMap` takes 1 MiB, with its metadata.
const LONGEST: usize = (1 << 20) - (16 << 10);

/// The key of the text.
const KEY: &str = "document";

/// The `ConfigMaps` of a run.
pub struct ConfigMaps {
    client: Client,
    collection: String,
    name: String,
    /// The metadata of the `ConfigMaps` that it creates: their owners.
    metadata: Value,
}

impl ConfigMaps {
    /// The `ConfigMaps` in a namespace whose names begin with a name.
    pub fn new(client: Client, namespace: &str, name: &str) -> Self {
        let collection = format!("/api/v1/namespaces/{namespace}/configmaps");
        Self { client, collection, name: name.to_owned(), metadata: json!({}) }
    }

    /// New `ConfigMaps` belong to this object: they disappear with it.
    pub fn owned_by(mut self, owner: &Value) -> Self {
        self.metadata["ownerReferences"] = json!([owner]);
        self
    }

    /// The name of the `ConfigMap` of a document.
    pub fn name_of(name: &str, document: &str) -> String {
        format!("{name}-{document}")
    }

    fn path(&self, document: &str) -> String {
        format!("{}/{}", self.collection, Self::name_of(&self.name, document))
    }

    async fn create(&self, document: &str, text: &str) -> Result<(), TestError> {
        let mut metadata = self.metadata.clone();
        metadata["name"] = Self::name_of(&self.name, document).into();
        metadata["labels"] = json!({ RUN_LABEL: self.name, "app.kubernetes.io/managed-by": "kube-assay" });
        let object =
            json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": { KEY: text } });
        self.accept("create", document, Request::post(&self.collection, &object)).await.map(drop)
    }

    async fn read(&self, document: &str) -> Result<Option<String>, TestError> {
        let response = self.send(Request::get(self.path(document))).await?;
        match response.status() {
            404 => Ok(None),
            200 => Ok(response.json().and_then(text)),
            _ => Err(self.failed("read", document, &response)),
        }
    }

    async fn list(&self) -> Result<BTreeMap<String, String>, TestError> {
        let request =
            Request::get(&self.collection).query("labelSelector", format!("{RUN_LABEL}={}", self.name));
        let response = self.accept("list", "", request).await?;
        let prefix = format!("{}-", self.name);
        let items = response.json().and_then(|list| list["items"].as_array()).into_iter().flatten();
        let document = |item: &Value| {
            let name = item["metadata"]["name"].as_str()?.strip_prefix(&prefix)?.to_owned();
            Some((name, text(item)?))
        };
        Ok(items.filter_map(document).collect())
    }

    async fn write(&self, document: &str, text: &str) -> Result<(), TestError> {
        if text.len() > LONGEST {
            let attempted = format!("write the ConfigMap {}", Self::name_of(&self.name, document));
            let why = format!("a document of {} bytes is too long for a ConfigMap", text.len());
            return Err(
                TestError::new(attempted, why).hint("share a folder instead, or give a smaller template")
            );
        }
        let patch = json!({ "data": { KEY: text } });
        let request = Request::merge_patch(self.path(document), &patch);
        let response = self.send(request).await?;
        match response.status() {
            404 => self.create(document, text).await,
            200..300 => Ok(()),
            _ => Err(self.failed("write", document, &response)),
        }
    }

    async fn accept(&self, verb: &str, document: &str, request: Request) -> Result<Exchange, TestError> {
        let response = self.send(request).await?;
        if response.succeeded() { Ok(response) } else { Err(self.failed(verb, document, &response)) }
    }

    async fn send(&self, request: Request) -> Result<Exchange, TestError> {
        let (exchange, _) = self.client.send_patiently(request, "kube-assay rendezvous").await?;
        Ok(exchange)
    }

    fn failed(&self, verb: &str, document: &str, response: &Exchange) -> TestError {
        let name = Self::name_of(&self.name, document);
        let why = self.client.redactor().redact(&response.brief());
        let test_error = TestError::new(format!("{verb} the ConfigMap {name}"), why);
        match response.status() {
            401 | 403 => test_error.hint("use credentials with permission for ConfigMaps in that namespace"),
            _ => test_error,
        }
    }
}

/// The text of a `ConfigMap`; `None` if it has none yet.
fn text(config_map: &Value) -> Option<String> {
    config_map["data"][KEY].as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}

impl Rendezvous for ConfigMaps {
    fn get(&self, name: String) -> BoxFuture<'_, Result<Option<String>, TestError>> {
        async move { self.read(&name).await }.boxed()
    }

    fn get_all(&self, names: Vec<String>) -> BoxFuture<'_, Result<BTreeMap<String, String>, TestError>> {
        async move {
            let mut found = self.list().await?;
            found.retain(|name, _| names.contains(name));
            Ok(found)
        }
        .boxed()
    }

    fn put(&self, name: String, text: String) -> BoxFuture<'_, Result<(), TestError>> {
        async move { self.write(&name, &text).await }.boxed()
    }

    /// Creates those that do not exist: workers need no right to create any.
    fn reset(&self, names: Vec<String>) -> BoxFuture<'_, Result<(), TestError>> {
        async move {
            for name in names {
                self.write(&name, "").await?;
            }
            Ok(())
        }
        .boxed()
    }

    fn remove(&self, name: String) -> BoxFuture<'_, Result<(), TestError>> {
        async move {
            let response = self.send(Request::delete(self.path(&name))).await?;
            match response.status() {
                404 | 200..300 => Ok(()),
                _ => Err(self.failed("remove", &name, &response)),
            }
        }
        .boxed()
    }

    fn pause(&self) -> Duration {
        PAUSE
    }
}
