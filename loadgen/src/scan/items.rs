//! Counts the items of a list in passing: it keeps only the ends of the body, save for a thorough count.
//!
//! It reads the first two items byte by byte. The bytes between them (the end of one, a comma, and the next up to its
//! first bracket) are the same between all items of a list. They cannot occur in a text, because their quotes would end
//! it. From there on it searches for these bytes, also across the borders of pieces. A thorough count also reads the
//! list byte by byte to its end, to see whether both counts agree, and parses the metadata of the items.

mod escaped_list;
mod list_end;
mod listed_objects;
mod walk;

use memchr::{memchr, memrchr};

use super::Search;
use escaped_list::EscapedList;
use list_end::ListEnd;
pub use listed_objects::ListedObject;
use listed_objects::ListedObjects;
pub(crate) use listed_objects::{or_empty, repeated};
use walk::Walk;

/// The fields that hold the items: a list's, and a table's.
const ARRAYS: [&[u8]; 2] = [b"\"items\"", b"\"rows\""];

/// One list in this number is counted thoroughly: it takes longer.
pub(crate) const COUNT_TWICE_ONE_IN: u32 = 16;

/// The kept length of a body's beginning and end, which have the list's own fields.
const KEPT: usize = 4 << 10;

/// Counts the items of one list.
pub struct Items {
    walk: Walk,
    /// Reads to the end byte by byte, to check the search.
    thorough: bool,
    search: Option<Search>,
    list_end: ListEnd,
    ends: Ends,
    listed: ListedObjects,
    escaped: EscapedList,
}

#[derive(Default)]
struct Ends {
    head: Vec<u8>,
    tail: Vec<u8>,
}

impl Items {
    /// The count of one list. A thorough one reads every byte as well.
    pub fn new(thorough: bool) -> Self {
        Self {
            walk: Walk::default(),
            thorough,
            search: None,
            list_end: ListEnd::default(),
            ends: Ends::default(),
            listed: ListedObjects::new(thorough),
            escaped: EscapedList::empty(),
        }
    }

    /// Takes the next piece of the body.
    pub fn take(&mut self, piece: &[u8]) {
        self.ends.take(piece);
        self.listed.take(piece);
        self.escaped.take(piece);
        let walked = match &mut self.search {
            Some(search) => {
                let found = search.take(piece);
                self.list_end.take(piece, found);
                if self.thorough { self.walk.take(piece, false) } else { piece.len() }
            }
            None => self.walk.take(piece, true),
        };
        if let Some(needle) = self.walk.between().filter(|_| self.search.is_none()) {
            let mut search = Search::new(needle);
            let found = search.take(&piece[walked..]);
            self.list_end.take(&piece[walked..], found);
            self.search = Some(search);
            if self.thorough {
                self.walk.take(&piece[walked..], false);
            }
        }
    }

    /// The count of the same list without escapes, and its text, if its texts are in escapes: then the parser decides.
    pub(crate) fn without_escapes(&self) -> Option<(Self, String)> {
        let plain = self.escaped.plain()?;
        let mut items = Self::new(self.thorough);
        items.take(plain.as_bytes());
        Some((items, plain))
    }

    /// Whether it is a list or a table: it has an array of items, or a field of that name.
    pub fn is_list(&self) -> bool {
        let named = |bytes| ARRAYS.iter().any(|name| memchr::memmem::find(bytes, name).is_some());
        self.walk.has_array() || named(&self.ends.head) || named(&self.ends.tail)
    }

    /// Whether it is a list with its end, as far as that is known.
    pub fn is_complete_list(&self) -> bool {
        let read_to_the_end = self.thorough || self.search.is_none();
        let is_complete = if read_to_the_end { self.walk.is_complete() } else { self.list_end.is_complete() };
        self.is_list() && is_complete
    }

    /// The number of items so far.
    pub fn count(&self) -> u64 {
        match &self.search {
            Some(search) => 2 + search.found(),
            None => self.walk.items(),
        }
    }

    /// Whether the thorough count differs; `None` without one.
    pub fn misread(&self) -> Option<bool> {
        self.thorough.then(|| self.walk.items() != self.count())
    }

    /// The thorough count, or else the count.
    pub fn sure_count(&self) -> u64 {
        if self.thorough { self.walk.items() } else { self.count() }
    }

    /// The items, as far as they are read; only a thorough count does.
    pub fn listed(&self) -> Option<Vec<ListedObject>> {
        self.listed.read()
    }

    /// The list's kind, if it is before or behind the items.
    pub fn kind(&self) -> Option<String> {
        self.field("\"kind\":")
    }

    /// The list's resourceVersion, if it is before or behind the items.
    pub fn version(&self) -> Option<String> {
        self.field("\"resourceVersion\":")
    }

