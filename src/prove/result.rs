//! What a proof came to.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use harness::{Obstacle, Outcome as Asked, ScenarioFinished, Tally, matches};
use reference::Fault;

use crate::exit::Exit;
use crate::list::Listed;

/// Why a right server may leave a scenario unasked that the reference server is made for: `*` stands for any characters.
const GOOD_REASONS: &[&str] = &["this server heeds shardSelector", "since 1.37*", "since 1.38*"];

/// What became of a fault.
pub(super) enum Outcome {
    /// A scenario of its clause failed, after this time.
    Caught(Duration),
    /// None did; what they did instead.
    Survived(String),
    /// The clause is not asked of this server.
    NotAsked(String),
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Caught(took) => write!(f, "caught after {:.1} s", took.as_secs_f64()),
            Self::Survived(instead) => write!(f, "SURVIVES\n{instead}"),
            Self::NotAsked(why) => write!(f, "not asked\n{why}"),
        }
    }
}

/// What a server without a fault was found to be.
pub(super) enum Right {
    /// Asked so many scenarios; these did not pass.
    Asked(usize, Vec<String>),
    /// It could not be found out.
    Unknown(Obstacle),
}

impl Right {
    /// Of a server that may lack what is optional; the reference may not.
    pub(super) fn of(tally: &Tally, lacks_nothing: bool) -> Self {
        let good = |outcome: &Asked| match outcome {
            Asked::Passed => true,
            Asked::Skipped { reason } => {
                !lacks_nothing || GOOD_REASONS.iter().any(|pattern| matches(pattern, reason))
            }
            Asked::Failed { .. } | Asked::Errored { .. } => false,
        };
        let mut bad: Vec<String> =
            tally.scenarios().iter().filter(|scenario| !good(&scenario.outcome)).map(line).collect();
        let left = tally.finished().into_iter().flat_map(|finished| &finished.leftovers);
        bad.extend(left.map(|path| format!("  {path} was left behind")));
        Self::Asked(tally.asked(), bad)
    }
}

/// All outcomes.
pub(super) struct Results {
    right: Right,
    faults: Vec<(&'static Fault, Outcome)>,
}

impl Results {
    /// With what is known of the right server.
    pub(super) fn new(right: Right) -> Self {
        Self { right, faults: Vec::new() }
    }

    pub(super) fn add(&mut self, fault: &'static Fault, outcome: Outcome) {
        self.faults.push((fault, outcome));
    }

    /// Whether everything wrong was noticed, and nothing right was held to be wrong.
    pub(super) fn exit(&self) -> Exit {
        let survives = self.faults.iter().any(|(_, outcome)| matches!(outcome, Outcome::Survived(_)));
        match &self.right {
            Right::Unknown(_) => Exit::Undetermined,
            Right::Asked(_, bad) if survives || !bad.is_empty() => Exit::Violated,
            Right::Asked(..) => Exit::Upheld,
        }
    }

    fn table(&self) -> String {
        let catalogue = suites::catalogue();
        let mut areas: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
        for (fault, outcome) in &self.faults {
            let area = catalogue.get(fault.name).map_or("", |clause| clause.area.as_str());
            let counts = areas.entry(area).or_default();
            counts[outcome.column()] += 1;
        }
        let total = areas.values().fold([0; 3], |sum, counts| [0, 1, 2].map(|at| sum[at] + counts[at]));
        let row = |area: &str, counts: [usize; 3]| {
            let counts = counts.map(|count| if count == 0 { "·".to_owned() } else { count.to_string() });
            [vec![area.to_owned()], counts.to_vec()].concat()
        };
        let in_order = catalogue.areas().iter().filter_map(|area| {
            let counts = areas.get(area.name.as_str())?;
            Some(row(&area.name, *counts))
        });
        let rows = in_order.chain([row("total", total)]).collect();
        Listed { columns: &["faults of", "caught", "surviving", "not asked"], rows }.table()
    }
}

impl Outcome {
    fn column(&self) -> usize {
        match self {
            Self::Caught(_) => 0,
            Self::Survived(_) => 1,
            Self::NotAsked(_) => 2,
        }
    }
}

impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n", self.table())?;
        for (fault, outcome) in &self.faults {
            if matches!(outcome, Outcome::Survived(_)) {
                writeln!(f, "{} ({}): {outcome}\n", fault.name, fault.what)?;
            }
        }
        match &self.right {
            Right::Unknown(obstacle) => writeln!(f, "the right server: {obstacle}"),
            Right::Asked(count, bad) if bad.is_empty() => {
                writeln!(f, "the right server passes all of {count}")
            }
            Right::Asked(count, bad) => {
                writeln!(f, "the right server does not pass {} of {count}:\n{}", bad.len(), bad.join("\n"))
            }
        }
    }
}

/// What each scenario did, a line each.
pub(super) fn told(scenarios: &[ScenarioFinished]) -> String {
    let lines: Vec<_> = scenarios.iter().map(line).collect();
    lines.join("\n")
}

fn line(one: &ScenarioFinished) -> String {
    let said = match &one.outcome {
        Asked::Passed => "passed".to_owned(),
        Asked::Failed { failure } => format!("failed: {}, not {}", failure.expected, failure.actual),
        Asked::Skipped { reason } => format!("was skipped: {reason}"),
        Asked::Errored { obstacle } => obstacle.to_string(),
    };
    format!("  {} {said}", one.scenario)
}
