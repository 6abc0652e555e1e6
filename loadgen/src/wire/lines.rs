//! Some connections to one server, and places on them.
//!
//! Used on one thread. The place that was given back last is taken first, so that what is idle stays idle.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

use http::HeaderMap;
use tokio::sync::Notify;

use super::Call;
use super::answer::Answer;
use super::broken::Broken;
use super::endpoint::Endpoint;
use super::line::{Line, Windows};

/// How long the headers that say who we are stay the same; a token may be a file that changes.
const FRESH_FOR: Duration = Duration::from_secs(5);

/// How many connections are opened at the same time.
const DIALS: usize = 32;

/// How many connections there may be, and what each carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Connections.
    pub lines: usize,
    /// Requests at a time on each, if the server allows as many.
    pub streams: usize,
    /// How much may be on its way to us.
    pub windows: Windows,
}

impl Limits {
    /// So many connections, with as many requests on each as kube-apiserver allows by default.
    pub fn lines(lines: usize) -> Self {
        Self { lines, streams: 100, windows: Windows::default() }
    }
}

/// Connections to one server. A clone is the same.
#[derive(Clone)]
pub struct Lines(Rc<Inner>);

struct Inner {
    endpoint: Endpoint,
    limits: Limits,
    /// Those with room.
    free: RefCell<Vec<Rc<Line>>>,
    /// All that are up.
    up: RefCell<Vec<Rc<Line>>>,
    dialling: Cell<usize>,
    waiting: Cell<usize>,
    /// What the last one carries; a guess for the next.
    room: Cell<usize>,
    change: Notify,
    headers: RefCell<Option<(Instant, Rc<HeaderMap>)>>,
}

/// A place on a connection, until it is dropped.
pub struct Seat {
    line: Rc<Line>,
    lines: Lines,
}

impl Lines {
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
    pub fn vacant(&self) -> Option<Seat> {
        let mut free = self.0.free.borrow_mut();
        while let Some(line) = free.last() {
            if line.is_closed() {
                free.pop();
                continue;
            }
            let line = line.clone();
            if !line.take() {
                free.pop();
            }
            return Some(Seat { line, lines: self.clone() });
        }
        None
    }

    /// A place, on a new connection if need be; waits where there may be no other.
    ///
    /// Who waits is woken by the one before: if all were at once, a new connection would have to keep the requests of all
    /// of them, and the memory for that as long as it lives.
    pub async fn seat(&self) -> Result<Seat, Broken> {
        loop {
            if let Some(seat) = self.vacant() {
                self.wake_next();
                return Ok(seat);
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
    pub async fn open_all(&self) -> Result<(), Broken> {
        while self.up() < self.0.limits.lines {
            self.dial().await?;
        }
        Ok(())
    }

    /// How many connections are up.
    pub fn up(&self) -> usize {
        let mut up = self.0.up.borrow_mut();
        up.retain(|line| !line.is_closed());
        up.len()
    }

    /// How many requests all connections carry at a time, once the first is up.
    pub fn places(&self) -> usize {
        self.0.limits.lines.max(1) * self.0.room.get().max(1)
    }

    /// How many streams the server allows on a connection; nothing where each carries one.
    pub fn streams(&self) -> Option<u64> {
        Some(self.0.room.get() as u64).filter(|room| *room > 1)
    }

    /// Ends every connection at once, as a server does that is restarted.
    pub fn cut(&self) {
        self.0.free.borrow_mut().clear();
        self.0.up.borrow_mut().drain(..).for_each(|line| line.cut());
    }

    /// Whether those who wait need another connection. Until the first is up nobody knows what one carries.
    fn may_dial(&self) -> bool {
        let (dialling, room) = (self.0.dialling.get(), self.0.room.get());
        let enough = if room == 0 { dialling > 0 } else { dialling * room >= self.0.waiting.get() };
        !enough && dialling < DIALS && self.up() + dialling < self.0.limits.lines
    }

    /// Has the next of those who wait see whether there is a place, or dial in its turn.
    fn wake_next(&self) {
        if self.0.waiting.get() > 0 {
            self.0.change.notify_one();
        }
    }

    async fn dial(&self) -> Result<(), Broken> {
        let dialling = Counted::new(&self.0.dialling);
        let shape = (self.0.limits.streams, self.0.limits.windows);
        let line = Line::open(&self.0.endpoint, shape).await;
        drop(dialling);
        self.wake_next();
        let line = Rc::new(line?);
        self.0.room.set(line.room());
        self.0.up.borrow_mut().push(line.clone());
        self.0.free.borrow_mut().push(line);
        Ok(())
    }

    async fn headers(&self) -> Result<Rc<HeaderMap>, Broken> {
        if let Some((since, headers)) = &*self.0.headers.borrow()
            && since.elapsed() < FRESH_FOR
        {
            return Ok(headers.clone());
        }
        let headers = Box::pin(self.0.endpoint.headers()).await.map_err(Broken::Unreachable)?;
        let headers = Rc::new(headers);
        *self.0.headers.borrow_mut() = Some((Instant::now(), headers.clone()));
        Ok(headers)
    }
}

impl Seat {
    /// Sends a request and reads the head of the answer.
    pub async fn send(&self, call: &Call) -> Result<Answer, Broken> {
        let headers = self.lines.headers().await?;
        self.line.send(&self.lines.0.endpoint, &headers, call).await
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let was_full = self.line.give_back();
        let inner = &self.lines.0;
        if was_full && !self.line.is_closed() {
            inner.free.borrow_mut().push(self.line.clone());
        }
        self.lines.wake_next();
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
