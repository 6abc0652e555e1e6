//! The differences between two conformance runs.

mod standing;

pub use standing::{Standing, StandingError};

use std::io::{self, Write};

use model::Verdict;
use serde::Serialize;
use serde_json::json;

use crate::escape::{clip, one_line};
use crate::page::{Ink, Page};
use crate::terminal::Look;
use crate::words::plural;
use standing::Stood;

/// Why a scenario is skipped that only the other run has.
const MISSING: &str = "not in this run";

/// The change of a scenario between two runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Turned {
    /// It fails, and did not before.
    Failing,
    /// It is inconclusive, and was not before.
    Inconclusive,
    /// It is skipped, and was not before.
    Skipped,
    /// It failed before, as a known failure or not, and passes.
    Fixed,
    /// It passes, and was skipped or inconclusive before.
    Passing,
    /// Anything else, for example a failure that is a known failure now.
    Otherwise,
}

impl Turned {
    const ALL: [(Self, &'static str, Ink); 6] = [
        (Self::Failing, "newly failing", Ink::Red),
        (Self::Inconclusive, "newly inconclusive", Ink::Magenta),
        (Self::Skipped, "newly skipped", Ink::Yellow),
        (Self::Fixed, "fixed", Ink::Green),
        (Self::Passing, "newly passing", Ink::Green),
        (Self::Otherwise, "otherwise changed", Ink::Plain),
    ];

    fn between(base: Verdict, new: Verdict) -> Option<Self> {
        let fails = |verdict| matches!(verdict, Verdict::Failed | Verdict::Warning | Verdict::Flaky);
        let failed =
            |verdict| fails(verdict) || matches!(verdict, Verdict::KnownFailure | Verdict::NotSupported);
        match (base, new) {
            (base, new) if base == new => None,
            (base, new) if fails(new) && !fails(base) => Some(Self::Failing),
            (_, Verdict::Inconclusive) => Some(Self::Inconclusive),
            (base, Verdict::Skipped) if base != Verdict::Inconclusive => Some(Self::Skipped),
            (base, Verdict::Passed) if failed(base) => Some(Self::Fixed),
            (_, Verdict::Passed) => Some(Self::Passing),
            _ => Some(Self::Otherwise),
        }
    }
}

/// A scenario with another verdict than before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// The change.
    pub turned: Turned,
    /// Whether it makes the new run fail.
    pub fails: bool,
    id: String,
    base: Verdict,
    new: Stood,
}

/// Every scenario with another verdict than before; a scenario that only one run has counts as skipped in the other.
pub fn turns(base: &Standing, new: &Standing) -> Vec<Turn> {
    let missing = Stood { verdict: Verdict::Skipped, why: MISSING.to_owned() };
    let ids =
        base.scenarios.keys().chain(new.scenarios.keys().filter(|id| !base.scenarios.contains_key(*id)));
    let turn = |id: &String| {
        let (before, after) = (base.scenarios.get(id), new.scenarios.get(id));
        let (before, after) = (before.unwrap_or(&missing), after.unwrap_or(&missing));
        let turned = Turned::between(before.verdict, after.verdict)?;
        let fails = turned == Turned::Failing && (new.strict || after.verdict != Verdict::Warning);
        Some(Turn { turned, fails, id: id.clone(), base: before.verdict, new: after.clone() })
    };
    let mut turns: Vec<Turn> = ids.filter_map(turn).collect();
    turns.sort_by(|one, other| (one.turned, &one.id).cmp(&(other.turned, &other.id)));
    turns
}

/// Whether a scenario ran in both runs. Otherwise every change is a newly skipped or newly passing scenario, and two runs
/// that have nothing in common seem to be alike.
pub fn have_common_scenario(base: &Standing, new: &Standing) -> bool {
    let ran = |run: &Standing, id: &str| {
        run.scenarios.get(id).is_some_and(|scenario| scenario.verdict != Verdict::Skipped)
    };
    base.scenarios.keys().any(|id| ran(base, id) && ran(new, id))
}

/// Writes the differences for the terminal, the gravest first.
pub fn write_turns(
    (base, new): (&Standing, &Standing),
    turns: &[Turn],
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut page = Page::new(look.width, look.colour);
    for (name, run) in [("base", base), ("new", new)] {
        page.field(name, Ink::Plain, &run.about);
        if let Some(why) = run.incomplete {
            page.field("", Ink::Magenta, why);
        }
    }
    for (turned, heading, ink) in Turned::ALL {
        let of_it: Vec<&Turn> = turns.iter().filter(|turn| turn.turned == turned).collect();
        if of_it.is_empty() {
            continue;
        }
        page.gap();
        page.line(&[(ink, heading), (Ink::Dim, &format!("  {}", of_it.len()))]);
        for turn in of_it {
            line(&mut page, turn);
        }
    }
    page.gap();
    page.line(&[(Ink::Bold, &in_all(base, new, turns))]);
    out.write_all(page.into_text().as_bytes())?;
    out.flush()
}

/// Writes the differences as a JSON document: `reports/schema/comparison.json` describes it.
pub fn write_turns_json(
    (base, new): (&Standing, &Standing),
    turns: &[Turn],
    out: &mut dyn Write,
) -> io::Result<()> {
    let run = |run: &Standing| json!({ "about": run.about, "finished": run.incomplete.is_none() });
    let change = |turn: &Turn| {
        json!({
            "scenario": turn.id, "change": turn.turned, "fails": turn.fails,
            "base": turn.base, "new": turn.new.verdict, "why": clip(&turn.new.why, LONGEST_REASON),
        })
    };
    let changes: Vec<_> = turns.iter().map(change).collect();
    let document = json!({ "kind": "conformance", "base": run(base), "new": run(new), "changes": changes });
    writeln!(out, "{document:#}")?;
    out.flush()
}

fn line(page: &mut Page, turn: &Turn) {
    let missing = turn.new.why == MISSING;
    let change = format!("  {} → {}", turn.base, if missing { MISSING } else { turn.new.verdict.word() });
    page.line(&[(Ink::Plain, "  "), (Ink::Plain, &turn.id), (Ink::Dim, &change)]);
    if !turn.new.why.is_empty() && !missing {
        page.paragraph(4, Ink::Dim, &one_line(&clip(&turn.new.why, LONGEST_REASON)));
    }
}

/// How much of a reason is shown, in characters.
const LONGEST_REASON: usize = 200;

fn in_all(base: &Standing, new: &Standing, turns: &[Turn]) -> String {
    let scenarios = new.scenarios.len().max(base.scenarios.len());
    if turns.is_empty() {
        return format!("nothing changed in {}", plural(scenarios, "scenario"));
    }
    let counts = Turned::ALL.iter().filter_map(|(turned, heading, _)| {
        let count = turns.iter().filter(|turn| turn.turned == *turned).count();
        (count > 0).then(|| format!("{count} {heading}"))
    });
    format!("{} of {}", counts.collect::<Vec<_>>().join(", "), plural(scenarios, "scenario"))
}
