//! Waits for an instant more precisely than the runtime, whose timers count whole milliseconds.
//!
//! Every wake-up costs more than a small request, so a clock has a tick: it wakes up on a grid of ticks, and then
//! handles everything that is due. Without a tick it wakes up for every instant.

use std::io;
use std::time::{Duration, Instant};

/// A precise timer.
pub struct Clock {
    timer: timer::Timer,
    tick: Duration,
    began: Instant,
}

impl Clock {
    /// A clock with a tick; exact if the tick is zero.
    pub fn new(tick: Duration) -> io::Result<Self> {
        Ok(Self { timer: timer::Timer::new()?, tick, began: Instant::now() })
    }

    /// Waits until an instant, and then until the next tick.
    pub async fn wait_until(&self, instant: Instant) {
        let instant = self.on_grid(instant);
        loop {
            let left = instant.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            self.timer.wait(left).await;
        }
    }

    fn on_grid(&self, instant: Instant) -> Instant {
        let (since, tick) = (instant.saturating_duration_since(self.began).as_nanos(), self.tick.as_nanos());
        let over = since.checked_rem(tick).unwrap_or(0);
        let short = if over == 0 { 0 } else { tick - over };
        instant + Duration::from_nanos(u64::try_from(short).unwrap_or(0))
    }
}

#[cfg(target_os = "linux")]
mod timer {
    use std::io;
    use std::time::Duration;

    use rustix::time::{
        Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create,
        timerfd_settime,
    };
    use tokio::net::unix::pipe::Receiver;

    /// A timer of the system. The runtime reads it like a pipe, which becomes readable when the time is over.
    pub(super) struct Timer(Receiver);

    impl Timer {
        pub(super) fn new() -> io::Result<Self> {
            let flags = TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC;
            Receiver::from_owned_fd_unchecked(timerfd_create(TimerfdClockId::Monotonic, flags)?).map(Self)
        }

        pub(super) async fn wait(&self, time: Duration) {
            if self.set(time).is_err() || self.expired().await.is_err() {
                tokio::time::sleep(time).await;
            }
        }

        fn set(&self, time: Duration) -> io::Result<()> {
            let it_value = Timespec::try_from(time).map_err(io::Error::other)?;
            let it_interval = Timespec { tv_sec: 0, tv_nsec: 0 };
            let once = Itimerspec { it_interval, it_value };
            timerfd_settime(&self.0, TimerfdTimerFlags::empty(), &once)?;
            Ok(())
        }

        async fn expired(&self) -> io::Result<()> {
            loop {
                self.0.readable().await?;
                match self.0.try_read(&mut [0; 8]) {
                    Err(why) if why.kind() == io::ErrorKind::WouldBlock => {}
                    read => return read.map(drop),
                }
            }
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod timer {
    use std::io;
    use std::time::Duration;

    /// The runtime's own timer: late by up to two milliseconds.
    pub(super) struct Timer;

    impl Timer {
        pub(super) fn new() -> io::Result<Self> {
            Ok(Self)
        }

        pub(super) async fn wait(&self, time: Duration) {
            tokio::time::sleep(time).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn nothing_is_woken_too_early() {
        for tick in [0, 100, 5_000].map(Duration::from_micros) {
            let clock = Clock::new(tick).unwrap();
            for micros in [0, 10, 1_500, 7_000] {
                let instant = Instant::now() + Duration::from_micros(micros);
                clock.wait_until(instant).await;
                assert!(Instant::now() >= instant);
            }
        }
    }

    #[tokio::test]
    async fn instants_are_rounded_up_to_the_grid() {
        let clock = Clock::new(Duration::from_millis(10)).unwrap();
        let at = |ms| clock.began + Duration::from_millis(ms);
        assert_eq!([0, 1, 10, 11].map(|ms| clock.on_grid(at(ms))), [at(0), at(10), at(10), at(20)]);
        let exact = Clock::new(Duration::ZERO).unwrap();
        let odd = exact.began + Duration::from_nanos(12_345);
        assert_eq!(exact.on_grid(odd), odd);
    }
}
