//! Scenarios of other clauses that a fault is shown to as well: how far it reaches.

use harness::{Plan, Turn};

use super::case::Case;

/// Leaves some scenarios in a plan of everything: cheap ones, of other clauses, for each fault always the same.
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
