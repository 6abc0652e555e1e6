//! The managers that may own the annotation that all managers apply: only another one of them explains a conflict.

use std::collections::HashMap;

/// The maximum number of objects with known claims.
const MOST_OBJECTS: usize = 10_000;

/// The claims on the annotation of each object.
#[derive(Default)]
pub(super) struct Claims(HashMap<usize, ObjectClaims>);

/// An apply claims the annotation until the server rejects it.
#[derive(Default)]
struct ObjectClaims {
    /// Managers with an apply in flight, once for each.
    in_flight: Vec<usize>,
    /// Managers whose apply was acknowledged, or whose response was lost.
    lasting: Vec<usize>,
}

impl Claims {
    /// A manager applies the annotation.
    pub(super) fn sent(&mut self, object: usize, manager: usize) {
        if self.0.contains_key(&object) || self.0.len() < MOST_OBJECTS {
            self.0.entry(object).or_default().in_flight.push(manager);
        }
    }

    /// Whether another manager may own the annotation. The claims on an object beyond the maximum are unknown.
    pub(super) fn may_conflict(&self, object: usize, manager: usize) -> bool {
        let others = |claims: &ObjectClaims| {
            claims.in_flight.iter().chain(&claims.lasting).any(|claimant| *claimant != manager)
        };
        self.0.get(&object).is_none_or(others)
    }

    /// An apply has ended. A rejected one leaves no claim.
    pub(super) fn ended(&mut self, object: usize, manager: usize, is_rejected: bool) {
        let Some(claims) = self.0.get_mut(&object) else { return };
        if let Some(at) = claims.in_flight.iter().position(|claimant| *claimant == manager) {
            claims.in_flight.swap_remove(at);
        }
        if !is_rejected && !claims.lasting.contains(&manager) {
            claims.lasting.push(manager);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_claim_of_another_manager_explains_a_conflict() {
        let mut claims = Claims::default();
        claims.sent(7, 1);
        assert!(!claims.may_conflict(7, 1), "nobody else has applied");
        claims.sent(7, 2);
        assert!(claims.may_conflict(7, 1), "the other one may be first");
        claims.ended(7, 2, true);
        assert!(!claims.may_conflict(7, 1), "a rejected apply owns nothing");
        claims.ended(7, 1, false);
        claims.sent(7, 1);
        assert!(claims.may_conflict(7, 2) && !claims.may_conflict(7, 1));
    }

    #[test]
    fn claims_on_many_objects_are_unknown() {
        let mut claims = Claims::default();
        (0..=MOST_OBJECTS).for_each(|object| claims.sent(object, 1));
        assert!(!claims.may_conflict(0, 1) && claims.may_conflict(MOST_OBJECTS, 1));
    }
}
