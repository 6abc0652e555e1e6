//! Connections to one server, and the places on them.
//!
//! Used on one thread. A request takes the place that was returned last, so idle connections stay idle.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

use http::{HeaderMap, StatusCode};
use tokio::sync::Notify;

use super::Call;
use super::connection::{Connection, Windows};
use super::endpoint::Endpoint;
use super::request_error::RequestError;
use super::streamed_response::StreamedResponse;

/// The lifetime of the headers with credentials; a token may come from a file that changes.
const FRESH_FOR: Duration = Duration::from_secs(5);

/// The maximum number of concurrent connection attempts.
const DIALS: usize = 32;

/// The number of connections, and the capacity of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of connections.
    pub connections: usize,
    /// The maximum number of concurrent requests per connection, if the server allows that many.
    pub streams: usize,
    /// The HTTP/2 windows.
    pub windows: Windows,
}

impl Limits {
    /// This number of connections, each with as many requests as kube-apiserver allows by default.
    pub fn connections(connections: usize) -> Self {
        Self { connections, streams: 100, windows: Windows::default() }
    }
}

/// Connections to one server. Clones share them.
#[derive(Clone)]
pub struct ConnectionPool(Rc<Inner>);

struct Inner {
    endpoint: Endpoint,
    limits: Limits,
    /// Connections with free places.
    free: RefCell<Vec<Rc<Connection>>>,
    /// All established connections.
    up: RefCell<Vec<Rc<Connection>>>,
    /// The number of connections so far with a response.
    served: Cell<u64>,
    dialling: Cell<usize>,
    waiting: Cell<usize>,
    /// The capacity of the last connection: an estimate for the next one.
    room: Cell<usize>,
    change: Notify,
    headers: RefCell<Option<(Instant, Rc<HeaderMap>)>>,
}

/// A place on a connection, until it is dropped.
pub struct StreamPermit {
    connection: Rc<Connection>,
    pool: ConnectionPool,
}

impl ConnectionPool {
    /// A pool without connections.
    pub fn new(endpoint: Endpoint, limits: Limits) -> Self {
        Self(Rc::new(Inner {
            endpoint,
            limits,
            free: RefCell::default(),
            up: RefCell::default(),
            served: Cell::new(0),
            dialling: Cell::new(0),
            waiting: Cell::new(0),
            room: Cell::new(0),
            change: Notify::new(),
            headers: RefCell::default(),
        }))
    }

    /// A place that is free now.
    pub fn vacant(&self) -> Option<StreamPermit> {
        let mut free = self.0.free.borrow_mut();
        while let Some(connection) = free.last() {
            if connection.is_closed() {
                free.pop();
                continue;
            }
            let connection = connection.clone();
            if !connection.take() {
                free.pop();
            }
            return Some(StreamPermit { connection, pool: self.clone() });
        }
        None
    }

    /// A place, on a new connection if necessary; waits at the maximum number of connections.
    ///
    /// Each request wakes the next waiting one. If all woke at once, one new connection would queue the requests of
    /// all of them, and keep the memory for its lifetime.
    pub async fn permit(&self) -> Result<StreamPermit, RequestError> {
        loop {
            if let Some(permit) = self.vacant() {
                self.wake_next();
                return Ok(permit);
            }
            let _waiting = Counted::new(&self.0.waiting);
            if self.may_dial() {
                self.wake_next();
                Box::pin(self.dial()).await?;
            } else {
                self.0.change.notified().await;
            }
        }
    }

    /// Opens the maximum number of connections before the first request.
    pub async fn open_all(&self) -> Result<(), RequestError> {
        while self.up() < self.0.limits.connections {
            self.dial().await?;
        }
        Ok(())
    }

    /// The number of established connections.
    pub fn up(&self) -> usize {
        let mut up = self.0.up.borrow_mut();
        up.retain(|connection| !connection.is_closed());
        up.len()
    }

