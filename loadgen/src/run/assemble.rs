//! Combines the results of all parts of a run.

use harness::load::{Breach, Deliveries, LoadRun, Warning};

use super::findings::Findings;
use crate::read_back::ReadBack;
use crate::watch_pool::WatchPoolSummary;

/// Adds all counts to the run.
pub(crate) fn assemble(load: &mut LoadRun, found: Findings) {
    let requests = found.requests;
    load.starts = requests.starts;
    load.generator.checked += requests.mix_summary.checked;
    load.generator.misread += requests.mix_summary.misread;
    if let Some(account) = found.healthy {
        healthy(load, account);
    }
    if let Some(account) = found.slow {
        load.warnings.push(slow(&account));
    }
    load.breaches.extend(requests.mix_summary.broken_rules.breaches());
}

/// Acknowledged writes and deletions that the server has not carried out.
pub(crate) fn read_back(load: &mut LoadRun, read_back: ReadBack) {
    load.partial = load.partial.take().or(read_back.unread);
    let evidence = read_back.missing;
    if evidence.is_empty() {
        return;
    }
    load.breaches.push(Breach {
        rule: "unstored".to_owned(),
        count: evidence.len() as u64,
        expected: "the server carries out a write that it acknowledges".to_owned(),
        actual: evidence.first().cloned().unwrap_or_default(),
        evidence,
    });
}

fn healthy(load: &mut LoadRun, account: WatchPoolSummary) {
    load.generator.checked += account.checks.checked;
    load.generator.misread += account.checks.misread;
    // If every write was skipped, the deliveries are unknown.
    if account.deliveries != Deliveries::default() || account.skipped > 0 {
        load.deliveries = Some(account.deliveries);
    }
    if account.watches.opened < account.watches.planned {
        let (opened, planned) = (account.watches.opened, account.watches.planned);
        load.warnings
            .push(Warning::new("watches", format!("only {opened} of {planned} watches were ever open")));
    }
    if account.skipped > 0 {
        let text = format!(
            "{} deliveries are not counted: their watches started again from a list",
            account.skipped
        );
        load.warnings.push(Warning::new("skipped", text));
    }
    breaches(load, &account);
    load.watches = Some(account.watches);
}

/// The slow watches are an ungraded side effect: a warning, not a result.
fn slow(account: &WatchPoolSummary) -> Warning {
    let Deliveries { expected, delivered, pending, lost, .. } = account.deliveries;
    let text = format!(
        "{} watches read slowly on purpose: {delivered} of {expected} deliveries arrived, {pending} pending, {lost} lost; {} ended early; the other numbers exclude them",
        account.watches.planned,
        account.watches.ended(),
    );
    Warning::new("slow", text)
}

fn breaches(load: &mut LoadRun, account: &WatchPoolSummary) {
    let deliveries = account.deliveries;
    let rules = [
        ("malformed", account.malformed, "every line of a watch is an event", "no event"),
        ("invalid-event", account.invalid, "an event has the object that was written", "of another object"),
        ("lost", deliveries.lost, "every write comes to every watch", "never had"),
        ("list-short", account.short, "a list before a watch holds every object of the population", "lack"),
        (
            "repeated",
            deliveries.repeated.saturating_add(account.again),
            "a watch has a write once",
            "more than once",
        ),
        ("reordered", deliveries.reordered, "writes to an object come in their order", "behind a later one"),
    ];
    for (rule, count, expected, mark) in rules.into_iter().filter(|(_, count, ..)| *count > 0) {
        let evidence: Vec<String> =
            account.evidence.iter().filter(|example| example.contains(mark)).cloned().collect();
        load.breaches.push(Breach {
            rule: rule.to_owned(),
            count,
            expected: expected.to_owned(),
            actual: evidence.first().cloned().unwrap_or_default(),
            evidence,
        });
    }
}
