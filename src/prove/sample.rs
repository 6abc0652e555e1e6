//! Scenarios of other clauses that also run against a fault: they show its reach.

use harness::{Plan, Turn};

use super::case::Case;

/// Reduces a plan of all scenarios to a few cheap ones of other clauses, the same for each run of a fault.
pub(super) fn choose(plan: &mut Plan, case: &Case, size: usize) {
    plan.invariants.clear();
    plan.skipped.clear();
    plan.scenarios.retain(|one| one.turn == Turn::Any && !one.full_only && !case.concerns(&one.clauses));
    let seed =
        case.fault.name.bytes().fold(0_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    plan.shuffle(seed);
    plan.scenarios.truncate(size);
    let tested = |id: &harness::ClauseId| plan.scenarios.iter().any(|one| one.clauses.contains(id));
    plan.clauses.retain(|clause| tested(&clause.id));
}
