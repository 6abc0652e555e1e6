//! Server-side apply to an object and its managedFields.

use serde_json::Value;

use super::entries::{Managed, Manager, Operation};
use super::update::{Writer, strip, take};
use super::{entries, last_applied, set_entries};
use crate::apply::{self, Config, Conflict, Problem, Types};
use crate::metadata::{now, text};

/// The manager of all that was there before an object was applied for the first time.
const BEFORE: &str = "before-first-apply";

/// What is applied.
pub(crate) struct Applied<'a> {
    /// The fields, with their values.
    pub(crate) config: &'a Value,
    /// Whether fields are taken from others.
    pub(crate) force: bool,
}

/// Why nothing was applied.
#[derive(Debug)]
pub(crate) enum Refused {
    /// The request is no apply to this object.
    Bad(String),
    /// Others own what would change: each as it receives, with its field, and the message for all.
    Conflicts(Vec<(String, String)>, String),
    /// What kube-apiserver says under status 500.
    Error(String),
}

/// The object that an apply makes of the live one (or of nothing), with its managers written down; and whether anything
/// but the managers has changed.
pub(crate) fn apply(
    writer: &Writer<'_>,
    live: Option<&Value>,
    applied: &Applied<'_>,
) -> Result<(Value, bool), Refused> {
    check_type(writer, applied.config)?;
    let empty = writer.empty();
    let live = live.unwrap_or(&empty);
    let lost = || Refused::Error("failed to decode managed fields".to_owned());
    let mut managed = Managed::decode(entries(live)).ok_or_else(lost)?;
    if managed.owners.is_empty() {
        let before = writer.updater_named(BEFORE);
        managed = take(writer, &empty, live, managed, &before)
            .map_err(|why| Refused::Error(format!("failed to create manager for existing fields: {why}")))?;
    }
    if !applied.config["metadata"]["managedFields"].is_null() {
        return Err(Refused::Bad("metadata.managedFields must be nil".to_owned()));
    }
    check_fields(writer, applied.config)?;
    let mut object = live.clone();
    set_entries(&mut object, Value::Null);
    let (new, owners) = merged(writer, &object, applied, &managed)?;
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
            // What kubectl itself has set on the client's side is its own.
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
        Problem::Other(why) => Refused::Error(why),
    }
}

fn in_conflict(conflicts: &[Conflict<Manager>]) -> Refused {
    let causes = conflicts.iter().map(|conflict| {
        let message = format!("conflict with {}", shown(&conflict.owner));
        (message, conflict.field.to_string())
    });
    Refused::Conflicts(causes.collect(), message(conflicts))
}

/// Conflicts by their managers, in the order of these.
fn message(conflicts: &[Conflict<Manager>]) -> String {
    if let [only] = conflicts {
        return format!("Apply failed with 1 conflict: conflict with {}: {}", shown(&only.owner), only.field);
    }
    let mut lines = Vec::new();
    let mut last = None;
    for conflict in conflicts {
        if last != Some(&conflict.owner) {
            lines.push(format!("conflicts with {}:", shown(&conflict.owner)));
        }
        lines.push(format!("- {}", conflict.field));
        last = Some(&conflict.owner);
    }
    format!("Apply failed with {} conflicts: {}", conflicts.len(), lines.join("\n"))
}

/// A manager as conflicts tell of it.
fn shown(manager: &Manager) -> String {
    let mut shown = format!("{:?}", manager.name);
    if !manager.subresource.is_empty() {
        shown = format!("{shown} with subresource {:?}", manager.subresource);
    }
    if manager.operation == Operation::Update {
        shown = format!("{shown} using {}", manager.version);
    }
    shown
}

/// What is applied must be of the type, in the version of the request.
fn check_type(writer: &Writer<'_>, config: &Value) -> Result<(), Refused> {
    let said = |field: &str| config[field].as_str().unwrap_or_default();
    let (kind, version) = (said("kind"), said("apiVersion"));
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
    apply::validate(&ty, config).map_err(|why| {
        let said = |field: &str| config[field].as_str().unwrap_or_default();
        let (namespace, name) = (text(config, "namespace"), text(config, "name"));
        let kind = group_version_kind(said("apiVersion"), said("kind"));
        Refused::Error(format!("failed to create typed patch object ({namespace}/{name}; {kind}): {why}"))
    })
}
