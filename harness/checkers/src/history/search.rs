//! Searches for an order of the writes that explains every acknowledged write and read, where the history has none.
//!
//! The search places one write after the other, each between its call and its return, those with known versions in the
//! order of these; it places a read as soon as it fits. It visits no state twice, and gives up at a limit.

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use super::conditions::Known;
use super::operation::{Action, Freshness, ObjectState, Operation, WriteOutcome};
use super::write_order::WriteOrder;

/// The result of a search.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Searched {
    /// An order exists.
    Explained,
    /// No order exists: one of these operations fits nowhere.
    Stuck(Vec<usize>),
    /// The search reached its limit.
    GivenUp,
}

/// The limit of a search, in visited operations: each step visits the whole history.
const VISITS_AT_MOST: usize = 100_000_000;

/// Searches for an order.
pub(super) fn explain(write_order: &WriteOrder<'_>) -> Searched {
    let mut search = Search::new(write_order);
    let mut path = vec![search.enter()];
    for _ in 0..VISITS_AT_MOST / (write_order.history.len() + 100) {
        if search.done() {
            return Searched::Explained;
        }
        let Some(last) = path.last_mut() else { return Searched::Stuck(search.stuck) };
        match last.choices.pop() {
            Some(write) => {
                let undo = search.put(write);
                let mut next = search.enter();
                next.undo = Some(undo);
                path.push(next);
            }
            None => path.pop().into_iter().for_each(|branch| search.leave(branch)),
        }
    }
    Searched::GivenUp
}

/// An object in the search; its version may be unknown.
type SearchedObject<'a> = Option<(Known<'a>, &'a str)>;

struct Search<'a> {
    write_order: &'a WriteOrder<'a>,
    /// The position of each write that has one.
    positions: BTreeMap<usize, usize>,
    placed: Vec<bool>,
    open: usize,
    objects: BTreeMap<&'a str, (Known<'a>, &'a str)>,
    /// The reached position in the order of the versions.
    reached: usize,
    known: HashSet<u64>,
    stuck: Vec<usize>,
    fewest: usize,
}

/// A point of the search with several possible next writes.
struct Branch<'a> {
    /// The possible next writes.
    choices: Vec<usize>,
    /// The reads that were placed here.
    explained: Vec<usize>,
    /// The write before this point.
    undo: Option<Undo<'a>>,
}

struct Undo<'a> {
    write: usize,
    name: &'a str,
    before: SearchedObject<'a>,
    reached: usize,
}

impl<'a> Search<'a> {
    fn new(write_order: &'a WriteOrder<'a>) -> Self {
        let positions = write_order.changes.iter().enumerate();
        let positions = positions.filter_map(|(index, change)| Some((change.write?, index + 1))).collect();
        let placed = write_order.history.iter().map(|one| !must(one) && !optional(one)).collect();
        let open = write_order.history.iter().filter(|operation| must(operation)).count();
        Self {
            write_order,
            positions,
            placed,
            open,
            objects: BTreeMap::new(),
            reached: 0,
            known: HashSet::new(),
            stuck: Vec::new(),
            fewest: usize::MAX,
        }
    }

    fn done(&self) -> bool {
        self.open == 0
    }

    /// The operations that may be next: no other one returned before their calls.
    fn next(&self) -> Vec<usize> {
        let mut soonest = Duration::MAX;
        let mut next = Vec::new();
        for (index, operation) in
            self.write_order.history.iter().enumerate().filter(|(index, _)| !self.placed[*index])
        {
            if operation.called > soonest {
                break;
            }
            if must(operation) {
                soonest = soonest.min(operation.returned);
            }
            next.push(index);
        }
        next.retain(|index| self.write_order.history[*index].called <= soonest);
        next
    }

