//! The areas of CEL: the language, its types, escaping, libraries and costs, random expressions, and admission policies.
//!
//! Most clauses are rows of the tables in `suites/cel`: a schema with rules, and the objects that the rules accept and
//! reject. One definition has the rules of many rows: a server makes its documents again for each definition.

mod admission;
mod compatibility;
mod cost;
mod definition;
mod differential;
mod grant;
mod language;
mod libraries;
mod mutating_policy;
mod object;
mod offer;
mod policy;
mod policy_row;
mod ratcheting;
mod refusal;
mod row;
mod schema;
mod shared_definition;
mod table;

use harness::Suite;

/// The suites, in the order of the catalogue.
pub(crate) fn suites() -> [Suite; 7] {
    let of = |area, written| Suite::new(area, [table::scenarios(area), written]);
    [
        of("cel-language", [language::rows(), ratcheting::rows()].concat()),
        of("cel-libraries", libraries::rows()),
        of("cel-types", Vec::new()),
        of("cel-escaping", Vec::new()),
        of("cel-cost", cost::rows()),
        of("cel-differential", differential::rows()),
        of("admission-policies", admission::rows()),
    ]
}
