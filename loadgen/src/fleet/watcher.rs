//! One watcher: opens its watch, reads it, and opens it again when it ends.

use std::rc::Rc;
use std::time::{Duration, Instant};

use harness::load::{Ending, ErrorClass};
use harness::stream::Book;
use http::StatusCode;

use super::crew::Crew;
use super::{Appetite, Fleet, Route};
use crate::recorder::{SeriesId, between};
use crate::requests::class;
use crate::scan::{Frames, Items};
use crate::wire::{Body, Broken, Call, Seat};

/// How long one that was refused waits at first, and at most.
const PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(3);

/// What a watcher knows from one stream to the next.
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own, and all of them can be true")]
pub(super) struct Watcher {
    pub(super) book: Book,
    route: usize,
    pub(super) version: String,
    /// When its last stream ended, until the next has an event.
    pub(super) ended: Option<Instant>,
    was_open: bool,
    /// Whether the events that come are of what was there before.
    pub(super) initial: bool,
    /// Whether none of them has come yet.
    pub(super) silent: bool,
    /// Whether it begins with a new list when it comes back.
    pub(super) relist: bool,
    /// Whether it was told to end: then it is no fault of anybody's.
    pub(super) ordered: bool,
    /// What was settled when the stream was asked for.
    pub(super) settled_below: u32,
    pub(super) sent: Instant,
}

impl Watcher {
    pub(super) fn new(route: usize, fleet: &Fleet) -> Self {
        let version = fleet.routes.get(route).map(|route| route.from.clone()).unwrap_or_default();
        Self {
            book: Book::default(),
            route,
            version,
            ended: None,
            was_open: false,
            initial: false,
            silent: true,
            relist: false,
            ordered: false,
            settled_below: 0,
            sent: Instant::now(),
        }
    }
}

