//! The accounts of a run in words: planned, started and delivered, and the cost of the generator.

use model::load::{
    Deliveries, DurationKind, Gauge, Generator, Host, LoadRun, Senders, Series, ServerMetrics, Starts,
    Watches, WorkerAccount, micros_text,
};

use super::figures::{bytes, count, percent, plural};

/// Each account with its name, except those that do not apply to the run.
pub(super) fn account(run: &LoadRun) -> Vec<(&'static str, String)> {
    let books = [
        ("delivered", run.deliveries.as_ref().map(delivered)),
        ("started", run.starts.as_ref().map(started)),
        ("senders", run.senders.as_ref().map(senders)),
        ("watches", run.watches.as_ref().map(watches)),
        ("generator", Some(generator(&run.generator, run.measured().as_secs_f64()))),
        ("workers", workers(&run.workers)),
        ("lag", lag_between_clocks(run)),
        ("server", server(run)),
        ("left over", Some(run.leftovers.join(", ")).filter(|left| !left.is_empty())),
    ];
    books.into_iter().filter_map(|(name, value)| value.map(|value| (name, value))).collect()
}

fn delivered(books: &Deliveries) -> String {
    let (delivered, expected) = (books.delivered, books.expected);
    let first =
        format!("{} of {} expected ({})", count(delivered), count(expected), percent(delivered, expected));
    let rest = [
        (books.lost, "lost"),
        (books.pending, "not arrived at the end"),
        (books.repeated, "repeated"),
        (books.reordered, "out of order"),
    ];
    joined(first, rest)
}

fn started(starts: &Starts) -> String {
    let first = format!("{} of {} planned", count(starts.sent), count(starts.planned));
    joined(first, [(starts.late, "late"), (starts.dropped, "dropped")])
}

fn senders(senders: &Senders) -> String {
    format!("{} of {} sent measured requests", count(senders.measured), count(senders.planned))
}

fn watches(watches: &Watches) -> String {
    let streams = watches.streams.map_or(String::new(), |most| format!(" of at most {most} streams"));
    let first = format!(
        "{} of {} opened over {}{streams}, {} open at the end",
        count(watches.opened),
        count(watches.planned),
        plural(watches.connections, "connection"),
        count(watches.open)
    );
    let ended = watches.ended.iter().map(|(why, number)| (*number, why.word()));
    joined(first, ended.chain([(watches.resumed, "resumed")]))
}

#[expect(clippy::cast_precision_loss, reason = "it is shown with few digits")]
fn generator(own: &Generator, seconds: f64) -> String {
    let used = if seconds > 0.0 { own.cpu as f64 / 1e6 / seconds } else { 0.0 };
    let late = |of: &model::load::Histogram| micros_text(of.inner().value_at_quantile(0.99) as f64);
    let mut parts = vec![format!("{used:.2} of {} used", plural(own.cores.into(), "processor"))];
    if own.memory > 0 {
        parts.push(format!("{} of memory", bytes(own.memory)));
    }
    if !own.timer_lag.is_empty() {
        parts.push(format!("timers late by {} at p99", late(&own.timer_lag)));
    }
    if !own.queueing.is_empty() {
        parts.push(format!("received bytes waited {} at p99", late(&own.queueing)));
    }
    if own.checked > 0 {
        parts.push(format!("{} events checked, {} misread", count(own.checked), count(own.misread)));
    }
    parts.join(", ")
}

/// How far the clocks of the workers are known, and what is missing.
#[expect(clippy::cast_precision_loss, reason = "it is shown with few digits")]
fn workers(all: &[WorkerAccount]) -> Option<String> {
    if all.is_empty() {
        return None;
    }
    let clock = |worker: &WorkerAccount| Some(worker.clock_at_most? - worker.clock_at_least?);
    let widest: Option<Vec<i64>> = all.iter().map(clock).collect();
    let clocks = match widest.and_then(|widths| widths.into_iter().max()) {
        Some(widest) => format!("clocks known within {}", micros_text(widest as f64)),
        None => "not all clocks are known".to_owned(),
    };
    let problems = all.iter().filter_map(|worker| {
        worker.problem.as_ref().map(|problem| format!("worker {}: {problem}", worker.index))
    });
    let parts = [plural(all.len() as u64, "worker"), clocks].into_iter().chain(problems);
    Some(parts.collect::<Vec<_>>().join(", "))
}

/// The bounds of delivery lags that were measured between clocks of several machines.
#[expect(clippy::cast_precision_loss, reason = "it is shown with few digits")]
fn lag_between_clocks(run: &LoadRun) -> Option<String> {
    let is_between = |series: &&Series| !series.upper.is_empty() && series.key.variant.is_empty();
    let series = run.of_kind(DurationKind::LagSent).find(is_between)?;
    let bounds = |(name, q): (&str, f64)| {
        let quantile = series.quantile(q)?;
        let least = micros_text(quantile.at_least as f64);
        let most = quantile.at_most.map(|most| micros_text(most as f64))?;
        Some(format!("{name} between {least} and {most}"))
    };
    let bounds: Vec<String> = [("p50", 0.5), ("p99", 0.99)].into_iter().filter_map(bounds).collect();
    Some(format!("from sending, between the clocks of the workers: {}", bounds.join(", ")))
        .filter(|_| !bounds.is_empty())
}

/// `branch=main, commit=1f2e`
pub(super) fn labels(run: &LoadRun) -> String {
    run.labels.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(", ")
}

/// The machine of the generator; empty if it is unknown.
pub(super) fn host(host: &Host) -> String {
    if *host == Host::default() {
        return String::new();
    }
    let memory = if host.memory == 0 { String::new() } else { format!(", {} of memory", bytes(host.memory)) };
    format!("{} of {}{memory}, {}", plural(host.cores.into(), "processor"), host.cpu, host.kernel)
}

/// What the server says of itself, or why it does not; `None` in a run that did not look.
pub(super) fn server(run: &LoadRun) -> Option<String> {
    match (&run.server_metrics, &run.no_server_metrics) {
        (Some(found), _) => Some(server_metrics(found)),
        (None, why) => why.as_ref().map(|why| format!("unknown: {why}")),
    }
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is shown with few digits"
)]
fn server_metrics(found: &ServerMetrics) -> String {
    let seconds = found.window_ms.max(1) as f64 / 1e3;
    let used = found.cpu.map(|cpu| format!("{:.2} processors used", cpu as f64 / 1e6 / seconds));
    let memory = |gauge: &Gauge| {
        format!("memory from {} to {}", bytes(gauge.before as u64), bytes(gauge.after as u64))
    };
    let in_flight = found.in_flight.iter().map(|gauge| {
        let (name, before, after) = (&gauge.name, gauge.before, gauge.after);
        format!("{name} requests in flight from {before} to {after}")
    });
    let parts = used.into_iter().chain(found.memory.as_ref().map(memory)).chain(in_flight);
    let window = format!("over {seconds:.1} s");
    parts.chain([window]).collect::<Vec<_>>().join(", ")
}

/// The other counts, except zeros.
fn joined<'a>(first: String, rest: impl IntoIterator<Item = (u64, &'a str)>) -> String {
    let rest = rest.into_iter().filter(|(number, _)| *number > 0);
    let rest = rest.map(|(number, word)| format!("{} {word}", count(number)));
    std::iter::once(first).chain(rest).collect::<Vec<_>>().join(", ")
}
