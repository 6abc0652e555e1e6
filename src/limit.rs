//! The limit of open files: each connection is an open file.

use loadgen::workload::Workload;

/// Files that a load run opens beside its connections, and a few to spare.
const OTHERS: u64 = 128;

/// Files that every command may open at once: the runtime panics without its own.
const OF_COMMAND: u64 = 16;

/// Files that a conformance run opens beside the connections of its usual scenarios: a few scenarios have 40 connections.
/// Measured on kube-apiserver without HTTP/2: 94, 115 and 220 open files with 4, 16 and 64 concurrent scenarios.
const OTHERS_OF_RUN: u64 = 96;

/// Connections of one scenario, measured, where each carries one request at a time.
const OF_SCENARIO: u64 = 8;

/// All files of a conformance run where connections carry many requests: HTTP/2. Measured on kube-apiserver: 20, 19 and
/// 23 with 4, 16 and 64 concurrent scenarios.
const OF_RUN_WITH_HTTP2: u64 = 48;

/// Raises our own limit as far as any command needs it.
pub(crate) fn make_room_for_command() -> Result<(), String> {
    allow("a command needs", OF_COMMAND, "run it where more are allowed")
}

/// Raises our own limit as far as a load run needs it; the error has a hint where that is not enough.
pub(crate) fn make_room(connections: u64) -> Result<(), String> {
    let what = format!("{connections} connections need");
    allow(&what, connections + OTHERS, "give fewer --watches or more --streams")
}

/// The same for a conformance run. The embedded server has the other `ends` of the connections.
///
/// TLS usually brings HTTP/2: then it suffices to have room for that, if there is no more.
pub(crate) fn make_room_for_scenarios(parallel: u64, encrypted: bool, ends: u64) -> Result<(), String> {
    let what = format!("{parallel} concurrent scenarios need some");
    let allow = |needed| allow(&what, needed, "give a smaller --parallel");
    let allowed = allow(parallel * OF_SCENARIO * ends + OTHERS_OF_RUN);
    if encrypted { allowed.or_else(|_| allow(OF_RUN_WITH_HTTP2)) } else { allowed }
}

#[cfg(unix)]
fn allow(what: &str, needed: u64, instead: &str) -> Result<(), String> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_none_or(|current| current >= needed) {
        return Ok(());
    }
    if let Some(most) = limit.maximum.filter(|most| *most < needed) {
        return Err(format!(
            "{what} {needed} open files, and the hard limit of this process is {most}: raise it \
             (`ulimit -Hn {needed}` as root, or LimitNOFILE= of the service), or {instead}"
        ));
    }
    let raised = Rlimit { current: limit.maximum.or(Some(needed)), ..limit };
    setrlimit(Resource::Nofile, raised).map_err(|why| {
        format!("failed to raise the limit of open files to {needed}: {why}; hint: `ulimit -Sn {needed}` does it for a shell")
    })
}

/// The maximum number of connections of a workload, with or without many streams per connection.
pub(crate) fn connections(workload: &Workload, many_streams: bool) -> u64 {
    let watches = workload.watches.as_ref().map_or(0, |watches| {
        let streams = if many_streams { watches.streams.clamp(1, 100) } else { 1 };
        watches.connections.unwrap_or(usize::MAX).min(watches.count.div_ceil(streams))
    });
    let slow = workload.slow.as_ref().map_or(0, |slow| slow.count);
    let requests = workload.requests.as_ref().map_or(0, |requests| requests.connections);
    (watches + slow + requests) as u64
}
