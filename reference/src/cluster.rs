//! Cluster state: store, type registry, health checks and settings.

use jiff::Timestamp;
use tokio::sync::{Notify, watch};

use crate::health::Health;
use crate::registry::Registry;
use crate::semantics::Semantics;
use crate::store::Store;
use crate::variant::Behaviours;
use crate::{definition, lifecycle};

/// The state behind the requests.
pub(crate) struct Cluster {
    /// The objects.
    pub(crate) store: Box<dyn Store>,
    /// The decisions that a fault can overturn.
    pub(crate) semantics: Box<dyn Semantics>,
    /// The served types.
    pub(crate) registry: Registry,
    /// What the health endpoints say.
    pub(crate) health: Health,
    /// Asks the lifecycle to look for things to clear away.
    pub(crate) sweep: Notify,
    /// True once the server stops: watches end.
    pub(crate) closing: watch::Sender<bool>,
    /// When the server started.
    pub(crate) started: Timestamp,
    /// Takes requests without credentials for the administrator's.
    pub(crate) open: bool,
    /// What it does in its own way.
    pub(crate) behaviours: Behaviours,
    /// Answers the first requests for a new custom type with 429.
    pub(crate) warm_up: bool,
}

impl Cluster {
    /// A cluster with its built-in types and first namespaces.
    pub(crate) fn new(
        store: Box<dyn Store>,
        semantics: Box<dyn Semantics>,
        behaviours: Behaviours,
        open: bool,
        warm_up: bool,
    ) -> Self {
        let cluster = Self {
            store,
            semantics,
            registry: Registry::new(),
            health: Health::default(),
            sweep: Notify::new(),
            closing: watch::Sender::new(false),
            started: Timestamp::now(),
            behaviours,
            open,
            warm_up,
        };
        for ty in cluster.registry.all() {
            cluster.store.open(&ty.collection(), true);
        }
        lifecycle::bootstrap(&cluster);
        cluster
    }

    /// Waits until the server stops.
    pub(crate) async fn closed(&self) {
        // An error means that the cluster is gone, which is just as well.
        let _ = self.closing.subscribe().wait_for(|closing| *closing).await;
    }

    /// Serves what a definition defines, as it now stands (or no longer, if it is gone).
    pub(crate) fn define(&self, crd: &serde_json::Value) {
        let (group, plural) = definition::place(crd);
        let served = definition::served(crd);
        if let Some(ty) = served.first() {
            self.store.open(&ty.collection(), false);
        }
        if served.iter().any(|ty| self.registry.changes(ty)) {
            self.store.refresh(&format!("{plural}.{group}"));
        }
        self.registry.replace(&group, &plural, served);
    }
}
