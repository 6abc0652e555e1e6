//! Whether so much of what watches and requests were to measure is missing that the run shows nothing about it.

use std::collections::BTreeSet;
use std::time::Duration;

use harness::load::{DurationKind, Ending, Histogram, LoadRun, Senders, Series, SeriesKey};

use super::responses::Silence;
use crate::recorder::micros;
use crate::watch_pool::{Restarts, WatchPoolSummary};
use crate::workload::{RequestLoad, Verb, Workload};

/// The least silence of a server that is lost.
const LEAST_SILENCE: Duration = Duration::from_secs(2);

/// Why the requests leave open what the run was to measure; `None` if they show enough.
pub(super) fn unmeasured_requests(workload: &Workload, resource: &str, load: &LoadRun) -> Option<String> {
    let requests = workload.requests.as_ref()?;
    let of = |is_meant: fn(Verb) -> bool| latencies(requests, resource, load, is_meant);
    let loop_time = requests.closed.map(|senders| workload.duration.0.as_micros() * senders as u128);
    loop_time
        .and_then(|loop_time| unresponsive(&of(|_| true), loop_time))
        .or_else(|| load.senders.and_then(idle))
        .or_else(|| workload.watches.as_ref().and_then(|_| unwritten(&of(Verb::is_stamped))))
}

/// That the server responded to requests, and then to none that waited for it: few may be open, because they take all
/// connections, and the starts behind them are dropped. A slow server is silent for as long as its slowest response takes.
pub(super) fn lost_server(
    workload: &Workload,
    resource: &str,
    load: &LoadRun,
    silence: Silence,
) -> Option<String> {
    let sent = latencies(workload.requests.as_ref()?, resource, load, |_| true);
    let longest =
        |times: fn(&Series) -> &Histogram| sent.iter().map(|series| times(series).max()).max().unwrap_or(0);
    let (slowest, waited) = (longest(|series| &series.histogram), longest(|series| &series.censored));
    let least = micros(LEAST_SILENCE).max(slowest.saturating_mul(2));
    (micros(silence.length).min(waited) >= least).then(|| {
        let after = silence.after.as_millis().div_ceil(1_000);
        format!("the server responded to no request after the first {after} s of the measured time")
    })
}

/// The latencies of the operations with these verbs.
fn latencies<'a>(
    requests: &RequestLoad,
    resource: &str,
    load: &'a LoadRun,
    is_meant: fn(Verb) -> bool,
) -> Vec<&'a Series> {
    let operations = requests.operations.iter().filter(|operation| is_meant(operation.verb));
    let keys: BTreeSet<SeriesKey> =
        operations.map(|operation| operation.series(resource, DurationKind::Latency)).collect();
    load.of_kind(DurationKind::Latency).filter(|series| keys.contains(&series.key)).collect()
}

fn attempts(all: &[&Series]) -> u64 {
    all.iter().map(|series| series.count).sum()
}

/// A closed loop without responses sends no further requests: those that ended before may be many. `loop_time` is the time
/// of all senders together, in microseconds. Senders that wait for a connection use less of it, as do fast rejections.
fn unresponsive(sent: &[&Series], loop_time: u128) -> Option<String> {
    if attempts(sent) == 0 {
        return Some(
            "no request of the closed loop started in the measured time, because those before it had no response yet; hint: raise --duration, or find out why the server does not respond"
                .to_owned(),
        );
    }
    let sum = |times: fn(&Series) -> &Histogram| -> u128 {
        let values = sent.iter().flat_map(|series| times(series).recorded());
        values.map(|(micros, count)| u128::from(micros) * u128::from(count)).sum()
    };
    let (ended, open) = (sum(|series| &series.histogram), sum(|series| &series.censored));
    (open > ended && ended * 2 < loop_time).then(|| {
        format!(
            "requests without a response took {} % of the time of the closed loop; hint: find out why the server does not respond",
            open * 100 / (open + ended)
        )
    })
}

/// Senders whose requests had no response since the warm-up have no measured request: the others did the whole load.
fn idle(senders: Senders) -> Option<String> {
    let Senders { planned, measured } = senders;
    (senders.idle() * 2 >= planned && measured < planned)
        .then(|| format!("only {measured} of {planned} senders of the closed loop sent measured requests"))
}

