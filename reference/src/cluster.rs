//! Cluster state: store, type registry, health checks and settings.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;
use serde_json::Value;
use tokio::sync::{Notify, watch};

use crate::cel::deviation::Deviations;
use crate::deprecation::DeprecatedRequests;
use crate::health::Health;
use crate::metadata::text;
use crate::metrics::RequestCounts;
use crate::registry::Registry;
use crate::semantics::Semantics;
use crate::shared_body::SharedBodies;
use crate::store::{Object, Store};
use crate::variant::Behaviours;
use crate::work_permit::WorkPermits;
use crate::{definition, lifecycle};

/// The state behind the requests.
pub(crate) struct Cluster {
    pub(crate) store: Box<dyn Store>,
    /// The decisions that a fault can change.
    pub(crate) semantics: Box<dyn Semantics>,
    /// The deviations of expressions.
    pub(crate) expressions: Deviations,
    /// The served types.
    pub(crate) registry: Registry,
    /// The definitions whose types are served, by name, in the state that was served last.
    defined: Mutex<HashMap<String, Object>>,
    /// The state of the health endpoints.
    pub(crate) health: Health,
    /// The use of deprecated types.
    pub(crate) deprecated: DeprecatedRequests,
    /// The number of requests.
    pub(crate) requests: RequestCounts,
    pub(crate) bodies: SharedBodies,
    /// What large requests wait for.
    pub(crate) permits: WorkPermits,
    /// Wakes the lifecycle task.
    pub(crate) sweep: Notify,
    /// True once the server stops: watches end.
    pub(crate) closing: watch::Sender<bool>,
    pub(crate) started: Timestamp,
    /// Requests without credentials are the administrator's.
    pub(crate) open: bool,
    /// The behaviours that differ from kube-apiserver.
    pub(crate) behaviours: Behaviours,
    /// The first requests for a new custom type get 429.
    pub(crate) warm_up: bool,
}

impl Cluster {
    /// A cluster with its built-in types and first namespaces.
    pub(crate) fn new(
        store: Box<dyn Store>,
        semantics: Box<dyn Semantics>,
        expressions: Deviations,
        behaviours: Behaviours,
        open: bool,
        warm_up: bool,
    ) -> Self {
        let cluster = Self {
            store,
            semantics,
            expressions,
            registry: Registry::new(),
            defined: Mutex::default(),
            health: Health::default(),
            deprecated: DeprecatedRequests::default(),
            requests: RequestCounts::default(),
            bodies: SharedBodies::default(),
            permits: WorkPermits::default(),
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
        // An error means that the cluster no longer exists.
        let _ = self.closing.subscribe().wait_for(|closing| *closing).await;
    }

    /// Serves the types of a definition in its current state, or stops when it is deleted.
    pub(crate) fn define(&self, crd: &Object) {
        let mut defined = self.defined.lock().unwrap_or_else(PoisonError::into_inner);
        let known = defined.insert(text(crd, "name").to_owned(), crd.clone());
        if known.is_some_and(|known| known == *crd) {
            return;
        }
        let (group, plural) = definition::place(crd);
        let types = definition::served(crd);
        if let Some(ty) = types.first() {
            self.store.open(&ty.collection(), false);
        }
        if types.iter().any(|ty| self.registry.changes(ty)) {
            self.store.refresh(&format!("{plural}.{group}"));
        }
        self.registry.replace(&group, &plural, types);
    }

    /// Stops serving the types of a definition.
    pub(crate) fn undefine(&self, crd: &Value) {
        self.defined.lock().unwrap_or_else(PoisonError::into_inner).remove(text(crd, "name"));
        let (group, plural) = definition::place(crd);
        self.registry.replace(&group, &plural, Vec::new());
    }
}
