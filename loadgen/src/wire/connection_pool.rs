//! Some connections to one server, and places on them.
//!
//! Used on one thread. The place that was given back last is taken first, so that what is idle stays idle.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

use http::HeaderMap;
use tokio::sync::Notify;

use super::Call;
use super::connection::{Connection, Windows};
use super::endpoint::Endpoint;
use super::request_error::RequestError;
use super::streamed_response::StreamedResponse;

/// How long the headers that say who we are stay the same; a token may be a file that changes.
const FRESH_FOR: Duration = Duration::from_secs(5);

/// How many connections are opened at the same time.
const DIALS: usize = 32;

/// How many connections there may be, and what each carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Connections.
    pub connections: usize,
    /// Requests at a time on each, if the server allows as many.
    pub streams: usize,
    /// How much may be on its way to us.
    pub windows: Windows,
}

impl Limits {
    /// So many connections, with as many requests on each as kube-apiserver allows by default.
    pub fn connections(connections: usize) -> Self {
        Self { connections, streams: 100, windows: Windows::default() }
    }
}

/// Connections to one server. A clone is the same.
#[derive(Clone)]
pub struct ConnectionPool(Rc<Inner>);

struct Inner {
    endpoint: Endpoint,
    limits: Limits,
    /// Those with room.
    free: RefCell<Vec<Rc<Connection>>>,
    /// All that are up.
    up: RefCell<Vec<Rc<Connection>>>,
    dialling: Cell<usize>,
    waiting: Cell<usize>,
    /// What the last one carries; a guess for the next.
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
    /// To a server; none is opened yet.
    pub fn new(endpoint: Endpoint, limits: Limits) -> Self {
        Self(Rc::new(Inner {
            endpoint,
            limits,
            free: RefCell::default(),
            up: RefCell::default(),
            dialling: Cell::new(0),
            waiting: Cell::new(0),
            room: Cell::new(0),
            change: Notify::new(),
            headers: RefCell::default(),
        }))
    }

    /// A place that is free right now.
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

    /// A place, on a new connection if need be; waits where there may be no other.
    ///
    /// Who waits is woken by the one before: if all were at once, a new connection would have to keep the requests of all
    /// of them, and the memory for that as long as it lives.
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

    /// Opens as many connections as there may be, ahead of the first request.
    pub async fn open_all(&self) -> Result<(), RequestError> {
        while self.up() < self.0.limits.connections {
            self.dial().await?;
        }
        Ok(())
    }

    /// How many connections are up.
    pub fn up(&self) -> usize {
        let mut up = self.0.up.borrow_mut();
        up.retain(|connection| !connection.is_closed());
        up.len()
    }

    /// How many requests all connections carry at a time, once the first is up.
    pub fn places(&self) -> usize {
        self.0.limits.connections.max(1) * self.0.room.get().max(1)
    }

    /// How many streams the server allows on a connection; nothing where each carries one.
    pub fn streams(&self) -> Option<u64> {
        Some(self.0.room.get() as u64).filter(|room| *room > 1)
    }

    /// Ends every connection at once, as a server does that is restarted.
    pub fn cut(&self) {
        self.0.free.borrow_mut().clear();
        self.0.up.borrow_mut().drain(..).for_each(|connection| connection.cut());
    }

    /// Whether those who wait need another connection. Until the first is up nobody knows what one carries.
    fn may_dial(&self) -> bool {
        let (dialling, room) = (self.0.dialling.get(), self.0.room.get());
        let enough = if room == 0 { dialling > 0 } else { dialling * room >= self.0.waiting.get() };
        !enough && dialling < DIALS && self.up() + dialling < self.0.limits.connections
    }

    /// Has the next of those who wait see whether there is a place, or dial in its turn.
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
}

impl StreamPermit {
    /// Sends a request and reads the head of the response.
    pub async fn send(&self, call: &Call) -> Result<StreamedResponse, RequestError> {
        let headers = self.pool.headers().await?;
        self.connection.send(&self.pool.0.endpoint, &headers, call).await
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

/// Counts one for as long as it lives.
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
