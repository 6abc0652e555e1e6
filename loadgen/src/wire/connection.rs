//! One connection, and the requests on it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use bytes::Bytes;
use h2::client::{Builder, SendRequest};
use http::header::HOST;
use http::{HeaderMap, Request};
use http_body_util::Full;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::task::AbortHandle;

use super::Call;
use super::endpoint::{Connected, Endpoint};
use super::request_error::RequestError;
use super::streamed_response::{Body, Source, StreamedResponse};

/// How long a server may take to send its SETTINGS.
const SETTINGS_WITHIN: Duration = Duration::from_secs(10);

/// How much a server may send before we have read it, where it speaks HTTP/2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Windows {
    /// On one stream.
    pub stream: u32,
    /// On a connection, for each stream that it may carry: a few that stall must not stop the others.
    pub share: u32,
}

impl Default for Windows {
    fn default() -> Self {
        Self { stream: 256 << 10, share: 40 << 10 }
    }
}

impl Windows {
    fn of_connection(self, streams: usize) -> u32 {
        let shares = u32::try_from(streams).unwrap_or(u32::MAX).saturating_mul(self.share);
        shares.max(self.stream).min((1 << 31) - 1)
    }
}

/// A connection that is up.
pub(super) struct Connection {
    sender: Sender,
    room: usize,
    taken: Cell<usize>,
    closed: Rc<Cell<bool>>,
    driver: AbortHandle,
}

enum Sender {
    Two(SendRequest<Bytes>),
    /// Taken out while it is used: there is one request at a time.
    One(RefCell<Option<http1::SendRequest<Full<Bytes>>>>),
}

impl Connection {
    /// Connects, and waits for the server's SETTINGS, which have the number of streams.
    pub(super) async fn open(
        endpoint: &Endpoint,
        (streams, windows): (usize, Windows),
    ) -> Result<Self, RequestError> {
        let connected = endpoint.connect().await?;
        let closed = Rc::new(Cell::new(false));
        let (sender, driver, room) = if connected.two {
            let two = tokio::time::timeout(SETTINGS_WITHIN, two(connected, streams, windows, &closed));
            two.await.unwrap_or(Err(RequestError::Late))?
        } else {
            one(connected, &closed).await?
        };
        Ok(Self { sender, room, taken: Cell::new(0), closed, driver })
    }

    /// How many requests it carries at a time.
    pub(super) fn room(&self) -> usize {
        self.room
    }

    /// Takes one place of it; whether there is another.
    pub(super) fn take(&self) -> bool {
        self.taken.set(self.taken.get() + 1);
        self.taken.get() < self.room
    }

    /// Gives a place back; whether there was none before.
    pub(super) fn give_back(&self) -> bool {
        self.taken.set(self.taken.get().saturating_sub(1));
        self.taken.get() + 1 == self.room
    }

    /// Whether it takes no further request.
    pub(super) fn is_closed(&self) -> bool {
        let idle = self.taken.get() == 0;
        let given_up = matches!(&self.sender, Sender::One(sender) if idle && sender.borrow().is_none());
        self.closed.get() || given_up
    }

    /// Ends the connection, and with it all that is under way on it.
    pub(super) fn cut(&self) {
        self.closed.set(true);
        self.driver.abort();
    }

    /// Sends a request and reads the head of the response.
    pub(super) async fn send(
        &self,
        endpoint: &Endpoint,
        common: &HeaderMap,
        call: &Call,
    ) -> Result<StreamedResponse, RequestError> {
        let request = request(endpoint, common, call, matches!(self.sender, Sender::Two(_)));
        let streamed_response = match &self.sender {
            Sender::Two(sender) => ask_two(sender.clone(), request, call.body.clone()).await,
            Sender::One(sender) => ask_one(sender, request, call.body.clone()).await,
        };
        if matches!(streamed_response, Err(RequestError::GoAway))
            || (self.room == 1 && streamed_response.is_err())
        {
            self.closed.set(true);
        }
        streamed_response
    }
}

