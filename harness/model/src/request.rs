//! A request as it will be sent: any request, valid or not. Plain data.

use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use serde_json::Value;

/// The credentials of a request.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum Identity {
    /// The target's own credentials.
    #[default]
    Own,
    /// No credentials at all.
    Anonymous,
    /// This bearer token only.
    Bearer(String),
}

/// The HTTP version of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Protocol {
    /// Negotiated by TLS; HTTP/1.1 on plain connections.
    #[default]
    Any,
    /// HTTP/1.1 only.
    Http1,
    /// HTTP/2 only, on plain connections by prior knowledge.
    Http2,
    /// HTTP/1.1 on a connection of its own. The client adds `Host`, the length of the body and the credential, and no
    /// other header.
    Bare,
}

/// The connections of a request: requests with different keys never share a connection.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct ConnectionKey {
    /// The credentials.
    pub identity: Identity,
    /// The HTTP version.
    pub protocol: Protocol,
    /// Separates connections with equal credentials and version.
    pub number: u8,
    /// The server: 0 for the target, others for its replicas in the order given.
    pub server: u8,
}

/// One request.
#[derive(Debug, Clone)]
pub struct Request {
    /// `GET`, `POST`, …
    pub method: http::Method,
    /// The path, beginning with `/`, as it goes on the wire.
    pub path: String,
    /// The query as it goes on the wire, without `?`; empty if there is none.
    pub query: String,
    /// Sent as given, in this order. The client adds the credential.
    pub headers: Vec<(String, String)>,
    /// The body, if any.
    pub body: Option<Bytes>,
    /// Its connections.
    pub connection: ConnectionKey,
    /// The time limit of the whole response; `None` for the client's request timeout.
    pub within: Option<Duration>,
    /// The text in each item of a list that the sender needs. The client may leave other items out of a long list.
    pub needed_items: Option<Arc<str>>,
    /// The text in the lines that the sender does not need. The client may leave these out of a long text.
    pub unneeded_lines: Option<Arc<str>>,
    /// The most items that a list may have. The client stops reading a longer one.
    pub most_items: Option<usize>,
}

/// The length of the longest value in a query, in bytes: no server reads a longer request line, whatever token it gave.
const LONGEST_VALUE: usize = 1 << 20;

impl Request {
    /// A request that accepts JSON and has no body.
    pub fn new(method: http::Method, path: impl Into<String>) -> Self {
        Self {
            method,
            path: path.into(),
            query: String::new(),
            headers: vec![("accept".to_owned(), "application/json".to_owned())],
            body: None,
            connection: ConnectionKey::default(),
            within: None,
            needed_items: None,
            unneeded_lines: None,
            most_items: None,
        }
    }

    /// Whether the client sends it in its own name: with its own credentials, and without impersonation.
    pub fn is_in_own_name(&self) -> bool {
        let impersonates = |(name, _): &(String, String)| name.starts_with("impersonate-");
        self.connection.identity == Identity::Own && !self.headers.iter().any(impersonates)
    }

    /// A GET.
    pub fn get(path: impl Into<String>) -> Self {
        Self::new(http::Method::GET, path)
    }

    /// A POST of a JSON body.
    pub fn post(path: impl Into<String>, body: &Value) -> Self {
        Self::new(http::Method::POST, path).json("application/json", body)
    }

    /// A PUT of a JSON body.
    pub fn put(path: impl Into<String>, body: &Value) -> Self {
        Self::new(http::Method::PUT, path).json("application/json", body)
    }

    /// A merge patch.
    pub fn merge_patch(path: impl Into<String>, body: &Value) -> Self {
        Self::new(http::Method::PATCH, path).json("application/merge-patch+json", body)
    }

    /// A DELETE without a body.
    pub fn delete(path: impl Into<String>) -> Self {
        Self::new(http::Method::DELETE, path)
    }

    /// Sets a JSON body and its content type.
    pub fn json(mut self, content_type: &str, body: &Value) -> Self {
        self.body = Some(Bytes::from(body.to_string()));
        self.header("content-type", content_type)
    }

    /// Adds `name=value` to the query, percent-encoded. A value longer than 1 MB is cut.
    pub fn query(mut self, name: &str, value: impl Display) -> Self {
        let value = value.to_string();
        let sent = &value.as_bytes()[..value.len().min(LONGEST_VALUE)];
        let value: String = form_urlencoded::byte_serialize(sent).collect();
        let name: String = form_urlencoded::byte_serialize(name.as_bytes()).collect();
        self.append(&format!("{name}={value}"));
        self
    }