    /// Whether it has no resourceVersion, as far as that is known: its metadata is read, or it is before or behind the items.
    /// `version` is what [`Items::version`] has found.
    pub fn lacks_version(&self, version: Option<&str>) -> bool {
        if let Some(version) = version {
            return version.is_empty();
        }
        let ends = [self.ends.before_items(), self.ends.behind_items()];
        let have = |text: &[u8]| ends.iter().any(|end| memchr::memmem::find(end, text).is_some());
        // Without the beginning of the items, its own fields may be between the ends.
        let are_known = self.ends.begin_items() && have(b"\"metadata\"");
        (are_known && !have(b"\"resourceVersion\"")) || self.listed.lack_version()
    }

    /// The continue token.
    pub fn goes_on(&self) -> Option<String> {
        self.field("\"continue\":").filter(|token| !token.is_empty())
    }

    fn field(&self, name: &str) -> Option<String> {
        let behind = |bytes: &[u8]| {
            let at = memchr::memmem::find(bytes, name.as_bytes())? + name.len();
            let rest = bytes[at..].trim_ascii_start().strip_prefix(b"\"")?;
            Some(String::from_utf8_lossy(&rest[..memchr(b'"', rest)?]).into_owned())
        };
        behind(self.ends.before_items()).or_else(|| behind(self.ends.behind_items()))
    }
}

impl Ends {
    fn take(&mut self, piece: &[u8]) {
        let room = KEPT.saturating_sub(self.head.len());
        self.head.extend_from_slice(&piece[..piece.len().min(room)]);
        let last = &piece[piece.len().saturating_sub(KEPT)..];
        let surplus = (self.tail.len() + last.len()).saturating_sub(KEPT);
        self.tail.drain(..surplus.min(self.tail.len()));
        self.tail.extend_from_slice(last);
    }

    /// Whether the kept beginning has that of the items.
    fn begin_items(&self) -> bool {
        ARRAYS.iter().any(|name| memchr::memmem::find(&self.head, name).is_some())
    }

    /// The list's own fields before the items, where kube-apiserver writes them.
    fn before_items(&self) -> &[u8] {
        let items = memchr::memmem::find(&self.head, b"\"items\"");
        let rows = memchr::memmem::find(&self.head, b"\"rows\"");
        &self.head[..items.or(rows).unwrap_or(self.head.len())]
    }

