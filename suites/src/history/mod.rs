//! Area `history`: consistency of concurrent writes, reads and watches.

mod client;
mod recorder;
mod script;
mod watcher;

use harness::Suite;
use harness::history::{Doubt, HistoryRule, judge};

use recorder::{Record, play};
use script::{Cuts, Script};

use crate::prelude::*;

pub(crate) fn suite() -> Suite {
    let rules = table(RULES, Kinds::Namespaced, what_many_clients_see_fits_together);
    let outcomes = row!(history_unknown_outcomes).namespaced();
    Suite::new("history", [rules, vec![outcomes]])
}

/// What is judged, clause by clause: each time of another history.
#[rustfmt::skip]
const RULES: &[(&str, HistoryRule)] = &[
    ("history-writes-ordered",          HistoryRule::WritesOrdered),
    ("history-reads-linearizable",      HistoryRule::ReadsLinearizable),
    ("history-cached-reads-whole",      HistoryRule::CachedReadsWhole),
    ("history-lists-snapshot",          HistoryRule::ListsSnapshot),
    ("history-watchers-agree",          HistoryRule::WatchersAgree),
    ("history-refusals-without-trace",  HistoryRule::RefusalsWithoutTrace),
];

async fn what_many_clients_see_fits_together(cx: Context, rule: HistoryRule) -> Checked {
    let script = Script::of(&cx, Cuts::None);

    let record = play(&cx, script).await?;

    judged(&cx, &record, rule)
}

async fn history_unknown_outcomes(cx: Context) -> Checked {
    let script = Script::of(&cx, Cuts::Some);

    let record = play(&cx, script).await?;

    judged(&cx, &record, HistoryRule::UnknownOutcomes)
}

/// Whether a rule holds of what was recorded.
fn judged(cx: &Context, record: &Record, rule: HistoryRule) -> Checked {
    match judge(&record.history).of(rule) {
        Ok(()) if rule == HistoryRule::WatchersAgree => record.expect_watchers_to_the_end(cx),
        Ok(()) => Ok(()),
        Err(Doubt::Broken(violation)) => {
            let telling = record.telling(&violation.operations);
            Err(cx.failed(violation.expected.clone(), violation.to_string(), telling))
        }
        Err(Doubt::Undecided(why)) => Err(cx.test_error("judge what many clients saw", why).into()),
    }
}
