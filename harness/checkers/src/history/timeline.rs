//! Draws operations as a timeline, one line each.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;

use super::operation::{Action, Freshness, ObjectState, Operation, Refusal, Verb, WriteOutcome};

/// The greatest width between two moments.
const STEP: usize = 3;

/// The greatest width of a drawing.
const WIDEST: usize = 36;

/// Draws operations one below the other, in the order of their calls.
///
/// The moments are in order, not to scale: the drawing shows whether two operations overlap. A write without a response
/// has an open end.
pub fn timeline(operations: &[Operation]) -> String {
    let mut operations: Vec<_> = operations.iter().collect();
    operations.sort_by_key(|operation| operation.called);
    let moments: BTreeSet<_> = operations.iter().flat_map(|one| [one.called, one.returned]).collect();
    let moments: Vec<_> = moments.into_iter().collect();
    let step = (WIDEST / moments.len().max(1)).clamp(1, STEP);
    let width = moments.len().saturating_sub(1) * step + 1;
    let column = |moment: Duration| step * moments.partition_point(|known| *known < moment);
    let called_width = widest(&operations, |one| milliseconds(one.called));
    let client_width = widest(&operations, |one| one.client.clone());
    let request_width = widest(&operations, request);
    let mut text = String::new();
    for one in operations {
        let bar = bar(column(one.called), column(one.returned), unknown(one), width);
        let (called, client, request) = (milliseconds(one.called), &one.client, request(one));
        let _ = writeln!(
            text,
            "{called:>called_width$}  {client:<client_width$}  {bar}  {request:<request_width$}  {}",
            outcome(one)
        );
    }
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

fn widest(operations: &[&Operation], text: impl Fn(&Operation) -> String) -> usize {
    operations.iter().map(|operation| text(operation).chars().count()).max().unwrap_or_default()
}

fn milliseconds(moment: Duration) -> String {
    format!("{:.3} ms", moment.as_secs_f64() * 1000.0)
}

fn bar(from: usize, to: usize, open: bool, width: usize) -> String {
    let cell = |column: usize| match column {
        column if column < from => ' ',
        column if column == from && from == to && !open => '│',
        column if column == from => '├',
        column if open && column > to => '╌',
        column if column == to && !open => '┤',
        column if column <= to => '─',
        _ => ' ',
    };
    (0..width).map(cell).collect()
}

fn unknown(operation: &Operation) -> bool {
    matches!(operation.action, Action::Write { response: WriteOutcome::Unknown, .. })
}

fn request(operation: &Operation) -> String {
    match &operation.action {
        Action::Write { name, verb, .. } => match verb {
            Verb::Create(value) => format!("create {name} = {value}"),
            Verb::Update { value, from } => format!("update {name} = {value}, from {from}"),
            Verb::Patch(value) => format!("patch {name} = {value}"),
            Verb::Delete => format!("delete {name}"),
        },
        Action::Get { name, freshness, .. } => format!("get {name}{}", at_zero(*freshness)),
        Action::List { freshness, .. } => format!("list{}", at_zero(*freshness)),
        Action::Event { .. } => "receives".to_owned(),
    }
}

fn at_zero(freshness: Freshness) -> &'static str {
    if freshness == Freshness::Any { " at version 0" } else { "" }
}

fn outcome(operation: &Operation) -> String {
    let at = |state: &ObjectState| format!("{} at {}", state.value, state.version);
    match &operation.action {
        Action::Write { response, .. } => match response {
            WriteOutcome::Done(Some(version)) => format!("→ done, at {version}"),
            WriteOutcome::Done(None) => "→ done".to_owned(),
            WriteOutcome::Refused(refusal) => format!("→ refused: {}", refusal.word()),
            WriteOutcome::Unknown => "→ no response".to_owned(),
        },
        Action::Get { name, shown, .. } => {
            shown.as_ref().map_or_else(|| format!("→ no {name}"), |state| format!("→ {name} = {}", at(state)))
        }
        Action::List { version, items, .. } => {
            let items: Vec<_> = items.iter().map(|(name, state)| format!("{name} = {}", at(state))).collect();
            let items = if items.is_empty() { "nothing".to_owned() } else { items.join(", ") };
            format!("→ at {version}: {items}")
        }
        Action::Event { name, version, value } => match value {
            Some(value) => format!("→ {name} = {value} at {version}"),
            None => format!("→ {name} gone at {version}"),
        },
    }
}

impl Refusal {
    /// The reason in words.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Conflict => "conflict",
            Self::Missing => "not found",
            Self::Exists => "already exists",
            Self::Other => "for another reason",
        }
    }
}

impl Verb {
    /// The verb in lower case.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Self::Create(_) => "create",
            Self::Update { .. } => "update",
            Self::Patch(_) => "patch",
            Self::Delete => "delete",
        }
    }
}
