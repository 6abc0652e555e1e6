//! The sum of the results of all workers: what one process would have recorded.

use std::time::{Duration, Instant};

use harness::load::{Generator, Host, LoadRun, Warning, WorkerAccount};

use super::worker_seen::{WorkerSeen, problem_of};
use crate::read_back::ReadBack;
use crate::run::{Findings, assemble, assemble_read_back};

/// The processor time, in percent of a worker's processors, above which it waits for itself.
const BUSY: u128 = 85;

/// Adds the results of all workers to a run, which measured for this time; its series come from interval reports.
pub(super) fn merge(load: &mut LoadRun, workers: Vec<WorkerSeen>, measured: Duration) {
    if load.partial.is_none() {
        load.partial = problem_of(&workers);
    }
    let (mut found, mut read_back) = (Findings::default(), None::<ReadBack>);
    for (index, worker) in workers.into_iter().enumerate() {
        let mut account = account(index, &worker);
        match worker.result {
            Some(result) => {
                load.warnings.extend(busy(index, &result.generator, measured));
                (account.cpu, account.memory) = (result.generator.cpu, result.generator.memory);
                account.host = result.host;
                add_generator(&mut load.generator, &result.generator);
                found.add(result.found);
                if let Some(other) = result.read_back {
                    read_back.get_or_insert_default().add(other);
                }
            }
            None => found.requests.add_starts(worker.backlog.starts),
        }
        load.workers.push(account);
    }
    load.host = load.workers.first().map_or_else(Host::default, |worker| worker.host.clone());
    if let Some(read_back) = read_back {
        assemble_read_back(load, &mut found, read_back);
    }
    assemble(load, found);
}

fn account(index: usize, worker: &WorkerSeen) -> WorkerAccount {
    let clock = worker.clock(Instant::now());
    WorkerAccount {
        index,
        problem: worker.problem(),
        clock_at_least: clock.at_least,
        clock_at_most: clock.at_most,
        ..WorkerAccount::default()
    }
}

fn add_generator(sum: &mut Generator, other: &Generator) {
    sum.cores = sum.cores.saturating_add(other.cores);
    sum.cpu += other.cpu;
    sum.memory += other.memory;
    sum.checked += other.checked;
    sum.misread += other.misread;
    sum.timer_lag.add(&other.timer_lag);
    sum.queueing.add(&other.queueing);
}

/// In the sum, idle workers would hide a busy one.
fn busy(index: usize, generator: &Generator, measured: Duration) -> Option<Warning> {
    let had = u128::from(generator.cores) * measured.as_micros();
    let percent = (u128::from(generator.cpu) * 100).checked_div(had)?;
    let text = format!(
        "worker {index} used {percent} % of its {} processors: it was the bottleneck itself",
        generator.cores
    );
    (percent > BUSY).then(|| Warning::new("generator-cpu", text).grave())
}

#[cfg(test)]
mod tests {
    use harness::load::{DurationKind, ErrorClass, Scope, Series, SeriesKey};
    use proptest::prelude::*;

    use super::*;
    use crate::aggregator::Aggregator;
    use crate::broken_rules::Rule;
    use crate::recorder::Recorder;
    use crate::watch_pool::WatchPoolSummary;

    #[derive(Debug, Clone)]
    enum Sample {
        Value(u64),
        Bounds(u64, u64),
        Failed(u16),
        GivenUp(u64),
        Pending(u64),
    }

    fn sample() -> impl Strategy<Value = Sample> {
        let micros = 0..90_000_000u64;
        prop_oneof![
            6 => micros.clone().prop_map(Sample::Value),
            2 => (micros.clone(), micros.clone()).prop_map(|(least, wide)| Sample::Bounds(least, least + wide)),
            1 => (400..600u16).prop_map(Sample::Failed),
            1 => micros.clone().prop_map(Sample::GivenUp),
            1 => micros.prop_map(Sample::Pending),
        ]
    }

