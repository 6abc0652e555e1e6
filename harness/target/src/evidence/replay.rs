//! Answers the requests of a run from the record of an earlier one.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::future::pending;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use model::{Request, Response, TestError};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};

use super::line::{End, Exchange, Hook, Late, Piece, Reached};
use super::order::{Conductor, Order};
use super::reader::Evidence;
use super::recorder::Looks;
use crate::bare_connection::Io;

/// The cause of a request without a recorded response.
const NOT_RECORDED: &str = "the record has no such request";

const HINT: &str = "replay the record with the version of kube-assay that wrote it";

/// The room of a replayed connection, in bytes.
const CONNECTION: usize = 64 << 10;

/// A record that answers requests.
#[derive(Debug)]
pub struct Replay {
    reached: Reached,
    order: Arc<Order>,
    _conductor: Conductor,
    unused: Mutex<Unused>,
    late: HashSet<Late>,
    looks: Looks,
}

/// A request that the record does not answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unlike {
    /// The number of the scenario's execution; 0 for the run itself.
    pub scenario: usize,
    /// The request of the replay.
    pub asked: String,
    /// The next request of that scenario in the record; `None` without a further one.
    pub recorded: Option<String>,
}

impl Unlike {
    /// Whether a request failed because the record does not answer it.
    pub fn is_cause_of(error: &TestError) -> bool {
        error.cause == NOT_RECORDED
    }
}

/// The part of the record that the replay has not used yet.
#[derive(Debug, Default)]
struct Unused {
    exchanges: Vec<Option<Exchange<Bytes>>>,
    /// The exchanges with the same request, in order: by the hash of the request, with its scenario and without.
    of_scenario: HashMap<u64, VecDeque<usize>>,
    of_run: HashMap<u64, VecDeque<usize>>,
    numbers: HashMap<usize, BTreeSet<usize>>,
    hooks: VecDeque<Hook>,
    unlike: Vec<Unlike>,
}

/// The body of a replayed response.
#[derive(Debug)]
pub(crate) struct ReplayedBody {
    order: Arc<Order>,
    began: u64,
    read: u64,
    pieces: VecDeque<Piece<Bytes>>,
    end: Option<End>,
}

impl Replay {
    /// Begins a replay now. The runtime must have one thread and a paused clock.
    pub fn begin(evidence: Evidence) -> Arc<Self> {
        let Evidence { reached, exchanges, hooks, late, .. } = evidence;
        let requests = exchanges.iter().enumerate().map(|(number, exchange)| (exchange.at, number));
        let (order, conductor) = Order::begin(requests);
        let mut unused = Unused { hooks: hooks.into(), ..Unused::default() };
        // In the record they are in the order of their ends.
        let mut numbers: Vec<usize> = (0..exchanges.len()).collect();
        numbers.sort_by_key(|number| exchanges[*number].at);
        for number in numbers {
            unused.add(number, &exchanges[number]);
        }
        unused.exchanges = exchanges.into_iter().map(Some).collect();
        let (unused, looks) = (Mutex::new(unused), Looks::default());
        Arc::new(Self { reached, order, _conductor: conductor, unused, late, looks })
    }

    /// How the recorded run reached its server.
    pub fn reached(&self) -> &Reached {
        &self.reached
    }

    /// The requests that the record does not answer.
    pub fn unlike(&self) -> Vec<Unlike> {
        self.unused().unlike.clone()
    }

    /// Whether a part of a scenario found its time over at this look.
    pub(crate) fn is_late(&self, scenario: usize, part: &str) -> bool {
        self.late.contains(&self.looks.next(scenario, part))
    }

    /// Waits for the recorded end of the next run of a hook, and returns its result.
    pub async fn hook(&self, name: &str) -> Result<(), String> {
        let hook = {
            let mut unused = self.unused();
            let next = unused.hooks.iter().position(|hook| hook.name == name);
            next.and_then(|next| unused.hooks.remove(next))
        };
        let Some(hook) = hook else { return Err("the record has no further run of the hook".to_owned()) };
        self.order.turn(hook.at).await;
        hook.error.map_or(Ok(()), Err)
    }

    /// The recorded response to a request: its head, how long it took, and its body.
    pub(crate) async fn open(
        &self,
        request: &Request,
        scenario: usize,
    ) -> Result<(Response, Duration, ReplayedBody), TestError> {
        let asked = Exchange::of(request, scenario, 0, request.body.clone());
        let Some((number, found)) = self.unused().take(&asked) else { return Err(self.miss(&asked)) };
        self.order.sent(found.at, number);
        let Some(head) = found.head else {
            let Some(End { at, error, .. }) = found.end else { return pending().await };
            self.order.turn_after(at, Some(at.saturating_sub(found.at))).await;
            return Err(error.unwrap_or_else(|| TestError::new("get a response", "the record has none")));
        };
        self.order.turn_after(head.at, Some(head.at.saturating_sub(found.at))).await;
        let (began, read, pieces) = (found.at, head.at, found.pieces.into());
        let body = ReplayedBody { order: self.order.clone(), began, read, pieces, end: found.end };
        let response = Response {
            status: head.status,
            protocol: head.protocol,
            headers: head.headers,
            ..Response::default()
        };
        Ok((response, Duration::from_micros(head.took), body))
    }

