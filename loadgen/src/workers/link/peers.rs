//! The other workers, as the load of this one sees them through the link.

use std::time::Instant;

use futures::FutureExt;
use futures::future::BoxFuture;
use harness::TestError;

use super::Link;
use crate::run::Peers;
use crate::stamp::WriteLog;
use crate::workers::documents::{CoordinatorDocument, read};
use crate::workers::rendezvous::Documents;

impl Link {
    /// Waits until the coordinator's document has something; `None` when the load stops before.
    async fn until<T>(&self, mut has: impl FnMut(&CoordinatorDocument) -> Option<T>) -> Option<T> {
        loop {
            if let Some(found) = has(&self.state().coordinator) {
                return Some(found);
            }
            if self.stop.is_cancelled() {
                return None;
            }
            tokio::time::sleep(self.rendezvous.pause() / 2).await;
        }
    }

    async fn read_writes(&self, parts: usize) -> Result<Vec<(u16, WriteLog)>, TestError> {
        let mut all = Vec::new();
        for name in (0..parts).map(Documents::writes) {
            let attempted = || format!("read the document {name:?} of the rendezvous");
            let text = self.rendezvous.get(name.clone()).await?;
            let text = text.ok_or_else(|| TestError::new(attempted(), "it is not there"))?;
            all.extend(read::<Vec<(u16, WriteLog)>>(&name, &text)?);
        }
        Ok(all)
    }

    fn why_stopped(&self) -> String {
        self.stopped().unwrap_or_else(|| "interrupted".to_owned())
    }
}

impl Peers for Link {
    fn start(&self) -> BoxFuture<'_, Result<Instant, String>> {
        async move {
            {
                let mut state = self.state();
                (state.own.ready, state.is_news) = (true, true);
            }
            let Some(start) = self.until(|document| document.start).await else {
                return Err(self.why_stopped());
            };
            let mut state = self.state();
            let clock = state.coordinator.clocks.get(self.share.index).copied().unwrap_or_default();
            let start = start.saturating_add_signed(clock.middle().saturating_neg());
            state.own.late = self.clock.micros(Instant::now()).saturating_sub(start);
            Ok(self.clock.instant(start))
        }
        .boxed()
    }

    fn exchange(&self, own: WriteLog) -> BoxFuture<'_, Result<Vec<(u16, WriteLog)>, String>> {
        async move {
            {
                let mut state = self.state();
                (state.own.writes, state.is_news) = (Some(own), true);
            }
            let parts = self.until(|document| document.writes);
            match tokio::time::timeout(self.writes_within, parts).await {
                Ok(Some(parts)) => self.read_writes(parts).await.map_err(|why| why.to_string()),
                Ok(None) => Err(self.why_stopped()),
                Err(_) => Err("the writes of the other workers did not arrive in time".to_owned()),
            }
        }
        .boxed()
    }
}