    fn record(recorder: &Recorder, kind: DurationKind, sample: &Sample) {
        let series = recorder.series(SeriesKey::new("WATCH", "pods", Scope::Namespace, kind, ""));
        match *sample {
            Sample::Value(micros) => recorder.record_micros(series, micros),
            Sample::Bounds(least, most) => recorder.record_bounds(series, (least, most)),
            Sample::Failed(status) => recorder.fail(series, ErrorClass::Status(status)),
            Sample::GivenUp(after) => {
                recorder.give_up(series, ErrorClass::Timeout, Duration::from_micros(after));
            }
            Sample::Pending(for_now) => recorder.pend(series, for_now),
        }
    }

    /// What a coordinator has of workers, each of which reports several times.
    fn merged(samples: &[(usize, bool, Sample)], workers: usize) -> Vec<Series> {
        let mut coordinator = Aggregator::default();
        for index in 0..workers {
            let (recorder, mut own) = (Recorder::default(), Aggregator::default());
            let owned = samples.iter().enumerate().filter(|(number, _)| number % workers == index);
            for (number, (turn, lag, sample)) in owned {
                let kind = if *lag { DurationKind::LagSent } else { DurationKind::Latency };
                record(&recorder, kind, sample);
                if (number + turn) % 7 == 0 {
                    own.take(report(&recorder));
                    coordinator.take(written(&own.report("worker", 1)));
                }
            }
            own.take(report(&recorder));
            coordinator.take(written(&own.report("worker", 1)));
        }
        coordinator.into_series()
    }

    fn report(recorder: &Recorder) -> crate::IntervalReport {
        crate::IntervalReport { series: recorder.take(), ..crate::IntervalReport::empty("thread") }
    }

    /// As it comes through the rendezvous.
    fn written(report: &crate::IntervalReport) -> crate::IntervalReport {
        serde_json::from_str(&serde_json::to_string(report).unwrap()).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8))]
        #[test]
        fn parts_add_up_to_the_whole_bit_by_bit(
            samples in prop::collection::vec((0..7usize, any::<bool>(), sample()), 1..150),
            workers in 2..6usize,
        ) {
            prop_assert_eq!(merged(&samples, workers), merged(&samples, 1));
        }

        #[test]
        fn results_of_watches_add_up(parts in prop::collection::vec((0..50u64, 0..9u64, 0..9u64), 1..20)) {
            let mut sum = Findings::default();
            for (delivered, lost, malformed) in &parts {
                let mut summary = WatchPoolSummary::default();
                (0..*malformed).for_each(|_| summary.broken_rules.count(Rule::Malformed, String::new));
                (summary.deliveries.delivered, summary.deliveries.lost) = (*delivered, *lost);
                let text = serde_json::to_string(&Findings { healthy: Some(summary), ..Findings::default() });
                sum.add(serde_json::from_str(&text.unwrap()).unwrap());
            }
            let all = sum.healthy.unwrap();
            prop_assert_eq!(all.deliveries.delivered, parts.iter().map(|part| part.0).sum::<u64>());
            prop_assert_eq!(all.deliveries.lost, parts.iter().map(|part| part.1).sum::<u64>());
            let malformed = all.broken_rules.breaches().map(|breach| breach.count).sum::<u64>();
            prop_assert_eq!(malformed, parts.iter().map(|part| part.2).sum::<u64>());
        }
    }

    #[test]
    fn an_idle_worker_does_not_hide_a_busy_one() {
        let generator = |cpu| Generator { cores: 2, cpu, ..Generator::default() };
        let second = Duration::from_secs(1);
        assert!(busy(3, &generator(100_000), second).is_none());
        let warning = busy(3, &generator(1_900_000), second).unwrap();
        assert!(warning.grave && warning.says.starts_with("worker 3 used 95 %"), "{}", warning.says);
    }
}
