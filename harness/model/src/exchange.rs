//! Exchanges: request, response and timing.

use std::fmt::Write as _;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::body_text::{describe, is_binary};
use crate::curl::Curl;
use crate::request::Request;
use crate::shorten::shorten;
use crate::unreadable_json::UnreadableJson;

/// A response, read to its end.
#[derive(Debug, Clone, Default)]
pub struct Response {
    /// The HTTP status code.
    pub status: u16,
    /// Such as `HTTP/2.0`.
    pub protocol: String,
    /// In the order received, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body; for a watch, the lines received so far.
    pub body: Bytes,
    /// Why the client has read only a part of it; `None` if it has read all.
    pub cut: Option<Cut>,
}

impl Response {
    fn succeeded(&self) -> bool {
        (200..300).contains(&self.status)
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Whether it is a page for browsers, as from a login before the server.
    pub fn is_web_page(&self) -> bool {
        self.succeeded() && self.is_html()
    }

    pub(crate) fn is_html(&self) -> bool {
        self.header("content-type").is_some_and(is_html)
    }
}

/// Whether a Content-Type is that of pages for browsers.
pub fn is_html(content_type: &str) -> bool {
    content_type.to_ascii_lowercase().starts_with("text/html")
}

/// A media type in lower case, without a blank before its parameters: RFC 9110, sections 8.3.1 and 5.6.6, allow both.
pub fn plain_media_type(media_type: &str) -> String {
    let (name, parameters) = media_type.split_at(media_type.find(';').unwrap_or(media_type.len()));
    format!("{}{parameters}", name.trim().to_ascii_lowercase())
}

/// Why a client reads only a part of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// It left items out: see [`Request::needed_items`].
    OthersLeftOut,
    /// It stopped reading: see [`Request::most_items`].
    TooManyItems,
}

/// The timing of a response, from the moment the connection accepts the request.
#[derive(Debug, Clone, Copy, Default)]
pub struct Timing {
    /// Until the head of the response.
    pub head: Duration,
    /// Until its last byte.
    pub whole: Duration,
}

/// One request and its response.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// Its position among the scenario's exchanges.
    pub index: usize,
    /// The request as sent.
    pub request: Request,
    /// The response as received.
    pub response: Response,
    /// When the response arrived.
    pub timing: Timing,
    /// The JSON pointer to the value in objects of the user's subject, if the scenario runs on it.
    pub(crate) value_at: Option<Arc<str>>,
    json: OnceLock<Option<Value>>,
    documents: OnceLock<Vec<Value>>,
    /// Set if the scenario judges the response whatever its code.
    pub(crate) judged: OnceLock<()>,
}

impl Exchange {
    /// The exchange at this position.
    pub fn new(index: usize, request: Request, response: Response, timing: Timing) -> Self {
        let (json, documents, judged) = Default::default();
        Self { index, request, response, timing, value_at: None, json, documents, judged }
    }

    /// Sets the JSON pointer to the value of its objects.
    pub fn valued_at(self, value_at: Option<Arc<str>>) -> Self {
        Self { value_at, ..self }
    }

    /// The HTTP status code.
    pub fn status(&self) -> u16 {
        self.response.status
    }

    /// Whether the status is 2xx.
    pub fn succeeded(&self) -> bool {
        self.response.succeeded()
    }

    /// The first header with this name, in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.response.header(name)
    }

    /// The body as JSON, parsed once; `None` if it is not JSON.
    pub fn json(&self) -> Option<&Value> {
        self.json.get_or_init(|| serde_json::from_slice(&self.response.body).ok()).as_ref()
    }

    /// The JSON documents of the body up to the first invalid one, parsed once: the events of a watch, or one, or none.
    pub fn documents(&self) -> &[Value] {
        let several = || {
            let documents = serde_json::Deserializer::from_slice(&self.response.body).into_iter();
            documents.map_while(Result::ok).collect()
        };
        self.json().map_or_else(|| self.documents.get_or_init(several).as_slice(), std::slice::from_ref)
    }

    /// Why no value holds the JSON of the body.
    pub fn unreadable_json(&self) -> Option<UnreadableJson> {
        if self.json().is_some() { None } else { UnreadableJson::of(&self.response.body) }
    }

    /// The body as text; invalid UTF-8 is replaced.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.response.body).into_owned()
    }

    /// The exchange as text for reports, with shortened bodies.
    pub fn transcript(&self, curl: &Curl) -> Transcript {
        Transcript {
            curl: curl.command(&self.request),
            request: format_request(&self.request),
            response: format_response(&self.response),
            elapsed_ms: u64::try_from(self.timing.whole.as_millis()).unwrap_or(u64::MAX),
        }
    }
}