    /// The list's own fields behind the items, as in objects with sorted fields.
    fn behind_items(&self) -> &[u8] {
        memrchr(b']', &self.tail).map_or(&self.tail, |end| &self.tail[end..])
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use proptest::prelude::*;

    use super::*;

    fn list(items: usize, between: &str) -> String {
        let mut text = String::from(
            r#"{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"77","continue":"tok"},"items":["#,
        );
        for item in 0..items {
            if item > 0 {
                text.push_str(between);
            }
            let trap = r#""a":"},{\"metadata\":{","t":{"metadata":{"l":[{"x":1},{"x":{}}]}}"#;
            write!(text, r#"{{"metadata":{{"name":"p{item}"}},{trap}}}"#).unwrap();
        }
        text + "]}\n"
    }

    fn counted(pieces: &[&[u8]], thorough: bool) -> Items {
        let mut items = Items::new(thorough);
        for piece in pieces {
            items.take(piece);
        }
        items
    }

    #[test]
    fn items_are_counted_however_the_body_is_cut() {
        for (count, between) in [(0, ","), (1, ","), (2, ","), (3, ",\n  "), (50, ",")] {
            let text = list(count, between);
            for size in 1..text.len().min(300) {
                let pieces: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
                let items = counted(&pieces, true);
                assert_eq!(
                    (items.count(), items.misread()),
                    (count as u64, Some(false)),
                    "{count} in {size}"
                );
                assert_eq!(counted(&pieces, false).count(), count as u64);
            }
        }
    }

    #[test]
    fn a_list_without_its_end_is_incomplete_however_it_is_cut() {
        for (count, tail) in [(0, "\n"), (1, ""), (2, ""), (3, " "), (9, "\n")] {
            let text = list(count, ",").trim_end().to_owned() + tail;
            let end = text.rfind('}').unwrap();
            for size in [1, 2, 7, 64, 1_000] {
                for thorough in [true, false] {
                    let is_complete = |until: usize| {
                        let pieces: Vec<&[u8]> = text.as_bytes()[..until].chunks(size).collect();
                        counted(&pieces, thorough).is_complete_list()
                    };
                    assert!(is_complete(text.len()) && is_complete(end + 1), "{count} in {size}");
                    assert!(!(0..=end).any(is_complete), "{count} in {size}");
                }
            }
        }
    }

    #[test]
    fn a_complete_list_is_complete_in_every_form() {
        let sorted = |items: &str| {
            format!(
                r#"{{"apiVersion":"v1","items":[{items}],"kind":"L","metadata":{{"resourceVersion":"9"}}}}"#
            )
        };
        let misleading = r#"{"m":{}},{"m":{"nested":[{"m":{}},{"m":{}}],"more":{"a":[]}}}"#;
        let long = format!(r#"{{"m":{{"a":"{}"}}}}"#, "x".repeat(100_000));
        for items in ["", r#"{"m":{}}"#, misleading, &[&*long; 4].join(",")] {
            for text in [sorted(items), sorted(items).replace("],", "]\n,\n")] {
                for pieces in [text.as_bytes().chunks(100), text.as_bytes().chunks(1 << 20)] {
                    let pieces: Vec<&[u8]> = pieces.collect();
                    assert!(counted(&pieces, false).is_complete_list());
                }
            }
        }
    }

    #[test]
    fn the_fields_of_the_list_stand_before_or_behind_its_items() {
        let items = counted(&[list(3, ",").as_bytes()], false);
        assert_eq!((items.version().as_deref(), items.goes_on().as_deref()), (Some("77"), Some("tok")));
        let sorted = br#"{"apiVersion":"v1","items":[{"metadata":{"resourceVersion":"1"}}],"kind":"L","metadata":{"resourceVersion":"9"}}"#;
        assert_eq!(counted(&[&sorted[..]], false).version().as_deref(), Some("9"));
        let null = br#"{"items":null,"metadata":{"resourceVersion":"4"}}"#;
        let empty = counted(&[&null[..]], true);
        assert_eq!((empty.count(), empty.version().as_deref()), (0, Some("4")));
    }

    #[test]
    fn a_list_without_a_version_is_found_out_in_every_form() {
        let large =
            format!(r#"{{"metadata":{{"name":"o1","resourceVersion":"1"}},"data":"{}"}}"#, "x".repeat(9_000));
        let cells = format!(r#"{{"name":"{}"}}"#, "x".repeat(9_000));
        for (metadata, lacks) in [
            (r#"{"resourceVersion":"9"}"#, false),
            (r#"{ "resourceVersion" : "9" }"#, false),
            (r#"{"resourceVersion":""}"#, true),
            (r#"{"continue":"more"}"#, true),
            ("{}", true),
        ] {
            for (text, is_sure) in [
                (format!(r#"{{"kind":"L","metadata":{metadata},"items":[{large},{large}]}}"#), true),
                (format!(r#"{{"items":[{large},{large}],"kind":"L","metadata":{metadata}}}"#), true),
                (format!(r#"{{"items":null,"metadata":{metadata}}}"#), true),
                // Only a thorough count reads what is between the ends.
                (format!(r#"{{"columnDefinitions":[{cells}],"metadata":{metadata},"rows":[]}}"#), false),
                (format!(r#"{{"rows":[],"metadata":{metadata},"columnDefinitions":[{cells}]}}"#), false),
            ] {
                let of = |thorough| {
                    let items = counted(&[text.as_bytes()], thorough);
                    items.lacks_version(items.version().as_deref())
                };
                assert_eq!((of(true), of(false)), (lacks, lacks && is_sure), "{metadata} in {text:.60}");
            }
        }
        let bare = br#"{"items":[]}"#;
        assert!(counted(&[&bare[..]], true).lacks_version(None));
    }

    #[test]
    fn a_list_that_misleads_the_search_is_found_out() {
        let text = r#"{"items":[{"m":{}},{"m":{"nested":[{"m":{}},{"m":{}}]}},{"m":{}}]}"#;
        let items = counted(&[text.as_bytes()], true);
        assert_eq!((items.count(), items.sure_count(), items.misread()), (4, 3, Some(true)));
    }

    #[test]
    fn what_only_one_item_has_is_not_searched_for() {
        for item in [
            r#"{"name":"NUMBER","spec":{"a":[]}}"#,
            r#"{"apiVersion":"v1","kind":"K","data":{"a":"NUMBER"}}"#,
        ] {
            let all: Vec<String> =
                (0..9).map(|number| item.replace("NUMBER", &format!("n{number}"))).collect();
            let text = format!(r#"{{"items":[{}]}}"#, all.join(","));
            assert_eq!(counted(&[text.as_bytes()], false).count(), 9, "{item}");
        }
    }

    #[test]
    fn the_rows_of_a_table_are_its_items() {
        let text = r#"{"kind":"Table","columnDefinitions":[{"name":"a"},{"name":"b"}],"rows":[{"cells":["a"],"object":{}},{"cells":[1]},{"cells":[]}]}"#;
        assert_eq!(counted(&[text.as_bytes()], true).sure_count(), 3);
    }

    #[test]
    fn a_list_without_items_is_a_list_and_another_object_is_none() {
        for (text, list) in [
            (r#"{"kind":"PodList","items":[]}"#, true),
            (r#"{"items":null,"metadata":{}}"#, true),
            (r#"{"kind":"Table","rows":[{"cells":[1]}]}"#, true),
            (r#"{"kind":"Status","details":[]}"#, false),
            ("null", false),
            ("", false),
        ] {
            assert_eq!(counted(&[text.as_bytes()], false).is_list(), list, "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_no_list_does_no_harm(pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..50), 0..10)) {
            let pieces: Vec<&[u8]> = pieces.iter().map(Vec::as_slice).collect();
            let items = counted(&pieces, true);
            let _ = (items.count(), items.version());
        }
    }
}
