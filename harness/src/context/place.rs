//! Where a scenario works: namespaces of its own, and collections in them.

use tokio::time::Instant;

use super::Context;
use crate::collection::{Collection, Resource};
use crate::fixture::namespace_manifest;
use crate::outcome::Halt;
use crate::request::Request;
use crate::scenario::Subject;

impl Context {
    /// The scenario's own namespace, created at first use.
    pub async fn namespace(&self) -> Result<&str, Halt> {
        self.inner.namespace.get_or_try_init(|| self.another_namespace()).await.map(String::as_str)
    }

    /// A further namespace, for what spans several.
    pub async fn another_namespace(&self) -> Result<String, Halt> {
        let shared = &self.inner.shared;
        let name = shared.fixtures.register_namespace(self.inner.number);
        let body = namespace_manifest(&name, &shared.id, self.inner.scenario.as_str());
        let created = self.send(Request::post("/api/v1/namespaces", &body)).await?;
        if created.status() != 201 {
            if (400..500).contains(&created.status()) {
                shared.fixtures.forget_namespace(&name);
            }
            return Err(self.obstacle(format!("create the namespace {name}"), created.brief()).into());
        }
        for published in shared.published(self).await? {
            self.wait_for_published(&name, published).await?;
        }
        Ok(name)
    }

    /// Until a controller has put into a namespace what it puts into every one.
    async fn wait_for_published(&self, namespace: &str, name: &str) -> Result<(), Halt> {
        let path = format!("/api/v1/namespaces/{namespace}/configmaps/{name}");
        let deadline = Instant::now() + self.patience();
        let there = self
            .poll(deadline, || async { Ok(self.send(Request::get(&path)).await?.succeeded().then_some(())) });
        let why = "the controller that puts it into every namespace has not done so in time";
        there.await?.ok_or_else(|| self.obstacle(format!("find {path}"), why).into())
    }

    /// The collection that a generic scenario asks about: its subject, in its namespace.
    pub async fn things(&self) -> Result<Collection, Halt> {
        match self.inner.subject {
            Subject::ConfigMap => self.configmaps().await,
            Subject::CustomResource => self.custom_resources().await,
        }
    }

    /// `ConfigMaps` in the scenario's namespace.
    pub async fn configmaps(&self) -> Result<Collection, Halt> {
        self.collection(Resource::configmaps()).await
    }

    /// A type of namespaced objects, in the scenario's namespace.
    pub async fn collection(&self, resource: Resource) -> Result<Collection, Halt> {
        Ok(Collection::new(self.clone(), resource, Some(self.namespace().await?.to_owned())))
    }

    /// The run's custom resource, in the scenario's namespace.
    pub async fn custom_resources(&self) -> Result<Collection, Halt> {
        let resource = self.inner.shared.definition(self).await?;
        self.collection(resource).await
    }

    /// A custom resource that nobody has used yet, in the scenario's namespace.
    pub async fn fresh_custom_resources(&self) -> Result<Collection, Halt> {
        let resource = crate::definition::define(self, &format!("fresh{}", self.inner.number)).await?;
        Ok(Collection::new(self.clone(), resource, Some(self.namespace().await?.to_owned())))
    }
}
