//! Compares the response to a step, and the state after it, with the prediction.

use std::collections::BTreeSet;

use serde_json::Value;

use super::cell::{Cell, Holds, Piece};
use super::kind::AppliedType;
use super::prediction::{Fate, predict};
use super::state::{AppliedObject, Owner, Owners, Values};
use super::step::ApplyStep;
use crate::script::{self, Check};

/// The rules of a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ApplyRule {
    /// The server refuses an apply that would change what others own, and carries out every other step.
    Outcomes,
    /// A conflict names the owners of the fields that the apply would change, and no others.
    Conflicts,
    /// A refused step changes nothing.
    Refusals,
    /// The values are the sum of the steps.
    Values,
    /// The owners are the sum of the steps.
    Owners,
}

/// A difference from the prediction.
pub type ApplyDifference = script::Difference<ApplyRule>;

/// The response to a step.
#[derive(Debug, Clone)]
pub struct ApplyResponse {
    /// The HTTP status code.
    pub status: u16,
    /// The body, if it is JSON.
    pub json: Value,
}

/// All differences after a step.
pub(super) fn judge(
    step: &ApplyStep,
    before: Option<&AppliedObject>,
    response: &ApplyResponse,
    after: Option<&AppliedObject>,
    kind: &AppliedType,
) -> Vec<ApplyDifference> {
    let fate = predict(step, before, kind);
    let mut found = Vec::new();
    let code = match &fate {
        Fate::Done { code, .. } => *code,
        Fate::Refused(_) => 409,
    };
    if response.status != code {
        let text = |why: &BTreeSet<_>| format!(" because of {}", pairs(why, kind));
        let why = if let Fate::Refused(why) = &fate { text(why) } else { String::new() };
        let expected = format!("{code}{why}");
        found.push(difference(
            ApplyRule::Outcomes,
            expected,
            response.status.to_string(),
            Check::Status(vec![code]),
        ));
    }
    match fate {
        Fate::Refused(expected) if response.status == 409 => {
            found.extend(compare_causes(&expected, &response.json, before, kind));
        }
        Fate::Done { values, owners, .. } if response.status == code => {
            found.extend(after.and_then(|after| compare_values(&values, &after.values, kind)));
            found.extend(after.and_then(|after| compare_owners(&owners, &after.owners, kind)));
        }
        _ => {}
    }
    if response.status >= 400 {
        found.extend(compare_refused(before, after));
    }
    found
}

fn difference(
    rule: ApplyRule,
    expected: impl Into<String>,
    actual: impl Into<String>,
    check: Check,
) -> ApplyDifference {
    ApplyDifference { rule, expected: expected.into(), actual: actual.into(), check }
}

