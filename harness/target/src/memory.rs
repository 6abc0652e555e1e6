//! Bounds the memory that responses take, whatever a server sends.
//!
//! Each scenario has a small share. Only one scenario at a time may take more, up to a limit.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore};

/// The share that every scenario has at least, in bytes.
const SMALLEST_SHARE: usize = 512 << 10;

/// Estimates for parsed JSON, measured: a map takes room for four fields when it has one.
const BYTES_OF_MAP: usize = 450;
const BYTES_OF_ELEMENT: usize = 100;

/// A scenario's share of the memory for responses. Its clones are the same share.
#[derive(Debug, Clone)]
pub struct MemoryShare {
    small: usize,
    limit: usize,
    used: Arc<AtomicUsize>,
    permit: Arc<Mutex<Option<OwnedSemaphorePermit>>>,
    large: Arc<Semaphore>,
}

impl MemoryShare {
    /// A share of a run with so many concurrent scenarios. One of them at a time may take up to `limit` bytes, the others
    /// half as much together.
    pub(crate) fn of_run(limit: usize, parallel: usize) -> Self {
        let small = (limit / 2 / parallel.max(1)).max(SMALLEST_SHARE);
        let large = Arc::new(Semaphore::new(1));
        Self { small, limit, used: Arc::default(), permit: Arc::default(), large }
    }

    /// A share for another scenario of the run.
    pub(crate) fn another(&self) -> Self {
        Self { used: Arc::default(), permit: Arc::default(), ..self.clone() }
    }

    /// A reservation for one response, of no bytes yet. A scenario makes so many `copies` of its parsed form.
    pub fn reservation(&self, copies: usize) -> Reservation {
        Reservation { share: self.clone(), copies, bytes: 0 }
    }

    async fn take(&self, bytes: usize) -> Result<(), TooLarge> {
        let used = self.used.fetch_add(bytes, Ordering::SeqCst) + bytes;
        if used > self.limit {
            return Err(TooLarge { limit: self.limit });
        }
        if used > self.small {
            let mut permit = self.permit.lock().await;
            if permit.is_none() {
                *permit = self.large.clone().acquire_owned().await.ok();
            }
        }
        Ok(())
    }

    fn give_back(&self, bytes: usize) {
        let used = self.used.fetch_sub(bytes, Ordering::SeqCst) - bytes;
        // If another request of the scenario waits for the permit, it still needs it.
        if let (true, Ok(mut permit)) = (used <= self.small, self.permit.try_lock()) {
            *permit = None;
        }
    }
}

/// Memory that a response takes; its drop gives the memory back.
#[derive(Debug)]
pub struct Reservation {
    share: MemoryShare,
    copies: usize,
    bytes: usize,
}

/// A scenario's responses take more memory than one scenario may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it takes more than {} MB of memory", limit >> 20)]
pub struct TooLarge {
    limit: usize,
}

impl Reservation {
    /// Takes memory for a received piece of JSON. Waits while another scenario has more than a small share.
    ///
    /// # Errors
    /// The scenario's responses take too much.
    pub async fn grow(&mut self, piece: &[u8]) -> Result<(), TooLarge> {
        let bytes = piece.len() + self.copies * parsed_size(piece);
        self.bytes += bytes;
        self.share.take(bytes).await
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.share.give_back(self.bytes);
    }
}

/// The size of a piece of JSON in its parsed form, in bytes.
fn parsed_size(json: &[u8]) -> usize {
    let size_of = |byte: &u8| match byte {
        b'{' => BYTES_OF_MAP,
        b',' => BYTES_OF_ELEMENT,
        _ => 0,
    };
    json.len() + json.iter().map(size_of).sum::<usize>()
}

/// The body of a response, with its reservation.
pub(crate) struct Body {
    pub(crate) bytes: Vec<u8>,
    pub(crate) reservation: Reservation,
}

impl AsRef<[u8]> for Body {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const LIMIT: usize = 120 << 20;

    #[tokio::test]
    async fn only_one_scenario_at_a_time_has_more_than_a_small_share() {
        let first = MemoryShare::of_run(LIMIT, 8);
        let second = first.another();
        let large = vec![b'x'; first.small];
        let mut held = first.reservation(1);
        held.grow(&large).await.unwrap();
        let mut waiting = second.reservation(1);
        waiting.grow(b"{}").await.unwrap();
        // More than a small share, until it is given back.
        first.reservation(1).grow(&large).await.unwrap();
        {
            let mut growing = Box::pin(waiting.grow(&large));
            assert!(tokio::time::timeout(Duration::from_millis(20), &mut growing).await.is_err());
            drop(held);
            growing.await.unwrap();
        }
    }

    #[tokio::test]
    async fn a_scenario_has_bounded_memory_which_its_responses_give_back() {
        let share = MemoryShare::of_run(LIMIT, 8);
        let maps = "{},".repeat(LIMIT / 4 / BYTES_OF_MAP);
        let mut copied = share.reservation(4);
        copied.grow(maps.as_bytes()).await.unwrap_err();
        drop(copied);
        let mut once = share.reservation(1);
        once.grow(maps.as_bytes()).await.unwrap();
        let too_large = share.reservation(3).grow(maps.as_bytes()).await.unwrap_err();
        assert_eq!(too_large.to_string(), "it takes more than 120 MB of memory");
        drop(once);
        assert_eq!(share.used.load(Ordering::SeqCst), 0);
        share.reservation(3).grow(maps.as_bytes()).await.unwrap();
    }
}
