//! The arrivals and absences of writes.

use super::*;

/// The instant of a write, the next write to the same object, and its outcome.
#[derive(Clone, Copy)]
struct Write {
    sent: u64,
    after: Option<u32>,
    settled: Settled,
}

struct Writes(Vec<Write>);

impl Numbered for Writes {
    fn issued(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap()
    }

    fn after(&self, sequence: u32) -> Option<u32> {
        self.0.get(sequence as usize)?.after
    }

    fn sent_at(&self, sequence: u32) -> u64 {
        self.0.get(sequence as usize).map_or(0, |write| write.sent)
    }

    fn settled(&self, sequence: u32) -> Settled {
        self.0.get(sequence as usize).map_or(Settled::Open, |write| write.settled)
    }
}

/// This many writes to objects in turn, each acknowledged before the next.
fn written(count: u32, objects: u32) -> Writes {
    let write = |number: u32| {
        let at = u64::from(number) * 10;
        let after = Some(number + objects).filter(|after| *after < count);
        Write { sent: at + 1, after, settled: Settled::Acknowledged(at + 5) }
    };
    Writes((0..count).map(write).collect())
}

fn absences(delivery_tracker: &DeliveryTracker, writes: &Writes) -> Vec<(u32, Absence)> {
    delivery_tracker.absences(0, writes).collect()
}

#[test]
fn arrivals_in_order_cost_no_memory() {
    let (writes, mut delivery_tracker) = (written(1_000, 3), DeliveryTracker::default());
    for sequence in 0..1_000 {
        assert_eq!(delivery_tracker.arrive(sequence, &writes), Arrival::Fresh);
    }
    assert_eq!((delivery_tracker.ahead.capacity(), delivery_tracker.missing.capacity()), (0, 0));
    assert_eq!(absences(&delivery_tracker, &writes), []);
}

#[test]
fn only_a_later_write_to_the_same_object_makes_an_arrival_reordered() {
    let (writes, mut delivery_tracker) = (written(4, 2), DeliveryTracker::default());
    let arrivals = [1, 0, 3, 2].map(|sequence| delivery_tracker.arrive(sequence, &writes));
    assert_eq!(arrivals, [Arrival::Fresh; 4]);
    let mut delivery_tracker = DeliveryTracker::default();
    let arrivals = [2, 0, 1, 0].map(|sequence| delivery_tracker.arrive(sequence, &writes));
    assert_eq!(arrivals, [Arrival::Fresh, Arrival::Reordered, Arrival::Fresh, Arrival::Repeated]);
    assert_eq!(absences(&delivery_tracker, &writes), [(3, Absence::Pending)]);
}

#[test]
fn a_write_that_names_the_one_before_shows_the_same_order() {
    let (known, unknown) = (written(6, 2), Writes(Vec::new()));
    let before = |sequence: u32| sequence.checked_sub(2);
    for order in [[0, 1, 2, 3], [1, 0, 3, 2], [2, 0, 1, 3], [3, 1, 3, 1], [4, 0, 2, 1]] {
        let (mut own, mut other) = (DeliveryTracker::default(), DeliveryTracker::default());
        let expected = order.map(|sequence| own.arrive(sequence, &known));
        let arrivals = order.map(|sequence| other.arrive_after(sequence, before(sequence), &unknown));
        assert_eq!(arrivals, expected, "{order:?}");
    }
}

#[test]
fn a_write_is_lost_after_a_later_arrival_and_pending_before() {
    let (writes, mut delivery_tracker) = (written(6, 6), DeliveryTracker::default());
    for sequence in [0, 1, 3] {
        delivery_tracker.arrive(sequence, &writes);
    }
    let expected = [(2, Absence::Lost), (4, Absence::Pending), (5, Absence::Pending)];
    assert_eq!(absences(&delivery_tracker, &writes), expected);
    assert_eq!(delivery_tracker.absences(3, &writes).count(), 2, "writes from the first on");
}

#[test]
fn a_failed_write_is_not_expected() {
    let failed = Write { sent: 1, after: None, settled: Settled::Failed };
    let (writes, mut delivery_tracker) = (Writes(vec![failed]), DeliveryTracker::default());
    assert_eq!(absences(&delivery_tracker, &writes), []);
    assert_eq!(delivery_tracker.arrive(0, &writes), Arrival::Fresh, "the server may have carried it out");
}

#[test]
fn a_write_without_a_response_has_no_order() {
    let unknown = Write { sent: 1, after: Some(1), settled: Settled::Unknown };
    let later = Write { sent: 9, after: None, settled: Settled::Acknowledged(10) };
    let (writes, mut delivery_tracker) = (Writes(vec![unknown, later]), DeliveryTracker::default());
    assert_eq!([1, 0].map(|sequence| delivery_tracker.arrive(sequence, &writes)), [Arrival::Fresh; 2]);
}

#[test]
fn a_long_missing_write_is_set_aside_and_may_still_arrive() {
    let (writes, mut delivery_tracker) = (written(1_000, 1_000), DeliveryTracker::default());
    for sequence in 1..1_000 {
        delivery_tracker.arrive(sequence, &writes);
    }
    assert!(delivery_tracker.ahead.is_empty());
    assert_eq!(absences(&delivery_tracker, &writes), [(0, Absence::Lost)]);
    assert_eq!(delivery_tracker.arrive(0, &writes), Arrival::Fresh);
    assert_eq!(delivery_tracker.arrive(0, &writes), Arrival::Repeated);
    assert_eq!(absences(&delivery_tracker, &writes), []);
}

#[test]
fn a_write_in_a_new_list_is_skipped() {
    let (writes, mut delivery_tracker) = (written(6, 6), DeliveryTracker::default());
    delivery_tracker.arrive(0, &writes);
    assert_eq!(delivery_tracker.begin_anew((2, writes.sent_at(3)), 0, &writes), 1);
    delivery_tracker.arrive(5, &writes);
    assert_eq!(
        absences(&delivery_tracker, &writes),
        [(2, Absence::Skipped), (3, Absence::Skipped), (4, Absence::Lost)]
    );
}