/// Watches without a write have nothing to deliver, and among many opened watches a few failed writes raise no share.
fn unwritten(writes: &[&Series]) -> Option<String> {
    let attempts = attempts(writes);
    if attempts == 0 || writes.iter().any(|series| !series.histogram.is_empty()) {
        return None;
    }
    let most = writes.iter().flat_map(|series| &series.errors).max_by_key(|(_, count)| **count);
    let cause = most.map_or_else(|| "no response".to_owned(), |(class, _)| class.title());
    Some(format!(
        "no write to the watched objects succeeded (attempts: {attempts}; {cause}), so the watches had nothing to deliver"
    ))
}

/// Why too many streaming lists or deliveries are unknown; `None` if few are.
pub(super) fn unmeasured(account: &WatchPoolSummary) -> Option<String> {
    unsynced(account.restarts).or_else(|| uncounted(account))
}

/// One in ten without its bookmark leaves open how long the slowest ones take. If none has it, another reason says so.
fn unsynced(Restarts { synced, unsynced, ended_early, .. }: Restarts) -> Option<String> {
    let all = synced + unsynced + ended_early;
    if synced == 0 {
        return None;
    }
    if unsynced * 10 > all {
        return Some(format!(
            "{unsynced} of {all} streaming lists never had the bookmark behind their initial events, although they were open for 1 s or longer"
        ));
    }
    (ended_early * 2 > all).then(|| {
        format!(
            "the server ended {ended_early} of {all} streaming lists before the bookmark behind their initial events"
        )
    })
}

/// Watches begin again from a list because the run cuts them, which is no evidence, or because of a 410. One directly after a
/// list is legal, as a watch cache may be late: only many of them leave the deliveries open.
fn uncounted(account: &WatchPoolSummary) -> Option<String> {
    let WatchPoolSummary { deliveries, skipped, restarts, watches, .. } = account;
    let Restarts { lists, gone_after_list, .. } = restarts;
    let all = deliveries.expected + skipped;
    let gone = watches.ended.get(&Ending::Gone).copied().unwrap_or_default();
    let cause = if gone_after_list * 2 > *lists && skipped * 10 >= all {
        format!("the server ended {gone_after_list} of {lists} watches with 410 directly after their list")
    } else if gone * 2 > *lists && skipped * 2 > all {
        format!("the server ended {gone} watches with 410")
    } else {
        return None;
    };
    Some(format!("{skipped} of {all} deliveries are not counted: {cause}"))
}

#[cfg(test)]
mod tests {
    use harness::TargetInfo;
    use harness::load::{Deliveries, ErrorClass, Watches};
    use jiff::Timestamp;

    use super::*;

    /// What a fan-out leaves open after these writes.
    fn of_writes(closed: Option<usize>, write: impl FnOnce(&mut Series)) -> String {
        let (workload, load) = written(closed, write);
        unmeasured_requests(&workload, "configmaps", &load).unwrap_or_default()
    }

    fn written(closed: Option<usize>, write: impl FnOnce(&mut Series)) -> (Workload, LoadRun) {
        let mut workload = Workload::named("watch-fanout").unwrap();
        let requests = workload.requests.as_mut().unwrap();
        requests.closed = closed;
        let mut writes = Series::new(requests.operations[0].series("configmaps", DurationKind::Latency));
        write(&mut writes);
        let described = workload.describe("configmaps");
        let mut load =
            LoadRun::new("kube-assay 0", "r", described, TargetInfo::default(), Timestamp::UNIX_EPOCH);
        load.series.push(writes);
        (workload, load)
    }

    #[test]
    fn a_server_is_lost_if_it_is_silent_for_longer_than_its_slowest_response_takes() {
        let lost = |slowest, waited, seconds| {
            let (workload, load) = written(None, |writes| {
                writes.record(slowest);
                writes.pend(waited);
            });
            let (after, length) = (Duration::from_millis(3_200), Duration::from_secs(seconds));
            let silence = Silence { after, length };
            lost_server(&workload, "configmaps", &load, silence).unwrap_or_default()
        };
        let expected = "the server responded to no request after the first 4 s of the measured time";
        assert_eq!(lost(5_000, 4_000_000, 3), expected);
        // No request waited for long, the server is silent for a moment, or it is slow.
        for (slowest, waited, seconds) in
            [(5_000, 1_000_000, 3), (5_000, 4_000_000, 1), (2_000_000, 9_000_000, 3)]
        {
            assert_eq!(lost(slowest, waited, seconds), "", "{slowest} {waited} {seconds}");
        }
    }

