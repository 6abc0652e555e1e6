//! The tables: what each row requires of a server, as data.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::LazyLock;

use harness::Version;
use serde::Deserialize;
use toml::{Table, Value as Toml};

use super::admission::AdmissionRow;
use super::{policy_row, row};
use crate::prelude::*;

/// The most rows in one definition.
const MOST_ROWS: usize = 64;

/// A schema with rules, and the objects that they accept and reject.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleRow {
    pub(super) clause: String,
    /// The name of its property in the definition, which tells the row from others: the clause, and a number.
    #[serde(skip)]
    pub(super) name: String,
    /// The number of its definition.
    #[serde(skip)]
    pub(super) definition: usize,
    /// The minor from which on the clause applies.
    #[serde(skip)]
    pub(super) since: Option<Version>,
    /// The properties of the object that carries the rules: see [`super::schema`].
    pub(super) fields: Table,
    /// The rules: a text is the rule alone.
    #[serde(default)]
    pub(super) rules: Vec<Toml>,
    #[serde(default)]
    pub(super) accepted: Vec<Json>,
    #[serde(default)]
    pub(super) rejected: Vec<Rejected>,
    /// Updates: the old object and the new one.
    #[serde(default)]
    pub(super) accepted_updates: Vec<[Json; 2]>,
    #[serde(default)]
    pub(super) rejected_updates: Vec<[Json; 2]>,
    /// What makes the server refuse the definition.
    #[serde(default)]
    pub(super) refused: Vec<Refused>,
    /// What else is to be known.
    #[serde(default)]
    marks: Vec<Mark>,
}

/// A property of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Mark {
    /// The rules are at the root of the object, which the row has whole.
    AtRoot,
    /// A server that refuses these rules keeps the clause if it compiles those of another row of the clause.
    Alternative,
    /// The schema itself rejects the objects: the clause says that no rule needs to.
    BySchema,
    /// A refusal must name the rule.
    NamesRule,
    /// A function sends the objects, because they are large or many.
    Written,
}

impl RuleRow {
    pub(super) fn is(&self, mark: Mark) -> bool {
        self.marks.contains(&mark)
    }
}

/// JSON in a text of a table.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Json(pub(super) Value);

impl TryFrom<String> for Json {
    type Error = serde_json::Error;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        serde_json::from_str(&text).map(Self)
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A rejected object.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Rejected {
    Object(Json),
    /// The rejection has this in a message, names this field of the object, and has this reason in a cause.
    With {
        object: Json,
        message: Option<String>,
        field: Option<String>,
        reason: Option<String>,
    },
}

impl Rejected {
    pub(super) fn object(&self) -> &Json {
        match self {
            Self::Object(object) | Self::With { object, .. } => object,
        }
    }
}

/// A rule that the server must refuse.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Refused {
    Rule(String),
    /// With properties of its own, or with more fields.
    With {
        fields: Option<Table>,
        /// A rule on the object; without one, the properties have rules.
        rule: Option<Toml>,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {
    row: Vec<RuleRow>,
    policy: Vec<policy_row::PolicyRow>,
    admission: Vec<AdmissionRow>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let text = crate::unpack(include_bytes!(concat!(env!("OUT_DIR"), "/cel")));
    let mut tables: Tables =
        toml::from_str(&text).unwrap_or_else(|why| panic!("the tables of CEL cannot be read: {why}"));
    number(&mut tables.row);
    let catalogue = crate::catalogue();
    let since = |clause: &str| catalogue.get(clause).and_then(|clause| clause.since);
    tables.row.iter_mut().for_each(|row| row.since = since(&row.clause));
    tables.policy.iter_mut().for_each(|row| row.since = since(&row.clause));
    tables
});

/// Gives each row its name and its definition. Rules at the root apply to every object: their definition is their own.
fn number(rows: &mut [RuleRow]) {
    let mut of_clause: BTreeMap<String, usize> = BTreeMap::new();
    let shared = rows.iter().filter(|row| !row.is(Mark::AtRoot)).count();
    let (mut in_shared, mut own) = (0, shared.div_ceil(MOST_ROWS));
    for row in rows {
        let count = of_clause.entry(row.clause.clone()).or_default();
        *count += 1;
        row.name = if *count == 1 { row.clause.clone() } else { format!("{}-{count}", row.clause) };
        let number = if row.is(Mark::AtRoot) { &mut own } else { &mut in_shared };
        row.definition = if row.is(Mark::AtRoot) { *number } else { *number / MOST_ROWS };
        *number += 1;
    }
}

/// The rows of a clause.
pub(super) fn rows_of(clause: &str) -> impl Iterator<Item = &'static RuleRow> {
    TABLES.row.iter().filter(move |row| row.clause == clause)
}

