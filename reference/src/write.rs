//! Write verbs: shared steps, and create.

use std::sync::Arc;

use serde_json::Value;

use crate::admission;
use crate::auth::User;
use crate::cluster::Cluster;
use crate::failure::Failure;
use crate::kubelet;
use crate::managed_fields::{self, Writer};
use crate::metadata::{self, text};
use crate::object_size;
use crate::resource_type::ResourceType;
use crate::store::{Commit, Decision, Object, StoreData};
use crate::strategy::{self, Part};
use crate::variant::Behaviour;
use crate::warnings::Warnings;

/// The maximum number of generated names for one object.
const MAX_NAMES: usize = 8;

/// The manager of the server's own writes.
pub(crate) const ITSELF: &str = "kube-apiserver";

/// The object or collection of a write.
pub(crate) struct Target<'a> {
    pub(crate) cluster: &'a Cluster,
    pub(crate) ty: &'a ResourceType,
    /// The namespace; empty for cluster scope.
    pub(crate) namespace: &'a str,
    /// The name; empty for a collection.
    pub(crate) name: &'a str,
    /// Whether the write is persisted.
    pub(crate) commit: Commit,
    /// The field manager.
    pub(crate) manager: &'a str,
    /// The user who writes.
    pub(crate) user: &'a User,
    /// What the client is warned of.
    pub(crate) warnings: &'a Warnings,
}

impl Target<'_> {
    /// Writes an object of the type.
    pub(crate) fn write(
        &self,
        name: &str,
        decide: impl FnOnce(&StoreData, Option<&Object>) -> Result<Decision, Failure>,
    ) -> Result<Object, Failure> {
        let key = self.ty.key(self.namespace, name);
        let written = self.cluster.store.write(&self.ty.collection(), &key, self.commit, Box::new(decide))?;
        self.follow_up(&written);
        Ok(written)
    }

    /// The stored object in the version of the request, or 404.
    pub(crate) fn found(&self, current: Option<&Object>) -> Result<Value, Failure> {
        let current = current.ok_or_else(|| Failure::not_found(self.ty, self.name))?;
        Ok(self.ty.in_version(current))
    }

    /// Wakes the controllers after a write.
    fn follow_up(&self, written: &Value) {
        if self.commit == Commit::Real && (metadata::is_deleted(written) || self.is_definition()) {
            self.cluster.sweep.notify_one();
        }
    }

    fn is_definition(&self) -> bool {
        self.ty.custom.is_none() && self.ty.plural == "customresourcedefinitions"
    }

    /// Checks that the namespace and name of the body match the path.
    pub(crate) fn check_place(&self, object: &Value) -> Result<(), Failure> {
        let (namespace, name) = (text(object, "namespace"), text(object, "name"));
        if self.ty.namespaced && !namespace.is_empty() && namespace != self.namespace {
            let detail =
                "the namespace of the provided object does not match the namespace sent on the request";
            return Err(Failure::bad_request(detail));
        }
        if self.name.is_empty() || name == self.name {
            return Ok(());
        }
        let url = self.name;
        Err(Failure::bad_request(if name.is_empty() {
            format!("the name of the object ({url} based on URL) was undeterminable: name must be provided")
        } else {
            format!("the name of the object ({name}) does not match the name on the URL ({url})")
        }))
    }
}

/// Creates an object. A taken generated name is replaced by another.
pub(crate) fn create(target: &Target<'_>, object: &Value) -> Result<Object, Failure> {
    target.check_place(object)?;
    create_managed(target, object, None)
}

/// Creates an object, with its `managedFields` if they are known.
pub(crate) fn create_managed(
    target: &Target<'_>,
    object: &Value,
    managers: Option<&Value>,
) -> Result<Object, Failure> {
    let generated = text(object, "name").is_empty() && !text(object, "generateName").is_empty();
    let attempts = if generated { MAX_NAMES } else { 1 };
    let mut created = create_once(target, object.clone(), managers);
    for _ in 1..attempts {
        match created {
            Err(failure) if failure.is_already_exists() => {
                created = create_once(target, object.clone(), managers);
            }
            created => return created,
        }
    }
    created.map_err(|failure| {
        let taken = generated && failure.is_already_exists();
        if taken { failure.worth_a_retry() } else { failure }
    })
}

fn create_once(target: &Target<'_>, mut object: Value, managers: Option<&Value>) -> Result<Object, Failure> {
    let client_version = text(&object, "resourceVersion").to_owned();
    let numeric = client_version.parse::<u64>().is_ok_and(|version| version > 0);
    let tracked = managers.cloned().map_or_else(|| track_new(target, &object), Ok)?;
    metadata::stamp_new(target.ty, target.namespace, &mut object);
    managed_fields::set_entries(&mut object, tracked);
    strategy::create(target.ty, &mut object, &target.cluster.expressions)?;
    admission::admit(target, &mut object)?;
    if target.ty.is_built_in("pods") {
        kubelet::start(target.cluster, &mut object);
    }
    target.ty.convert_to_storage_version(&mut object);
    if numeric {
        target.cluster.semantics.create_with_version(check_unversioned(target))?;
        object["metadata"]["resourceVersion"] = client_version.into();
    }
    let name = text(&object, "name").to_owned();
    target.write(&name, |data, current| {
        check_namespace(target, &name, data)?;
        match current {
            Some(existing) if metadata::is_deleted(existing) => {
                Err(Failure::already_exists(target.ty, &name).while_being_deleted())
            }
            Some(_) => Err(Failure::already_exists(target.ty, &name)),
            None => object_size::put(object, managers.is_some()),
        }
    })
}

/// Only a dry run may create an object with a version; its response has that version.
fn check_unversioned(target: &Target<'_>) -> Result<(), Failure> {
    if target.commit == Commit::Dry {
        return Ok(());
    }
    Err(Failure::untranslated("resourceVersion should not be set on objects to be created"))
}

/// The creator manages all fields of the object and its defaults.
fn track_new(target: &Target<'_>, object: &Value) -> Result<Value, Failure> {
    let mut complete = object.clone();
    strategy::complete(target.ty, &mut complete)?;
    Ok(managed_fields::track(&Writer::new(target.manager, target.ty, Part::Main), None, &complete))
}

fn check_namespace(target: &Target<'_>, name: &str, data: &StoreData) -> Result<(), Failure> {
    if !target.ty.namespaced || target.cluster.behaviours.has(Behaviour::NeedsNoNamespace) {
        return Ok(());
    }
    let Some(namespace) = data.get("namespaces", target.namespace) else {
        let namespaces = namespaces(target.cluster);
        return Err(Failure::not_found(&namespaces, target.namespace));
    };
    if metadata::is_deleted(&namespace) {
        return Err(Failure::terminating(target.ty, name, target.namespace));
    }
    Ok(())
}

fn namespaces(cluster: &Cluster) -> Arc<ResourceType> {
    cluster.registry.find("", "v1", "namespaces").unwrap_or_default()
}
