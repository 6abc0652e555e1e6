//! The number of requests that a server takes at once on one connection.
//!
//! The HTTP library lets a request beyond the limit of HTTP/2 wait on its connection, behind watches that do not end. It
//! loses the waiting request if the server then closes the connection (GOAWAY). It keeps the limit to itself, so a
//! connection of our own asks for it.

use std::pin::pin;
use std::time::Duration;

use futures::future::{Either, select};
use model::Identity;

use crate::access::Access;
use crate::bare_connection::{Failed, connect};

/// Timeout for the server's SETTINGS.
const SETTINGS_WITHIN: Duration = Duration::from_secs(2);

/// The limit of each connection, below that of the server. A server without one, or without HTTP/2, has the largest; so has one that does not respond.
pub(crate) async fn stream_limit(access: &Access) -> usize {
    // The library speaks HTTP/1.1 there.
    if !access.encrypted() {
        return usize::MAX;
    }
    let asked = tokio::time::timeout(SETTINGS_WITHIN, Box::pin(ask(access))).await;
    // The streams of bodies that were dropped end on the connection a moment later: a quarter is left for them.
    asked.ok().and_then(Result::ok).flatten().map_or(usize::MAX, |limit| (limit - limit / 4).max(1))
}

/// The limit in the server's SETTINGS; `None` if it does not speak HTTP/2.
async fn ask(access: &Access) -> Result<Option<usize>, Failed> {
    let connected = connect(access, &Identity::Own, &[b"h2", b"http/1.1"]).await?;
    if !connected.is_http2 {
        return Ok(None);
    }
    let (sender, mut connection) = h2::client::handshake(connected.io).await?;
    let Some(mut pings) = connection.ping_pong() else { return Ok(None) };
    // SETTINGS are the server's first frame: they arrive before the response to a PING.
    match select(pin!(connection), pin!(pings.ping(h2::Ping::opaque()))).await {
        Either::Right((Ok(_), _)) => Ok(Some(sender.current_max_send_streams())),
        _ => Ok(None),
    }
}
