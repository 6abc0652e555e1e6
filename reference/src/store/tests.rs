//! Tests of the store.

use std::convert::Infallible;

use serde_json::json;

use super::*;

fn put(store: &Store, key: &str, data: &str) -> u64 {
    let object = json!({"metadata": {"name": key}, "data": {"k": data}});
    let decide = |_: &Shelves, current: Option<&Object>| {
        let mut object = object;
        if let Some(current) = current {
            object["metadata"]["resourceVersion"] = current["metadata"]["resourceVersion"].clone();
        }
        Ok::<_, Infallible>(Decision::Put(object))
    };
    let written = store.write("things", key, Commit::Real, decide).unwrap();
    written["metadata"]["resourceVersion"].as_str().unwrap().parse().unwrap()
}

fn remove(store: &Store, key: &str) {
    let decide = |_: &Shelves, current: Option<&Object>| {
        Ok::<_, Infallible>(Decision::Remove(Value::clone(current.unwrap())))
    };
    store.write("things", key, Commit::Real, decide).unwrap();
}

fn names(store: &Store, at: Option<u64>) -> Vec<String> {
    let page = store.page("things", &Range::all(""), at, |_| true).unwrap();
    page.items.iter().map(|item| format!("{}={}", item["metadata"]["name"], item["data"]["k"])).collect()
}

#[test]
fn a_list_at_a_revision_is_exact() {
    let store = Store::new(Flaws::default());
    put(&store, "a", "1");
    let then = put(&store, "b", "1");
    let listed = names(&store, None);
    put(&store, "a", "2");
    remove(&store, "b");
    put(&store, "c", "1");
    assert_eq!(names(&store, Some(then)), listed);
    assert_eq!(names(&store, None), [r#""a"="2""#, r#""c"="1""#]);
}

#[test]
fn a_write_without_change_takes_no_revision() {
    let store = Store::new(Flaws::default());
    let first = put(&store, "a", "1");
    assert_eq!(put(&store, "a", "1"), first);
    assert_eq!(store.revision(), first);
}

#[test]
fn compaction_expires_older_revisions_and_keeps_the_present() {
    let store = Store::new(Flaws::default());
    let old = put(&store, "a", "1");
    put(&store, "gone", "1");
    remove(&store, "gone");
    let now = put(&store, "a", "2");
    store.compact();
    let page = store.page("things", &Range::all(""), Some(old), |_| true);
    assert_eq!(page.err(), Some(Unavailable::Expired));
    assert_eq!(names(&store, Some(now)), [r#""a"="2""#]);
    assert!(matches!(store.cursor("things", old), Err(Unavailable::Expired)));
    assert!(store.cursor("things", now).is_ok());
}

#[test]
fn a_cursor_gives_each_change_once_and_in_order() {
    let store = Store::new(Flaws::default());
    let first = put(&store, "a", "1");
    let second = put(&store, "a", "2");
    let mut cursor = store.cursor("things", first).unwrap();
    remove(&store, "a");
    let Batch::Changes(changes, upto) = cursor.read(&store) else { panic!("lost") };
    let seen: Vec<_> = changes.iter().map(|change| (change.revision, change.gone)).collect();
    assert_eq!(seen, [(second, false), (second + 1, true)]);
    assert_eq!(upto, store.revision());
    assert!(matches!(cursor.read(&store), Batch::Changes(changes, _) if changes.is_empty()));
}

#[test]
fn a_cursor_that_fell_behind_is_told() {
    let store = Store::new(Flaws::default());
    let first = put(&store, "a", "1");
    let mut cursor = store.cursor("things", first).unwrap();
    put(&store, "a", "2");
    store.compact();
    assert!(matches!(cursor.read(&store), Batch::Lost));
}

#[test]
fn ten_thousand_writes_and_a_large_list_are_fast() {
    let store = Store::new(Flaws::default());
    let began = std::time::Instant::now();
    for round in 0..10_000 {
        put(&store, &format!("o{}", round % 3000), &round.to_string());
    }
    assert_eq!(names(&store, None).len(), 3000);
    assert!(began.elapsed() < Duration::from_secs(5), "took {:?}", began.elapsed());
}