    #[test]
    fn watches_without_a_successful_write_deliver_nothing() {
        assert_eq!(of_writes(None, |_| {}), "", "without a start another reason says so");
        let rejected = of_writes(None, |writes| writes.fail(ErrorClass::Status(500)));
        let expected = "no write to the watched objects succeeded (attempts: 1; 500 Internal Server Error)";
        assert!(rejected.starts_with(expected), "{rejected}");
        let held = of_writes(None, |writes| writes.pend(5));
        assert!(held.contains("(attempts: 1; no response)"), "{held}");
        let one = of_writes(None, |writes| {
            writes.fail(ErrorClass::Status(500));
            writes.record(5);
        });
        assert_eq!(one, "");
    }

    #[test]
    fn a_closed_loop_of_which_half_of_the_senders_measure_is_another_load() {
        let of = |planned, measured| idle(Senders { planned, measured }).unwrap_or_default();
        assert_eq!(of(10, 5), "only 5 of 10 senders of the closed loop sent measured requests");
        assert!(of(2, 1).starts_with("only 1 of 2"));
        for (planned, measured) in [(10, 6), (1, 1), (0, 0)] {
            assert_eq!(of(planned, measured), "", "a warning says so");
        }
    }

    fn of(restarts: Restarts, (expected, skipped): (u64, u64), gone: u64) -> String {
        let deliveries = Deliveries { expected, ..Deliveries::default() };
        let watches = Watches { ended: [(Ending::Gone, gone)].into(), ..Watches::default() };
        let rest = WatchPoolSummary::default();
        let account = WatchPoolSummary { deliveries, skipped, restarts, watches, ..rest };
        unmeasured(&account).unwrap_or_default()
    }

    #[test]
    fn a_closed_loop_without_responses_measures_little() {
        let unstarted = of_writes(Some(2), |_| {});
        assert!(unstarted.starts_with("no request of the closed loop started"), "{unstarted}");
        // Two senders for 60 s.
        let after = |responses, micros, open| {
            of_writes(Some(2), move |writes| {
                (0..responses).for_each(|_| writes.record(micros));
                (0..2).for_each(|_| writes.pend(open));
            })
        };
        let hung = after(1_000, 1_000, 59_000_000);
        assert!(hung.starts_with("requests without a response took 99 % of the time"), "{hung}");
        assert_eq!(after(1_000, 100_000, 5_000_000), "");
        // All of the grace period passed without a response, and little of the measured time.
        assert_eq!(after(3, 25_000_000, 60_000_000), "");
    }

    #[test]
    fn many_streaming_lists_without_a_bookmark_leave_their_time_open() {
        let lists =
            |synced, unsynced, ended_early| Restarts { synced, unsynced, ended_early, ..Restarts::default() };
        for known in [lists(0, 0, 0), lists(90, 10, 0), lists(10, 0, 10), lists(0, 4, 0)] {
            assert_eq!(of(known, (0, 0), 0), "", "{known:?}");
        }
        assert!(
            of(lists(10, 20, 0), (0, 0), 0).starts_with("20 of 30 streaming lists never had the bookmark")
        );
        assert!(of(lists(10, 0, 20), (0, 0), 0).starts_with("the server ended 20 of 30 streaming lists"));
    }

    #[test]
    fn many_deliveries_that_are_not_counted_leave_them_open() {
        let gone = |lists, gone_after_list| Restarts { lists, gone_after_list, ..Restarts::default() };
        for (restarts, deliveries, all_gone) in [
            // The run cuts the watches.
            (gone(90, 0), (10, 900), 0),
            (gone(10, 5), (90, 90), 5),
            (gone(500, 400), (950, 50), 400),
            (gone(0, 0), (0, 0), 0),
        ] {
            assert_eq!(of(restarts, deliveries, all_gone), "", "{restarts:?}");
        }
        let expected = "90 of 180 deliveries are not counted: the server ended 418 of 419 watches with 410";
        assert!(of(gone(419, 418), (90, 90), 418).starts_with(expected));
        let expected = "91 of 181 deliveries are not counted: the server ended 8 watches with 410";
        assert_eq!(of(gone(9, 0), (90, 91), 8), expected);
    }
}