/// Keeps one watch open for as long as the thread lives.
pub(super) async fn keep_open(crew: Rc<Crew>, index: usize, intended: Instant) {
    let mut intended = Some(intended);
    let mut pause = PAUSE;
    loop {
        let (was_open, ending) = match begin(&crew, index, intended.take()).await {
            Ok((seat, body)) => {
                let ending = read(&crew, index, body).await;
                drop(seat);
                crew.closed(index);
                (true, ending)
            }
            Err(ending) => (false, ending),
        };
        crew.ended(index, ending);
        if was_open && ending != Ending::Error {
            pause = PAUSE;
        } else {
            Box::pin(tokio::time::sleep(pause.mul_f64(0.5 + fastrand::f64()))).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }
}

async fn begin(crew: &Crew, index: usize, intended: Option<Instant>) -> Result<(Seat, Body), Ending> {
    if crew.needs_list(index) {
        Box::pin(list(crew, index)).await?;
    }
    open(crew, index, intended).await
}

async fn open(crew: &Crew, index: usize, intended: Option<Instant>) -> Result<(Seat, Body), Ending> {
    let asked = Instant::now();
    let seat = crew.lines.seat().await;
    let seat = seat.map_err(|broken| crew.refused(crew.series.latency, &broken, asked))?;
    // What it takes to ask is not kept for as long as the watch is open.
    let body = Box::pin(ask(crew, index, &seat, intended)).await?;
    Ok((seat, body))
}

async fn ask(crew: &Crew, index: usize, seat: &Seat, intended: Option<Instant>) -> Result<Body, Ending> {
    let call = crew.call(index)?;
    let sent = Instant::now();
    let answer = tokio::time::timeout(crew.fleet.within, seat.send(&call)).await;
    let answer = answer.unwrap_or(Err(Broken::Late));
    let answer = answer.map_err(|broken| crew.refused(crew.series.latency, &broken, sent))?;
    if answer.status != StatusCode::OK {
        crew.recorder.fail(crew.series.latency, ErrorClass::Status(answer.status.as_u16()));
        return Err(if answer.status == StatusCode::GONE { Ending::Gone } else { Ending::Refused });
    }
    crew.opened(index, intended.unwrap_or(sent), sent);
    Ok(answer.body)
}

async fn read(crew: &Crew, index: usize, mut body: Body) -> Ending {
    let mut frames = Frames::default();
    loop {
        if let Appetite::Slow(rest) = crew.fleet.appetite {
            Box::pin(tokio::time::sleep(rest)).await;
        }
        let ending = match body.next().await {
            Ok(Some(piece)) => crew.piece(index, &mut frames, &piece),
            Ok(None) => Some(crew.rest(index, &mut frames).unwrap_or(Ending::Closed)),
            Err(broken) => Some(ending(&broken)),
        };
        if let Some(ending) = ending {
            return ending;
        }
    }
}

async fn list(crew: &Crew, index: usize) -> Result<(), Ending> {
    let settled_below = crew.stamps.settled_below();
    let call = Call::get(crew.route(index).list().map_err(|_| Ending::Refused)?);
    let sent = Instant::now();
    let version = tokio::time::timeout(crew.fleet.within, listed(crew, &call)).await;
    let version = version
        .unwrap_or(Err(Broken::Late))
        .map_err(|broken| crew.refused(crew.series.list, &broken, sent))?;
    let Some(version) = version.filter(|version| !version.is_empty()) else { return Err(Ending::Refused) };
    let now = Instant::now();
    crew.recorder.record_micros(crew.series.list, between(sent, now));
    crew.began_anew(index, version, settled_below, now);
    Ok(())
}

/// The version of a list; nothing if it is refused, or has none.
async fn listed(crew: &Crew, call: &Call) -> Result<Option<String>, Broken> {
    let seat = crew.lines.seat().await?;
    let mut answer = seat.send(call).await?;
    if answer.status != StatusCode::OK {
        crew.recorder.fail(crew.series.list, ErrorClass::Status(answer.status.as_u16()));
        return Ok(None);
    }
    let mut items = Items::new(false);
    while let Some(piece) = answer.body.next().await? {
        items.take(&piece);
    }
    Ok(items.version())
}

fn ending(broken: &Broken) -> Ending {
    match broken {
        Broken::Unreachable(_) | Broken::Late => Ending::Refused,
        Broken::Cut => Ending::Cut,
        Broken::Reset => Ending::Reset,
        Broken::GoAway => Ending::Goaway,
    }
}

impl Crew {
    fn route(&self, index: usize) -> &Route {
        &self.fleet.routes[self.watchers[index].borrow().route]
    }

    fn call(&self, index: usize) -> Result<Call, Ending> {
        let route = self.route(index);
        let mut watcher = self.watchers[index].borrow_mut();
        watcher.settled_below = self.stamps.settled_below();
        route.watch(&watcher.version).map(Call::get).map_err(|_| Ending::Refused)
    }

    fn needs_list(&self, index: usize) -> bool {
        self.watchers[index].borrow().version.is_empty() && !self.route(index).initial_events
    }

    fn refused(&self, series: SeriesId, broken: &Broken, since: Instant) -> Ending {
        self.recorder.give_up(series, class(broken), since.elapsed());
        ending(broken)
    }

    fn opened(&self, index: usize, intended: Instant, sent: Instant) {
        let now = Instant::now();
        self.recorder.record_micros(self.series.latency, between(intended, now));
        self.recorder.record_micros(self.series.service, between(sent, now));
        self.count_open(true);
        let mut watcher = self.watchers[index].borrow_mut();
        let watches = &mut self.account.borrow_mut().watches;
        if std::mem::replace(&mut watcher.was_open, true) {
            watches.resumed += 1;
        } else {
            watches.opened += 1;
        }
        (watcher.sent, watcher.ordered) = (sent, false);
        (watcher.initial, watcher.silent) = (watcher.version.is_empty(), true);
    }

    fn closed(&self, index: usize) {
        self.count_open(false);
        self.watchers[index].borrow_mut().ended = Some(Instant::now());
    }

    fn ended(&self, index: usize, ending: Ending) {
        let mut watcher = self.watchers[index].borrow_mut();
        if !std::mem::take(&mut watcher.ordered) {
            self.count_ended(ending);
        }
        if ending == Ending::Gone || std::mem::take(&mut watcher.relist) || watcher.initial {
            watcher.version.clear();
        }
    }

    fn began_anew(&self, index: usize, version: String, settled_below: u32, read_until: Instant) {
        let mut watcher = self.watchers[index].borrow_mut();
        let read_until = self.stamps.micros(read_until);
        let first = self.stamps.measured_from();
        let skipped = watcher.book.begin_anew((settled_below, read_until), first, &*self.stamps);
        watcher.version = version;
        self.account.borrow_mut().skipped += skipped;
    }
}
