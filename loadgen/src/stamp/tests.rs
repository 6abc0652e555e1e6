//! Stamps: what is read back, lags, order, and traces for other workers.

use super::*;
use crate::share::Share;

#[test]
fn a_stamp_is_read_back_and_nothing_else_is() {
    let stamp = Stamp { worker: 3, sequence: 4_000_000_000 };
    assert_eq!(Stamp::read(stamp.text().as_bytes()), Some(stamp));
    for text in ["", ".", "1.", ".1", "1", "1.x", "70000.1", "1.99999999999", "-1.2"] {
        assert_eq!(Stamp::read(text.as_bytes()), None, "{text}");
    }
}

#[test]
fn a_write_has_three_lags_and_one_may_be_negative() {
    let stamps = Stamps::new(0, 1);
    let at = |ms: u64| stamps.epoch + Duration::from_millis(ms);
    let stamp = stamps.issue(0, at(10)).unwrap();
    stamps.sent(stamp, at(12));
    let arrived = stamps.micros(at(15));
    assert_eq!(stamps.lags(0, arrived).unwrap().acknowledged, -1, "not acknowledged yet");
    stamps.acknowledged(stamp, at(16));
    let lags = stamps.lags(0, arrived).unwrap();
    assert_eq!(lags, Lags { intended: 5_000, sent: 3_000, acknowledged: -1_000 });
    assert_eq!(stamps.lags(1, arrived), None);
}

#[test]
fn the_stamp_of_one_of_several_workers_has_a_trace() {
    let share = Share { index: 2, of: 3 };
    let stamps = Stamps::shared(share, 9, 100, (Instant::now(), 1_000_000));
    stamps.warm_up();
    let early = stamps.issue(2, stamps.epoch).unwrap();
    assert_eq!(stamps.text(early, stamps.epoch), "2.0.2.-.1000001.-");
    stamps.measure_from_now();
    let stamp = stamps.issue(2, stamps.epoch).unwrap();
    let text = stamps.text(stamp, stamps.epoch + Duration::from_micros(30));
    assert_eq!((&*text, Stamp::read(text.as_bytes())), ("2.1.2.0.1000031.30", Some(stamp)));
    assert!(stamps.other(2).is_none() && stamps.other(3).is_none() && stamps.other(1).is_some());
    let alone = Stamps::shared(Share::WHOLE, 9, 100, (Instant::now(), 1_000_000));
    let stamp = alone.issue(0, alone.epoch).unwrap();
    assert_eq!((alone.text(stamp, alone.epoch), alone.writers()), ("0.0".to_owned(), 0));
}

#[test]
fn a_write_without_a_response_is_before_no_other() {
    let stamps = Stamps::shared(Share { index: 0, of: 2 }, 9, 100, (Instant::now(), 1_000_000));
    for (is_lost, trace) in [(false, "0.1.0.0."), (true, "0.3.0.-.")] {
        let first = stamps.issue(0, stamps.epoch).unwrap();
        if is_lost {
            stamps.lost_sight(first);
        }
        let text = stamps.text(stamps.issue(0, stamps.epoch).unwrap(), stamps.epoch);
        assert!(text.starts_with(trace), "{text}");
    }
}

#[test]
fn writes_to_one_object_know_their_order() {
    let stamps = Stamps::new(0, 2);
    for object in [0, 1, 0, 7] {
        stamps.issue(object, stamps.epoch).unwrap();
    }
    assert_eq!([0, 1, 2, 3].map(|sequence| stamps.after(sequence)), [Some(2), None, None, None]);
}

#[test]
fn what_is_settled_grows_without_gaps() {
    let stamps = Stamps::new(0, 1);
    let all: Vec<Stamp> = (0..3).map(|_| stamps.issue(0, stamps.epoch).unwrap()).collect();
    stamps.failed(all[1]);
    assert_eq!(stamps.settled_below(), 0);
    stamps.acknowledged(all[0], stamps.epoch);
    assert_eq!((stamps.settled_below(), stamps.writes()), (2, 1));
    assert!(stamps.knows(all[2]) && !stamps.knows(Stamp { worker: 0, sequence: 3 }));
}

#[test]
fn there_is_room_for_many() {
    let stamps = Stamps::new(0, 1);
    let last = (0..10_000).filter_map(|_| stamps.issue(0, stamps.epoch)).last();
    assert_eq!(last, Some(Stamp { worker: 0, sequence: 9_999 }));
    assert_eq!(stamps.after(9_998), Some(9_999));
}
