//! Whether the initial events of a watch have every object of the population once.
//!
//! A watch keeps a count and a sum of hashes, and no set: there may be thousands of watches of many objects.

use crate::population::objects_in;

/// Objects of the population in one collection.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct InitialObjects {
    count: u64,
    /// Two sets of one size have different sums, save for one in 2^64.
    sum: u64,
}

/// How the initial events differ from the population.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Difference {
    /// There are too few, or some have the place of others.
    Short,
    /// Some are there more than once.
    Repeated,
}

impl InitialObjects {
    /// The objects of a population of this size in a place among this number of places.
    pub(crate) fn in_place(place: usize, places: usize, objects: usize) -> Self {
        let mut all = Self::default();
        objects_in(place, places, objects).for_each(|object| all.add(object as u64));
        all
    }

    /// The number of objects.
    pub(super) fn count(self) -> u64 {
        self.count
    }

    /// Adds an object.
    pub(super) fn add(&mut self, object: u64) {
        self.count += 1;
        self.sum = self.sum.wrapping_add(mix(object));
    }

    /// How these differ from what a complete list has.
    pub(super) fn difference(self, complete: Self) -> Option<Difference> {
        if self.count > complete.count {
            return Some(Difference::Repeated);
        }
        (self != complete).then_some(Difference::Short)
    }
}

/// The finalizer of splitmix64: different numbers have unrelated hashes.
fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(objects: &[u64]) -> InitialObjects {
        let mut all = InitialObjects::default();
        for object in objects {
            all.add(*object);
        }
        all
    }

    #[test]
    fn every_object_of_the_place_is_there_once_in_any_order() {
        let complete = InitialObjects::in_place(1, 3, 10);
        assert_eq!((complete.count(), of(&[7, 1, 4]).difference(complete)), (3, None));
        for short in [&[][..], &[1, 4], &[1, 4, 4], &[1, 4, 6]] {
            assert_eq!(of(short).difference(complete), Some(Difference::Short), "{short:?}");
        }
        assert_eq!(of(&[1, 4, 7, 7]).difference(complete), Some(Difference::Repeated));
    }
}
