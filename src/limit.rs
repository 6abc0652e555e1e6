//! The limit of open files: each connection is an open file.

use loadgen::workload::Workload;

/// The number of other open files, with a reserve.
const OTHERS: u64 = 128;

/// Raises the process's own limit as far as necessary; the error has a hint.
#[cfg(unix)]
pub(crate) fn make_room(connections: u64) -> Result<(), String> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let needed = connections + OTHERS;
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_none_or(|current| current >= needed) {
        return Ok(());
    }
    if let Some(most) = limit.maximum.filter(|most| *most < needed) {
        return Err(format!(
            "{connections} connections need {needed} open files, and the hard limit of this process is {most}: raise it \
             (`ulimit -Hn {needed}` as root, or LimitNOFILE= of the service), or give fewer --watches or more --streams"
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
