//! Leaves items out of long lists while they arrive.
//!
//! A collection that a scenario shares with other programs may have any number of objects. The scenario judges its own.

use std::borrow::Cow;
use std::sync::Arc;

use model::{Request, Response};

use crate::item_scan::{Border, ItemScan};

/// The length of the items of others that are kept, in bytes: a shorter list stays as the server sent it.
const ROOM: usize = 512 << 10;

/// The length of the longest item that is held back until its end, in bytes. A longer one is kept.
const LONGEST_ITEM: usize = 4 << 20;

/// Tells the needed items of a collection from those of others, which it keeps up to a limit.
#[derive(Debug, Clone)]
pub struct NeededItems {
    text: Arc<str>,
    room: usize,
}

impl NeededItems {
    /// The items that a request needs; `None` if it needs all.
    pub fn of(request: &Request) -> Option<Self> {
        request.needed_items.clone().map(|text| Self { text, room: ROOM })
    }

    /// Whether to keep this item, in JSON.
    pub fn keep(&mut self, item: &[u8]) -> bool {
        if String::from_utf8_lossy(item).contains(&*self.text) {
            return true;
        }
        // Once an item is left out, all later ones are: what is left is a prefix of the list.
        self.room = if item.len() <= self.room { self.room - item.len() } else { 0 };
        self.room > 0
    }
}

/// The scan of a list that leaves items out.
#[derive(Debug)]
pub(crate) struct LongList {
    needed: NeededItems,
    scan: ItemScan,
    /// The bytes since the last item.
    held: Vec<u8>,
    /// Where the item begins in them.
    item: Option<usize>,
    pub(crate) is_cut: bool,
}

impl LongList {
    /// The scan of a response; `None` if all of it is needed, or it is no JSON.
    pub(crate) fn of(request: &Request, response: &Response) -> Option<Self> {
        // A limit is a bound of its own, and scenarios count the items of a page.
        let needed = NeededItems::of(request).filter(|_| request.parameter("limit").is_none())?;
        let scan = ItemScan::of(response)?;
        Some(Self { needed, scan, held: Vec::new(), item: None, is_cut: false })
    }

    /// The part of a list up to the end of this chunk that is needed, and not returned before.
    pub(crate) fn scan<'a>(list: &mut Option<Self>, chunk: &'a [u8]) -> Cow<'a, [u8]> {
        let Some(list) = list else { return chunk.into() };
        let mut kept = Vec::with_capacity(chunk.len());
        for byte in chunk {
            list.held.push(*byte);
            list.scan_byte(*byte, &mut kept);
        }
        kept.into()
    }

    /// The rest of a list that has no end.
    pub(crate) fn rest(&self) -> &[u8] {
        &self.held
    }

    fn scan_byte(&mut self, byte: u8, kept: &mut Vec<u8>) {
        match self.scan.scan(byte) {
            Some(Border::Begin) => self.item = Some(self.held.len() - 1),
            Some(Border::End) => self.end_item(kept),
            None => {}
        }
        // Between items, the bytes wait for the next one: it goes with the comma before it.
        if !self.scan.is_within() || self.held.len() > LONGEST_ITEM {
            kept.append(&mut self.held);
            self.item = None;
        }
    }

    fn end_item(&mut self, kept: &mut Vec<u8>) {
        let Some(begin) = self.item.take() else { return };
        if self.needed.keep(&self.held[begin..]) {
            kept.append(&mut self.held);
        } else {
            self.held.clear();
            self.is_cut = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn scanned(list: &str, chunk: usize, request: &Request) -> (String, bool) {
        let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        let response = Response { status: 200, headers, ..Response::default() };
        let mut scan = LongList::of(request, &response);
        let mut kept: Vec<u8> = list
            .as_bytes()
            .chunks(chunk)
            .flat_map(|chunk| LongList::scan(&mut scan, chunk).to_vec())
            .collect();
        kept.extend(scan.iter().flat_map(LongList::rest));
        (String::from_utf8(kept).unwrap(), scan.is_some_and(|scan| scan.is_cut))
    }

    /// A list of so many items of others, each of 1 kB, and two own ones.
    fn list_of(others: usize, field: &str) -> String {
        let other =
            json!({ "metadata": { "name": "b", "x": format!("\"]}}\\{}", "é".repeat(500)) }, "a": [{}] });
        let own = json!({ "metadata": { "name": "assay-run-1" } });
        let items = [vec![own.clone()], vec![other; others], vec![own]].concat();
        let mut list = json!({ "kind": "List", "columns": [{}, {}], "metadata": { "items": [{}] } });
        list[field] = items.into();
        list["last"] = json!(["assay"]);
        serde_json::to_string_pretty(&list).unwrap()
    }

    #[test]
    fn a_long_list_keeps_its_own_items_and_the_first_of_others() {
        let request = Request::get("/").needing_items("assay-run");
        for (field, chunk) in [("items", 1), ("items", 4096), ("rows", 100_000)] {
            let list = list_of(4000, field);
            let (kept, is_cut) = scanned(&list, chunk, &request);
            let (mut whole, mut kept): (Value, Value) =
                (serde_json::from_str(&list).unwrap(), serde_json::from_str(&kept).unwrap());
            let (whole_items, items) = (whole[field].take(), kept[field].take());
            assert_eq!(whole, kept);
            let (whole_items, items) = (whole_items.as_array().unwrap(), items.as_array().unwrap());
            assert!(is_cut && items.len() > 300 && items.len() < 600, "{}", items.len());
            assert_eq!(items[..items.len() - 1], whole_items[..items.len() - 1]);
            assert_eq!(items.last(), whole_items.last());
        }
    }

    #[test]
    fn any_other_response_stays_as_it_is() {
        let request = Request::get("/").needing_items("assay-run");
        for text in [
            &list_of(100, "items"),
            "",
            "[]",
            "]]}}{\"items\":[1,{},",
            "{\"items\":null}",
            "{\"items\":[{}] x",
        ] {
            assert_eq!(scanned(text, 3, &request), (text.to_owned(), false));
        }
        let long = list_of(4000, "items");
        for request in [Request::get("/"), request.clone().query("limit", 5)] {
            assert_eq!(scanned(&long, 4096, &request), (long.clone(), false));
        }
    }
}
