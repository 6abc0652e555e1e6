//! Another writer beside the run, such as a controller that annotates all `ConfigMaps`, or another server at the address: a
//! failure may be its doing.

use std::collections::BTreeSet;

use model::Request;
use serde_json::Value;

use crate::fixture::{METADATA, namespace_manifest, path_of};
use crate::session::Session;

/// The name of the object that the run creates and never changes.
const NAME: &str = "unchanged";

/// The name of the object beside it that is written without a change.
pub(crate) const REWRITTEN: &str = "rewritten";

/// The name of the object beside it that shows whether the store takes a write.
pub(crate) const STORED: &str = "stored";

/// The number of connections that look for another server: a load balancer may send each to one.
const CONNECTIONS: u8 = 6;

/// What a look for another server at the address shows.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ServerIdentity {
    /// The server is the one from before the first scenario.
    Same,
    /// Another server or another release responds, and how it shows itself.
    Changed(String),
    /// Nothing responds, or nobody can tell.
    Unknown,
}

impl ServerIdentity {
    fn of(change: Option<String>) -> Self {
        change.map_or(Self::Same, Self::Changed)
    }
}

/// An object that the run creates before the first scenario, and never changes.
#[derive(Debug)]
pub(crate) struct Unchanged {
    namespace: String,
    collection: String,
    created: Value,
}

impl Unchanged {
    /// Creates the object; `None` where the server refuses it, or does not show it.
    pub(crate) async fn create(session: &Session) -> Option<Self> {
        let fixtures = &session.fixtures;
        let namespace = fixtures.register_namespace(0);
        let manifest = namespace_manifest(&namespace, &session.id, NAME);
        let created = fixtures.send(Request::post("/api/v1/namespaces", &manifest)).await.ok()?;
        if !created.succeeded() {
            fixtures.forget_refused_namespace(&namespace).await;
            return None;
        }
        let created = fixtures.create_configmap(&namespace, NAME).await?;
        let (collection, created) = (created.request.path.clone(), created.json()?.clone());
        let this = Self { namespace, collection, created };
        // A server that does not respond must not delay an interruption.
        let is_shown = session.stop.run_until_cancelled(this.is_shown(session)).await??;
        is_shown.then_some(this)
    }

    async fn is_shown(&self, session: &Session) -> Option<bool> {
        Some(self.is_read(session, 0).await? && self.is_listed(session, 0).await?)
    }

    fn path(&self) -> String {
        path_of(&self.collection, NAME)
    }

    /// Whether the server on this connection is the same. It is another one if neither a read nor a list has the object:
    /// one of the two alone is a server's mistake.
    async fn server(&self, session: &Session, connection: u8) -> ServerIdentity {
        match self.is_lost(session, connection).await {
            None => ServerIdentity::Unknown,
            Some(false) => ServerIdentity::Same,
            Some(true) => {
                let why = "another server responds, or another program deletes objects";
                let path = self.path();
                ServerIdentity::Changed(format!("{path} is gone, and the run did not delete it: {why}"))
            }
        }
    }

    async fn is_lost(&self, session: &Session, connection: u8) -> Option<bool> {
        Some(!self.is_read(session, connection).await? && !self.is_listed(session, connection).await?)
    }

    async fn is_read(&self, session: &Session, connection: u8) -> Option<bool> {
        let read = session.fixtures.send(Request::get(self.path()).connection(connection)).await.ok()?;
        if read.status() == 404 {
            return Some(false);
        }
        read.json().filter(|_| read.succeeded()).map(|object| self.is_this(object))
    }

    /// A server that had the list before and has none now is another one, or a proxy in its place.
    async fn is_listed(&self, session: &Session, connection: u8) -> Option<bool> {
        let list = Request::get(&self.collection).connection(connection);
        let listed = session.fixtures.send(list).await.ok()?;
        if !listed.succeeded() && listed.status() != 404 {
            return None;
        }
        let items = listed.json().and_then(|list| list["items"].as_array());
        Some(items.is_some_and(|items| items.iter().any(|item| self.is_this(item))))
    }

    fn is_this(&self, object: &Value) -> bool {
        object["metadata"]["uid"] == self.created["metadata"]["uid"]
    }

    /// The names of the objects beside it that the run did not create.
    async fn others(&self, session: &Session) -> Option<Vec<String>> {
        let listed = session.fixtures.page(Request::get(&self.collection).accept(METADATA)).await.ok()?;
        let items = listed["items"].as_array().into_iter().flatten();
        let names = items.filter_map(|item| item["metadata"]["name"].as_str());
        Some(names.filter(|name| ![NAME, REWRITTEN, STORED].contains(name)).map(str::to_owned).collect())
    }

