//! Namespaces of a scenario, and collections in them.

use std::sync::Arc;
use std::time::Duration;

use target::Instant;

use super::Context;
use model::{CONTROLLER_CONFIGMAPS, Halt, Page, Request, Resource, ResourceUnderTest, Subject};

use crate::collection::Collection;
use crate::fixture::namespace_manifest;

/// The time for a controller of Deployments to write to a new one.
const CONTROLLER_WITHIN: Duration = Duration::from_secs(3);

/// The same where no namespace controller runs: then there is probably no other controller.
const CONTROLLER_WITHIN_OF_BARE_SERVER: Duration = Duration::from_millis(500);

/// The reason to skip a scenario that needs namespaces.
pub(super) const NO_NAMESPACES: &str = "no namespace can be created on this server";

impl Context {
    /// The scenario's own namespace, created at first use.
    pub async fn namespace(&self) -> Result<&str, Halt> {
        self.inner.namespace.get_or_try_init(|| self.another_namespace()).await.map(String::as_str)
    }

    /// A further namespace, for a scenario with several.
    pub async fn another_namespace(&self) -> Result<String, Halt> {
        self.create_namespace(self.inner.session.fixtures.register_namespace(self.inner.number)).await
    }

    /// A further namespace; its name begins with this name of another one.
    pub async fn namespace_beginning_with(&self, namespace: &str) -> Result<String, Halt> {
        self.create_namespace(self.inner.session.fixtures.register_namespace_after(namespace)).await
    }

    async fn create_namespace(&self, name: String) -> Result<String, Halt> {
        self.create_namespace_for(self.inner.scenario.as_str(), name).await
    }

    async fn create_namespace_for(&self, scenario: &str, name: String) -> Result<String, Halt> {
        let session = &self.inner.session;
        if session.fixtures.lacks_namespaces() {
            return Ok(name);
        }
        let body = namespace_manifest(&name, &session.id, scenario);
        let created = self.send(Request::post("/api/v1/namespaces", &body)).await?;
        if !created.succeeded() {
            if (400..500).contains(&created.status()) {
                session.fixtures.forget_refused_namespace(&name).await;
            }
            return Err(self.test_error(format!("create the namespace {name}"), created.brief()).into());
        }
        for published in self.published().await? {
            self.wait_for_published(&name, published).await?;
        }
        Ok(name)
    }

    /// Whether the server has namespaces; without them, a path may contain any name.
    pub fn has_namespaces(&self) -> bool {
        !self.inner.session.fixtures.lacks_namespaces()
    }

    /// Whether controllers act on what is stored: a bare API server has none.
    pub async fn has_controllers(&self) -> bool {
        self.inner.session.fixtures.controller().await
    }

    /// Skips on a server without namespaces.
    pub fn needs_namespaces(&self) -> Result<(), Halt> {
        if self.has_namespaces() { Ok(()) } else { Err(Halt::Skipped(NO_NAMESPACES.to_owned())) }
    }

    /// Waits until a controller has created a `ConfigMap` that it creates in every namespace.
    async fn wait_for_published(&self, namespace: &str, name: &str) -> Result<(), Halt> {
        let path = format!("/api/v1/namespaces/{namespace}/configmaps/{name}");
        let deadline = Instant::now() + self.event_timeout();
        let there = self
            .poll(deadline, || async { Ok(self.send(Request::get(&path)).await?.succeeded().then_some(())) });
        let why = "the controller that puts it into every namespace has not done so in time";
        there.await?.ok_or_else(|| self.late(format!("find {path}"), why).into())
    }

    /// The collection of the resource under test, in the scenario's namespace.
    pub async fn collection_under_test(&self) -> Result<Collection, Halt> {
        match &self.inner.subject {
            Subject::ConfigMap => self.configmaps().await,
            Subject::Deployment => self.deployments().await,
            Subject::ClusterScoped => Ok(self.cluster_scoped(Arc::new(ResourceUnderTest::cluster_roles()))),
            Subject::CustomResource => self.custom_resources().await,
            Subject::Named(resource) if resource.namespaced => self.in_namespace(resource.clone()).await,
            Subject::Named(resource) => Ok(self.cluster_scoped(resource.clone())),
        }
    }

