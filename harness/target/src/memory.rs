//! Bounds the memory that responses take, whatever a server sends.
//!
//! The scenarios of a run share memory. When it is used up, one scenario at a time may take more, and the others wait.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore};

/// The memory that a scenario has in any case, in bytes: it takes a usual response without waiting.
const SMALL: usize = 512 << 10;

/// What all concurrent scenarios together have in any case, in bytes: many of them have less than [`SMALL`] each.
const SMALL_OF_ALL: usize = 16 << 20;

/// Estimates for parsed JSON, measured: a map takes room for four fields when it has one.
const BYTES_OF_MAP: usize = 450;
const BYTES_OF_ELEMENT: usize = 100;

/// A scenario's share of the memory for responses. Its clones are the same share.
#[derive(Debug, Clone)]
pub struct MemoryShare {
    run: Arc<RunMemory>,
    used: Arc<AtomicUsize>,
    /// Locked while a response waits for the permit.
    permit: Arc<Mutex<Option<OwnedSemaphorePermit>>>,
}

/// The memory for the responses of a run.
#[derive(Debug)]
struct RunMemory {
    /// The limit for one scenario, and for what all scenarios take without waiting, in bytes.
    limit: usize,
    /// What every scenario has in any case, in bytes.
    small: usize,
    used: AtomicUsize,
    /// One permit: its holder may take more when the memory of all is used up.
    more: Arc<Semaphore>,
}

impl MemoryShare {
    /// A share of a run with so many concurrent scenarios. One of them may take up to `limit` bytes, and all of them together
    /// twice as much.
    pub(crate) fn of_run(limit: usize, parallel: usize) -> Self {
        let small = SMALL.min(SMALL_OF_ALL / parallel.max(1));
        let more = Arc::new(Semaphore::new(1));
        Self::of(Arc::new(RunMemory { limit, small, used: AtomicUsize::new(0), more }))
    }

    fn of(run: Arc<RunMemory>) -> Self {
        Self { run, used: Arc::default(), permit: Arc::default() }
    }

    /// A share for another scenario of the run.
    pub(crate) fn another(&self) -> Self {
        Self::of(self.run.clone())
    }

    /// A reservation for one response, of no bytes yet. A scenario makes so many `copies` of its parsed form.
    pub fn reservation(&self, copies: usize) -> Reservation {
        Reservation { share: self.clone(), copies, is_dense: false, bytes: 0 }
    }

    /// Whether a response of the scenario waits for memory: the server is not to blame for the time.
    pub(crate) fn is_waiting(&self) -> bool {
        self.permit.try_lock().is_err()
    }

    async fn take(&self, bytes: usize) -> Result<(), TooLarge> {
        let used = self.used.fetch_add(bytes, Ordering::SeqCst) + bytes;
        let used_by_all = self.run.used.fetch_add(bytes, Ordering::SeqCst) + bytes;
        if used > self.run.limit {
            return Err(TooLarge { limit: self.run.limit });
        }
        if used > self.run.small && used_by_all > self.run.limit {
            let mut permit = self.permit.lock().await;
            if permit.is_none() {
                *permit = self.run.more.clone().acquire_owned().await.ok();
            }
        }
        Ok(())
    }

    fn give_back(&self, bytes: usize) {
        let used = self.used.fetch_sub(bytes, Ordering::SeqCst) - bytes;
        self.run.used.fetch_sub(bytes, Ordering::SeqCst);
        // If another response of the scenario waits for the permit, it still needs it.
        if let (true, Ok(mut permit)) = (used <= self.run.small, self.permit.try_lock()) {
            *permit = None;
        }
    }
}

/// Memory that a response takes; its drop gives the memory back.
#[derive(Debug)]
pub struct Reservation {
    share: MemoryShare,
    copies: usize,
    is_dense: bool,
    bytes: usize,
}

/// A scenario's responses take more memory than one scenario may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it takes more than {} MB of memory", limit >> 20)]
pub struct TooLarge {
    limit: usize,
}

impl Reservation {
    /// The response is in a binary form such as CBOR, where each byte may be an element.
    pub(crate) fn dense(mut self, is_dense: bool) -> Self {
        self.is_dense = is_dense;
        self
    }

    /// Takes memory for a received piece of JSON. Waits for the permit when the memory of all scenarios is used up.
    ///
    /// # Errors
    /// The scenario's responses take too much.
    pub async fn grow(&mut self, piece: &[u8]) -> Result<(), TooLarge> {
        let bytes = self.size_of(piece);
        self.bytes += bytes;
        self.share.take(bytes).await
    }

