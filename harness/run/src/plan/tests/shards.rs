//! Shards: together they run everything, and nothing twice.

use std::collections::BTreeSet;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

const IDS: [&str; 12] = [
    "rv-a",
    "rv-b",
    "gone",
    "page-a",
    "page-b",
    "watch-a",
    "watch-b",
    "x",
    "y",
    "z",
    "ss-shape",
    "ss-reason",
];

/// How a suite covers a clause.
#[derive(Debug, Clone, Copy)]
enum Coverage {
    Uncovered,
    OneScenario,
    EveryKind,
    InvariantCheck,
    WithNext,
}

fn suite(coverage: &[Coverage]) -> Suite {
    let rows = coverage.iter().enumerate().filter_map(|(at, how)| match how {
        Coverage::Uncovered => None,
        Coverage::OneScenario => Some(own(IDS[at])),
        Coverage::EveryKind => Some(row(IDS[at], pass)),
        Coverage::InvariantCheck => Some(invariant(IDS[at], never)),
        Coverage::WithNext => Some(own(IDS[at]).also(IDS[(at + 1) % IDS.len()])),
    });
    Suite::new("own", [rows.collect()])
}

fn coverage() -> impl Strategy<Value = Vec<Coverage>> {
    use Coverage::{EveryKind, InvariantCheck, OneScenario, Uncovered, WithNext};
    vec(prop::sample::select(&[Uncovered, OneScenario, EveryKind, InvariantCheck, WithNext][..]), IDS.len())
}

fn in_scope(plan: &Plan) -> BTreeSet<&str> {
    plan.clauses.iter().map(|clause| clause.id.as_str()).collect()
}

fn covered_by(plan: &Plan) -> BTreeSet<&str> {
    let skipped = plan.skipped.iter().map(|(scenario, _)| scenario);
    let scenarios = plan.scenarios.iter().chain(skipped);
    let by_scenario = scenarios.flat_map(|scenario| scenario.clauses.iter().map(ClauseId::as_str));
    by_scenario.chain(plan.invariants.iter().map(|rule| rule.clause)).collect()
}

proptest! {
    #[test]
    fn shards_are_disjoint_and_complete(how in coverage(), of in 1_u16..7, pattern in "(\\*|rv-\\*|watch-a|x)") {
        let plan = |shard: Option<Shard>| {
            let selection = Selection { clauses: vec![pattern.clone()], shard, ..Selection::default() };
            Plan::new(&catalogue(&IDS), vec![suite(&how)], &selection, &TargetInfo::default())
        };
        let whole = plan(None);
        let shards: Vec<Plan> =
            (1..=of).map(|number| plan(format!("{number}/{of}").parse().ok())).collect();

        let mut scenarios: Vec<String> = shards.iter().flat_map(ids).collect();
        scenarios.sort_unstable();
        prop_assert_eq!(scenarios, ids(&whole));
        let scope: BTreeSet<&str> = shards.iter().flat_map(in_scope).collect();
        prop_assert_eq!(&scope, &in_scope(&whole));

        let rules = |plan: &Plan| plan.invariants.iter().map(|rule| rule.clause).collect::<Vec<_>>();
        let by_any = covered_by(&whole);
        for shard in &shards {
            // Every shard has all invariant checks, and covers every clause in its scope: no clause is skipped in all
            // shards that would not be skipped without shards.
            prop_assert_eq!(rules(shard), rules(&whole));
            for clause in in_scope(shard).intersection(&by_any) {
                prop_assert!(covered_by(shard).contains(clause), "{}", clause);
            }
        }
        for clause in in_scope(&whole).difference(&by_any) {
            prop_assert_eq!(shards.iter().filter(|shard| in_scope(shard).contains(clause)).count(), 1);
        }
    }

    #[test]
    fn all_variants_of_a_scenario_are_in_one_shard(clause in "[a-z-]{1,12}", variant in "[a-z.]{1,9}", of in 1_u16..50) {
        let holding = |id: &ScenarioId| {
            let shards = (1..=of).map(|number| format!("{number}/{of}").parse::<Shard>().unwrap());
            shards.filter(|shard| Selection { shard: Some(*shard), ..Selection::default() }.takes(id)).collect::<Vec<_>>()
        };
        let on_variant = holding(&format!("{clause}/{variant}").as_str().into());
        prop_assert_eq!(on_variant.len(), 1);
        prop_assert_eq!(on_variant, holding(&clause.as_str().into()));
    }
}

#[test]
fn shards_have_similar_sizes() {
    let clauses: Vec<String> =
        (0..900).map(|number| format!("area-{}-clause-{number}", number % 30)).collect();
    for of in [2, 3, 4, 8] {
        for number in 1..=of {
            let shard: Shard = format!("{number}/{of}").parse().unwrap();
            let held = clauses.iter().filter(|clause| shard.holds(clause)).count();
            let fair = 900 / of;
            assert!((fair * 2 / 3..=fair * 4 / 3).contains(&held), "{shard} holds {held} of {fair}");
        }
    }
}
