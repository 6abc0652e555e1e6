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
    let rules = table(RULES, Kinds::Namespaced, concurrent_clients_keep);
    let outcomes = row!(history_unknown_outcomes).namespaced();
    Suite::new("history", [rules, vec![outcomes]])
}

/// The rule of each clause. Every scenario records a history of its own.
#[rustfmt::skip]
const RULES: &[(&str, HistoryRule)] = &[
    ("history-writes-ordered",          HistoryRule::WritesOrdered),
    ("history-reads-linearizable",      HistoryRule::ReadsLinearizable),
    ("history-cached-reads-whole",      HistoryRule::CachedReadsWhole),
    ("history-lists-snapshot",          HistoryRule::ListsSnapshot),
    ("history-watchers-agree",          HistoryRule::WatchersAgree),
    ("history-refusals-without-trace",  HistoryRule::RefusalsWithoutTrace),
];

async fn concurrent_clients_keep(cx: Context, rule: HistoryRule) -> Checked {
    let collection = cx.collection_under_test().await?;
    check(&cx, &play(&[collection], Script::of(&cx, Cuts::None)).await?, rule)
}

/// Concurrent clients, each of which uses a collection through one of the servers of the control plane, keep these rules.
pub(crate) async fn clients_of_servers_keep(servers: &[Collection], rules: &[HistoryRule]) -> Checked {
    let cx = servers[0].context();
    let record = play(servers, Script::of(cx, Cuts::None)).await?;
    rules.iter().try_for_each(|rule| check(cx, &record, *rule))
}

async fn history_unknown_outcomes(cx: Context) -> Checked {
    let collection = cx.collection_under_test().await?;
    check(&cx, &play(&[collection], Script::of(&cx, Cuts::Some)).await?, HistoryRule::UnknownOutcomes)
}

/// The record keeps the rule.
fn check(cx: &Context, record: &Record, rule: HistoryRule) -> Checked {
    match judge(&record.history).of(rule) {
        Ok(()) if rule == HistoryRule::WatchersAgree => record.expect_watchers_to_the_end(cx),
        Ok(()) => Ok(()),
        Err(Doubt::Broken(violation)) => {
            let exchange = record.exchange_of(&violation.operations);
            Err(cx.failed(violation.expected.clone(), violation.to_string(), exchange))
        }
        Err(Doubt::Undecided(why)) => {
            Err(cx.test_error("check the history of concurrent clients", why).into())
        }
    }
}
