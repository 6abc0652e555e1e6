//! Discovery: scenarios send no request for a type that discovery does not list, whatever the response to a GET.

use super::Context;
use model::{GROUP, Halt, Request, Resource, ResourceUnderTest, TargetInfo};
use target::types_of;

use crate::collection::Collection;

/// The plurals in one discovery document: empty after a 404, `None` if the response is not a document.
async fn plurals(cx: &Context, root: &str) -> Result<Option<Vec<String>>, Halt> {
    let discovered = cx.send(Request::get(root)).await?;
    let valid =
        discovered.status() == 404 || discovered.json().is_some_and(|json| json["resources"].is_array());
    let types = valid.then(|| types_of(&discovered, |_| true));
    Ok(types.map(|types| types.into_iter().map(|ty| ty.plural).collect()))
}

/// Why scenarios send no request for a type.
fn not_listed(resource: &Resource) -> String {
    format!("discovery does not list {} in {}", resource.plural, resource.api_version())
}

/// Whether a server has discovery: mocks may lack it.
fn has_discovery(target_info: &TargetInfo) -> bool {
    !target_info.groups.is_empty()
}

impl Context {
    /// Whether discovery lists a type; `true` without a valid document.
    async fn lists(&self, resource: &Resource) -> Result<bool, Halt> {
        let mut known = self.session().discovered.lock().await;
        let api_version = resource.api_version();
        if !known.contains_key(&api_version) {
            let branch = self.session().client.shared(&api_version);
            known.insert(api_version.clone(), branch.run(plurals(self, &resource.root())).await?);
        }
        let listed = known.get(&api_version).and_then(Option::as_ref);
        Ok(listed.is_none_or(|plurals| plurals.contains(&resource.plural)))
    }

    /// Whether discovery lists a type. The run's own types count as listed: discovery lists them a moment late.
    pub async fn discovers(&self, resource: &Resource) -> Result<bool, Halt> {
        if resource.group.ends_with(GROUP) || !has_discovery(self.target_info()) {
            return Ok(true);
        }
        let served = self.target_info().serves(&resource.group);
        Ok(served && self.lists(resource).await?)
    }

    /// Skips if discovery does not list a type.
    pub async fn require_listed(&self, resource: &Resource) -> Result<(), Halt> {
        if self.discovers(resource).await? {
            return Ok(());
        }
        Err(self.lacks(&resource.kind, not_listed(resource)))
    }

    /// A type of namespaced objects, in the scenario's namespace. Skips if discovery does not list it.
    pub async fn collection(&self, resource: Resource) -> Result<Collection, Halt> {
        self.require_listed(&resource).await?;
        self.in_namespace(ResourceUnderTest::of(resource).into()).await
    }

    /// The same; `None` if discovery does not list it.
    pub async fn collection_if_listed(&self, resource: Resource) -> Result<Option<Collection>, Halt> {
        if !self.discovers(&resource).await? {
            return Ok(None);
        }
        self.in_namespace(ResourceUnderTest::of(resource).into()).await.map(Some)
    }
}
