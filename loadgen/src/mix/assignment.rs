//! The operation and the worker of each start of a schedule.
//!
//! Both depend on the seed and the number of the start alone: any number of workers performs the same operations as one.

use fastrand::Rng;

use crate::share::Share;
use crate::workload::{Operation, Verb};

/// Assigns the starts, in their order.
pub(super) struct Assignment {
    share: Share,
    seed: u64,
    /// The worker of each create without a delete so far: only that worker knows the object.
    creators: Vec<usize>,
}

impl Assignment {
    pub(super) fn new(share: Share, seed: u64) -> Self {
        Self { share, seed, creators: Vec::new() }
    }

    /// The operation of the next start; `None` if it belongs to another worker.
    pub(super) fn next(&mut self, number: u64, operations: &[Operation]) -> Option<usize> {
        let (worker, operation) = self.assign(number, operations);
        (worker == self.share.index).then_some(operation)
    }

    /// The worker of the next start, and its operation.
    pub(super) fn assign(&mut self, number: u64, operations: &[Operation]) -> (usize, usize) {
        let mut operation = choose(operations, &mut random_of(self.seed, number));
        let mut worker = usize::try_from(number % self.share.of as u64).unwrap_or(0);
        let verb = |operation: usize| operations.get(operation).map(|one| one.verb);
        if verb(operation) == Some(Verb::Delete) {
            match self.creators.pop() {
                Some(creator) => worker = creator,
                None => operation = instead_of_delete(operations).unwrap_or(operation),
            }
        }
        if verb(operation) == Some(Verb::Create) {
            self.creators.push(worker);
        }
        (worker, operation)
    }
}

/// The random numbers of one start.
pub(super) fn random_of(seed: u64, number: u64) -> Rng {
    Rng::with_seed(seed.wrapping_add(number.wrapping_mul(0x9E37_79B9_7F4A_7C15)))
}

/// Chooses an operation by its weight.
pub(super) fn choose(operations: &[Operation], random: &mut Rng) -> usize {
    let all: u64 = operations.iter().map(|one| u64::from(one.weight)).sum();
    let mut at = random.u64(0..all.max(1));
    let chosen = operations.iter().position(|one| {
        let weight = u64::from(one.weight);
        let here = at < weight;
        at = at.saturating_sub(weight);
        here
    });
    chosen.unwrap_or(0)
}

/// A create: without an object of the run's own there is nothing to delete.
pub(super) fn instead_of_delete(operations: &[Operation]) -> Option<usize> {
    operations.iter().position(|one| one.verb == Verb::Create)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::workload::Workload;

    const STARTS: u64 = 3_000;

    fn assigned(share: Share, seed: u64, operations: &[Operation]) -> Vec<(u64, usize)> {
        let mut assignment = Assignment::new(share, seed);
        (0..STARTS).filter_map(|number| Some((number, assignment.next(number, operations)?))).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20))]
        #[test]
        fn workers_perform_together_what_one_would(seed in any::<u64>(), of in 1..20usize) {
            let operations = Workload::named("crud-mix").unwrap().requests.unwrap().operations;
            let one = assigned(Share::WHOLE, seed, &operations);
            prop_assert_eq!(one.len() as u64, STARTS);
            let mut all: Vec<_> =
                (0..of).flat_map(|index| assigned(Share { index, of }, seed, &operations)).collect();
            all.sort_unstable();
            prop_assert_eq!(all, one);
        }
    }

    #[test]
    fn a_worker_deletes_what_it_created() {
        let operations = Workload::named("crud-mix").unwrap().requests.unwrap().operations;
        for index in 0..4 {
            let mut objects = 0_i32;
            for (_, operation) in assigned(Share { index, of: 4 }, 7, &operations) {
                match operations[operation].verb {
                    Verb::Create => objects += 1,
                    Verb::Delete => objects -= 1,
                    _ => {}
                }
                assert!(objects >= 0, "worker {index} has nothing to delete");
            }
        }
    }
}
