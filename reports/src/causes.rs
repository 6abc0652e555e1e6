//! Failures of one cause, reported together: one mistake of a server breaks many clauses, on many types.
//!
//! Every scenario that did not pass, and is not a known failure, has exactly one cause. The cause follows from its
//! signature, which depends neither on the run nor on the order in which scenarios end.

mod fold;
mod mistake;
mod placeholders;
mod request_shape;
mod signature;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use model::{Clause, ClauseId, ScenarioFinished, ScenarioId, Tally, Verdict, stable_hash};

use self::signature::Signature;
use crate::escape::clip;
use crate::record::Record;
use crate::verdict_style::VerdictStyle;
use crate::words::{plural, thousands};

/// More causes than these are grouped by mistake.
const MOST: usize = 15;

/// The maximum length of the name of a cause, in characters.
const LONGEST_TITLE: usize = 300;

/// The scenarios that fail for one reason.
#[derive(Debug)]
pub(crate) struct Cause<'a> {
    /// The same in every run: such as `c3f9a01b2`.
    pub(crate) id: String,
    /// The request and the actual response, in one line.
    pub(crate) title: String,
    /// The gravest of its scenarios.
    pub(crate) verdict: Verdict,
    /// The clauses of its scenarios, in the catalogue's order.
    pub(crate) clauses: Vec<&'a Clause>,
    /// How many of the clauses are inconclusive because of the failure.
    inconclusive: usize,
    /// The variants of its scenarios: the types that they run on, where they name them.
    pub(crate) kinds: Vec<&'a str>,
    /// Its scenarios; the first is the one to look at.
    pub(crate) scenarios: Vec<&'a ScenarioFinished>,
}

impl<'a> Cause<'a> {
    /// The scenario that is explained for all of them.
    pub(crate) fn example(&self) -> &'a ScenarioFinished {
        self.scenarios[0]
    }

    /// The clause that the example is explained with: the strongest of its own.
    pub(crate) fn clause(&self) -> &'a Clause {
        let of_example = self.clauses.iter().filter(|clause| self.example().clauses.contains(&clause.id));
        of_example.min_by_key(|clause| clause.level).unwrap_or(&self.clauses[0])
    }

    /// Its id in `JUnit` and TAP.
    pub(crate) fn name(&self) -> String {
        format!("{}: {}", self.id, self.title)
    }

    /// Whether it made scenarios inconclusive, but none of its clauses: each fails for another cause.
    pub(crate) fn outweighed(&self, record: &Record) -> bool {
        self.verdict == Verdict::Inconclusive
            && self.clauses.iter().all(|clause| record.tally.verdict(clause) != Verdict::Inconclusive)
    }

    /// How many clauses it breaks: `34 clauses, 4 inconclusive`.
    pub(crate) fn size(&self) -> String {
        let clauses = plural(self.clauses.len(), "clause");
        match self.inconclusive {
            0 => clauses,
            count => format!("{clauses}, {} inconclusive", thousands(count)),
        }
    }

    /// The note on the other clauses, for a heading that names one clause.
    pub(crate) fn and_more(&self) -> String {
        match self.clauses.len() - 1 {
            0 => String::new(),
            others => format!(" and {} more", plural(others, "clause")),
        }
    }

    /// The other clauses, the strongest first.
    pub(crate) fn others(&self) -> Vec<&'a Clause> {
        let first = self.clause();
        let mut others: Vec<_> =
            self.clauses.iter().copied().filter(|clause| clause.id != first.id).collect();
        others.sort_by_key(|clause| clause.level);
        others
    }
}

/// The causes of a run.
#[derive(Debug)]
pub(crate) struct Causes<'a> {
    list: Vec<Cause<'a>>,
    /// The index of a scenario's cause; a damaged recording may have two scenarios of one name.
    of: HashMap<*const ScenarioFinished, usize>,
}

impl<'a> Causes<'a> {
    /// The causes of a run: the gravest first, and of equally grave ones the one with the most clauses.
    pub(crate) fn of(record: &'a Record) -> Self {
        let positions: Positions = (0..).zip(record.tally.clauses()).map(|(at, one)| (&one.id, at)).collect();
        let mut list: Vec<Cause> = groups(record)
            .into_iter()
            .map(|(signature, alike)| cause(record, &signature, alike, &positions))
            .collect();
        list.sort_by_cached_key(|cause| {
            let (first, example) = (positions.get(&cause.clause().id), cause.example().scenario.as_str());
            (
                cause.verdict.rank(),
                Reverse(cause.clauses.len()),
                first.copied(),
                example.to_owned(),
                cause.name(),
            )
        });
        let places = |(at, cause): (usize, &Cause<'a>)| {
            cause.scenarios.iter().map(|one| (std::ptr::from_ref(*one), at)).collect::<Vec<_>>()
        };
        Self { of: list.iter().enumerate().flat_map(places).collect(), list }
    }

    /// All of them.
    pub(crate) fn all(&self) -> &[Cause<'a>] {
        &self.list
    }

    /// The causes of failures and warnings: a missing optional feature is neither.
    pub(crate) fn of_faults(&self) -> impl Iterator<Item = &Cause<'a>> {
        self.list.iter().filter(|cause| cause.verdict != Verdict::NotSupported)
    }

    /// That of a scenario, if it fails.
    pub(crate) fn cause_of(&self, finished: &ScenarioFinished) -> Option<&Cause<'a>> {
        self.of.get(&std::ptr::from_ref(finished)).map(|&at| &self.list[at])
    }
}

