//! Versions have the order of the writes, and each write follows the state that it names.

use super::bounds::{Bounds, Moment};
use super::change::OrderedWrite;
use super::finding::{HistoryFinding, Kept};
use super::operation::{Action, Verb, WriteOutcome};
use super::rule::HistoryRule;
use super::write_order::WriteOrder;

/// A violation of the order of the writes.
pub(super) fn ordered(write_order: &WriteOrder<'_>, bounds: &Bounds, kept: &Kept) -> Option<HistoryFinding> {
    let mut latest: Option<(usize, Moment)> = None;
    for (index, (start, end)) in bounds.spans.iter().enumerate() {
        if let (Some((earlier, moment)), Some(end)) = (latest, end)
            && end.at < moment.at
        {
            return Some(disorder(write_order, earlier, index, [moment.operation, end.operation]));
        }
        if let Some(start) = start
            && latest.is_none_or(|(_, moment)| moment < *start)
        {
            latest = Some((index, *start));
        }
    }
    chained(write_order, kept, HistoryRule::WritesOrdered)
}

/// A write that surely happened before the call of another, but has the greater version.
fn disorder(
    write_order: &WriteOrder<'_>,
    smaller: usize,
    greater: usize,
    operations: [usize; 2],
) -> HistoryFinding {
    let (smaller, greater) = (write_order.changes[smaller].as_text(), write_order.changes[greater].as_text());
    let expected = format!("{greater} before {smaller}, which was called later");
    HistoryFinding::new(
        HistoryRule::WritesOrdered,
        operations,
        expected,
        format!("{smaller} before {greater}"),
    )
}

/// A write that does not fit the state before it, among acknowledged writes or among writes with unknown outcome.
pub(super) fn chained(
    write_order: &WriteOrder<'_>,
    kept: &Kept,
    rule: HistoryRule,
) -> Option<HistoryFinding> {
    write_order.objects.iter().find_map(|(name, positions)| {
        let mut unseen = None;
        let mut before: Option<&OrderedWrite<'_>> = None;
        for position in positions {
            let change = write_order.change(*position);
            if let Some(found) = misfit(write_order, change, before, rule, kept)
                && !*unseen.get_or_insert_with(|| write_order.may_have_changed_unseen(name))
            {
                return Some(found);
            }
            before = Some(change);
        }
        None
    })
}

fn misfit(
    write_order: &WriteOrder<'_>,
    change: &OrderedWrite<'_>,
    before: Option<&OrderedWrite<'_>>,
    rule: HistoryRule,
    kept: &Kept,
) -> Option<HistoryFinding> {
    let write = change.write.filter(|write| kept.has(*write))?;
    let Action::Write { verb, response, .. } = &write_order.history[write].action else { return None };
    let own = match response {
        WriteOutcome::Done(_) => HistoryRule::WritesOrdered,
        WriteOutcome::Unknown => HistoryRule::UnknownOutcomes,
        WriteOutcome::Refused(_) => return None,
    };
    let there = before.filter(|before| before.value.is_some());
    if own != rule || verb.fits(there.map(|state| Some(state.version))) {
        return None;
    }
    let expected = match verb {
        Verb::Create(_) => "no object before the create".to_owned(),
        Verb::Update { from, .. } => format!("an update of version {from}"),
        Verb::Patch(_) | Verb::Delete => "an object to patch".to_owned(),
    };
    let found = there.map_or_else(|| "no object".to_owned(), |state| format!("version {}", state.version));
    let witness = before.map(|before| before.witness(kept));
    if witness == Some(None) {
        return None;
    }
    let actual = format!("{} at {} follows {found}", change.value.unwrap_or("gone"), change.version);
    Some(HistoryFinding::new(rule, witness.flatten().into_iter().chain([write]), expected, actual))
}