    /// Appends to the query as it is: `verbose`, or something malformed.
    pub fn raw_query(mut self, raw: &str) -> Self {
        self.append(raw);
        self
    }

    fn append(&mut self, raw: &str) {
        if !self.query.is_empty() {
            self.query.push('&');
        }
        self.query.push_str(raw);
    }

    /// Sets a header, or replaces it.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Whether the response may have a Content-Encoding, such as gzip.
    pub fn accepts_coding(&self) -> bool {
        let mut headers = self.headers.iter();
        headers.any(|(name, value)| name.eq_ignore_ascii_case("accept-encoding") && value != "identity")
    }

    /// The `content-type` header.
    pub fn content_type(&self) -> Option<&str> {
        let mut all = self.headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("content-type"));
        all.next().map(|(_, value)| value.as_str())
    }

    /// Accepts this media type instead of JSON.
    pub fn accept(self, media_type: &str) -> Self {
        self.header("accept", media_type)
    }

    /// Sets the credentials.
    pub fn identity(mut self, identity: Identity) -> Self {
        self.connection.identity = identity;
        self
    }

    /// Sets the HTTP version.
    pub fn protocol(mut self, protocol: Protocol) -> Self {
        self.connection.protocol = protocol;
        self
    }

    /// Uses connections of this number only.
    pub fn connection(mut self, number: u8) -> Self {
        self.connection.number = number;
        self
    }

    /// Sends it through this server: 0 is the target, others are its replicas.
    pub fn through(mut self, server: u8) -> Self {
        self.connection.server = server;
        self
    }

    /// Limits the time of the whole response.
    pub fn within(mut self, limit: Duration) -> Self {
        self.within = Some(limit);
        self
    }

    /// Sets the text in each item of a list that the sender needs.
    pub fn needing_items(mut self, with: &str) -> Self {
        self.needed_items = Some(with.into());
        self
    }

    /// Sets the text in the lines that the sender does not need.
    pub fn without_lines(mut self, with: &str) -> Self {
        self.unneeded_lines = Some(with.into());
        self
    }

    /// The decoded value of a query parameter.
    pub fn parameter(&self, name: &str) -> Option<String> {
        let mut all = form_urlencoded::parse(self.query.as_bytes());
        all.find(|(known, _)| known == name).map(|(_, value)| value.into_owned())
    }

    /// The decoded names of the query parameters, repetitions included.
    pub fn parameters(&self) -> Vec<String> {
        form_urlencoded::parse(self.query.as_bytes()).map(|(name, _)| name.into_owned()).collect()
    }

    /// Whether it requests a dry run, in its query or in the options of a deletion.
    pub fn is_dry_run(&self) -> bool {
        const NAME: &[u8] = b"dryRun";
        let options =
            self.body.as_deref().filter(|_| self.method == http::Method::DELETE).unwrap_or_default();
        self.parameter("dryRun").is_some() || options.windows(NAME.len()).any(|text| text == NAME)
    }

    /// Path and query.
    pub fn path_and_query(&self) -> String {
        if self.query.is_empty() { self.path.clone() } else { format!("{}?{}", self.path, self.query) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn query_values_are_encoded_and_flags_are_bare() {
        let request = Request::get("/livez").raw_query("verbose").query("exclude", "a/b c");
        assert_eq!(request.path_and_query(), "/livez?verbose&exclude=a%2Fb+c");
        assert_eq!(request.parameter("exclude").as_deref(), Some("a/b c"));
        assert_eq!(request.parameter("verbose").as_deref(), Some(""));
        assert_eq!(request.parameter("timeout"), None);
    }

    #[test]
    fn a_value_that_no_server_reads_is_cut() {
        let request = Request::get("/api").query("continue", "a".repeat(3 << 20));
        assert_eq!(request.query.len(), "continue=".len() + LONGEST_VALUE);
    }

    #[test]
    fn the_query_or_the_options_of_a_deletion_request_a_dry_run() {
        let options = serde_json::json!({ "kind": "DeleteOptions", "dryRun": ["All"] });
        assert!(Request::delete("/a").query("dryRun", "All").is_dry_run());
        assert!(Request::delete("/a").json("application/json", &options).is_dry_run());
        assert!(!Request::delete("/a").is_dry_run());
        assert!(!Request::post("/a", &options).is_dry_run());
    }

    #[test]
    fn a_header_is_replaced_whatever_its_case() {
        let request = Request::get("/").header("Accept", "text/plain");
        assert_eq!(request.headers, [("Accept".to_owned(), "text/plain".to_owned())]);
    }
}
