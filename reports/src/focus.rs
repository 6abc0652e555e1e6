//! The part of a body that a failure is about: without managed fields, around the field that the failure names.

use std::borrow::Cow;

use model::{Outcome, ScenarioFinished};

use crate::body;

/// The field that holds the owners of all other fields: it is long, and rarely the point.
const MANAGED_FIELDS: &str = "\"managedFields\":[";

/// Areas about managed fields begin so.
const ABOUT_OWNERS: [&str; 2] = ["managed-fields", "apply"];

/// The point of a failure.
#[derive(Debug, Default)]
pub(crate) struct Focus {
    owners: bool,
    /// Names of fields, the likeliest first.
    fields: Vec<String>,
}

impl Focus {
    /// The point of a scenario's failure.
    pub(crate) fn of(finished: &ScenarioFinished) -> Self {
        let text = match &finished.outcome {
            Outcome::Failed { failure } => format!("{} {}", failure.actual, failure.expected),
            _ => String::new(),
        };
        let of_clause = finished.clauses.iter().any(|clause| {
            ABOUT_OWNERS.iter().any(|area| clause.as_str().starts_with(area))
                || clause.as_str().contains("-apply-")
        });
        let owners =
            of_clause || ["managedFields", "fieldsV1", "manager"].iter().any(|word| text.contains(word));
        Self { owners, fields: fields_in(&text) }
    }

    /// A body without managed fields, unless these are the point.
    pub(crate) fn body<'a>(&self, body: &'a str) -> Cow<'a, str> {
        if self.owners { Cow::Borrowed(body) } else { without_managed_fields(body) }
    }

    /// At most `limit` lines of a body, around the first named field.
    pub(crate) fn lines(&self, body: &str, width: usize, limit: usize) -> Vec<String> {
        let all = body::lines(&self.body(body), width, usize::MAX);
        let at = self.fields.iter().find_map(|field| {
            let key = format!("\"{field}\":");
            all.iter().position(|line| line.contains(&key))
        });
        window(all, at.unwrap_or(0), limit)
    }
}

/// Lines around one of them, with the number of those left out.
fn window(mut lines: Vec<String>, at: usize, limit: usize) -> Vec<String> {
    if lines.len() <= limit || limit < 3 {
        return body::cut(lines, limit);
    }
    let first = at.saturating_sub(limit / 2).min(lines.len() - limit + 1);
    if first < 2 {
        return body::cut(lines, limit);
    }
    let rest = lines.split_off(first);
    let mut shown = vec![format!("… {first} lines before")];
    shown.extend(body::cut(rest, limit - 1));
    shown
}

/// The words of a text that may be fields: those of a path first, by their last part.
fn fields_in(text: &str) -> Vec<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
    let words: Vec<&str> =
        text.split(|c| !is_part(c)).map(|word| word.trim_matches(['.', '/', '-'])).collect();
    let (paths, single): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| word.contains('.'));
    let parts = paths.iter().chain(&single).filter_map(|word| word.rsplit(['.', '/']).next());
    parts.filter(|part| part.len() > 2).map(str::to_owned).collect()
}

fn without_managed_fields(text: &str) -> Cow<'_, str> {
    if !text.contains(MANAGED_FIELDS) {
        return Cow::Borrowed(text);
    }
    let (mut kept, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find(MANAGED_FIELDS) {
        let list = &rest[at + MANAGED_FIELDS.len() - 1..];
        // A body that was cut off may end in the list.
        let length = body::value(list, list.len()).unwrap_or(list.len());
        let before = &rest[..at];
        rest = &list[length..];
        match rest.strip_prefix(',') {
            Some(after) => {
                kept.push_str(before);
                rest = after;
            }
            None => kept.push_str(before.strip_suffix(',').unwrap_or(before)),
        }
    }
    kept.push_str(rest);
    Cow::Owned(kept)
}

#[cfg(test)]
mod tests {
    use model::{Failure, ScenarioId};

    use super::*;

    fn focus(clause: &str, actual: &str) -> Focus {
        let failure = Failure { expected: "another".to_owned(), actual: actual.to_owned(), exchange: None };
        let id = ScenarioId::of_invariant(&clause.into());
        Focus::of(&ScenarioFinished::new(id, vec![clause.into()], Outcome::Failed { failure }))
    }

    const OBJECT: &str =
        r#"{"metadata":{"name":"a","managedFields":[{"manager":"x","fieldsV1":{"f:a":["]"]}}],"uid":"1"}}"#;

    #[test]
    fn managed_fields_are_left_out_unless_they_are_the_point() {
        let short = r#"{"metadata":{"name":"a","uid":"1"}}"#;
        assert_eq!(focus("watch-create-added", "no event").body(OBJECT), short);
        assert_eq!(focus("managed-fields-time", "no event").body(OBJECT), OBJECT);
        assert_eq!(focus("watch-create-added", "no managedFields").body(OBJECT), OBJECT);
        let last = r#"{"metadata":{"name":"a","managedFields":[{"manager":"x"}]}}"#;
        assert_eq!(focus("a", "b").body(last), r#"{"metadata":{"name":"a"}}"#);
        let cut_off = r#"{"metadata":{"name":"a","managedFields":[{"mana"#;
        assert_eq!(focus("a", "b").body(cut_off), r#"{"metadata":{"name":"a""#);
    }

    #[test]
    fn the_lines_around_the_named_field_are_shown() {
        let fields: Vec<String> =
            (0..40).map(|number| format!("\"f{number:02}\":\"{}\"", "x".repeat(20))).collect();
        let body = format!("{{{}}}", fields.join(","));
        let lines = focus("a", "spec.f20 is gone").lines(&body, 40, 7);
        assert_eq!(lines.len(), 7, "{lines:?}");
        assert!(lines[0].starts_with("… ") && lines.iter().any(|line| line.contains("\"f20\"")), "{lines:?}");
        assert!(lines[6].ends_with("lines more"), "{lines:?}");
        assert!(focus("a", "b").lines(&body, 40, 7)[0].starts_with('{'));
    }
}
