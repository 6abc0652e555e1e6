//! Upgrades of a connection to another protocol.

use std::sync::Arc;

use model::{Exchange, Halt, Protocol, Request, retry_after};
use target::{Opened, handshake};
use tokio::time::Instant;

use super::Context;
use crate::websocket::WebSocket;

impl Context {
    /// Requests an upgrade over HTTP/1.1, and closes the connection after the head of a response that is no error: the rest
    /// may be a stream.
    pub async fn upgrade(&self, request: Request) -> Result<Arc<Exchange>, Halt> {
        Ok(self.open_upgrade(request).await?.0)
    }

    /// Opens a `WebSocket`, and offers these subprotocols. Any other response than 101 is an exchange.
    pub async fn web_socket(
        &self,
        request: Request,
        protocols: &[&str],
    ) -> Result<Result<WebSocket, Arc<Exchange>>, Halt> {
        let nonce = format!("{}/{}/{}", self.session().id, self.number(), self.exchanges());
        let (request, accept) = handshake(request, &self.session().client.url(), protocols, &nonce);
        let (head, opened) = self.open_upgrade(request).await?;
        let Some(opened) = opened.filter(|_| head.status() == 101) else { return Ok(Err(head)) };
        let confirmed = head.header("sec-websocket-accept") == Some(&accept);
        head.expect(confirmed, format!("Sec-WebSocket-Accept: {accept}"), head.brief())?;
        // RFC 6455, section 4.1: a client fails the connection for any other subprotocol.
        let chosen = head.header("sec-websocket-protocol");
        let offered = chosen.is_none_or(|chosen| protocols.contains(&chosen));
        head.expect(offered, format!("no subprotocol, or one of {protocols:?}"), chosen.unwrap_or_default())?;
        WebSocket::new(self.clone(), head, opened).await.map(Ok)
    }

    async fn open_upgrade(&self, request: Request) -> Result<(Arc<Exchange>, Option<Opened>), Halt> {
        let request = request.protocol(Protocol::Http1).header("connection", "Upgrade");
        let mut attempts = 0;
        loop {
            let (head, opened) = self.open_upgrade_once(request.clone()).await?;
            attempts += 1;
            if retry_after(&head, self.time_left()).is_none() {
                return Ok((head, opened));
            }
            self.wait_out(&head, attempts).await?;
        }
    }

    async fn open_upgrade_once(&self, request: Request) -> Result<(Arc<Exchange>, Option<Opened>), Halt> {
        let request = self.addressed(request);
        self.may_send(&request)?;
        let index = self.reserve(&request);
        let (client, agent) = (&self.inner.client, self.agent());
        let opening = async {
            let opened = client.open(&request, &agent).await?;
            if opened.response.status < 300 {
                return Ok((opened.response.clone(), opened.timing(), Some(opened)));
            }
            let (response, timing) = client.read(&request, opened).await?;
            Ok((response, timing, None))
        };
        let (session, sent_at) = (&self.inner.session, Instant::now());
        let opened = client.within(session.settings.request_timeout, opening).await;
        let late = || self.test_error(format!("upgrade {}", request.path), "no response in time");
        let opened = opened.unwrap_or_else(|| Err(late()));
        session.note(&opened, sent_at).await;
        let (response, timing, opened) = opened?;
        let exchange = Exchange::new(index, request, response, timing);
        session.note_credentials(&exchange.request, exchange.status()).await;
        self.remember(&exchange, false);
        Ok((Arc::new(exchange), opened))
    }
}
