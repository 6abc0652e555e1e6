//! From a whole history to the few operations that show what is wrong.

use super::bounds::Bounds;
use super::finding::{Finding, Kept};
use super::ledger::Ledger;
use super::rule::Rule;
use super::violation::Violation;
use super::writes::chained;
use super::{reads, refusals, watchers, writes};

/// What breaks a rule, in as few operations as can be: without any of them nothing is wrong.
///
/// What is left out is not unknown, or else what is shown would have come from nowhere: the order of the writes and the
/// objects' states stay, but not when they were called and who saw them.
pub(super) fn smallest(ledger: &Ledger<'_>, rule: Rule) -> Option<Violation> {
    let all = ledger.history.len();
    let mut found = check(ledger, rule, &Kept::all(all))?;
    let mut chunk = found.operations.len();
    while chunk > 0 {
        let kept = found.operations.clone();
        let rests = (0..kept.len()).step_by(chunk).map(|start| {
            let end = (start + chunk).min(kept.len());
            [&kept[..start], &kept[end..]].concat()
        });
        match rests.into_iter().find_map(|rest| check(ledger, rule, &Kept::only(all, &rest))) {
            Some(smaller) => found = smaller,
            None => chunk /= 2,
        }
    }
    let operations = found.operations.iter().map(|operation| ledger.history[*operation].clone()).collect();
    Some(Violation { rule, expected: found.expected, actual: found.actual, operations })
}

/// What breaks a rule, as far as the operations that count show it.
fn check(ledger: &Ledger<'_>, rule: Rule, kept: &Kept) -> Option<Finding> {
    let shown = |finding: &&Finding| {
        finding.rule == rule && finding.operations.iter().all(|operation| kept.has(*operation))
    };
    let seen = ledger.findings.iter().find(shown).cloned();
    seen.or_else(|| {
        let bounds = || Bounds::of(ledger, kept);
        match rule {
            Rule::WritesOrdered => writes::ordered(ledger, &bounds(), kept),
            Rule::ReadsLinearizable => reads::linearizable(ledger, &bounds(), kept),
            Rule::CachedReadsWhole => None,
            Rule::ListsSnapshot => reads::snapshots(ledger, kept),
            Rule::WatchersAgree => watchers::agree(ledger, &bounds(), kept),
            Rule::RefusalsWithoutTrace => refusals::reasoned(ledger, &bounds(), kept),
            Rule::UnknownOutcomes => chained(ledger, kept, Rule::UnknownOutcomes),
        }
    })
}
