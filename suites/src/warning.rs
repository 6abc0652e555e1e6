//! Warning headers (RFC 7234), parsed.

use crate::prelude::*;

/// The Warning headers.
pub(crate) fn headers(response: &Exchange) -> impl Iterator<Item = &str> {
    let headers = response.response.headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("warning"));
    headers.map(|(_, value)| value.as_str())
}

/// The texts of all warnings. A header that is none of the form counts as a text itself.
pub(crate) fn texts(response: &Exchange) -> Vec<String> {
    headers(response).flat_map(|header| read(header).unwrap_or_else(|| vec![header.to_owned()])).collect()
}

/// The texts of the warnings that name a field.
pub(crate) fn naming(response: &Exchange, field: &str) -> Vec<String> {
    texts(response).into_iter().filter(|text| text.contains(field)).collect()
}

/// The response warns of a field.
pub(crate) fn expect(response: &Exchange, field: &str) -> Checked {
    let is_named = !naming(response, field).is_empty();
    response.expect(is_named, format!("a Warning that names {field}"), shown(response))
}

/// The response does not warn of a field.
pub(crate) fn expect_none(response: &Exchange, field: &str) -> Checked {
    let named = naming(response, field);
    response.expect(named.is_empty(), format!("no Warning about {field}"), format!("{named:?}"))
}

/// The warnings of a response, in a few words.
pub(crate) fn shown(response: &Exchange) -> String {
    let texts = texts(response);
    if texts.is_empty() { format!("{}, without a Warning", response.brief()) } else { format!("{texts:?}") }
}

/// The texts of a header's warnings; `None` if it is not of the form `299 - "text"`.
pub(crate) fn read(header: &str) -> Option<Vec<String>> {
    let warnings = parse(header)?;
    let ours = warnings.iter().all(|warning| warning.code == "299");
    ours.then(|| warnings.into_iter().map(|warning| warning.text).collect())
}

/// A warning as in RFC 7234, section 5.5.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Warning {
    /// Three digits.
    pub(crate) code: String,
    /// A host or a pseudonym, such as `-`.
    pub(crate) agent: String,
    /// The text, without quotes and escapes.
    pub(crate) text: String,
}

/// The warnings of a header; `None` if it breaks the grammar.
pub(crate) fn parse(header: &str) -> Option<Vec<Warning>> {
    let (mut rest, mut warnings) = (header, Vec::new());
    loop {
        let (warning, after) = one(rest.trim_start())?;
        warnings.push(warning);
        match after.trim_start().strip_prefix(',') {
            Some(next) => rest = next,
            None if after.trim().is_empty() => return Some(warnings),
            None => return None,
        }
    }
}

/// The first warning, and the rest of the header.
fn one(warning: &str) -> Option<(Warning, &str)> {
    let (code, rest) = warning.split_once(' ')?;
    let (agent, rest) = rest.split_once(' ')?;
    let (text, rest) = quoted(rest)?;
    let coded = code.len() == 3 && code.bytes().all(|digit| digit.is_ascii_digit());
    if !coded || agent.is_empty() || agent.contains(['"', ',']) {
        return None;
    }
    let dated = rest.strip_prefix(' ').and_then(quoted);
    let warning = Warning { code: code.to_owned(), agent: agent.to_owned(), text };
    Some((warning, dated.map_or(rest, |(_, rest)| rest)))
}

/// A text in quotes, without them and without backslashes, and the rest. The text has no control characters.
fn quoted(text: &str) -> Option<(String, &str)> {
    let (mut plain, mut escaped) = (String::new(), false);
    let rest = text.strip_prefix('"')?;
    for (at, character) in rest.char_indices() {
        match character {
            control if control.is_control() && control != '\t' => return None,
            _ if escaped => {
                escaped = false;
                plain.push(character);
            }
            '\\' => escaped = true,
            '"' => return Some((plain, &rest[at + 1..])),
            _ => plain.push(character),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_backslashes_within_the_text_are_escaped() {
        let read = read(r#"299 - "unknown field \"spec.a\\b\"""#);
        assert_eq!(read.unwrap(), [r#"unknown field "spec.a\b""#]);
    }

    #[test]
    fn one_header_may_carry_several_and_dates() {
        let read = read(r#"299 a "one, two" "Sat, 21 Nov 2026 00:00:00 GMT", 299 b:1 "three""#);
        assert_eq!(read.unwrap(), ["one, two", "three"]);
    }

    #[test]
    fn what_lacks_a_part_is_no_warning() {
        for header in
            ["", "text", "299 -", "299 - text", "299 - \"text", "\"text\"", "200 - \"text\"", "299 - \"a\" b"]
        {
            assert_eq!(read(header), None, "{header}");
        }
    }

    #[test]
    fn the_grammar_has_codes_of_three_digits_and_no_control_characters() {
        let [warning] = <[_; 1]>::try_from(parse("110 proxy.example.com:80 \"stale\"").unwrap()).unwrap();
        assert_eq!((warning.code.as_str(), warning.agent.as_str()), ("110", "proxy.example.com:80"));
        for header in
            ["29 - \"a\"", "2999 - \"a\"", "299 - \"a\u{1}\"", "299  - \"a\"", "299 - 'a'", "299 \"a\" \"b\""]
        {
            assert_eq!(parse(header), None, "{header}");
        }
    }
}
