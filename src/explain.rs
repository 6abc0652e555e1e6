//! `kube-assay explain`: all facts about a clause.

use std::fmt::Write as _;

use harness::invariant::Rule;
use harness::{Clause, Suite};
use serde_json::{Value, json};

use crate::cli::ExplainArgs;
use crate::exit::Exit;
use crate::output::{complain, say};
use crate::suggest::suggest;

/// Prints the clause, or suggests similar ids.
pub(crate) fn explain(args: &ExplainArgs) -> Exit {
    let catalogue = suites::catalogue();
    // The id of a scenario, as in reports, stands for the id of its clause.
    let id = args.clause.split_once('/').map_or(args.clause.as_str(), |(clause, _)| clause);
    if let Some(clause) = catalogue.get(id) {
        let suites = suites::all();
        let document = || format!("{:#}\n", document(clause, &suites));
        say(&if args.output.is_json() { document() } else { describe(clause, &suites) });
        return Exit::Passed;
    }
    let known = catalogue.clauses().map(|clause| clause.id.as_str());
    let advice = suggest(id, known, "`kube-assay list clauses` shows all");
    complain(format_args!("there is no clause {id:?}; {advice}"));
    Exit::Usage
}

fn describe(clause: &Clause, suites: &[Suite]) -> String {
    let mut text =
        format!("{}\n{}, area {}\n\n{}\n", clause.id, clause.level, clause.area, wrap(&clause.statement, ""));
    let since = clause.since.map(|version| format!("Kubernetes {version}")).unwrap_or_default();
    let observe = if clause.observable() { clause.observe.as_str() } else { "not observable over the API" };
    let scenarios = scenarios(clause, suites);
    let facts = [
        ("source", clause.upstream.as_str()),
        ("since", &since),
        ("feature", &clause.feature),
        ("observe", observe),
        ("scenarios", &scenarios),
        ("fault", &clause.fault),
        ("verified", &clause.verified),
        ("seen", &clause.saw),
        ("note", &clause.note),
    ];
    for (name, fact) in facts.iter().filter(|(_, fact)| !fact.is_empty()) {
        let _ = writeln!(text, "\n{name:<11}{}", wrap(fact, "           ").trim_start());
    }
    text
}

/// The facts as a JSON document: `reports/schema/clause.json` describes it.
fn document(clause: &Clause, suites: &[Suite]) -> Value {
    json!({
        "id": clause.id,
        "area": clause.area,
        "level": clause.level,
        "statement": clause.statement,
        "source": clause.upstream,
        "since": clause.since,
        "feature": clause.feature,
        "observable": clause.observable(),
        "observe": clause.observe,
        "scenarios": scenario_ids(clause, suites),
        "fault": clause.fault,
        "verified": clause.verified,
        "seen": clause.saw,
        "note": clause.note,
    })
}

fn scenarios(clause: &Clause, suites: &[Suite]) -> String {
    let ids = scenario_ids(clause, suites);
    match (ids.is_empty(), clause.observable()) {
        (true, true) => "none yet".to_owned(),
        _ => ids.join(", "),
    }
}

/// The scenarios and invariant checks of a clause.
pub(crate) fn scenario_ids(clause: &Clause, suites: &[Suite]) -> Vec<String> {
    let scenarios = suites.iter().flat_map(|suite| &suite.scenarios);
    let mut ids: Vec<String> = scenarios
        .filter(|scenario| scenario.clauses.contains(&clause.id))
        .map(|scenario| scenario.id.to_string())
        .collect();
    let invariants = suites.iter().flat_map(|suite| &suite.invariants);
    ids.extend(invariants.filter(|rule| rule.clause == clause.id.as_str()).map(|rule| match rule.rule {
        Rule::Exchange(_) => "every exchange of a run".to_owned(),
        Rule::Stream(_) => "every watch of a run".to_owned(),
        Rule::Contents => "every read of a run".to_owned(),
    }));
    ids
}

/// Breaks a text into lines of at most 100 characters, each after an indent.
fn wrap(text: &str, indent: &str) -> String {
    let mut lines = vec![indent.to_owned()];
    for word in text.split_whitespace() {
        let full = lines.last().is_some_and(|line| line.trim().len() + word.len() + indent.len() >= 100);
        if full {
            lines.push(indent.to_owned());
        }
        if let Some(line) = lines.last_mut() {
            if line.len() > indent.len() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_clause_can_be_explained() {
        let (catalogue, suites) = (suites::catalogue(), suites::all());
        for clause in catalogue.clauses() {
            let text = describe(clause, &suites);
            assert!(text.starts_with(clause.id.as_str()) && text.contains(clause.level.as_str()), "{text}");
        }
    }
}
