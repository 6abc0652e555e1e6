//! Finds the items of a list in JSON while it arrives, and counts those of a list in JSON or Protobuf.

use model::{Request, Response};

use crate::protobuf_items::ProtobufItems;

/// The fields with the items: of a list, and of a Table.
const FIELDS: [&[u8]; 2] = [b"items", b"rows"];

/// The scan of a list, byte by byte.
#[derive(Debug, Default)]
pub(crate) struct ItemScan {
    depth: usize,
    text: Text,
    /// The last text directly in the list: the name of a field.
    field: Vec<u8>,
    within: bool,
}

/// What a byte of a list is to its items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Border {
    /// The first byte of an item.
    Begin,
    /// The last byte of an item.
    End,
}

/// Whether the scan is within a JSON string.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Text {
    #[default]
    Outside,
    Inside,
    Escaped,
}

impl ItemScan {
    /// The scan of a response; `None` if it is no list in JSON.
    pub(crate) fn of(response: &Response) -> Option<Self> {
        is_readable(response, "json").then(Self::default)
    }

    /// Whether the scan is within the field with the items.
    pub(crate) fn is_within(&self) -> bool {
        self.within
    }

    /// Scans the next byte.
    pub(crate) fn scan(&mut self, byte: u8) -> Option<Border> {
        match (self.text, byte) {
            (Text::Inside, b'"') => self.text = Text::Outside,
            (Text::Escaped, _) => self.text = Text::Inside,
            (Text::Inside, b'\\') => self.text = Text::Escaped,
            (Text::Inside, _) => self.name(byte),
            (Text::Outside, b'"') => self.begin_text(),
            (Text::Outside, b'{' | b'[') => return self.open(byte),
            (Text::Outside, b'}' | b']') => return self.close(byte),
            (Text::Outside, _) => {}
        }
        None
    }

    fn begin_text(&mut self) {
        self.text = Text::Inside;
        if self.depth == 1 {
            self.field.clear();
        }
    }

    fn name(&mut self, byte: u8) {
        if self.depth == 1 && self.field.len() <= FIELDS[0].len() {
            self.field.push(byte);
        }
    }

    fn open(&mut self, byte: u8) -> Option<Border> {
        if self.depth == 1 && byte == b'[' {
            self.within = FIELDS.contains(&&*self.field);
        }
        self.depth += 1;
        (self.depth == 3 && byte == b'{' && self.within).then_some(Border::Begin)
    }

    fn close(&mut self, byte: u8) -> Option<Border> {
        self.depth = self.depth.saturating_sub(1);
        if self.depth == 1 && byte == b']' {
            self.within = false;
        }
        (self.depth == 2 && byte == b'}' && self.within).then_some(Border::End)
    }
}

/// Whether a response is in this format, and may be a list.
fn is_readable(response: &Response, format: &str) -> bool {
    let has = |name: &str, value: &str| {
        response.headers.iter().any(|(known, text)| known == name && text.contains(value))
    };
    response.status == 200 && has("content-type", format) && !has("content-encoding", "")
}

/// The number of items of a list that has a limit.
#[derive(Debug)]
pub(crate) struct ItemCount {
    scan: FormatScan,
    /// How many more items the list may have.
    left: usize,
}

#[derive(Debug)]
enum FormatScan {
    Json(ItemScan),
    Protobuf(ProtobufItems),
}

impl ItemCount {
    /// The count for a response; `None` if the list has no limit, or is neither in JSON nor in Protobuf.
    pub(crate) fn of(request: &Request, response: &Response) -> Option<Self> {
        let left = request.most_items?;
        let scan = if is_readable(response, "protobuf") {
            FormatScan::Protobuf(ProtobufItems::default())
        } else {
            FormatScan::Json(ItemScan::of(response)?)
        };
        Some(Self { scan, left })
    }

    /// Counts the items that begin in a chunk. Whether the list still has no more than it may have.
    pub(crate) fn add(&mut self, chunk: &[u8]) -> bool {
        chunk.iter().all(|byte| {
            let begins = match &mut self.scan {
                FormatScan::Json(scan) => scan.scan(*byte) == Some(Border::Begin),
                FormatScan::Protobuf(scan) => scan.scan(*byte),
            };
            let is_over = begins && self.left == 0;
            self.left -= usize::from(begins && !is_over);
            !is_over
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json() -> Response {
        let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        Response { status: 200, headers, ..Response::default() }
    }

    /// Whether a list in chunks of this size has at most so many items.
    fn has_at_most(most: usize, list: &str, chunk: usize) -> bool {
        let request = Request { most_items: Some(most), ..Request::get("/") };
        let mut count = ItemCount::of(&request, &json()).unwrap();
        list.as_bytes().chunks(chunk).all(|chunk| count.add(chunk))
    }

    #[test]
    fn items_are_counted_wherever_the_list_is_cut() {
        let three = r#"{"columns":[{},{}],"items":[{"a":[{}]},{"b":"},{"},{}],"spec":[{},{}]}"#;
        for chunk in 1..three.len() {
            for list in [three.to_owned(), three.replace("items", "rows")] {
                assert!(has_at_most(3, &list, chunk) && !has_at_most(2, &list, chunk), "{chunk}");
            }
            assert!(has_at_most(0, &three.replace("items", "values"), chunk));
        }
    }

    #[test]
    fn only_lists_with_a_limit_are_counted() {
        let limited = Request { most_items: Some(1), ..Request::get("/") };
        let of = |format: &str| vec![("content-type".to_owned(), format!("application/{format}"))];
        for (format, is_counted) in
            [("json", true), ("vnd.kubernetes.protobuf", true), ("yaml", false), ("cbor", false)]
        {
            let response = Response { headers: of(format), ..json() };
            assert_eq!(ItemCount::of(&limited, &response).is_some(), is_counted, "{format}");
        }
        assert!(ItemCount::of(&Request::get("/"), &json()).is_none());
        assert!(ItemCount::of(&limited, &Response { status: 404, ..json() }).is_none());
        assert!(ItemCount::of(&limited, &Response { headers: Vec::new(), ..json() }).is_none());
    }
}
