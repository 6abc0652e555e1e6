//! Server-side apply to an object and its managedFields.

use serde_json::Value;

use super::entries::{Managed, Manager, Operation};
use super::update::{Writer, strip, take};
use super::{entries, last_applied, set_entries, without_entries};
use crate::apply::{self, Config, Conflict, Problem, Types};
use crate::metadata::{now, text};

/// The manager of all fields from before the first apply.
const BEFORE: &str = "before-first-apply";

/// An apply request.
pub(crate) struct Applied<'a> {
    /// The applied configuration.
    pub(crate) config: &'a Value,
    /// Whether the applier takes fields from other managers.
    pub(crate) force: bool,
}

/// The reason why an apply fails.
#[derive(Debug)]
pub(crate) enum Refused {
    /// The request is invalid for this object.
    Bad(String),
    /// Conflicts with other managers: a message and field for each, and the message for all.
    Conflicts(Vec<(String, String)>, String),
    /// An error of kube-apiserver with code 500.
    Error(String),
}

/// Applies to the live object, or creates one. Returns the object with its managers, and whether any other field
/// changes.
pub(crate) fn apply(
    writer: &Writer<'_>,
    live: Option<&Value>,
    applied: &Applied<'_>,
) -> Result<(Value, bool), Refused> {
    check_type(writer, applied.config)?;
    let empty = writer.empty();
    let live = live.unwrap_or(&empty);
    let undecodable = || Refused::Error("failed to decode managed fields".to_owned());
    let mut managed = Managed::decode(entries(live)).ok_or_else(undecodable)?;
    if managed.owners.is_empty() {
        let before = writer.updater_named(BEFORE);
        managed = take(writer, &empty, live, managed, &before).map_err(|detail| {
            Refused::Error(format!("failed to create manager for existing fields: {detail}"))
        })?;
    }
    if !applied.config["metadata"]["managedFields"].is_null() {
        return Err(Refused::Bad("metadata.managedFields must be nil".to_owned()));
    }
    check_fields(writer, applied.config)?;
    let mut object = without_entries(live);
    set_entries(&mut object, Value::Null);
    let (new, owners) = merged(writer, &object, applied, &managed)?;
    // The fields of many managers take much memory.
    drop(managed.owners);
    let applier = writer.applier();
    let mut managed = Managed { owners, times: managed.times };
    strip(&mut managed.owners, &applier);
    let changed = new.is_some();
    if let Some(new) = new {
        object = new;
        managed.times.insert(applier, now());
    }
    if writer.name == last_applied::MANAGER {
        last_applied::keep_current(&mut object, applied.config);
    }
    set_entries(&mut object, managed.encode());
    Ok((object, changed))
}

type Merged = (Option<Value>, apply::Owners<Manager>);

fn merged(
    writer: &Writer<'_>,
    live: &Value,
    applied: &Applied<'_>,
    managed: &Managed,
) -> Result<Merged, Refused> {
    let attempt = |force: bool| {
        let config = Config { value: applied.config, force };
        apply::apply(&writer.versions, live, &config, &managed.owners, &writer.applier())
    };
    match attempt(applied.force) {
        Err(Problem::Conflicts(conflicts)) if writer.name == last_applied::MANAGER => {
            // The fields of kubectl's own client-side apply do not conflict.
            let own = last_applied::own_fields(writer, live);
            let foreign: Vec<_> =
                conflicts.into_iter().filter(|conflict| !own.has(&conflict.field)).collect();
            if foreign.is_empty() { attempt(true).map_err(refused) } else { Err(in_conflict(&foreign)) }
        }
        result => result.map_err(refused),
    }
}

fn refused(problem: Problem<Manager>) -> Refused {
    match problem {
        Problem::Conflicts(conflicts) => in_conflict(&conflicts),
        Problem::Other(detail) => Refused::Error(detail),
    }
}

fn in_conflict(conflicts: &[Conflict<Manager>]) -> Refused {
    let causes = conflicts.iter().map(|conflict| {
        let message = format!("conflict with {}", manager_text(&conflict.owner));
        (message, conflict.field.to_string())
    });
    Refused::Conflicts(causes.collect(), message(conflicts))
}

/// The message for conflicts, grouped by manager.
fn message(conflicts: &[Conflict<Manager>]) -> String {
    if let [only] = conflicts {
        return format!(
            "Apply failed with 1 conflict: conflict with {}: {}",
            manager_text(&only.owner),
            only.field
        );
    }
    let mut lines = Vec::new();
    let mut last = None;
    for conflict in conflicts {
        if last != Some(&conflict.owner) {
            lines.push(format!("conflicts with {}:", manager_text(&conflict.owner)));
        }
        lines.push(format!("- {}", conflict.field));
        last = Some(&conflict.owner);
    }
    format!("Apply failed with {} conflicts: {}", conflicts.len(), lines.join("\n"))
}

/// A manager in a conflict message.
fn manager_text(manager: &Manager) -> String {
    let mut text = format!("{:?}", manager.name);
    if !manager.subresource.is_empty() {
        text = format!("{text} with subresource {:?}", manager.subresource);
    }
    if manager.operation == Operation::Update {
        text = format!("{text} using {}", manager.version);
    }
    text
}

/// The configuration must have the type and version of the request.
fn check_type(writer: &Writer<'_>, config: &Value) -> Result<(), Refused> {
    let text_of = |field: &str| config[field].as_str().unwrap_or_default();
    let (kind, version) = (text_of("kind"), text_of("apiVersion"));
    if kind == writer.ty.kind && version == writer.versions.version() {
        return Ok(());
    }
    Err(Refused::Bad(format!("invalid object type: {}", group_version_kind(version, kind))))
}

fn group_version_kind(version: &str, kind: &str) -> String {
    let version = if version.contains('/') { version.to_owned() } else { format!("/{version}") };
    format!("{version}, Kind={kind}")
}

fn check_fields(writer: &Writer<'_>, config: &Value) -> Result<(), Refused> {
    let ty = writer.versions.known(writer.versions.version()).map_err(Refused::Error)?;
    apply::validate(&ty, config).map_err(|detail| {
        let text_of = |field: &str| config[field].as_str().unwrap_or_default();
        let (namespace, name) = (text(config, "namespace"), text(config, "name"));
        let kind = group_version_kind(text_of("apiVersion"), text_of("kind"));
        Refused::Error(format!("failed to create typed patch object ({namespace}/{name}; {kind}): {detail}"))
    })
}
