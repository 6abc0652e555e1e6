//! Answers the requests of a run from the record of an earlier one.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::future::pending;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use model::{Request, Response, TestError};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::time::Instant;

use super::kept_body::{KeptBody, Packer};
use super::line::{BranchId, End, Exchange, Hook, Moment, MomentKind, Piece, Reached};
use super::order::{Conductor, Idle, Order};
use super::reader::Evidence;
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
    moments: HashMap<MomentKey, u64>,
    /// The last recorded time of each execution of a scenario. The run itself has none: nothing gives its requests up.
    ends: HashMap<usize, u64>,
}

/// The scenario, the branch and the number of a moment.
type MomentKey = (usize, String, usize);

/// A request of the replay that is not the recorded one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unlike {
    /// The number of the scenario's execution; 0 for the run itself.
    pub scenario: usize,
    /// The request of the replay, which the record does not answer; `None` if the replay lacks the recorded one.
    pub asked: Option<String>,
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
    exchanges: Vec<Option<Exchange<KeptBody>>>,
    /// The exchanges of a branch with the same request, in order: by the hash of both.
    alike: HashMap<u64, VecDeque<usize>>,
    numbers: HashMap<usize, BTreeSet<usize>>,
    hooks: VecDeque<Hook>,
    unlike: Vec<Unlike>,
    packer: Packer,
}

/// The body of a replayed response.
#[derive(Debug)]
pub(crate) struct ReplayedBody {
    order: Arc<Order>,
    began: u64,
    read: u64,
    pieces: VecDeque<Piece<KeptBody>>,
    end: Option<End>,
}

fn key(moment: &Moment) -> MomentKey {
    (moment.scenario, moment.branch.clone(), moment.number)
}

fn ends(exchanges: &[Exchange<KeptBody>], moments: &[Moment]) -> HashMap<usize, u64> {
    let of_exchanges = exchanges.iter().map(|exchange| (exchange.scenario, exchange.last_time()));
    let of_moments = moments.iter().map(|moment| (moment.scenario, moment.at));
    let mut ends = HashMap::new();
    for (scenario, at) in of_exchanges.chain(of_moments).filter(|(scenario, _)| *scenario != 0) {
        let end = ends.entry(scenario).or_insert(at);
        *end = at.max(*end);
    }
    ends
}

/// The times of all steps that a replay waits for.
fn steps(exchanges: &[Exchange<KeptBody>], hooks: &[Hook], moments: &[Moment]) -> BTreeSet<u64> {
    let of_exchange = |exchange: &Exchange<KeptBody>| {
        let pieces = exchange.pieces.iter().filter(|piece| piece.body.is_some()).map(|piece| piece.at);
        let (head, end) = (exchange.head.as_ref(), exchange.end.as_ref());
        let ends = head.map(|head| head.at).into_iter().chain(end.map(|end| end.at));
        pieces.chain(ends).chain([exchange.at]).collect::<Vec<_>>()
    };
    let moments = moments.iter().filter(|moment| moment.kind != MomentKind::Read).map(|moment| moment.at);
    let hooks = hooks.iter().map(|hook| hook.at);
    exchanges.iter().flat_map(of_exchange).chain(moments).chain(hooks).collect()
}

impl Replay {
    /// Begins a replay now, in the runtime of `idle`.
    pub fn begin(evidence: Evidence, idle: Idle) -> Arc<Self> {
        let Evidence { reached, exchanges, hooks, moments, .. } = evidence;
        let (order, conductor) = Order::begin(steps(&exchanges, &hooks, &moments), idle);
        let mut unused = Unused { hooks: hooks.into(), ..Unused::default() };
        // In the record they are in the order of their ends.
        let mut numbers: Vec<usize> = (0..exchanges.len()).collect();
        numbers.sort_by_key(|number| exchanges[*number].at);
        for number in numbers {
            unused.add(number, &exchanges[number]);
        }
        let ends = ends(&exchanges, &moments);
        unused.exchanges = exchanges.into_iter().map(Some).collect();
        let moments = moments.iter().map(|moment| (key(moment), moment.at)).collect();
        Arc::new(Self { reached, order, _conductor: conductor, unused: Mutex::new(unused), moments, ends })
    }

    /// How the recorded run reached its server.
    pub fn reached(&self) -> &Reached {
        &self.reached
    }

    /// The requests that the record does not answer, and behind them those that the replay did not send.
    pub fn unlike(&self) -> Vec<Unlike> {
        let unused = self.unused();
        let unsent = unused.exchanges.iter().flatten().map(|exchange| Unlike {
            scenario: exchange.scenario,
            asked: None,
            recorded: Some(exchange.brief()),
        });
        unused.unlike.iter().cloned().chain(unsent).collect()
    }

    /// The recorded time of a moment; `None` if the record does not have it.
    pub(crate) fn moment(&self, moment: &Moment) -> Option<Instant> {
        self.moments.get(&key(moment)).map(|at| self.order.instant(*at))
    }

    /// Whether the record has a moment.
    pub(crate) fn has(&self, moment: &Moment) -> bool {
        self.moments.contains_key(&key(moment))
    }

