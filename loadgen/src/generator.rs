//! The cost and the delays of the generator itself: the part of every number that the server does not cause.
//!
//! Processor time and memory are the process's own, as the system reports them; without such a report they are missing.
//! Two clocks measure delays: a thread that sleeps and measures how late it wakes up, and, on each thread of the
//! engine, a timer that measures the time between arrival and processing.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use harness::load::{Generator, Histogram};

use crate::pace::Clock;
use crate::recorder::{between, micros};

/// The sleep of the monitor thread.
const NAP: Duration = Duration::from_millis(5);

/// The interval between two measurements on a thread of the engine.
const LOOK: Duration = Duration::from_millis(20);

/// Monitors the process from its start until [`TimerMonitor::report`].
pub struct TimerMonitor {
    cpu: Option<Duration>,
    naps: Arc<Mutex<Naps>>,
    stop: Arc<AtomicBool>,
}

/// The sleeps of the monitor thread.
struct Naps {
    lag: Histogram,
    /// The end of the current sleep, by [`uptime`].
    due: Duration,
}

impl TimerMonitor {
    /// Starts the monitor thread, planned for this instant: the process may have stood still before it.
    pub fn start(planned: Instant) -> io::Result<Self> {
        let naps = Arc::new(Mutex::new(Naps { lag: Histogram::default(), due: uptime() + NAP }));
        lock(&naps).lag.record(between(planned, Instant::now()));
        let stop = Arc::new(AtomicBool::new(false));
        let (found, ended) = (naps.clone(), stop.clone());
        std::thread::Builder::new().name("timer-lag".to_owned()).spawn(move || nap(&found, &ended))?;
        Ok(Self { cpu: cpu(), naps, stop })
    }

    /// The cost since the start, with the delays that the threads measured.
    pub fn report(&self, queueing: Histogram) -> Generator {
        let used = cpu().zip(self.cpu).map_or(Duration::ZERO, |(now, then)| now.saturating_sub(then));
        Generator {
            cores: cores(),
            cpu: micros(used),
            memory: peak_memory().unwrap_or(0),
            timer_lag: lock(&self.naps).lag_until(uptime()),
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

impl Naps {
    fn end(&mut self, now: Duration) {
        self.lag.record(micros(now.saturating_sub(self.due)));
        self.due = now + NAP;
    }

    /// With the current sleep, if it is over: the monitor thread may wake up after the reader.
    fn lag_until(&self, now: Duration) -> Histogram {
        let mut lag = self.lag.clone();
        if let Some(late) = now.checked_sub(self.due).filter(|late| !late.is_zero()) {
            lag.record(micros(late));
        }
        lag
    }
}

fn lock(naps: &Mutex<Naps>) -> MutexGuard<'_, Naps> {
    naps.lock().unwrap_or_else(PoisonError::into_inner)
}

fn nap(naps: &Mutex<Naps>, ended: &AtomicBool) {
    while !ended.load(Relaxed) {
        std::thread::sleep(NAP);
        lock(naps).end(uptime());
    }
}

/// The time since the machine started. It goes on while the machine is suspended, unlike that of [`Instant`].
#[cfg(target_os = "linux")]
fn uptime() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
    Duration::try_from(time).unwrap_or_default()
}

/// The time since the first call.
#[cfg(not(target_os = "linux"))]
fn uptime() -> Duration {
    static FIRST: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    FIRST.elapsed()
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
        let timer_monitor = TimerMonitor::start(Instant::now()).unwrap();
        // The first value is the delay of the start.
        while timer_monitor.report(Histogram::default()).timer_lag.len() < 2 {
            std::thread::yield_now();
        }
        assert!(timer_monitor.report(Histogram::default()).cores > 0);
    }

    #[test]
    fn a_process_that_stands_still_is_late_before_and_after_the_monitor_wakes_up() {
        let second = Duration::from_secs(1);
        let mut naps = Naps { lag: Histogram::default(), due: second };
        assert!(naps.lag_until(second).is_empty());
        assert!(naps.lag_until(second * 4).max() >= 2_990_000);
        naps.end(second * 4);
        assert!(naps.lag.max() >= 2_990_000 && naps.due > second * 4);
    }

    #[test]
    fn a_late_start_of_the_monitor_counts() {
        let Some(planned) = Instant::now().checked_sub(Duration::from_secs(2)) else { return };
        let timer_monitor = TimerMonitor::start(planned).unwrap();
        assert!(timer_monitor.report(Histogram::default()).timer_lag.max() >= 1_990_000);
    }
}