    /// Gives the memory of a piece back that this reservation has taken.
    pub fn shrink(&mut self, piece: &[u8]) {
        let bytes = self.size_of(piece).min(self.bytes);
        self.bytes -= bytes;
        self.share.give_back(bytes);
    }

    /// Gives all its memory back.
    pub fn end(&mut self) {
        self.share.give_back(std::mem::take(&mut self.bytes));
    }

    fn size_of(&self, piece: &[u8]) -> usize {
        let parsed = if self.is_dense { piece.len() * BYTES_OF_ELEMENT } else { parsed_size(piece) };
        piece.len() + self.copies * parsed
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.end();
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const LIMIT: usize = 120 << 20;

    /// Takes so many bytes, without a parsed copy.
    async fn taken(share: &MemoryShare, bytes: usize) -> Reservation {
        let mut reservation = share.reservation(0);
        reservation.grow(&vec![b'x'; bytes]).await.unwrap();
        reservation
    }

    #[tokio::test]
    async fn when_the_memory_is_used_up_one_scenario_at_a_time_takes_more() {
        let first = MemoryShare::of_run(LIMIT, 16);
        let (second, third) = (first.another(), first.another());
        let all = taken(&first, LIMIT - SMALL).await;
        // The permit goes to the second, and a small response needs none.
        let more = taken(&second, 2 * SMALL).await;
        let small = taken(&third, SMALL).await;
        {
            let mut waiting = Box::pin(taken(&third, SMALL));
            assert!(tokio::time::timeout(Duration::from_millis(20), &mut waiting).await.is_err());
            assert!(third.is_waiting() && !second.is_waiting());
            drop(more);
            waiting.await;
        }
        assert!(!third.is_waiting());
        drop((all, small));
        assert_eq!(first.run.used.load(Ordering::SeqCst), 0);
    }

    #[tokio::test]
    async fn many_concurrent_scenarios_have_less_without_waiting() {
        let [few, many] = [16, 256].map(|parallel| MemoryShare::of_run(LIMIT, parallel));
        assert_eq!((few.run.small, many.run.small), (SMALL, SMALL_OF_ALL / 256));
        let _all = taken(&many.another(), LIMIT).await;
        let _more = taken(&many.another(), SMALL).await;
        let mut waiting = Box::pin(taken(&many, SMALL));
        assert!(tokio::time::timeout(Duration::from_millis(20), &mut waiting).await.is_err());
    }

    #[tokio::test]
    async fn a_reservation_gives_back_the_memory_of_a_piece() {
        let share = MemoryShare::of_run(LIMIT, 16);
        let mut reservation = share.reservation(1);
        reservation.grow(b"{\"a\":[1,2]}{}").await.unwrap();
        reservation.shrink(b"{\"a\":[1,2]}");
        assert_eq!(share.used.load(Ordering::SeqCst), share.reservation(1).size_of(b"{}"));
        drop(reservation);
        assert_eq!(share.used.load(Ordering::SeqCst), 0);
    }

    #[tokio::test]
    async fn a_scenario_has_bounded_memory_which_its_responses_give_back() {
        let share = MemoryShare::of_run(LIMIT, 16);
        let maps = "{},".repeat(LIMIT / 4 / BYTES_OF_MAP);
        share.reservation(4).grow(maps.as_bytes()).await.unwrap_err();
        let mut once = share.reservation(1);
        once.grow(maps.as_bytes()).await.unwrap();
        let too_large = share.reservation(3).grow(maps.as_bytes()).await.unwrap_err();
        assert_eq!(too_large.to_string(), "it takes more than 120 MB of memory");
        drop(once);
        assert_eq!(share.used.load(Ordering::SeqCst), 0);
        share.reservation(3).grow(maps.as_bytes()).await.unwrap();
    }

    #[tokio::test]
    async fn each_byte_of_a_binary_form_may_be_an_element() {
        let share = MemoryShare::of_run(LIMIT, 16);
        let elements = vec![0xa0; LIMIT / 2 / BYTES_OF_ELEMENT];
        share.reservation(1).dense(true).grow(&elements).await.unwrap();
        share.reservation(2).dense(true).grow(&elements).await.unwrap_err();
        share.reservation(2).dense(false).grow(&elements).await.unwrap();
    }
}
