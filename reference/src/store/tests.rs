//! Tests of the store.

use std::sync::Arc;

use serde_json::json;

use super::retained::{RetainedChange, State};
use super::*;

fn put(store: &MemoryStore, key: &str, data: &str) -> u64 {
    let object = json!({"metadata": {"name": key}, "data": {"k": data}});
    let decide = |_: &StoreData, current: Option<&Object>| {
        let mut object = object;
        if let Some(current) = current {
            object["metadata"]["resourceVersion"] = current["metadata"]["resourceVersion"].clone();
        }
        Ok(Decision::Put(object))
    };
    let written = store.write("things", key, Commit::Real, Box::new(decide)).unwrap();
    written["metadata"]["resourceVersion"].as_str().unwrap().parse().unwrap()
}

fn remove(store: &MemoryStore, key: &str) {
    let decide =
        |_: &StoreData, current: Option<&Object>| Ok(Decision::Remove(Value::clone(current.unwrap())));
    store.write("things", key, Commit::Real, Box::new(decide)).unwrap();
}

fn names(store: &MemoryStore, read: Read) -> Vec<String> {
    let page = store.list("things", &Range::all(""), read, &|_| true).unwrap();
    page.items.iter().map(|item| format!("{}={}", item["metadata"]["name"], item["data"]["k"])).collect()
}

