//! The judgement in words.

use harness::{Judgement, Level};

use crate::mark::Mark;
use crate::page::Ink;
use crate::record::Record;
use crate::words::{plural, thousands};

/// The one word.
pub(crate) fn word(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Conformant => "conformant",
        Judgement::Incomplete => "incomplete",
        Judgement::Known => "known failures",
        Judgement::Undetermined => "undetermined",
        Judgement::Violated => "violated",
    }
}

/// Its colour.
pub(crate) fn ink(judgement: Judgement) -> Ink {
    match judgement {
        Judgement::Conformant => Ink::Green,
        Judgement::Incomplete | Judgement::Known => Ink::Yellow,
        Judgement::Undetermined => Ink::Magenta,
        Judgement::Violated => Ink::Red,
    }
}

/// What stands behind the word: the reason for it, in one sentence.
pub(crate) fn because(record: &Record) -> String {
    match record.tally.judgement() {
        Judgement::Conformant => conformant(record),
        Judgement::Incomplete => incomplete(record),
        Judgement::Known => {
            [known(record), Some(incomplete(record))].into_iter().flatten().collect::<Vec<_>>().join("; ")
        }
        Judgement::Undetermined => in_doubt(record).join("; "),
        Judgement::Violated => violated(record),
    }
}

fn conformant(record: &Record) -> String {
    let areas = plural(record.tally.areas().len(), "area");
    if record.tally.verdicts().any(|(clause, _)| clause.level == Level::Must) {
        format!("every clause asked and every must clause upheld, in {areas}")
    } else {
        format!("nothing violated in {areas}, no must clause in scope")
    }
}

/// How many clauses were asked of how many, and why the others were not.
fn incomplete(record: &Record) -> String {
    let untested = record.marked(Mark::Untested);
    let all = record.tally.counts().total();
    let musts = untested.iter().filter(|clause| clause.level == Level::Must).count();
    let without = untested.iter().filter(|clause| !record.tally.has_scenario(&clause.id)).count();
    let asked = format!("{} of {} asked", thousands(all - untested.len()), plural(all, "clause"));
    let without_scenario = (without > 0).then(|| format!("{} without a scenario yet", thousands(without)));
    let skipped = untested.len() - without;
    let skipped = (skipped > 0).then(|| format!("{} skipped", thousands(skipped)));
    let musts = (musts > 0).then(|| format!("{} untested", plural(musts, "must clause")));
    [Some(asked), without_scenario, skipped, musts].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// How many clauses fail as is known, if there are any.
fn known(record: &Record) -> Option<String> {
    let known = record.tally.counts().known;
    let fail = if known == 1 { "fails as is known" } else { "fail as is known" };
    (known > 0).then(|| format!("{} {fail}", plural(known, "clause")))
}

/// What is broken, and what in addition was not found out.
fn violated(record: &Record) -> String {
    let counts = record.tally.counts();
    let of = |level| record.tally.verdicts().filter(|(clause, _)| clause.level == level).count();
    let mut broken = Vec::new();
    if counts.violated > 0 {
        broken.push(format!("{} of {}", thousands(counts.violated), plural(of(Level::Must), "must clause")));
    }
    if record.strict() && counts.warned > 0 {
        let shoulds = plural(of(Level::Should), "should clause");
        broken.push(format!("{} of {shoulds} (strict)", thousands(counts.warned)));
    }
    let broken = (!broken.is_empty()).then(|| broken.join(" and "));
    let flaky = (counts.flaky > 0).then(|| format!("{} flaky", plural(counts.flaky, "clause")));
    let stale = record.tally.stale().len();
    let stale = (stale > 0).then(|| format!("{} stale", plural(stale, "known failure")));
    let reasons = [broken, flaky, stale, known(record)].into_iter().flatten().chain(in_doubt(record));
    reasons.collect::<Vec<_>>().join("; ")
}

/// All reasons for which the run as a whole did not find out.
fn in_doubt(record: &Record) -> Vec<String> {
    let tally = &record.tally;
    let mut doubts = Vec::new();
    let undetermined = tally.counts().undetermined;
    if undetermined > 0 {
        doubts.push(format!("{} could not be found out", plural(undetermined, "clause")));
    }
    doubts.extend(run_in_doubt(record));
    doubts
}

/// What went wrong with the run itself, whatever its scenarios say.
pub(crate) fn run_in_doubt(record: &Record) -> Vec<String> {
    let mut doubts = Vec::new();
    if !record.complete() {
        doubts.push(cut_short(record).to_owned());
    }
    let leftovers = record.tally.finished().map_or(0, |finished| finished.leftovers.len());
    if leftovers > 0 {
        doubts.push(format!("{} could not be removed", plural(leftovers, "object")));
    }
    if record.tally.asked() == 0 {
        doubts.push("no scenario was asked".to_owned());
    }
    doubts
}

fn cut_short(record: &Record) -> &'static str {
    if record.tally.finished().is_some() {
        "the run was stopped before its end"
    } else {
        "the run did not come to its end"
    }
}