    /// Whether an object is beside it: a server may list what does not exist.
    async fn has_beside(&self, name: &str, session: &Session) -> bool {
        let read = session.fixtures.send(Request::get(path_of(&self.collection, name))).await;
        read.is_ok_and(|read| read.succeeded())
    }

    /// Who else has written to the object; `None` if nobody has, or if it cannot be read.
    async fn writers(&self, session: &Session) -> Option<String> {
        let read = session.fixtures.send(Request::get(self.path())).await.ok()?;
        let version = |object: &Value| object["metadata"]["resourceVersion"].clone();
        let now = read.json().filter(|now| read.succeeded() && version(now) != version(&self.created))?;
        let managers: Vec<_> = managers(now).difference(&managers(&self.created)).cloned().collect();
        let who = Some(managers.join(", ")).filter(|who| !who.is_empty())?;
        Some(format!("{who} changes objects of the run, such as {}", self.path()))
    }
}

fn managers(object: &Value) -> BTreeSet<String> {
    let entries = object["metadata"]["managedFields"].as_array().into_iter().flatten();
    entries.filter_map(|entry| entry["manager"].as_str()).map(str::to_owned).collect()
}

impl Session {
    /// How the server differs from that before the first scenario; `None` if it does not, or does not respond.
    pub(crate) async fn server_change(&self) -> Option<String> {
        match self.server_identity().await {
            ServerIdentity::Changed(change) => Some(change),
            ServerIdentity::Unknown => None,
            ServerIdentity::Same => {
                let (groups, decrease) = (self.differing_groups().await, self.created_versions.decrease());
                if groups.is_none() && decrease.is_none() {
                    return None;
                }
                // What a restored store explains says more than groups that differ for a time.
                let changes = [self.lost_object.get().cloned(), decrease, groups].into_iter().flatten();
                Some(self.availability.explain(changes.collect::<Vec<_>>().join("; ")))
            }
        }
    }

    /// Whether the server is another one, or of another release. A server that has the unchanged object is the same,
    /// whatever UID it shows for its cluster.
    pub(crate) async fn server_identity(&self) -> ServerIdentity {
        let before = &self.target_info;
        for connection in 0..CONNECTIONS {
            let server = match self.present_unchanged() {
                Some(unchanged) => unchanged.server(self, connection).await,
                None => ServerIdentity::of(self.client.cluster_change(before, connection).await),
            };
            match server {
                ServerIdentity::Same => {}
                ServerIdentity::Unknown => return ServerIdentity::Unknown,
                ServerIdentity::Changed(change) => {
                    self.fixtures.distrust_absence();
                    return ServerIdentity::Changed(self.availability.explain(change));
                }
            }
        }
        // Several servers of one store may differ in their release, as during an upgrade.
        for connection in 0..CONNECTIONS {
            if let Some(change) = self.client.release_change(before, connection).await {
                return ServerIdentity::Changed(self.availability.explain(change));
            }
        }
        ServerIdentity::Same
    }

    /// How Kubernetes' own groups differ. It is the weakest sign: a server that starts has other groups for a time.
    pub(crate) async fn groups_change(&self) -> Option<String> {
        Some(self.availability.explain(self.differing_groups().await?))
    }

    async fn differing_groups(&self) -> Option<String> {
        self.client.groups_change(&self.target_info, &self.fixtures.names_of_run()).await
    }

    /// How the server differs; `None` after the request timeout.
    pub(crate) async fn server_change_in_time(&self) -> Option<String> {
        target::timeout(self.settings.request_timeout, self.server_change()).await.flatten()
    }

    /// Who else changes objects of the run; `None` if nobody does.
    pub(crate) async fn other_writers(&self) -> Option<String> {
        self.present_unchanged()?.writers(self).await
    }

    /// A `ConfigMap` that another program creates in each namespace, and that `shown` accepts. Scenarios wait for those that
    /// are published: they expect them.
    pub(crate) async fn created_by_others(&self, shown: impl Fn(&str) -> bool) -> Option<String> {
        let unchanged = self.present_unchanged()?;
        let expected = self.published.get().map(Vec::as_slice).unwrap_or_default();
        let is_unexpected = |name: &String| !expected.contains(&name.as_str()) && shown(name);
        let name = unchanged.others(self).await?.into_iter().find(is_unexpected)?;
        unchanged.has_beside(&name, self).await.then_some(name)
    }

    /// The namespace of the unchanged object, until the run itself removes it.
    pub(crate) fn namespace_of_unchanged(&self) -> Option<&str> {
        Some(&self.present_unchanged()?.namespace)
    }

    /// The unchanged object, until the run itself removes it.
    fn present_unchanged(&self) -> Option<&Unchanged> {
        self.unchanged.get().filter(|unchanged| self.fixtures.holds_collection(&unchanged.collection))
    }
}
