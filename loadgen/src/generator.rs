//! The cost and the delays of the generator itself: the part of every number that the server does not cause.
//!
//! Processor time and memory are the process's own, as the system reports them; without such a report they are missing.
//! Two clocks measure delays: a thread that sleeps and measures how late it wakes up, and, on each thread of the
//! engine, a timer that measures the time between arrival and processing.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use harness::load::{Generator, Histogram};

use crate::pace::Clock;
use crate::recorder::between;

/// The sleep of the monitor thread.
const NAP: Duration = Duration::from_millis(5);

/// The interval between two measurements on a thread of the engine.
const LOOK: Duration = Duration::from_millis(20);

/// Monitors the process from its start until [`TimerMonitor::report`].
pub struct TimerMonitor {
    cpu: Option<Duration>,
    lag: Arc<Mutex<Histogram>>,
    stop: Arc<AtomicBool>,
}

impl TimerMonitor {
    /// Starts the monitor thread.
    pub fn start() -> io::Result<Self> {
        let (lag, stop) = (Arc::new(Mutex::new(Histogram::default())), Arc::new(AtomicBool::new(false)));
        let (found, ended) = (lag.clone(), stop.clone());
        std::thread::Builder::new().name("timer-lag".to_owned()).spawn(move || nap(&found, &ended))?;
        Ok(Self { cpu: cpu(), lag, stop })
    }

    /// The cost since the start, with the delays that the threads measured.
    pub fn report(&self, queueing: Histogram) -> Generator {
        let used = cpu().zip(self.cpu).map_or(Duration::ZERO, |(now, then)| now.saturating_sub(then));
        Generator {
            cores: cores(),
            cpu: crate::recorder::micros(used),
            memory: peak_memory().unwrap_or(0),
            timer_lag: self.lag.lock().unwrap_or_else(PoisonError::into_inner).clone(),
            queueing,
            ..Generator::default()
        }
    }
}

impl Drop for TimerMonitor {
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
    }
}

fn nap(found: &Mutex<Histogram>, ended: &AtomicBool) {
    while !ended.load(Relaxed) {
        let due = Instant::now() + NAP;
        std::thread::sleep(NAP);
        found.lock().unwrap_or_else(PoisonError::into_inner).record(between(due, Instant::now()));
    }
}

/// The time between arrival and processing on this thread, measured with a timer of the system.
#[derive(Clone, Default)]
pub struct Queueing(Rc<RefCell<Histogram>>);

impl Queueing {
    /// Measures for the lifetime of the thread.
    pub async fn look(self) {
        let Ok(clock) = Clock::new(Duration::ZERO) else { return };
        loop {
            let due = Instant::now() + LOOK;
            clock.wait_until(due).await;
            self.0.borrow_mut().record(between(due, Instant::now()));
        }
    }

    /// The delays since the last call.
    pub fn take(&self) -> Histogram {
        self.0.take()
    }
}

/// The number of processors that the process may use.
pub(crate) fn cores() -> u32 {
    std::thread::available_parallelism().map_or(1, |cores| u32::try_from(cores.get()).unwrap_or(1))
}

/// Processor time of the process so far.
#[cfg(target_os = "linux")]
pub fn cpu() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(time).ok()
}

/// Processor time of the process so far.
#[cfg(not(target_os = "linux"))]
pub fn cpu() -> Option<Duration> {
    None
}

/// Current memory of the process, in bytes.
pub fn memory() -> Option<u64> {
    kilobytes(STATUS, "VmRSS:")
}

/// Peak memory of the process, in bytes.
pub fn peak_memory() -> Option<u64> {
    kilobytes(STATUS, "VmHWM:")
}

/// A file of the system with an amount of memory in each line.
const STATUS: &str = "/proc/self/status";

/// The amount after a name in such a file, in bytes.
pub(crate) fn kilobytes(path: &str, name: &str) -> Option<u64> {
    let text = std::fs::read_to_string(path).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn the_system_reports_the_usage_of_the_process() {
        assert!(cpu().is_some());
        // Not compared with each other: other tests allocate between the two calls.
        assert!(memory().is_some_and(|bytes| bytes > 1 << 20));
        assert!(peak_memory().is_some_and(|bytes| bytes > 1 << 20));
    }

    #[test]
    fn a_timer_monitor_looks_for_delays() {
        let timer_monitor = TimerMonitor::start().unwrap();
        while timer_monitor.report(Histogram::default()).timer_lag.is_empty() {
            std::thread::yield_now();
        }
        assert!(timer_monitor.report(Histogram::default()).cores > 0);
    }
}