/// An exchange as text: evidence in a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transcript {
    /// The command that sends the request again: see [`Curl`].
    pub curl: String,
    /// Request line, headers, body.
    pub request: String,
    /// Status line, headers, body.
    pub response: String,
    /// Milliseconds until the last byte of the response.
    pub elapsed_ms: u64,
}

/// The length of a body in a transcript, and of all headers, in bytes.
const LIMIT: usize = 4_000;

fn format_body(headers: &[(String, String)], body: &[u8]) -> String {
    if is_binary(body) {
        let named = |(name, _): &&(String, String)| name.eq_ignore_ascii_case("content-type");
        let media_type = headers.iter().find(named).map(|(_, value)| value.as_str());
        return describe(body, media_type);
    }
    let mut text = String::from_utf8_lossy(&body[..body.len().min(LIMIT)]).into_owned();
    if text.len() > LIMIT || body.len() > LIMIT {
        text.truncate(text.floor_char_boundary(LIMIT));
        let _ = write!(text, "\n… ({} bytes in all)", body.len());
    }
    text
}

fn format_headers(headers: &[(String, String)]) -> String {
    let mut text = String::new();
    for (name, value) in headers {
        let _ = write!(text, "\n{name}: {value}");
    }
    shorten(&mut text, LIMIT);
    text
}

fn format_message(first: String, headers: &[(String, String)], body: &[u8]) -> String {
    let mut text = first;
    text.push_str(&format_headers(headers));
    if !body.is_empty() {
        text.push_str("\n\n");
        text.push_str(&format_body(headers, body));
    }
    text
}

fn format_request(request: &Request) -> String {
    let first = format!("{} {}", request.method, request.path_and_query());
    format_message(first, &request.headers, request.body.as_deref().unwrap_or_default())
}

fn format_response(response: &Response) -> String {
    let reason = http::StatusCode::from_u16(response.status).ok().and_then(|code| code.canonical_reason());
    let first = format!("{} {} {}", response.protocol, response.status, reason.unwrap_or_default());
    format_message(first.trim_end().to_owned(), &response.headers, &response.body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_types_of_one_meaning_are_the_same() {
        for (sent, plain_one) in [
            ("Application/JSON", "application/json"),
            ("application/json ; charset=UTF-8", "application/json; charset=UTF-8"),
            ("application/json;stream=watch", "application/json;stream=watch"),
        ] {
            assert_eq!(plain_media_type(sent), plain_one);
        }
    }

    #[test]
    fn a_long_body_is_shortened_and_keeps_its_length() {
        let text = format_body(&[], "é".repeat(10_000).as_bytes());
        assert!(text.ends_with("… (20000 bytes in all)"), "{text}");
        assert!(text.len() < LIMIT + 40);
    }

    #[test]
    fn a_binary_body_is_named_and_not_shown() {
        let headers = vec![("Content-Type".to_owned(), "application/cbor".to_owned())];
        assert_eq!(format_body(&headers, &[255; 3_000]), "3000 bytes of application/cbor");
    }

    #[test]
    fn long_headers_are_shortened_and_keep_their_length() {
        let headers = vec![("audit-id".to_owned(), "1".to_owned()), ("x".to_owned(), "é".repeat(10_000))];
        let text = format_headers(&headers);
        assert!(text.starts_with("\naudit-id: 1\nx: é"), "{text}");
        assert!(text.ends_with("é… (20016 bytes in all)"), "{text}");
        assert!(text.len() < LIMIT + 40);
        assert_eq!(format_headers(&headers[..1]), "\naudit-id: 1");
    }

    #[test]
    fn a_body_may_hold_several_documents() {
        let body = Bytes::from_static(b"{\"a\":1}\n{\"b\":2}\n{\"c");
        let response = Response { body, ..Response::default() };
        let exchange = Exchange::new(0, Request::get("/"), response, Timing::default());
        assert_eq!(exchange.documents(), [serde_json::json!({"a": 1}), serde_json::json!({"b": 2})]);
        assert_eq!(exchange.json(), None);
    }

    #[test]
    fn a_body_that_is_not_json_is_text() {
        let response = Response { body: Bytes::from_static(b"<html>"), ..Response::default() };
        let exchange = Exchange::new(0, Request::get("/"), response, Timing::default());
        assert_eq!(exchange.json(), None);
        assert_eq!(exchange.text(), "<html>");
    }
}
