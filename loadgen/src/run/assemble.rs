//! Combines the results of all parts of a run.

use harness::load::{Deliveries, LoadRun, Warning};

use super::findings::Findings;
use super::unmeasured::unmeasured;
use crate::broken_rules::Rule;
use crate::read_back::ReadBack;
use crate::watch_pool::WatchPoolSummary;

/// Adds all counts to the run.
pub(crate) fn assemble(load: &mut LoadRun, found: Findings) {
    let requests = found.requests;
    (load.starts, load.senders) = (requests.starts, requests.senders);
    load.generator.checked += requests.mix_summary.checked;
    load.generator.misread += requests.mix_summary.misread;
    load.warnings.extend(requests.mix_summary.messages.warnings());
    let mut broken_rules = requests.mix_summary.broken_rules;
    if let Some(account) = found.healthy {
        broken_rules.add(account.broken_rules.clone());
        healthy(load, account);
    }
    if let Some(account) = found.slow {
        load.warnings.push(slow(&account));
    }
    load.breaches.extend(broken_rules.breaches());
}

/// Adds the acknowledged writes and deletions that the server has not carried out.
pub(crate) fn read_back(load: &mut LoadRun, found: &mut Findings, read_back: ReadBack) {
    if load.partial.is_none() && read_back.unread.is_some() {
        load.partial_cause = read_back.cause();
        load.partial = read_back.unread;
    }
    for missing in read_back.missing {
        found.requests.mix_summary.broken_rules.count(Rule::Unstored, || missing);
    }
}

fn healthy(load: &mut LoadRun, account: WatchPoolSummary) {
    load.generator.checked += account.checks.checked;
    load.generator.misread += account.checks.misread;
    if load.partial.is_none() {
        load.partial = unmeasured(&account);
    }
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
