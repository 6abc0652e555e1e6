//! A body that begins like JSON and is none: a server does not write it, something between changes bodies.

use model::Exchange;
use serde::de::IgnoredAny;

/// Some programs put it before a text. JSON has none: RFC 8259, section 8.1.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Why the body of a 200 that begins as an object in JSON does is no JSON; `None` for JSON, and for any other response.
pub(super) fn invalid_json(response: &Exchange) -> Option<String> {
    let body = &response.response.body[..];
    let marked = body.strip_prefix(BYTE_ORDER_MARK);
    let begins_as_object = marked.unwrap_or(body).trim_ascii_start().starts_with(b"{");
    if response.status() != 200 || !begins_as_object {
        return None;
    }
    let error = serde_json::from_slice::<IgnoredAny>(body).err()?;
    Some(match marked {
        Some(_) => format!("it begins with a byte order mark ({error})"),
        None if body.contains(&0) => format!("it has a NUL byte ({error})"),
        None => error.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use model::{Request, Response, Timing};

    use super::super::{refusal, shown};
    use super::*;

    fn version(status: u16, body: &[u8]) -> Exchange {
        let response = Response { status, body: body.to_vec().into(), ..Response::default() };
        Exchange::new(0, Request::get("/version"), response, Timing::default())
    }

    fn advice(response: &Exchange) -> &'static str {
        refusal(response).unwrap_or_default()
    }

    #[test]
    fn the_cause_is_named_with_its_place() {
        for (body, cause) in [
            (
                &b"\xEF\xBB\xBF{\"major\":\"1\"}"[..],
                "it begins with a byte order mark (expected value at line 1 column ",
            ),
            (b"\xEF\xBB\xBF\n {}", "it begins with a byte order mark (expected value at line 1 column "),
            (b"{\"major\":\"1\0\"}", "it has a NUL byte (control character "),
            (b"{\"major\":\"1\"}\0\0", "it has a NUL byte (trailing characters at line 1 column "),
            (b"{\n\"major\":NaN}", "expected value at line 2 column "),
            (b" \r\n{\"major\":\"1\",\"min", "EOF while parsing a string at line 2 column "),
        ] {
            let response = version(200, body);
            let (found, expected) = (shown(&response), format!("200 and a body that is no JSON: {cause}"));
            assert!(found.starts_with(&expected), "{found}");
            assert!(advice(&response).contains("before it, change response bodies? compare"), "{found}");
        }
    }

    #[test]
    fn other_bodies_are_shown_with_the_hint_about_the_address() {
        for body in [&b"<html>"[..], b"\xEF\xBB\xBF<html>", b"OK", b"\0{", b"[NaN", b"\xEF\xBB\xBF", b""] {
            let response = version(200, body);
            assert_eq!(invalid_json(&response), None, "{body:?}");
            assert!(advice(&response).contains("is it the right address?"), "{body:?}");
        }
        assert_eq!(invalid_json(&version(200, b"{\"major\":\"1\"}")), None);
        assert_eq!(invalid_json(&version(500, b"{\"major\"")), None);
    }
}
