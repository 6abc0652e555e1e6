//! One area's page: a table of its clauses, then each in a short block under a heading that links can name.

use std::fmt::Write;

use harness::{Area, Clause, Level};
use reference::Fault;

use super::text::plain;

/// A clause, with the facts about it from outside of the catalogue.
pub(super) struct Entry<'a> {
    clause: &'a Clause,
    /// The scenarios that test it.
    scenarios: Vec<String>,
    /// Its fault in the reference.
    fault: Option<&'static Fault>,
}

impl<'a> Entry<'a> {
    pub(super) fn new(clause: &'a Clause, scenarios: Vec<String>) -> Self {
        let fault = reference::faults().find(|fault| fault.name == clause.id.as_str());
        Self { clause, scenarios, fault }
    }

    fn has_scenario(&self) -> &'static str {
        match (self.clause.observable(), self.scenarios.is_empty()) {
            (_, false) => "yes",
            (true, true) => "not yet",
            (false, true) => "not observable",
        }
    }

    fn row(&self) -> String {
        let Clause { id, level, .. } = self.clause;
        format!("| [{id}](#{id}) | {level} | {} |\n", self.has_scenario())
    }

    fn block(&self) -> String {
        let Clause { id, level, statement, upstream, observe, fault, feature, .. } = self.clause;
        let mut text = format!("\n### {id}\n\n**{level}**: {}\n", plain(statement));
        let mut line = |name: &str, fact: &str| {
            // Writing to a string cannot fail.
            let _ = if fact.is_empty() { Ok(()) } else { write!(text, "\n- {name}: {fact}") };
        };
        line("source", &source(upstream));
        line("since", &self.clause.since.map(|since| format!("Kubernetes {since}")).unwrap_or_default());
        line("feature", &plain(feature));
        line("observe", &how_to_observe(observe));
        line("fault", &plain(fault));
        line("reference", &self.fault.map(shown).unwrap_or_default());
        line("kube-apiserver differs", &self.clause.deviation().map(plain).unwrap_or_default());
        line("scenarios", &self.today());
        text.push('\n');
        text
    }

    fn today(&self) -> String {
        let code = |id: &String| if id.contains(' ') { id.clone() } else { format!("`{id}`") };
        match self.has_scenario() {
            "yes" => self.scenarios.iter().map(code).collect::<Vec<_>>().join(", "),
            "not yet" => "not yet".to_owned(),
            _ => String::new(),
        }
    }
}

fn how_to_observe(observe: &str) -> String {
    if observe.is_empty() { "not observable over the API".to_owned() } else { plain(observe) }
}

fn source(upstream: &str) -> String {
    if upstream.is_empty() { String::new() } else { format!("<{upstream}>") }
}

fn shown(fault: &Fault) -> String {
    format!("`kube-assay serve --fault {}`: {}", fault.name, plain(fault.what))
}

/// The whole page.
pub(super) fn markdown(area: &Area, entries: &[Entry]) -> String {
    let name = &area.name;
    let of = |level: Level| entries.iter().filter(|entry| entry.clause.level == level).count();
    let [must, should, may] = Level::ALL.map(of);
    let mut page = format!(
        "# {name}\n\n<!-- Made by `cargo ci docs` from suites/clauses/{name}.toml. -->\n\n\
         {} clauses: {must} must, {should} should, {may} may. [All areas](README.md) · \
         [how to read a failure](../read-a-failure.md)\n\n",
        entries.len()
    );
    if entries.iter().any(|entry| entry.has_scenario() == "yes") {
        let _ =
            write!(page, "```\nkube-assay run --area {name}\nkube-assay list clauses --area {name}\n```\n\n");
    }
    page.push_str("| clause | level | scenario |\n|:-------|:------|:---------|\n");
    page.extend(entries.iter().map(Entry::row));
    page.extend(entries.iter().map(Entry::block));
    page
}
