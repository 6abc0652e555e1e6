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

/// Timeout for the server's SETTINGS.
const SETTINGS_WITHIN: Duration = Duration::from_secs(10);

/// The size of the HTTP/2 windows, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Windows {
    /// Of a stream.
    pub stream: u32,
    /// Of a connection, per stream that it may carry: a few stalled streams must not stop the others.
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

/// An established connection.
pub(super) struct Connection {
    sender: Sender,
    room: usize,
    taken: Cell<usize>,
    closed: Rc<Cell<bool>>,
    /// Whether a request on it has had a response.
    served: Cell<bool>,
    driver: AbortHandle,
    endpoint: Endpoint,
    /// The number of the client certificate.
    certificate: u64,
}

enum Sender {
    Two(SendRequest<Bytes>),
    /// Taken out during its one request.
    One(RefCell<Option<http1::SendRequest<Full<Bytes>>>>),
}

impl Connection {
    /// Connects, and waits for the server's SETTINGS, which contain the maximum number of streams.
    pub(super) async fn open(
        endpoint: &Endpoint,
        (streams, windows): (usize, Windows),
    ) -> Result<Self, RequestError> {
        // Before the connection: a certificate that is renewed meanwhile makes it an outdated one.
        let certificate = endpoint.issued_certificates();
        let connected = endpoint.connect().await?;
        let closed = Rc::new(Cell::new(false));
        let (sender, driver, room) = if connected.two {
            let two = tokio::time::timeout(SETTINGS_WITHIN, two(connected, streams, windows, &closed));
            two.await.unwrap_or(Err(RequestError::Late))?
        } else {
            one(connected, &closed).await?
        };
        let (taken, served, endpoint) = (Cell::new(0), Cell::new(false), endpoint.clone());
        Ok(Self { sender, room, taken, closed, served, driver, endpoint, certificate })
    }

    /// The number of concurrent requests.
    pub(super) fn room(&self) -> usize {
        self.room
    }

    /// Takes one place; returns whether more are free.
    pub(super) fn take(&self) -> bool {
        self.taken.set(self.taken.get() + 1);
        self.taken.get() < self.room
    }

    /// Returns a place; returns whether none was free before.
    pub(super) fn give_back(&self) -> bool {
        self.taken.set(self.taken.get().saturating_sub(1));
        self.taken.get() + 1 == self.room
    }

    /// Whether it accepts no further request. The server rejects those on connections whose client certificate has expired.
    pub(super) fn is_closed(&self) -> bool {
        let idle = self.taken.get() == 0;
        let given_up = matches!(&self.sender, Sender::One(sender) if idle && sender.borrow().is_none());
        self.closed.get() || given_up || self.certificate != self.endpoint.issued_certificates()
    }

    /// Notes that a request on it has had a response; returns whether it is the first one.
    pub(super) fn note_response(&self) -> bool {
        !self.served.replace(true)
    }

    /// Ends the connection with all its requests.
    pub(super) fn cut(&self) {
        self.closed.set(true);
        self.driver.abort();
    }

    /// Sends a request and reads the head of the response.
    pub(super) async fn send(
        &self,
        common: &HeaderMap,
        call: &Call,
    ) -> Result<StreamedResponse, RequestError> {
        let request = request(&self.endpoint, common, call, matches!(self.sender, Sender::Two(_)));
        let streamed_response = match &self.sender {
            Sender::Two(sender) => ask_two(sender.clone(), request, call.body.clone()).await,
            Sender::One(sender) => ask_one(sender, request, call.body.clone(), self.served.get()).await,
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
    // The stream was never opened: the request may be sent on another connection, whatever ended this one.
    let mut sender = sender.ready().await.map_err(|_| RequestError::GoAway)?;
    let (streamed_response, mut stream) =
        sender.send_request(request, body.is_empty()).map_err(|_| RequestError::GoAway)?;
    if !body.is_empty() {
        stream.send_data(body, true).map_err(request_error)?;
    }
    let (head, body) = streamed_response.await.map_err(request_error)?.into_parts();
    Ok(StreamedResponse { status: head.status, headers: head.headers, body: Body(Source::Two(body)) })
}

/// A server may close a connection that `has_served` whenever nobody uses it. The end of a new one is that of its request.
async fn ask_one(
    sender: &RefCell<Option<http1::SendRequest<Full<Bytes>>>>,
    request: Request<()>,
    body: Bytes,
    has_served: bool,
) -> Result<StreamedResponse, RequestError> {
    let mut taken = sender.take().ok_or(RequestError::Cut)?;
    let is_safe = request.method().is_safe();
    if has_served && !is_safe {
        // The connection learns whether the server has closed it: such a write must not be lost.
        tokio::task::yield_now().await;
    }
    taken.ready().await.map_err(|_| RequestError::GoAway)?;
    let sent = taken.send_request(request.map(|()| Full::new(body))).await;
    // A read changes nothing, if the server has processed it after all.
    let may_be_repeated =
        |why: &hyper::Error| why.is_canceled() || (has_served && is_safe && !why.is_parse());
    let request_error = |why| if may_be_repeated(&why) { RequestError::GoAway } else { RequestError::Cut };
    let streamed_response = sent.map_err(request_error)?;
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
        // Every frame of a window may be small: that must not end the connection.
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
        // SETTINGS are the server's first frame: they arrive before the PONG in any case.
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
