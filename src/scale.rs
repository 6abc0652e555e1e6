//! Overrides of a workload's scale.

use loadgen::workload::{Time, Workload};

use crate::cli::ScaleArgs;

/// Overrides the workload with the flags.
pub(crate) fn scale(workload: &mut Workload, scale: &ScaleArgs) -> Result<(), String> {
    let times = [
        (scale.duration, &mut workload.duration),
        (scale.warm_up, &mut workload.warm_up),
        (scale.drain, &mut workload.drain),
    ];
    for (given, time) in times {
        *time = given.map_or(*time, Time);
    }
    let population = &mut workload.population;
    set(&mut population.objects, scale.objects);
    set(&mut population.size, scale.size);
    set(&mut population.namespaces, scale.namespaces);
    match &mut workload.watches {
        Some(watches) => {
            set(&mut watches.count, scale.watches);
            set(&mut watches.streams, scale.streams);
            set(&mut watches.opening, scale.opening);
        }
        None if scale.watches.is_some() || scale.opening.is_some() => {
            return Err(format!(
                "the workload {} has no watches: leave out --watches and --opening",
                workload.name
            ));
        }
        None => {}
    }
    match &mut workload.requests {
        Some(requests) => {
            set(&mut requests.rate, scale.rate);
            set(&mut requests.connections, scale.connections);
            set(&mut requests.streams, scale.streams);
            requests.closed = scale.closed.or(requests.closed.filter(|_| scale.rate.is_none()));
        }
        None if scale.rate.is_some() || scale.closed.is_some() || scale.connections.is_some() => {
            return Err(format!(
                "the workload {} sends no requests: leave out --rate, --closed and --connections",
                workload.name
            ));
        }
        None => {}
    }
    Ok(())
}

fn set<T>(value: &mut T, given: Option<T>) {
    if let Some(given) = given {
        *value = given;
    }
}