    fn miss(&self, asked: &Exchange<Bytes>) -> TestError {
        let mut unused = self.unused();
        let recorded = unused.next_of(asked.scenario).map(Exchange::brief);
        unused.unlike.push(Unlike { scenario: asked.scenario, asked: asked.brief(), recorded });
        let action = format!("replay {} {}", asked.method, asked.path);
        TestError::new(action, NOT_RECORDED).hint(HINT)
    }

    fn unused(&self) -> MutexGuard<'_, Unused> {
        self.unused.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Unused {
    fn add(&mut self, number: usize, exchange: &Exchange<Bytes>) {
        self.of_scenario.entry(exchange.hash_of_request(true)).or_default().push_back(number);
        self.of_run.entry(exchange.hash_of_request(false)).or_default().push_back(number);
        self.numbers.entry(exchange.scenario).or_default().insert(number);
    }

    /// The first exchange of the scenario with this request. Scenarios share some requests, such as those for the
    /// definitions of the run: the first one to need the response sends them, and in a replay that may be another one.
    fn take(&mut self, asked: &Exchange<Bytes>) -> Option<(usize, Exchange<Bytes>)> {
        let own = self.of_scenario.get_mut(&asked.hash_of_request(true));
        let number = next_of(own, &self.exchanges, asked).or_else(|| {
            let shared = self.of_run.get_mut(&asked.hash_of_request(false));
            next_of(shared, &self.exchanges, asked)
        })?;
        let exchange = self.exchanges[number].take()?;
        if let Some(numbers) = self.numbers.get_mut(&exchange.scenario) {
            numbers.remove(&number);
        }
        Some((number, exchange))
    }

    fn next_of(&self, scenario: usize) -> Option<&Exchange<Bytes>> {
        let numbers = self.numbers.get(&scenario)?.iter();
        numbers.filter_map(|number| self.exchanges[*number].as_ref()).min_by_key(|exchange| exchange.at)
    }
}

/// The first unused exchange of a queue with this very request.
fn next_of(
    queue: Option<&mut VecDeque<usize>>,
    exchanges: &[Option<Exchange<Bytes>>],
    asked: &Exchange<Bytes>,
) -> Option<usize> {
    let queue = queue?;
    queue.retain(|number| exchanges[*number].is_some());
    let found = |number: &usize| exchanges[*number].as_ref().is_some_and(|known| known.has_request_of(asked));
    queue.iter().position(found).and_then(|index| queue.remove(index))
}

impl Exchange<Bytes> {
    /// What two equal requests have in common.
    fn request(&self) -> impl Hash + PartialEq {
        (&self.method, &self.path, &self.headers, &self.connection, self.body.as_ref())
    }

    fn has_request_of(&self, other: &Self) -> bool {
        self.request() == other.request()
    }

    fn hash_of_request(&self, with_scenario: bool) -> u64 {
        let mut hasher = DefaultHasher::new();
        (with_scenario.then_some(self.scenario), self.request()).hash(&mut hasher);
        hasher.finish()
    }

    fn brief(&self) -> String {
        let body = self.body.as_ref().map(|body| format!(" with a body of {} bytes", body.len()));
        format!("{} {}{}", self.method, self.path, body.unwrap_or_default())
    }
}

impl ReplayedBody {
    /// The next piece; `None` at the proper end. It never comes where the scenario did not wait for it.
    pub(crate) async fn next(&mut self) -> Result<Option<Bytes>, TestError> {
        if let Some(Piece { at, waited, body }) = self.pieces.front() {
            let (at, waited, gives_up) = (*at, *waited, body.is_none());
            if gives_up {
                self.pieces.pop_front();
                return pending().await;
            }
            self.order.turn_after(at, waited).await;
            self.read = at;
            return Ok(self.pieces.pop_front().and_then(|piece| piece.body));
        }
        let Some(end) = self.end.clone() else { return pending().await };
        self.order.turn_after(end.at, end.waited).await;
        self.read = end.at;
        end.error.map_or(Ok(None), Err)
    }

    /// How long it took up to the last piece that was read.
    pub(crate) fn elapsed(&self) -> Duration {
        Duration::from_micros(self.read.saturating_sub(self.began))
    }

    /// The connection after a response with status 101: what the server sent on it.
    pub(crate) fn upgrade(self) -> Result<Box<dyn Io>, TestError> {
        if let (true, Some(error)) =
            (self.pieces.is_empty(), self.end.as_ref().and_then(|end| end.error.clone()))
        {
            return Err(error);
        }
        let (near, far) = tokio::io::duplex(CONNECTION);
        tokio::spawn(self.play(far));
        Ok(Box::new(near))
    }

    /// Plays the server's end of a connection until the client leaves it, or the server did.
    async fn play(mut self, far: DuplexStream) {
        let (mut from_client, mut to_client) = tokio::io::split(far);
        let sending = async {
            while let Ok(Some(piece)) = self.next().await {
                if to_client.write_all(&piece).await.is_err() {
                    break;
                }
            }
        };
        let receiving = async {
            let mut received = [0; 4096];
            while from_client.read(&mut received).await.is_ok_and(|length| length > 0) {}
        };
        tokio::select! {
            () = sending => {}
            () = receiving => {}
        }
    }
}
