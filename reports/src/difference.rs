//! The difference between the expected and the actual behaviour, where both are JSON objects or long texts.

use model::Failure;
use serde_json::Value;

use crate::body;
use crate::escape::clip;

/// The maximum number of lines.
const MOST_LINES: usize = 10;

/// The length of the longest value, in characters.
const LONGEST: usize = 80;

/// A shorter text is read at one glance.
const LONG: usize = 120;

/// The number of equal characters before the first unequal one.
const CONTEXT: usize = 20;

/// The difference; `None` where the texts say it themselves.
pub(crate) fn difference(failure: &Failure) -> Option<String> {
    let (expected, actual) = (failure.expected.as_str(), failure.actual.as_str());
    match (object_in(expected), object_in(actual)) {
        (Some(expected), Some(actual)) => {
            let mut lines = Vec::new();
            compare("", Some(&expected), Some(&actual), &mut lines);
            (!lines.is_empty()).then(|| body::cut(lines, MOST_LINES).join("\n"))
        }
        _ => of_texts(expected, actual),
    }
}

/// The JSON object in a text; words may surround it.
fn object_in(text: &str) -> Option<Value> {
    let rest = &text[text.find('{')?..];
    let length = body::value(rest, rest.len())?;
    serde_json::from_str(&rest[..length]).ok().filter(Value::is_object)
}

/// Adds a line for each field that differs. Lists are compared as a whole unless they have the same length.
fn compare(path: &str, expected: Option<&Value>, actual: Option<&Value>, lines: &mut Vec<String>) {
    match (expected, actual) {
        (Some(one), Some(other)) if one == other => {}
        (Some(Value::Object(one)), Some(Value::Object(other))) => {
            let added = other.keys().filter(|key| !one.contains_key(*key));
            for key in one.keys().chain(added) {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                compare(&path, one.get(key), other.get(key), lines);
            }
        }
        (Some(Value::Array(one)), Some(Value::Array(other))) if one.len() == other.len() => {
            for (at, (one, other)) in one.iter().zip(other).enumerate() {
                compare(&format!("{path}[{at}]"), Some(one), Some(other), lines);
            }
        }
        _ => lines.push(format!("{path}: expected {}, actual {}", shown(expected), shown(actual))),
    }
}

fn shown(value: Option<&Value>) -> String {
    value.map_or_else(|| "nothing".to_owned(), |value| clip(&value.to_string(), LONGEST).into_owned())
}

/// The place where two long texts begin to differ.
fn of_texts(expected: &str, actual: &str) -> Option<String> {
    if expected.chars().count().min(actual.chars().count()) < LONG {
        return None;
    }
    let same = expected.chars().zip(actual.chars()).take_while(|(one, other)| one == other).count();
    let from = |text: &str| -> String {
        let rest: String = text.chars().skip(same.saturating_sub(CONTEXT)).collect();
        clip(&rest, LONGEST).into_owned()
    };
    let alike = same >= CONTEXT && expected != actual;
    alike.then(|| {
        format!("from character {}:\nexpected … {}\nactual   … {}", same + 1, from(expected), from(actual))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(expected: &str, actual: &str) -> Option<String> {
        difference(&Failure { expected: expected.to_owned(), actual: actual.to_owned(), exchange: None })
    }

    #[test]
    fn objects_differ_in_fields() {
        let expected = r#"the object as before: {"data":{"a":"1","b":"2"},"list":[1,{"x":1}],"same":true}"#;
        let actual = r#"{"data":{"a":"3","c":null},"list":[1,{"x":2}],"same":true} after the write"#;
        assert_eq!(
            between(expected, actual).unwrap(),
            "data.a: expected \"1\", actual \"3\"\ndata.b: expected \"2\", actual nothing\n\
             data.c: expected nothing, actual null\nlist[1].x: expected 1, actual 2"
        );
        assert_eq!(between("{\"a\":1}", "{\"a\":1} again"), None);
    }

    #[test]
    fn many_fields_and_long_values_are_shortened() {
        let object = |value: &str| {
            let fields: Vec<_> = (0..40).map(|number| format!("\"f{number}\":\"{value}\"")).collect();
            format!("{{{}}}", fields.join(","))
        };
        let shown = between(&object("a"), &object(&"x".repeat(1_000))).unwrap();
        assert_eq!(shown.lines().count(), MOST_LINES);
        assert!(shown.len() < 2_000 && shown.ends_with("… 31 lines more"), "{shown}");
    }

    #[test]
    fn long_texts_differ_from_a_place_on() {
        let start = "é".repeat(150);
        let (one, other) = (format!("{start}A"), format!("{start}B"));
        let context = "é".repeat(CONTEXT);
        assert_eq!(
            between(&one, &other).unwrap(),
            format!("from character 151:\nexpected … {context}A\nactual   … {context}B")
        );
        assert_eq!(between("one", "other"), None);
        assert_eq!(between(&one, &format!("x{one}")), None);
    }

    #[test]
    fn a_body_that_is_no_json_has_no_fields() {
        assert_eq!(between("{not json}", "{\"a\":1}"), None);
        assert_eq!(between("{\"a\":{\"b\":", "{\"a\":1}"), None);
    }
}
