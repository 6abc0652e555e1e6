//! `run` on a right server whose responses take long, or whose proxy has another clock.

use std::sync::atomic::{AtomicI64, Ordering};

use crate::support::http::Message;
use crate::support::{Proxy, Reference, Reply, kube_assay};

/// All of these clauses pass.
fn expect_pass(clauses: &[&str], reply: impl Fn(&Message) -> Reply + Send + Sync + 'static) {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, reply);
    let program = kube_assay(&["run", "--strict", "--server", &proxy.url(), "--token", reference.token()]);
    let selection: Vec<_> = clauses.iter().flat_map(|clause| ["--clause", *clause]).collect();
    let ended = program.with(&selection).end().ended_with(0);
    let summary: serde_json::Value = serde_json::from_str(&ended.report("summary.json")).unwrap();
    let results = summary["clauses"].as_array().unwrap();
    for clause in clauses {
        let result = results.iter().find(|one| one["id"] == *clause).unwrap();
        assert_eq!(result["verdict"], "passed", "{result}");
    }
}

/// kube-apiserver shortens a grace period to 1 if the shortened one has passed, here after a minute between two deletions.
#[test]
fn a_minute_passes_between_two_deletions() {
    let first = AtomicI64::new(0);
    expect_pass(&["deletion-grace-period-only-shortened"], move |request| {
        let query = request.first.split_once("gracePeriodSeconds=").map_or("", |(_, query)| query);
        let period: i64 = query.split(' ').next().and_then(|period| period.parse().ok()).unwrap_or(0);
        if period == 0 || request.target().0 != "DELETE" {
            return Reply::Pass;
        }
        let before = first.compare_exchange(0, period, Ordering::SeqCst, Ordering::SeqCst).err().unwrap_or(0);
        if period >= before.min(60) {
            return Reply::Pass;
        }
        let [now, passed] = [period, 1].map(|period| format!("gracePeriodSeconds={period} "));
        Reply::Instead(Message { first: request.first.replace(&now, &passed), ..request.clone() })
    });
}

/// The header Date 28 years later, when the days of the week are the same.
fn in_28_years(mut response: Message) -> Message {
    for line in response.headers.iter_mut().filter(|line| line.to_lowercase().starts_with("date:")) {
        let words = line.split(' ').map(|word| match word.parse::<u32>() {
            Ok(year) if year > 1000 => (year + 28).to_string(),
            _ => word.to_owned(),
        });
        *line = words.collect::<Vec<_>>().join(" ");
    }
    response
}

#[test]
fn a_proxy_writes_the_date_by_another_clock() {
    let clauses = [
        "deletion-timestamp-is-now",
        "deletion-graceful-pod-timestamp-in-future",
        "deletion-repeat-delete-is-accepted",
        "kinds-object-is-persistent",
        "managed-fields-entry-time",
        "managed-fields-time-moves-on-change",
        "metadata-creationtimestamp-set",
        "metadata-creationtimestamp-not-client-settable-on-create",
        "verbs-delete-kind-default-grace",
    ];
    expect_pass(&clauses, |request| {
        let (_, path) = request.target();
        let is_edited = path.contains("/namespaces/") && !request.first.contains("watch=");
        if is_edited { Reply::Edited(in_28_years) } else { Reply::Pass }
    });
}
