//! Bounds the memory that responses take, whatever a server sends.
//!
//! Each scenario has a small share. Only one scenario at a time may take more, up to [`LARGEST_SHARE`].

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore};

/// The share that every scenario has at any time, in bytes.
const SMALL_SHARE: usize = 4 << 20;

/// The largest share of one scenario, in bytes: an `OpenAPI` document of 11 MB takes so much when it is parsed.
pub const LARGEST_SHARE: usize = 80 << 20;

/// Estimates for parsed JSON, measured: a map takes room for four fields when it has one.
const BYTES_OF_MAP: usize = 450;
const BYTES_OF_ELEMENT: usize = 100;

/// A scenario's share of the memory for responses. Its clones are the same share.
#[derive(Debug, Clone)]
pub struct MemoryShare {
    used: Arc<AtomicUsize>,
    permit: Arc<Mutex<Option<OwnedSemaphorePermit>>>,
    large: Arc<Semaphore>,
}

impl Default for MemoryShare {
    fn default() -> Self {
        Self::of(Arc::new(Semaphore::new(1)))
    }
}

impl MemoryShare {
    fn of(large: Arc<Semaphore>) -> Self {
        Self { used: Arc::default(), permit: Arc::default(), large }
    }

    /// A share for another scenario of the run.
    pub(crate) fn another(&self) -> Self {
        Self::of(self.large.clone())
    }

    /// A reservation of no bytes yet.
    pub fn reservation(&self) -> Reservation {
        Reservation { share: self.clone(), bytes: 0 }
    }

    async fn take(&self, bytes: usize) -> Result<(), TooLarge> {
        let used = self.used.fetch_add(bytes, Ordering::SeqCst) + bytes;
        if used > LARGEST_SHARE {
            return Err(TooLarge);
        }
        if used > SMALL_SHARE {
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
        if let (true, Ok(mut permit)) = (used <= SMALL_SHARE, self.permit.try_lock()) {
            *permit = None;
        }
    }
}

/// Memory that a response takes; its drop gives the memory back.
#[derive(Debug)]
pub struct Reservation {
    share: MemoryShare,
    bytes: usize,
}

/// A scenario's responses take more than [`LARGEST_SHARE`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLarge;

impl Reservation {
    /// Takes memory for a received piece of JSON. Waits while another scenario has more than a small share.
    ///
    /// # Errors
    /// The scenario's responses take too much.
    pub async fn grow(&mut self, piece: &[u8]) -> Result<(), TooLarge> {
        let bytes = parsed_size(piece);
        self.bytes += bytes;
        self.share.take(bytes).await
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.share.give_back(self.bytes);
    }
}

/// The size of a piece of JSON and of its parsed form, in bytes.
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