    /// Places the reads that fit, and finds the possible next writes.
    fn enter(&mut self) -> Branch<'a> {
        let mut explained = Vec::new();
        loop {
            let next = self.next();
            let fits = |index: &usize| self.shows(*index);
            let reads: Vec<_> = next.iter().copied().filter(fits).collect();
            if !reads.is_empty() {
                for read in &reads {
                    self.placed[*read] = true;
                }
                self.open -= reads.len();
                explained.extend(reads);
                continue;
            }
            if self.open < self.fewest {
                self.fewest = self.open;
                self.stuck =
                    next.iter().copied().filter(|one| must(&self.write_order.history[*one])).collect();
            }
            let mut choices: Vec<_> = next.into_iter().filter(|index| self.fits(*index).is_some()).collect();
            // The search tries the last one first: acknowledged before unknown, then the earliest call.
            choices.sort_by_key(|index| (must(&self.write_order.history[*index]), std::cmp::Reverse(*index)));
            let new = self.known.insert(self.fingerprint());
            return Branch { choices: if new { choices } else { Vec::new() }, explained, undo: None };
        }
    }

    fn put(&mut self, write: usize) -> Undo<'a> {
        let history = self.write_order.history;
        let (name, after, reached) = self.fits(write).unwrap_or(("", None, self.reached));
        let before = match after {
            Some(object) => self.objects.insert(name, object),
            None => self.objects.remove(name),
        };
        self.placed[write] = true;
        self.open -= usize::from(must(&history[write]));
        Undo { write, name, before, reached: std::mem::replace(&mut self.reached, reached) }
    }

    fn leave(&mut self, branch: Branch<'a>) {
        self.open += branch.explained.len();
        branch.explained.iter().for_each(|read| self.placed[*read] = false);
        let Some(undo) = branch.undo else { return };
        self.placed[undo.write] = false;
        self.open += usize::from(must(&self.write_order.history[undo.write]));
        self.reached = undo.reached;
        match undo.before {
            Some(object) => drop(self.objects.insert(undo.name, object)),
            None => drop(self.objects.remove(undo.name)),
        }
    }

    /// The object after a write, and the position then reached; `None` if the write does not fit now.
    fn fits(&self, write: usize) -> Option<(&'a str, SearchedObject<'a>, usize)> {
        let Action::Write { name, verb, response } = &self.write_order.history[write].action else {
            return None;
        };
        if matches!(response, WriteOutcome::Refused(_)) {
            return None;
        }
        let deleted =
            self.write_order.changes.get(self.reached).is_some_and(|next| next.deleters.contains(&write));
        let reached = match self.positions.get(&write) {
            Some(position) if *position == self.reached + 1 => *position,
            Some(_) => return None,
            None => self.reached + usize::from(deleted),
        };
        let position = self.positions.get(&write).map(|position| self.write_order.change(*position).version);
        let version = match response {
            WriteOutcome::Done(Some(version)) => Some(version.as_str()),
            _ => position,
        };
        verb.fits(self.version(name)).then_some((name, verb.value().map(|value| (version, value)), reached))
    }

    /// The current version of an object; `None` if the object does not exist.
    fn version(&self, name: &str) -> Option<Known<'a>> {
        self.objects.get(name).map(|(version, _)| *version)
    }

    /// Whether a read's result, or a refusal's reason, fits the current state.
    fn shows(&self, read: usize) -> bool {
        let there = |name: &str| self.objects.get(name);
        let same = |there: Option<&(Known<'_>, &str)>, state: Option<&ObjectState>| match (there, state) {
            (None, None) => true,
            (Some((version, value)), Some(state)) => {
                *value == state.value && version.is_none_or(|version| version == state.version)
            }
            _ => false,
        };
        match &self.write_order.history[read].action {
            Action::Get { name, shown, .. } => same(there(name), shown.as_ref()),
            Action::List { items, .. } => {
                items.len() == self.objects.len()
                    && items.iter().all(|(name, state)| same(there(name), Some(state)))
            }
            Action::Write { name, verb, response: WriteOutcome::Refused(refusal) } => {
                refusal.has_reason(verb, self.version(name))
            }
            _ => false,
        }
    }

    fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.placed, &self.objects, self.reached).hash(&mut hasher);
        hasher.finish()
    }
}

/// Whether every order has the operation.
fn must(operation: &Operation) -> bool {
    match &operation.action {
        Action::Write { response, .. } => *response != WriteOutcome::Unknown,
        Action::Get { freshness, .. } | Action::List { freshness, .. } => *freshness == Freshness::MostRecent,
        Action::Event { .. } => false,
    }
}

/// Whether an order may have the operation or not.
fn optional(operation: &Operation) -> bool {
    matches!(operation.action, Action::Write { response: WriteOutcome::Unknown, .. })
}