fn pairs(pairs: &BTreeSet<(String, &'static str)>, kind: &AppliedType) -> String {
    let field = |name| kind.cell(name).map(Cell::field).unwrap_or_default();
    let each: Vec<_> =
        pairs.iter().map(|(manager, name)| format!("{} of {manager:?}", field(name))).collect();
    format!("[{}]", each.join(", "))
}

/// Compares the causes of a refusal with these managers and cells.
fn compare_causes(
    expected: &BTreeSet<(String, &'static str)>,
    status: &Value,
    before: Option<&AppliedObject>,
    kind: &AppliedType,
) -> Option<ApplyDifference> {
    let causes = status["details"]["causes"].as_array().into_iter().flatten();
    let managers: BTreeSet<&str> =
        before.into_iter().flat_map(|before| before.owners.keys()).map(|owner| &*owner.manager).collect();
    let text = |cause: &Value, part: &str| cause[part].as_str().unwrap_or_default().to_owned();
    let named: BTreeSet<(String, String)> = causes
        .map(|cause| {
            let message = text(cause, "message");
            let manager = managers.iter().find(|manager| message.contains(&format!("{manager:?}")));
            (manager.map_or(message.clone(), |manager| (*manager).to_owned()), text(cause, "field"))
        })
        .collect();
    let field = |name: &str| kind.cell(name).map(Cell::field).unwrap_or_default();
    let expected: BTreeSet<_> =
        expected.iter().map(|(manager, name)| (manager.clone(), field(name))).collect();
    let (lacks, more) = (expected.difference(&named).next(), named.difference(&expected).next());
    let (manager, field) = lacks.or(more)?.clone();
    let each = |pairs: &BTreeSet<(String, String)>| {
        let each: Vec<_> = pairs.iter().map(|(manager, field)| format!("{field} of {manager:?}")).collect();
        format!("causes [{}]", each.join(", "))
    };
    let check = Check::Cause { manager, field, present: lacks.is_some() };
    Some(difference(ApplyRule::Conflicts, each(&expected), each(&named), check))
}

/// The first cell with another value.
fn compare_values(expected: &Values, actual: &Values, kind: &AppliedType) -> Option<ApplyDifference> {
    let cell = kind.all().find(|cell| expected.get(cell.name) != actual.get(cell.name))?;
    let describe = |values: &Values| match values.get(cell.name) {
        Some(Value::Bool(_)) => cell.name.to_owned(),
        Some(value) => format!("{} {value}", cell.name),
        None => format!("no {}", cell.name),
    };
    let there = expected.get(cell.name);
    let text = unique_text(cell, there.or(actual.get(cell.name))?);
    let check = Check::Contains { response: false, text, present: there.is_some() };
    Some(difference(ApplyRule::Values, describe(expected), describe(actual), check))
}

/// The text in an object's JSON that only this cell with this value has.
fn unique_text(cell: &Cell, value: &Value) -> String {
    match (cell.holds, cell.pieces.last()) {
        (Holds::Member, Some(Piece::Member(member))) => Value::from(member.as_str()).to_string(),
        (Holds::Item, Some(Piece::Item(keys))) => {
            let keys: Vec<_> = keys.iter().map(|(field, value)| format!("{field:?}:{value}")).collect();
            keys.join(",")
        }
        (_, Some(Piece::Field(field))) => format!("{field:?}:{value}"),
        _ => value.to_string(),
    }
}

/// The first cell that lacks an owner, or has one too many.
fn compare_owners(expected: &Owners, actual: &Owners, kind: &AppliedType) -> Option<ApplyDifference> {
    let flat = |owners: &Owners| -> BTreeSet<(Owner, &'static str)> {
        owners.iter().flat_map(|(owner, owned)| owned.iter().map(|name| (owner.clone(), *name))).collect()
    };
    let (should, is) = (flat(expected), flat(actual));
    let lacks = should.difference(&is).next();
    let (owner, name) = lacks.or_else(|| is.difference(&should).next())?;
    let path = kind.cell(name).map(Cell::path).unwrap_or_default();
    let text = |all: &BTreeSet<(Owner, &'static str)>| {
        let owners: Vec<_> =
            all.iter().filter(|(_, known)| known == name).map(|(owner, _)| owner.to_string()).collect();
        format!("{path} owned by [{}]", owners.join(", "))
    };
    let (expected, actual) = (text(&should), text(&is));
    let check = Check::Owns { owner: owner.to_string(), path: path.clone(), owns: lacks.is_some() };
    Some(difference(ApplyRule::Owners, expected, actual, check))
}

/// A refused step leaves the object as it was.
fn compare_refused(before: Option<&AppliedObject>, after: Option<&AppliedObject>) -> Option<ApplyDifference> {
    let rule = ApplyRule::Refusals;
    match (before, after) {
        (Some(before), Some(after)) if before.version != after.version => {
            let expected = format!("version {}, as before", before.version);
            Some(difference(rule, expected, format!("version {}", after.version), Check::Version(true)))
        }
        (Some(before), Some(after)) if before.json != after.json => {
            Some(difference(rule, "the object as before", "other fields", Check::Whole))
        }
        (None, Some(_)) => Some(difference(rule, "no object, as before", "an object", Check::Exists(false))),
        (Some(_), None) => Some(difference(rule, "the object as before", "no object", Check::Exists(true))),
        _ => None,
    }
}
