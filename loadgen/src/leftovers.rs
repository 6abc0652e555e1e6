//! Looks once more for objects that the sweep did not see disappear: a server may remove them, and respond too slowly.
//!
//! It waits for the head of each response alone: 404 is enough.

use std::time::Duration;

use futures::{StreamExt, stream};
use harness::load::Warning;
use http::StatusCode;
use tokio::time::{Instant, timeout_at};

use crate::wire::{Call, ConnectionPool, Endpoint, Limits};
use crate::worker::Worker;

/// Timeout for all responses together.
const WITHIN: Duration = Duration::from_secs(15);

/// The number of concurrent reads.
const AT_A_TIME: usize = 16;

/// The objects that may be left on the server.
#[derive(Debug, Default)]
pub(crate) struct Leftovers {
    /// Their paths.
    pub(crate) paths: Vec<String>,
    /// The number of those that the server did not show.
    unverified: usize,
    /// The status of the first response that shows nothing.
    refusal: Option<StatusCode>,
}

impl Leftovers {
    /// Reads the objects at these paths.
    pub(crate) async fn verify(endpoint: &Endpoint, paths: Vec<String>) -> Self {
        if paths.is_empty() {
            return Self::default();
        }
        let (endpoint, asked) = (endpoint.clone(), paths.clone());
        let worker = Worker::start("leftovers", move || async move {
            let pool = ConnectionPool::new(endpoint, Limits::connections(AT_A_TIME));
            let until = Instant::now() + WITHIN;
            let statuses = stream::iter(asked).map(|path| status(&pool, path, until)).buffered(AT_A_TIME);
            statuses.collect::<Vec<_>>().await
        });
        let statuses = match worker {
            Ok(worker) => worker.join().await.unwrap_or_default(),
            Err(_) => Vec::new(),
        };
        Self::of(paths, &statuses)
    }

    fn of(paths: Vec<String>, statuses: &[Option<StatusCode>]) -> Self {
        let statuses = statuses.iter().copied().chain(std::iter::repeat(None));
        let left =
            paths.into_iter().zip(statuses).filter(|(_, status)| *status != Some(StatusCode::NOT_FOUND));
        let (paths, statuses): (Vec<_>, Vec<_>) = left.unzip();
        let shown = statuses.iter().flatten().filter(|status| status.is_success()).count();
        let refusal = statuses.iter().flatten().find(|status| !status.is_success()).copied();
        Self { unverified: paths.len() - shown, refusal, paths }
    }

    /// That some of them may be gone.
    pub(crate) fn warning(&self) -> Option<Warning> {
        let (unverified, all) = (self.unverified, self.paths.len());
        let text = match self.refusal {
            Some(status) => format!(
                "{unverified} of {all} objects left over may be gone: the server does not show whether they exist \
                 (it responds {status})"
            ),
            None => format!(
                "the server does not respond: {unverified} of {all} objects may be left, with all that is in them; \
                 hint: remove them with `kube-assay clean`"
            ),
        };
        (unverified > 0).then(|| Warning::new("leftovers", text))
    }
}

async fn status(pool: &ConnectionPool, path: String, until: Instant) -> Option<StatusCode> {
    let call = Call::get(path.parse().ok()?);
    let head = async {
        let response = pool.permit().await.ok()?.send(&call).await.ok()?;
        Some(response.status)
    };
    timeout_at(until, head).await.ok()?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_404_shows_that_an_object_is_gone() {
        let paths = ["/a", "/b", "/c", "/d"].map(str::to_owned).to_vec();
        let statuses = [Some(StatusCode::NOT_FOUND), Some(StatusCode::OK), Some(StatusCode::FOUND)];
        let left = Leftovers::of(paths, &statuses);
        assert_eq!(left.paths, ["/b", "/c", "/d"]);
        let says = left.warning().unwrap().says;
        assert!(says.starts_with("2 of 3 objects") && says.ends_with("(it responds 302 Found)"), "{says}");
        let silent = Leftovers::of(vec!["/a".to_owned()], &[]).warning().unwrap().says;
        assert!(silent.starts_with("the server does not respond: 1 of 1 objects may be left"), "{silent}");
        assert!(Leftovers::default().warning().is_none());
    }
}