/// Whether a scenario has a cause: it ran, did not pass, and is no known failure.
pub(crate) fn fails(record: &Record, finished: &ScenarioFinished) -> bool {
    !matches!(record.verdict_of(finished), Verdict::Passed | Verdict::KnownFailure | Verdict::Skipped)
}

/// The positions of the clauses in the catalogue.
type Positions<'a> = HashMap<&'a ClauseId, usize>;

/// Scenarios by signature.
type Groups<'a> = BTreeMap<Signature, Vec<&'a ScenarioFinished>>;

/// The failing scenarios by signature.
fn groups(record: &Record) -> Groups<'_> {
    let narrow = by_request(by(record, Signature::of));
    let narrow = fold::fold(record, narrow);
    if narrow.len() > MOST { fold::fold(record, by(record, mistake::signature)) } else { narrow }
}

fn by(record: &Record, signature: impl Fn(&ScenarioFinished) -> Signature) -> Groups<'_> {
    let mut alike = Groups::new();
    for finished in record.tally.scenarios().filter(|finished| fails(record, finished)) {
        alike.entry(signature(finished)).or_default().push(finished);
    }
    alike
}

/// Joins similar signatures to one cause.
fn by_request(alike: Groups) -> Groups {
    // Those with fewer parameters come first, and cover others.
    let mut by_size: Vec<_> = alike.into_iter().collect();
    by_size.sort_by_key(|(signature, _)| signature.request.size());
    let mut causes = Groups::new();
    for (signature, mut scenarios) in by_size {
        let same = |(known, alike): &(&Signature, &mut Vec<&ScenarioFinished>)| {
            known.covers(&signature) || known.differs_in_objects(&signature) && same_clause(alike, &scenarios)
        };
        match causes.iter_mut().find(same) {
            Some((_, known)) => known.append(&mut scenarios),
            None => drop(causes.insert(signature, scenarios)),
        }
    }
    causes
}

/// Whether the requests are the same: often of several types, whose objects differ in other fields.
fn same_clause(some: &[&ScenarioFinished], others: &[&ScenarioFinished]) -> bool {
    some.iter().any(|one| others.iter().any(|other| one.scenario.clause() == other.scenario.clause()))
}

fn cause<'a>(
    record: &'a Record,
    signature: &Signature,
    mut scenarios: Vec<&'a ScenarioFinished>,
    positions: &Positions,
) -> Cause<'a> {
    // The simplest first, whichever ended first.
    scenarios.sort_by_cached_key(|finished| {
        let position = record.clauses_of(finished).filter_map(|clause| positions.get(&clause.id)).min();
        let (id, typical) = (finished.scenario.as_str(), Signature::of(finished) == *signature);
        let about = (!typical, finished.evidence.is_empty(), id.contains('/'));
        (record.verdict_of(finished).rank(), about, position.copied(), id.to_owned())
    });
    let title = clip(&signature.title(), LONGEST_TITLE).into_owned();
    let verdict = record.verdict_of(scenarios[0]);
    let clauses = clauses(record, &scenarios, positions);
    Cause {
        id: id(signature),
        title,
        verdict,
        inconclusive: inconclusive(record, verdict, &clauses),
        clauses,
        kinds: kinds(&scenarios),
        scenarios,
    }
}

fn id(signature: &Signature) -> String {
    format!("c{:08x}", stable_hash(&signature.title()) & 0xffff_ffff)
}

/// The ids of the causes that reports may count a failure under: by its request, and by the kind of its mistake.
pub fn cause_ids(finished: &ScenarioFinished) -> Vec<String> {
    [Signature::of(finished), mistake::signature(finished)].iter().map(id).collect()
}

/// A cause, for a list of known failures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailureGroup {
    /// The id of the cause.
    pub id: String,
    /// The cause in one line.
    pub title: String,
    /// The ids of its scenarios, in order.
    pub scenarios: Vec<ScenarioId>,
}

/// The causes of a run, the gravest first.
pub fn failure_groups(tally: &Tally) -> Vec<FailureGroup> {
    let record = Record::from(tally.clone());
    let group = |cause: &Cause| {
        let mut scenarios: Vec<ScenarioId> =
            cause.scenarios.iter().map(|finished| finished.scenario.clone()).collect();
        scenarios.sort_unstable();
        FailureGroup { id: cause.id.clone(), title: cause.title.clone(), scenarios }
    };
    Causes::of(&record).all().iter().map(group).collect()
}

/// How many clauses of a failure are inconclusive, and nothing worse.
fn inconclusive(record: &Record, verdict: Verdict, clauses: &[&Clause]) -> usize {
    let is_inconclusive = |clause: &&&Clause| record.tally.verdict(clause) == Verdict::Inconclusive;
    if verdict == Verdict::Inconclusive { 0 } else { clauses.iter().filter(is_inconclusive).count() }
}

/// The clauses of scenarios, in the catalogue's order.
fn clauses<'a>(
    record: &'a Record,
    scenarios: &[&'a ScenarioFinished],
    positions: &Positions,
) -> Vec<&'a Clause> {
    let all = scenarios.iter().flat_map(|finished| record.clauses_of(finished));
    let by_position: BTreeMap<_, &Clause> =
        all.map(|clause| (positions.get(&clause.id).copied(), clause)).collect();
    by_position.into_values().collect()
}

/// The suffixes of the scenario ids after the clause, each once.
fn kinds<'a>(scenarios: &[&'a ScenarioFinished]) -> Vec<&'a str> {
    let variants =
        scenarios.iter().filter_map(|finished| Some(finished.scenario.as_str().split_once('/')?.1));
    variants.collect::<BTreeSet<_>>().into_iter().collect()
}
