//! Opens watches.

use std::sync::Arc;
use std::time::Duration;

use super::Context;
use model::{Exchange, Halt, Request, retry_after};
use tokio::time::Instant;

use crate::watch::Watch;

impl Context {
    /// Opens a watch. A response other than 200 is an exchange, not a stream: see [`Opening`].
    pub async fn open(&self, request: Request) -> Result<Opening, Halt> {
        let mut attempts = 0;
        loop {
            let opening = self.open_once(request.clone()).await?;
            attempts += 1;
            match &opening {
                Opening::Rejected(exchange) if retry_after(exchange, self.time_left()).is_some() => {
                    self.wait_out(exchange, attempts).await?;
                }
                _ => return Ok(opening),
            }
        }
    }

    /// Opens a watch; `None` if no response starts within a time.
    pub async fn open_within(&self, request: Request, limit: Duration) -> Result<Option<Opening>, Halt> {
        let opening = target::timeout(limit, self.open(request)).await;
        if opening.is_none() {
            Box::pin(self.note_silence()).await;
        }
        opening.transpose()
    }

    async fn open_once(&self, request: Request) -> Result<Opening, Halt> {
        let request = self.addressed(request);
        self.may_send(&request)?;
        let index = self.reserve(&request);
        let (client, agent) = (&self.inner.client, self.agent());
        let opening = async {
            let opened = client.open(&request, &agent).await?;
            if opened.response.status == 200 && !opened.response.is_web_page() {
                return Ok(Opening::Watch(Box::new(Watch::new(
                    self.clone(),
                    request.clone(),
                    opened,
                    index,
                ))));
            }
            let (response, timing) = client.read(&request, opened).await?;
            Ok(Opening::Rejected(self.log(Exchange::new(index, request.clone(), response, timing))))
        };
        let (session, sent_at) = (&self.inner.session, Instant::now());
        let opened = client.within(session.settings.request_timeout, opening).await;
        let late = || self.test_error(format!("watch {}", request.path), "no response in time");
        let opened = opened.unwrap_or_else(|| Err(late()));
        session.note(&opened, sent_at).await;
        if let Ok(status) = opened.as_ref().map(Opening::status) {
            session.note_credentials(&request, status).await;
        }
        Ok(opened.map_err(|why| session.advise(why))?)
    }
}

/// The response to a watch request.
#[derive(Debug)]
pub enum Opening {
    /// A stream.
    Watch(Box<Watch>),
    /// A response without a stream.
    Rejected(Arc<Exchange>),
}

impl Opening {
    fn status(&self) -> u16 {
        match self {
            Self::Watch(_) => 200,
            Self::Rejected(exchange) => exchange.status(),
        }
    }
}
