//! `kube-assay list`: the clauses, scenarios, faults and other lists.

use std::collections::HashSet;

use harness::{Catalogue, ClauseId, Level, Selection, Suite};
use reports::Coverage;
use serde_json::{Map, Value};
use tabled::builder::Builder;
use tabled::settings::Style;
use tabled::settings::object::Columns;
use tabled::settings::{Modify, Width};

use crate::cli::{Format, ListArgs, Listing};
use crate::exit::Exit;
use crate::output::{complain, say};
use crate::requirements::{ConformanceProfile, RequirementSet};
use crate::selection::{check, chosen};

/// The maximum width of the last column of a table.
const WIDEST: usize = 100;

/// Prints the list.
pub(crate) fn list(args: &ListArgs) -> Exit {
    let (catalogue, suites) = (suites::catalogue(), suites::all());
    let selection = chosen(&args.selection);
    if let Err(why) = check(&selection, &[]) {
        complain(why);
        return Exit::Usage;
    }
    let listed = match args.what {
        Listing::Clauses => clauses(&catalogue, &suites, &selection),
        Listing::Scenarios => scenarios(&catalogue, &suites, &selection),
        Listing::Faults => faults(&catalogue, &selection),
        Listing::Bugs => bugs(&catalogue, &selection),
        Listing::Variants => variants(),
        Listing::Workloads => workloads(),
        Listing::Requirements => requirements(),
        Listing::Coverage => {
            say(&coverage(&catalogue, &suites, &selection).markdown());
            return Exit::Passed;
        }
    };
    match args.output {
        Format::Table => say(&format!("{}\n", listed.table())),
        Format::Json => say(&format!("{:#}\n", listed.json())),
    }
    Exit::Passed
}

/// Rows under a heading; the last column holds the longest text.
pub(crate) struct Listed {
    pub(crate) columns: &'static [&'static str],
    pub(crate) rows: Vec<Vec<String>>,
}

impl Listed {
    /// As a table with aligned columns.
    pub(crate) fn table(&self) -> String {
        let mut builder = Builder::default();
        builder.push_record(self.columns.iter().copied());
        self.rows.iter().for_each(|row| builder.push_record(row));
        let mut table = builder.build();
        table
            .with(Style::blank())
            .with(Modify::new(Columns::last()).with(Width::wrap(WIDEST).keep_words(true)));
        table.to_string()
    }

    fn json(&self) -> Value {
        let object = |row: &Vec<String>| -> Value {
            let pairs =
                self.columns.iter().zip(row).map(|(name, value)| ((*name).to_owned(), value.clone().into()));
            Value::Object(pairs.collect::<Map<String, Value>>())
        };
        self.rows.iter().map(object).collect()
    }
}

fn clauses(catalogue: &Catalogue, suites: &[Suite], selection: &Selection) -> Listed {
    let tested = suites::tested_clauses(suites);
    let row = |clause: &harness::Clause| {
        let scenario = match (clause.observable(), tested.contains(clause.id.as_str())) {
            (false, _) => "not observable",
            (true, true) => "yes",
            (true, false) => "not yet",
        };
        vec![clause.id.to_string(), clause.level.to_string(), scenario.to_owned(), clause.statement.clone()]
    };
    let rows = catalogue.clauses().filter(|clause| selection.lists(clause)).map(row).collect();
    Listed { columns: &["clause", "level", "scenario", "statement"], rows }
}

fn scenarios(catalogue: &Catalogue, suites: &[Suite], selection: &Selection) -> Listed {
    let mut rows = Vec::new();
    for suite in suites {
        for scenario in &suite.scenarios {
            let clauses = scenario.clauses.iter().filter_map(|id| catalogue.get(id.as_str()));
            if clauses.clone().any(|clause| selection.includes(clause))
                && selection.profile_allows(scenario)
                && selection.takes(&scenario.id)
            {
                let ids: Vec<&str> = scenario.clauses.iter().map(ClauseId::as_str).collect();
                let level = clauses.map(|clause| clause.level).min().map(|level| level.to_string());
                rows.push(vec![
                    scenario.id.to_string(),
                    suite.area.to_owned(),
                    level.unwrap_or_default(),
                    ids.join(", "),
                ]);
            }
        }
    }
    Listed { columns: &["scenario", "area", "level", "clauses"], rows }
}

fn faults(catalogue: &Catalogue, selection: &Selection) -> Listed {
    let row = |fault: &'static reference::Fault| {
        let clause = catalogue.get(fault.name)?;
        selection.lists(clause).then(|| {
            vec![fault.name.to_owned(), clause.area.clone(), clause.level.to_string(), fault.what.to_owned()]
        })
    };
    Listed {
        columns: &["fault", "area", "level", "what the server does"],
        rows: reference::faults().filter_map(row).collect(),
    }
}

/// The bugs that a selected clause must detect.
fn bugs(catalogue: &Catalogue, selection: &Selection) -> Listed {
    let included = |bug: &&reference::Bug| {
        let mut clauses = bug.clauses.iter().filter_map(|clause| catalogue.get(clause));
        clauses.any(|clause| selection.includes(clause))
    };
    let row = |bug: &reference::Bug| {
        vec![
            bug.fault.name.to_owned(),
            bug.clauses.join(", "),
            bug.thread.to_owned(),
            bug.fault.what.to_owned(),
        ]
    };
    Listed {
        columns: &["bug", "noticed by", "thread", "what happened"],
        rows: reference::bugs().filter(included).map(row).collect(),
    }
}

fn variants() -> Listed {
    let row = |variant: &reference::Variant| vec![variant.name.to_owned(), variant.what.to_owned()];
    Listed { columns: &["variant", "what the server does"], rows: reference::variants().map(row).collect() }
}

fn workloads() -> Listed {
    let row = |workload: loadgen::workload::Workload| vec![workload.name, workload.models];
    Listed {
        columns: &["workload", "what it models"],
        rows: loadgen::workload::Workload::embedded().map(row).collect(),
    }
}

/// A row for each conformance profile of each set.
fn requirements() -> Listed {
    let row = |set: &RequirementSet, profile: &ConformanceProfile| {
        let of = |level: Level| {
            let counted =
                set.clauses.values().filter(|known| known.profile == profile.name && known.level == level);
            counted.count().to_string()
        };
        let [must, should, may] = Level::ALL.map(of);
        let requires = if profile.optional { "optional".to_owned() } else { profile.requires.join(", ") };
        vec![set.name.clone(), profile.name.clone(), must, should, may, requires, profile.description.clone()]
    };
    let rows =
        |set: RequirementSet| -> Vec<_> { set.profile.iter().map(|profile| row(&set, profile)).collect() };
    Listed {
        columns: &["set", "profile", "must", "should", "may", "requires", "what it is about"],
        rows: RequirementSet::all().into_iter().flat_map(rows).collect(),
    }
}

/// The coverage of the selection.
fn coverage(catalogue: &Catalogue, suites: &[Suite], selection: &Selection) -> Coverage {
    let mut areas = catalogue.areas().to_vec();
    for area in &mut areas {
        area.clauses.retain(|clause| selection.lists(clause));
    }
    areas.retain(|area| !area.clauses.is_empty());
    let tested: HashSet<ClauseId> = suites::tested_clauses(suites).into_iter().map(ClauseId::from).collect();
    match Catalogue::new(areas) {
        Ok(selected) => Coverage::of_catalogue(&selected, &tested),
        Err(_) => Coverage::of_catalogue(catalogue, &tested),
    }
}