    /// The number of connections so far with a response, those that the server has sent away since included: they still carry
    /// their streams.
    pub fn served(&self) -> u64 {
        self.0.served.get()
    }

    /// The number of concurrent requests on all connections; an estimate before the first connection.
    pub fn places(&self) -> usize {
        self.0.limits.connections.max(1) * self.0.room.get().max(1)
    }

    /// The number of streams that the server allows on a connection; `None` with HTTP/1.1.
    pub fn streams(&self) -> Option<u64> {
        Some(self.0.room.get() as u64).filter(|room| *room > 1)
    }

    /// Ends every connection at once, like the restart of a server.
    pub fn cut(&self) {
        self.0.free.borrow_mut().clear();
        self.0.up.borrow_mut().drain(..).for_each(|connection| connection.cut());
    }

    /// Whether the waiting requests need another connection. Before the first connection, the capacity is unknown.
    fn may_dial(&self) -> bool {
        let (dialling, room) = (self.0.dialling.get(), self.0.room.get());
        let enough = if room == 0 { dialling > 0 } else { dialling * room >= self.0.waiting.get() };
        !enough && dialling < DIALS && self.up() + dialling < self.0.limits.connections
    }

    /// Wakes the next waiting request: it takes a place, or opens a connection.
    fn wake_next(&self) {
        if self.0.waiting.get() > 0 {
            self.0.change.notify_one();
        }
    }

    async fn dial(&self) -> Result<(), RequestError> {
        let dialling = Counted::new(&self.0.dialling);
        let shape = (self.0.limits.streams, self.0.limits.windows);
        let connection = Connection::open(&self.0.endpoint, shape).await;
        drop(dialling);
        self.wake_next();
        let connection = Rc::new(connection?);
        self.0.room.set(connection.room());
        self.0.up.borrow_mut().push(connection.clone());
        self.0.free.borrow_mut().push(connection);
        Ok(())
    }

    async fn headers(&self) -> Result<Rc<HeaderMap>, RequestError> {
        if let Some((since, headers)) = &*self.0.headers.borrow()
            && since.elapsed() < FRESH_FOR
        {
            return Ok(headers.clone());
        }
        let headers = Box::pin(self.0.endpoint.headers()).await.map_err(RequestError::Unreachable)?;
        let headers = Rc::new(headers);
        *self.0.headers.borrow_mut() = Some((Instant::now(), headers.clone()));
        Ok(headers)
    }

    /// The next request asks for credentials again, unless one has done so since the refused request.
    fn refused(&self, refused: &Rc<HeaderMap>) {
        let mut headers = self.0.headers.borrow_mut();
        if headers.as_ref().is_some_and(|(_, current)| Rc::ptr_eq(current, refused)) {
            *headers = None;
            self.0.endpoint.note_unauthorized();
        }
    }
}

impl StreamPermit {
    /// Sends a request and reads the head of the response.
    pub async fn send(&self, call: &Call) -> Result<StreamedResponse, RequestError> {
        let headers = self.pool.headers().await?;
        let streamed_response = self.connection.send(&headers, call).await?;
        if self.connection.note_response() {
            self.pool.0.served.set(self.pool.served() + 1);
        }
        if streamed_response.status == StatusCode::UNAUTHORIZED {
            self.pool.refused(&headers);
        }
        Ok(streamed_response)
    }
}

impl Drop for StreamPermit {
    fn drop(&mut self) {
        let was_full = self.connection.give_back();
        let inner = &self.pool.0;
        if was_full && !self.connection.is_closed() {
            inner.free.borrow_mut().push(self.connection.clone());
        }
        self.pool.wake_next();
    }
}

/// Counts up, and down again when it is dropped.
struct Counted<'a>(&'a Cell<usize>);

impl<'a> Counted<'a> {
    fn new(count: &'a Cell<usize>) -> Self {
        count.set(count.get() + 1);
        Self(count)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get().saturating_sub(1));
    }
}