    /// Waits for the turn of a moment.
    pub(crate) async fn turn(&self, moment: &Moment) {
        match self.moments.get(&key(moment)) {
            Some(at) => self.order.turn(*at).await,
            None => self.end_of(moment.scenario).await,
        }
    }

    /// Waits until the recorded steps of an execution are over.
    ///
    /// A branch calls this before a step that the record lacks. Either the recorded branch was given up here, because
    /// another branch failed or a time was over: then a recorded step gives up this branch as well. Or this branch does
    /// something else than the recorded one: then this returns.
    async fn end_of(&self, scenario: usize) {
        if let Some(end) = self.ends.get(&scenario) {
            self.order.after(*end).await;
        }
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
        branch: &BranchId,
    ) -> Result<(Response, Duration, ReplayedBody), TestError> {
        let body = request.body.clone().map(|body| self.unused().packer.pack(body));
        let asked = Exchange::of(request, branch, 0, body);
        let found = self.unused().take(&asked);
        let Some(found) = found else { return Err(self.miss(&asked).await) };
        self.order.turn(found.at).await;
        let Some(head) = found.head else {
            let Some(End { at, error, .. }) = found.end else { return pending().await };
            self.order.turn(at).await;
            return Err(error.unwrap_or_else(|| TestError::new("get a response", "the record has none")));
        };
        self.order.turn(head.at).await;
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

    /// Reports a request that the record lacks, unless its branch is given up before.
    async fn miss(&self, asked: &Exchange<KeptBody>) -> TestError {
        let recorded = self.unused().next_of(asked.scenario).map(Exchange::brief);
        self.end_of(asked.scenario).await;
        let unlike = Unlike { scenario: asked.scenario, asked: Some(asked.brief()), recorded };
        self.unused().unlike.push(unlike);
        let action = format!("replay {} {}", asked.method, asked.path);
        TestError::new(action, NOT_RECORDED).hint(HINT)
    }

    fn unused(&self) -> MutexGuard<'_, Unused> {
        self.unused.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Unused {
    fn add(&mut self, number: usize, exchange: &Exchange<KeptBody>) {
        self.alike.entry(exchange.hash_of_request()).or_default().push_back(number);
        self.numbers.entry(exchange.scenario).or_default().insert(number);
    }

    /// The first exchange of the same branch with this request. That of another branch is none: the other one may still
    /// need it, and this one be given up before it sends the request.
    fn take(&mut self, asked: &Exchange<KeptBody>) -> Option<Exchange<KeptBody>> {
        let alike = self.alike.get_mut(&asked.hash_of_request())?;
        let known = |number: usize| self.exchanges[number].as_ref();
        let is_asked = |number: &usize| known(*number).is_some_and(|known| known.has_request_of(asked));
        let number = alike.iter().position(is_asked).and_then(|index| alike.remove(index))?;
        let exchange = self.exchanges[number].take()?;
        if let Some(numbers) = self.numbers.get_mut(&exchange.scenario) {
            numbers.remove(&number);
        }
        Some(exchange)
    }

    fn next_of(&self, scenario: usize) -> Option<&Exchange<KeptBody>> {
        let numbers = self.numbers.get(&scenario)?.iter();
        numbers.filter_map(|number| self.exchanges[*number].as_ref()).min_by_key(|exchange| exchange.at)
    }
}

impl Exchange<KeptBody> {
    /// What two equal requests of a branch have in common.
    fn request(&self) -> impl Hash + PartialEq {
        let branch = (self.scenario, &self.branch);
        (branch, &self.method, &self.path, &self.headers, &self.connection, self.body.as_ref())
    }

    fn last_time(&self) -> u64 {
        let end = self.end.as_ref().map(|end| end.at);
        let piece = self.pieces.last().map(|piece| piece.at);
        let head = self.head.as_ref().map(|head| head.at);
        end.or(piece).or(head).unwrap_or(self.at)
    }

    fn has_request_of(&self, other: &Self) -> bool {
        self.request() == other.request()
    }

    fn hash_of_request(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.request().hash(&mut hasher);
        hasher.finish()
    }

    fn brief(&self) -> String {
        let body = self.body.as_ref().map(|body| format!(" with a body of {} bytes", body.unpack().len()));
        format!("{} {}{}", self.method, self.path, body.unwrap_or_default())
    }
}

impl ReplayedBody {
    /// The next piece; `None` at the proper end. It never comes where the scenario did not wait for it.
    pub(crate) async fn next(&mut self) -> Result<Option<Bytes>, TestError> {
        if let Some(Piece { at, body }) = self.pieces.front() {
            let (at, gives_up) = (*at, body.is_none());
            if gives_up {
                self.pieces.pop_front();
                return pending().await;
            }
            self.order.turn(at).await;
            self.read = at;
            return Ok(self.pieces.pop_front().and_then(|piece| piece.body).map(|body| body.unpack()));
        }
        let Some(end) = self.end.clone() else { return pending().await };
        self.order.turn(end.at).await;
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

#[cfg(test)]
mod tests;
