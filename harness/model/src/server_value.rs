//! Values that the server chooses, found in a response and again in later requests.

use std::collections::HashMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

/// The fields whose values clients send back.
const KEYS: [&str; 3] = ["resourceVersion", "uid", "continue"];

/// The characters after which a script begins to read a field.
const SEPARATORS: [char; 6] = [',', '{', '}', '[', ']', '\n'];

const BLANKS: [char; 2] = [' ', '\t'];

/// The maximum number of values of one response.
const MOST_VALUES: usize = 200;

/// The length of the longest value, in bytes.
const LONGEST_VALUE: usize = 4 << 10;

/// A shorter uid or token could be a part of any text.
const SHORTEST_UNIQUE: usize = 8;

/// A value that the server chose, and its place in a JSON response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerValue {
    /// The field: `resourceVersion`, `uid`, `continue`, or `name` for a generated name.
    pub key: String,
    /// The number of the field among those of this key with a string, from 1.
    pub number: usize,
    /// Its value.
    pub value: String,
}

impl ServerValue {
    /// The values of a JSON document or of a stream of them. The search is that of a script, which has no JSON parser:
    /// each field begins after a comma, a brace, a bracket or a line feed.
    pub fn all(text: &str, with_names: bool) -> Vec<Self> {
        let keys = KEYS.into_iter().chain(with_names.then_some("name"));
        let mut fields: Vec<_> = keys.flat_map(|key| fields(text, key)).collect();
        fields.sort_unstable_by_key(|(place, ..)| *place);
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        let mut found: Vec<Self> = Vec::new();
        for (_, key, value) in fields {
            let number = numbers.entry(key).or_default();
            *number += 1;
            let known = found.iter().any(|known| known.key == key && known.value == value);
            let useful = !known && !value.is_empty() && value != "0" && value.len() <= LONGEST_VALUE;
            if useful && found.len() < MOST_VALUES {
                found.push(Self { key: key.to_owned(), number: *number, value: value.to_owned() });
            }
        }
        found
    }

    /// Its places in a path with a query.
    pub fn places_in_target(&self, target: &str) -> Vec<Range<usize>> {
        let encoded: String = form_urlencoded::byte_serialize(self.value.as_bytes()).collect();
        if self.key == "resourceVersion" {
            return after(target, "resourceVersion=", &encoded, &["&"]);
        }
        unique(target, &encoded)
    }

    /// Its places in a JSON body.
    pub fn places_in_body(&self, body: &str) -> Vec<Range<usize>> {
        if self.key != "resourceVersion" {
            return unique(body, &self.value);
        }
        let mut places = after(body, "\"resourceVersion\":\"", &self.value, &["\""]);
        // A JSON patch names the field in its path.
        if body.contains("/resourceVersion\"") {
            places.extend(after(body, "\"value\":\"", &self.value, &["\""]));
        }
        places
    }
}

/// The places of a value that is long enough to be the server's wherever it is.
fn unique(text: &str, value: &str) -> Vec<Range<usize>> {
    if value.len() < SHORTEST_UNIQUE {
        return Vec::new();
    }
    text.match_indices(value).map(|(at, _)| at..at + value.len()).collect()
}

/// The places of a value after a prefix and before one of these ends, or the end of the text.
fn after(text: &str, prefix: &str, value: &str, ends: &[&str]) -> Vec<Range<usize>> {
    let starts = text.match_indices(prefix).map(|(at, _)| at + prefix.len());
    let whole = |start: &usize| {
        let rest = text[*start..].strip_prefix(value);
        rest.is_some_and(|rest| rest.is_empty() || ends.iter().any(|end| rest.starts_with(end)))
    };
    starts.filter(whole).map(|start| start..start + value.len()).collect()
}

/// The fields of a key whose value is a string, with their places. Each response of a run is searched, so the keys are
/// looked for, and not every field.
fn fields<'a>(text: &'a str, key: &'static str) -> Vec<(usize, &'static str, &'a str)> {
    let quoted = format!("\"{key}\"");
    let field = |(place, _)| {
        let before = text[..place].trim_end_matches(BLANKS);
        let begins = before.is_empty() || before.ends_with(SEPARATORS);
        let rest = &text[place + quoted.len()..];
        let field = rest.split(SEPARATORS).next()?;
        begins.then_some((place, key, string_value(field)?))
    };
    text.match_indices(&quoted).filter_map(field).collect()
}

/// The value in `: "value"`, without escapes.
fn string_value(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(':')?.trim_start_matches(BLANKS).strip_prefix('"')?;
    Some(rest.split_once('"')?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = r#"{"kind":"List","metadata":{"resourceVersion":"17","continue":"abc\u003d"},
        "items":[{"metadata":{"name":"a-x7k2p","uid":"0f3c9d1e-1","resourceVersion": "17"}},
                 {"metadata":{"name":"b","resourceVersion":"16"},"data":{"x":"\"resourceVersion\":\"9\""}}]}"#;

    fn found(with_names: bool) -> Vec<(String, usize, String)> {
        let all = ServerValue::all(LIST, with_names).into_iter();
        all.map(|value| (value.key, value.number, value.value)).collect()
    }

    #[test]
    fn a_value_has_its_first_place() {
        let of = |key: &str, number, value: &str| (key.to_owned(), number, value.to_owned());
        let values = [
            of("resourceVersion", 1, "17"),
            of("continue", 1, "abc\\u003d"),
            of("uid", 1, "0f3c9d1e-1"),
            of("resourceVersion", 3, "16"),
        ];
        assert_eq!(found(false), values);
        assert!(found(true).contains(&of("name", 1, "a-x7k2p")));
    }

    #[test]
    fn a_version_is_replaced_only_where_a_version_is() {
        let version = ServerValue { key: "resourceVersion".into(), number: 1, value: "17".into() };
        let target = "/api/v1/namespaces/a-17/configmaps?resourceVersion=17&limit=17&resourceVersion=171";
        assert_eq!(version.places_in_target(target), std::slice::from_ref(&(51..53)));
        assert_eq!(
            version.places_in_body(r#"{"data":{"value":"17"},"resourceVersion":"17"}"#),
            std::slice::from_ref(&(42..44))
        );
        let patch = r#"[{"op":"test","path":"/metadata/resourceVersion","value":"17"}]"#;
        assert_eq!(version.places_in_body(patch), std::slice::from_ref(&(58..60)));
    }

    #[test]
    fn a_uid_is_replaced_everywhere() {
        let uid = ServerValue { key: "uid".into(), number: 1, value: "0f3c9d1e-1".into() };
        assert_eq!(uid.places_in_body(r#"{"uid":"0f3c9d1e-1"}"#), std::slice::from_ref(&(8..18)));
        assert_eq!(uid.places_in_target("/x?fieldSelector=metadata.uid%3D0f3c9d1e-1").len(), 1);
    }
}
