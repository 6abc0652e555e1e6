//! When a watch, or a list before it, is sent again: kube-apiserver closes connections at random (`--goaway-chance`).

use std::time::Duration;

use crate::wire::RequestError;

/// How often a request is sent again that the server surely has not processed, as by Go's HTTP/2 transport.
const UNPROCESSED: u32 = 6;

/// How often a request is sent again after a cut: the server may have closed the connection before it got the request.
const CUT: u32 = 2;

/// The pause before the second time; each later one is twice as long. The watches of a connection that is sent away must
/// not all be sent again over one that is sent away as well.
const PAUSE: Duration = Duration::from_secs(1);

/// How often a request has been sent again.
#[derive(Debug, Default)]
pub(super) struct Retries {
    unprocessed: u32,
    cut: u32,
}

impl Retries {
    /// Waits before the request is sent again; returns whether it may be.
    pub(super) async fn next(&mut self, request_error: &RequestError) -> bool {
        let (count, most) = match request_error {
            RequestError::Cut => (&mut self.cut, CUT),
            _ if request_error.is_unprocessed() => (&mut self.unprocessed, UNPROCESSED),
            _ => return false,
        };
        if *count == most {
            return false;
        }
        *count += 1;
        let pause = pause(self.unprocessed);
        if pause.is_zero() {
            // The tasks of other connections that are closed as well notice it in their turn.
            tokio::task::yield_now().await;
        } else {
            Box::pin(tokio::time::sleep(pause.mul_f64(1.0 + fastrand::f64() / 10.0))).await;
        }
        true
    }
}

/// The pause before a request is sent again for the n-th time.
fn pause(n: u32) -> Duration {
    n.checked_sub(2).map_or(Duration::ZERO, |doublings| PAUSE * 2_u32.pow(doublings))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often a request is sent again that always ends so.
    async fn count(request_error: RequestError) -> u32 {
        let (mut retries, mut count) = (Retries::default(), 0);
        while retries.next(&request_error).await {
            count += 1;
        }
        count
    }

    #[tokio::test(start_paused = true)]
    async fn what_the_server_has_not_processed_is_sent_again_six_times() {
        assert_eq!(count(RequestError::GoAway).await, 6);
        assert_eq!(count(RequestError::RefusedStream).await, 6);
        assert_eq!(count(RequestError::Cut).await, 2);
        assert_eq!(count(RequestError::Reset).await, 0);
        assert_eq!(count(RequestError::Late).await, 0);
    }

    #[test]
    fn pauses_grow_from_the_second_time_on() {
        assert_eq!([1, 2, 3, 6].map(|n| pause(n).as_secs()), [0, 1, 2, 16]);
    }
}