#[test]
fn a_list_at_a_revision_is_exact() {
    let store = MemoryStore::new();
    put(&store, "a", "1");
    let then = put(&store, "b", "1");
    let listed = names(&store, Read::Newest);
    put(&store, "a", "2");
    remove(&store, "b");
    put(&store, "c", "1");
    assert_eq!(names(&store, Read::Exactly(then)), listed);
    assert_eq!(names(&store, Read::Newest), [r#""a"="2""#, r#""c"="1""#]);
}

#[test]
fn a_write_without_change_keeps_the_revision() {
    let store = MemoryStore::new();
    let first = put(&store, "a", "1");
    assert_eq!(put(&store, "a", "1"), first);
    assert_eq!(store.revision(), first);
}

#[test]
fn compaction_expires_older_revisions_and_keeps_the_present() {
    let store = MemoryStore::new();
    let old = put(&store, "a", "1");
    put(&store, "gone", "1");
    remove(&store, "gone");
    let now = put(&store, "a", "2");
    store.compact(store.revision());
    let page = store.list("things", &Range::all(""), Read::Exactly(old), &|_| true);
    assert!(matches!(page, Err(Unavailable::Expired)));
    assert_eq!(names(&store, Read::Exactly(now)), [r#""a"="2""#]);
    assert!(matches!(store.cursor("things", old), Err(Unavailable::Expired)));
    assert!(store.cursor("things", now).is_ok());
}

#[test]
fn a_cursor_returns_each_change_once_and_in_order() {
    let store = MemoryStore::new();
    let first = put(&store, "a", "1");
    let second = put(&store, "a", "2");
    let mut cursor = store.cursor("things", first).unwrap();
    remove(&store, "a");
    let Batch::Changes(changes, upto) = store.changes(&mut cursor) else { panic!("lost") };
    let seen: Vec<_> = changes.iter().map(|change| (change.revision, change.removed)).collect();
    assert_eq!(seen, [(second, false), (second + 1, true)]);
    assert_eq!(upto, store.revision());
    assert!(matches!(store.changes(&mut cursor), Batch::Changes(changes, _) if changes.is_empty()));
}

#[test]
fn a_cursor_behind_compaction_is_lost() {
    let store = MemoryStore::new();
    let first = put(&store, "a", "1");
    let mut cursor = store.cursor("things", first).unwrap();
    put(&store, "a", "2");
    store.compact(store.revision());
    assert!(matches!(store.changes(&mut cursor), Batch::Lost));
}

#[test]
fn a_list_has_each_object_once_after_many_writes() {
    let store = MemoryStore::new();
    for round in 0..10_000 {
        put(&store, &format!("o{}", round % 3000), &round.to_string());
    }
    assert_eq!(names(&store, Read::Newest).len(), 3000);
}

/// Reads every version, and all changes, of objects that are old enough to be packed.
#[test]
fn old_versions_and_changes_are_as_they_were() {
    let store = MemoryStore::new();
    let write = |round: usize| put(&store, &format!("o{}", round % 3), &round.to_string());
    let revisions: Vec<u64> = (0..1_000).map(write).collect();
    remove(&store, "o1");
    for _ in 0..1_000 {
        put(&store, "later", "");
        remove(&store, "later");
    }
    for (round, revision) in revisions.iter().enumerate() {
        let object = store.get("things", &format!("o{}", round % 3), Read::Exactly(*revision)).unwrap();
        assert_eq!(object["data"]["k"], round.to_string());
        assert_eq!(object["metadata"]["resourceVersion"], revision.to_string());
    }
    let mut cursor = store.cursor("things", revisions[3]).unwrap();
    let Batch::Changes(changes, _) = store.changes(&mut cursor) else { panic!("lost") };
    let change = &changes[0];
    assert_eq!(change.before.as_ref().unwrap()["metadata"]["resourceVersion"], revisions[1].to_string());
    assert_eq!(change.after["metadata"]["resourceVersion"], revisions[4].to_string());
    assert_eq!(names(&store, Read::Exactly(revisions[999])).len(), 3);
    assert_eq!(names(&store, Read::Newest).len(), 2);
}

/// The history is compacted long before it has too many revisions.
#[test]
fn a_history_is_limited_in_bytes() {
    const LIMIT: usize = 1_000_000;
    let version = Box::new(|write: &memory::Write<'_>| write.revision.to_string());
    let store = MemoryStore::with(version, memory::History { revisions: 100_000, bytes: LIMIT });
    let first = put(&store, "a", "first");
    let revisions: Vec<u64> =
        (0..1_000).map(|round| put(&store, "a", &format!("{round}{}", "x".repeat(3_000)))).collect();
    let bytes: usize = store.read_lock().changes("things").map(|change| change.bytes).sum();
    assert!((LIMIT / 3..=LIMIT).contains(&bytes), "{bytes}");
    assert!(matches!(store.cursor("things", first), Err(Unavailable::Expired)));
    let page = store.list("things", &Range::all(""), Read::Exactly(revisions[500]), &|_| true);
    assert!(matches!(page, Err(Unavailable::Expired)));
    assert_eq!(names(&store, Read::Exactly(revisions[900])).len(), 1);
}

/// What is packed, compacted and removed is no more counted.
#[test]
fn the_bytes_of_a_history_are_those_of_its_changes() {
    let store = MemoryStore::new();
    for round in 0..1_000 {
        put(&store, &format!("o{}", round % 7), &round.to_string());
        if round % 100 == 99 {
            remove(&store, "o1");
        }
        if round == 500 {
            store.compact(store.revision() - 300);
        }
    }
    let data = store.read_lock();
    let bytes: usize = data.changes("things").map(|change| change.bytes).sum();
    assert!(bytes > 0);
    assert_eq!(data.bytes(), bytes);
    drop(data);
    store.compact(store.revision());
    assert_eq!(store.read_lock().bytes(), 0);
}

/// Few states of large objects are kept as values.
#[test]
fn large_changes_are_packed_early() {
    const LENGTH: usize = 1 << 20;
    let store = MemoryStore::new();
    for round in 0..40 {
        put(&store, "a", &format!("{round}{}", "x".repeat(LENGTH)));
    }
    let data = store.read_lock();
    let parsed = |change: &&RetainedChange| matches!(change.after, State::Parsed(_));
    let recent = data.changes("things").filter(parsed).count();
    assert!((2..=collection::RECENT_BYTES / LENGTH + 1).contains(&recent), "{recent}");
    drop(data);
    store.compact(store.revision());
    put(&store, "a", "1");
    assert_eq!(names(&store, Read::Newest), [r#""a"="1""#]);
}

/// Cursors share the changes that they have at the same time, and a read has few large ones.
#[test]
fn watches_share_changes_and_read_few_large_ones() {
    let store = MemoryStore::new();
    let first = put(&store, "a", "");
    for round in 0..4 {
        put(&store, "a", &format!("{round}{}", "x".repeat(cursor::BATCH_BYTES)));
    }
    let read = |cursor: &mut Cursor| match store.changes(cursor) {
        Batch::Changes(changes, complete) => (changes, complete),
        Batch::Lost | Batch::Closed => panic!("lost"),
    };
    let mut cursors = [(); 2].map(|()| store.cursor("things", first).unwrap());
    for round in 1..=4 {
        let [(one, upto), (other, _)] = cursors.each_mut().map(read);
        assert_eq!((one.len(), upto), (1, first + round));
        assert!(Arc::ptr_eq(&one[0], &other[0]));
    }
    assert!(read(&mut cursors[0]).0.is_empty());
}

#[test]
fn the_bytes_of_the_objects_of_a_prefix_are_compared() {
    let store = MemoryStore::new();
    put(&store, "a/1", &"x".repeat(1_000));
    put(&store, "a/2", &"x".repeat(1_000));
    let comparisons = [("a/", 2_000, true), ("a/1", 2_000, false), ("a/1", 900, true), ("b/", 0, false)];
    for (prefix, bytes, more) in comparisons {
        assert_eq!(store.takes_more("things", prefix, bytes), more, "{prefix} {bytes}");
    }
    assert!(!store.takes_more("others", "", 0));
}
