//! Starts that wait for a sender, and senders that wait for a start.
//!
//! The queue wakes the sender that became idle last: few connections stay busy, and the others cost nothing.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::poll_fn;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

/// A start of the schedule.
#[derive(Debug, Clone, Copy)]
pub(super) struct Start {
    /// The number of the start, from 0.
    pub(super) number: u64,
    /// The intended instant.
    pub(super) intended: Instant,
    /// Whether no sender was free at that instant.
    pub(super) waited: bool,
}

#[derive(Default)]
pub(super) struct Queue {
    starts: RefCell<VecDeque<Start>>,
    /// Each waiting sender, once.
    idle: RefCell<Vec<(usize, Waker)>>,
    ended: Cell<bool>,
}

impl Queue {
    /// Adds a start at its instant.
    pub(super) fn put(&self, start: Start) {
        let idle = self.idle.borrow_mut().pop();
        self.starts.borrow_mut().push_back(Start { waited: idle.is_none(), ..start });
        if let Some((_, waker)) = idle {
            waker.wake();
        }
    }

    /// Ends the queue.
    pub(super) fn end(&self) {
        self.ended.set(true);
        self.idle.borrow_mut().drain(..).for_each(|(_, waker)| waker.wake());
    }

    /// Waits for the next start; `None` at the end of the queue.
    pub(super) async fn take(&self, sender: usize) -> Option<Start> {
        let mut waiting = false;
        poll_fn(|context| self.poll(context, sender, &mut waiting)).await
    }

    fn poll(&self, context: &mut Context<'_>, sender: usize, waiting: &mut bool) -> Poll<Option<Start>> {
        if std::mem::replace(waiting, true) {
            // After another wake-up the sender would be in the list twice.
            self.idle.borrow_mut().retain(|(idle, _)| *idle != sender);
        }
        if let Some(start) = self.starts.borrow_mut().pop_front() {
            return Poll::Ready(Some(start));
        }
        if self.ended.get() {
            return Poll::Ready(None);
        }
        self.idle.borrow_mut().push((sender, context.waker().clone()));
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt;

    fn start(number: u64) -> Start {
        Start { number, intended: Instant::now(), waited: false }
    }

    #[test]
    fn a_start_that_finds_no_sender_has_waited() {
        let queue = Queue::default();
        queue.put(start(0));
        let taken = queue.take(0).now_or_never().flatten().unwrap();
        assert!(taken.waited);
        assert!(queue.take(0).now_or_never().is_none(), "waits for the next");
    }

    #[tokio::test]
    async fn a_sender_that_is_woken_for_nothing_stands_there_once() {
        let queue = Queue::default();
        let mut waiting = Box::pin(queue.take(0));
        for _ in 0..3 {
            assert!(futures::poll!(&mut waiting).is_pending());
        }
        assert_eq!(queue.idle.borrow().len(), 1);
        queue.put(start(7));
        assert!(queue.idle.borrow().is_empty());
        assert_eq!(waiting.await.map(|start| (start.number, start.waited)), Some((7, false)));
    }

    #[tokio::test]
    async fn the_end_wakes_all_who_wait() {
        let queue = Queue::default();
        let (one, two, ()) = futures::join!(queue.take(0), queue.take(1), async { queue.end() });
        assert!(one.is_none() && two.is_none());
    }
}