fn request(endpoint: &Endpoint, common: &HeaderMap, call: &Call, two: bool) -> Request<()> {
    let mut request = Request::new(());
    *request.method_mut() = call.method.clone();
    *request.uri_mut() = endpoint.uri(&call.path, two);
    *request.headers_mut() = common.clone();
    if !two {
        request.headers_mut().insert(HOST, endpoint.host());
    }
    for (name, value) in &call.headers {
        request.headers_mut().append(name, value.clone());
    }
    request
}

async fn ask_two(
    sender: SendRequest<Bytes>,
    request: Request<()>,
    body: Bytes,
) -> Result<StreamedResponse, RequestError> {
    let request_error = |why| RequestError::of_stream(&why);
    // A stream that was never opened: whatever ended the connection, the request may be sent on another.
    let mut sender = sender.ready().await.map_err(|_| RequestError::GoAway)?;
    let (streamed_response, mut stream) =
        sender.send_request(request, body.is_empty()).map_err(|_| RequestError::GoAway)?;
    if !body.is_empty() {
        stream.send_data(body, true).map_err(request_error)?;
    }
    let (head, body) = streamed_response.await.map_err(request_error)?.into_parts();
    Ok(StreamedResponse { status: head.status, headers: head.headers, body: Body(Source::Two(body)) })
}

async fn ask_one(
    sender: &RefCell<Option<http1::SendRequest<Full<Bytes>>>>,
    request: Request<()>,
    body: Bytes,
) -> Result<StreamedResponse, RequestError> {
    let mut taken = sender.take().ok_or(RequestError::Cut)?;
    taken.ready().await.map_err(|_| RequestError::GoAway)?;
    let streamed_response =
        taken.send_request(request.map(|()| Full::new(body))).await.map_err(|_| RequestError::Cut)?;
    sender.replace(Some(taken));
    let (head, body) = streamed_response.into_parts();
    Ok(StreamedResponse { status: head.status, headers: head.headers, body: Body(Source::One(body)) })
}

async fn two(
    connected: Connected,
    streams: usize,
    windows: Windows,
    closed: &Rc<Cell<bool>>,
) -> Result<(Sender, AbortHandle, usize), RequestError> {
    let connection_window = windows.of_connection(streams);
    let (sender, mut connection) = Builder::new()
        .enable_push(false)
        .initial_window_size(windows.stream)
        .initial_connection_window_size(connection_window)
        // Every frame of a window that is in use may be small: a connection is not ended for that.
        .data_frame_budget(connection_window as usize)
        .handshake::<_, Bytes>(connected.io)
        .await
        .map_err(|why| RequestError::of_stream(&why))?;
    let settings = connection.ping_pong();
    let closed = closed.clone();
    let driver = tokio::task::spawn_local(async move {
        let _ = connection.await;
        closed.set(true);
    });
    if let Some(mut pings) = settings {
        // The server's SETTINGS are the first that it sends: before its PONG in any case.
        pings.ping(h2::Ping::opaque()).await.map_err(|why| RequestError::of_stream(&why))?;
    }
    let allowed = sender.current_max_send_streams().min(streams).max(1);
    Ok((Sender::Two(sender), driver.abort_handle(), allowed))
}

async fn one(
    connected: Connected,
    closed: &Rc<Cell<bool>>,
) -> Result<(Sender, AbortHandle, usize), RequestError> {
    let made = http1::handshake(TokioIo::new(connected.io)).await;
    let (sender, connection) = made.map_err(|_| RequestError::Cut)?;
    let closed = closed.clone();
    let driver = tokio::task::spawn_local(async move {
        let _ = connection.await;
        closed.set(true);
    });
    Ok((Sender::One(RefCell::new(Some(sender))), driver.abort_handle(), 1))
}