/// The rows of a definition.
pub(super) fn rows_in(definition: usize) -> impl Iterator<Item = &'static RuleRow> {
    TABLES.row.iter().filter(move |row| row.definition == definition)
}

/// The policies of a clause.
fn policies_of(clause: &str) -> impl Iterator<Item = &'static policy_row::PolicyRow> {
    TABLES.policy.iter().filter(move |row| row.clause == clause)
}

/// A scenario for each clause of an area that has rows.
pub(super) fn scenarios(area: &str) -> Vec<Row> {
    let of_rules = TABLES.row.iter().filter(|row| !row.is(Mark::Written)).map(|row| row.clause.as_str());
    let of_policies = TABLES.policy.iter().map(|row| row.clause.as_str());
    let of_admission = TABLES.admission.iter().map(|row| row.clause.as_str());
    let clauses = of_rules.chain(of_policies).chain(of_admission);
    let clauses: BTreeSet<&'static str> = clauses
        .filter(|clause| clause.strip_prefix(area).is_some_and(|rest| rest.starts_with('-')))
        .collect();
    let scenario = |clause| harness::row(clause, move |cx| run(cx, clause)).own_kinds().waits();
    clauses.into_iter().map(scenario).collect()
}

async fn run(cx: Context, clause: &'static str) -> Checked {
    Box::pin(row::check_all(&cx, rows_of(clause))).await?;
    for policy in policies_of(clause) {
        Box::pin(policy.check(&cx)).await?;
    }
    for row in TABLES.admission.iter().filter(|row| row.clause == clause) {
        Box::pin(row.check(&cx)).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row without a rejected object would pass on a server that evaluates nothing.
    #[test]
    fn every_row_accepts_and_rejects() {
        for row in TABLES.row.iter().filter(|row| !row.is(Mark::Written)) {
            let accepts = !row.accepted.is_empty() || !row.accepted_updates.is_empty();
            let rejects = !row.rejected.is_empty() || !row.rejected_updates.is_empty();
            assert!(accepts && rejects, "{}", row.name);
        }
        for policy in &TABLES.policy {
            let cases = || policy.cases.iter();
            let rejects = cases().any(|case| !case.rejected.is_empty());
            assert!(rejects && cases().any(|case| !case.accepted.is_empty()), "{}", policy.clause);
        }
        for row in &TABLES.admission {
            assert!(row.has_both_effects(), "{}", row.clause);
        }
    }

    #[test]
    fn every_row_has_rules() {
        for row in &TABLES.row {
            let schema = super::super::definition::schema_of(row).to_string();
            assert!(schema.contains("x-kubernetes-validations"), "{}", row.name);
        }
    }

    /// A name is a property and a part of names of objects.
    #[test]
    fn names_are_unique_and_short() {
        let names: BTreeSet<_> = TABLES.row.iter().map(|row| &row.name).collect();
        assert_eq!(names.len(), TABLES.row.len());
        assert!(names.iter().all(|name| name.len() < 100));
    }

    /// A server makes its documents again for each definition.
    #[test]
    fn few_definitions_have_all_rows() {
        let definitions: BTreeSet<usize> = TABLES.row.iter().map(|row| row.definition).collect();
        assert!(definitions.len() <= 8, "{definitions:?}");
        for definition in definitions {
            assert!((1..=MOST_ROWS).contains(&rows_in(definition).count()));
        }
    }
}