    /// `ConfigMaps` in the scenario's namespace.
    pub async fn configmaps(&self) -> Result<Collection, Halt> {
        self.collection(Resource::configmaps()).await
    }

    /// Deployments in the scenario's namespace. Skips where discovery does not list them, or a controller changes them.
    pub async fn deployments(&self) -> Result<Collection, Halt> {
        let deployments = ResourceUnderTest::deployments();
        self.require_listed(&deployments.resource).await?;
        if self.deployments_change().await? {
            let reason =
                "a controller on this server changes Deployments: the scenario needs a server without it";
            return Err(Halt::Skipped(reason.to_owned()));
        }
        self.in_namespace(Arc::new(deployments)).await
    }

    /// Whether a controller changes Deployments; tested once per run.
    async fn deployments_change(&self) -> Result<bool, Halt> {
        let known = &self.session().deployments_change;
        let branch = || self.session().client.shared("the controller of Deployments");
        known.get_or_try_init(|| branch().run(self.sees_controller_of_deployments())).await.copied()
    }

    /// The `ConfigMaps` that controllers create in every namespace: the namespace `default` has them.
    async fn published(&self) -> Result<&[&'static str], Halt> {
        let look = async || {
            let mut published = CONTROLLER_CONFIGMAPS.to_vec();
            let shown = self.send(Request::get("/api/v1/namespaces/default/configmaps")).await?;
            let there = shown.json().and_then(|json| Page::read(json, shown.index));
            published.retain(|name| there.as_ref().is_some_and(|page| page.item(name).is_some()));
            Ok(published)
        };
        let branch = self.session().client.shared("the published ConfigMaps");
        self.session().published.get_or_try_init(|| branch.run(look())).await.map(Vec::as_slice)
    }

    /// Whether a controller writes to a new Deployment, and so may change it at any time.
    async fn sees_controller_of_deployments(&self) -> Result<bool, Halt> {
        let within = if self.inner.session.fixtures.controller().await {
            CONTROLLER_WITHIN
        } else {
            CONTROLLER_WITHIN_OF_BARE_SERVER
        };
        // In a replay, another scenario may be the first: the requests must not depend on which one it is.
        let name = self.inner.session.fixtures.register_namespace(0);
        let namespace = self.create_namespace_for("deployments", name).await?;
        let probes =
            Collection::new(self.clone(), Arc::new(ResourceUnderTest::deployments()), Some(namespace));
        probes.create("probe").await?;
        let deadline = Instant::now() + within.min(self.event_timeout() / 4);
        let looked_at = self.poll(deadline, || async {
            let shown = probes.get("probe").await?;
            let touched = shown.json().is_some_and(|json| {
                json["status"]["observedGeneration"].is_number()
                    || json["metadata"]["annotations"].is_object()
            });
            Ok(touched.then_some(()))
        });
        Ok(looked_at.await?.is_some())
    }

    pub(super) async fn in_namespace(&self, resource: Arc<ResourceUnderTest>) -> Result<Collection, Halt> {
        Ok(Collection::new(self.clone(), resource, Some(self.namespace().await?.to_owned())))
    }

    /// A cluster-scoped type: the names of the scenario's own objects have a common beginning.
    fn cluster_scoped(&self, resource: Arc<ResourceUnderTest>) -> Collection {
        let beginning = self.inner.session.fixtures.names_of(self.inner.number);
        Collection::cluster_scoped(self.clone(), resource, beginning)
    }

    /// The run's custom resource, in the scenario's namespace.
    pub async fn custom_resources(&self) -> Result<Collection, Halt> {
        let resource = self.gadgets_resource().await?;
        self.defined(resource).await
    }

    /// A custom resource without objects of other scenarios, in the scenario's namespace.
    pub async fn fresh_custom_resources(&self) -> Result<Collection, Halt> {
        let resource = crate::definition::define(self, &format!("fresh{}", self.inner.number)).await?;
        self.defined(resource).await
    }

    /// One of the custom resources that a run defines, in the scenario's namespace.
    pub(super) async fn defined(&self, resource: Resource) -> Result<Collection, Halt> {
        self.in_namespace(Arc::new(ResourceUnderTest::defined(resource))).await
    }
}
