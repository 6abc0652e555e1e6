//! The steps of a failed scenario, complete, so that a script can repeat them.

use serde::{Deserialize, Serialize};

use crate::exchange::Exchange;
use crate::request::{Identity, Protocol, Request};
use crate::server_value::ServerValue;

/// The length of the longest recorded body, in bytes.
const LONGEST_BODY: usize = 64 << 10;

/// One step of a scenario.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "step")]
pub enum RecordedStep {
    /// A request, in the order sent.
    Request(Box<RecordedRequest>),
    /// An action that no script can repeat, such as `the hook compact ran`.
    Action {
        /// The action, as a sentence without full stop.
        action: String,
    },
}

impl RecordedStep {
    /// An action that no script can repeat.
    pub fn action(action: impl Into<String>) -> Self {
        Self::Action { action: action.into() }
    }

    /// Every text that a server or a user may have sent.
    pub(crate) fn texts(&mut self) -> Vec<&mut String> {
        match self {
            Self::Action { action } => vec![action],
            Self::Request(request) => {
                let headers = request.headers.iter_mut().map(|(_, value)| value);
                let values = request.values.iter_mut().map(|known| &mut known.value);
                let target = std::iter::once(&mut request.target);
                target
                    .chain(headers)
                    .chain(&mut request.body)
                    .chain(&mut request.version)
                    .chain(values)
                    .collect()
            }
        }
    }

    /// Its length in a recording, roughly, in bytes.
    pub fn size(&self) -> usize {
        match self {
            Self::Action { action } => action.len(),
            Self::Request(request) => {
                let values: usize = request.values.iter().map(|known| known.value.len() + 40).sum();
                request.target.len() + request.body.as_ref().map_or(0, String::len) + values + 200
            }
        }
    }
}

/// A request with the part of its response that later requests need.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedRequest {
    /// Its position among the scenario's exchanges; `None` for a request of another scenario that this one relies on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exchange: Option<usize>,
    /// `GET`, `POST`, …
    pub method: String,
    /// Path and query.
    pub target: String,
    /// The headers, without the credential.
    pub headers: Vec<(String, String)>,
    /// The whole body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Whether it carries no credential.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub anonymous: bool,
    /// The server that it went to: 0 for the target, others for its replicas.
    #[serde(default, skip_serializing_if = "is_target")]
    pub server: u8,
    /// The HTTP version that it requires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub http: Option<RequiredHttp>,
    /// Whether its response is a stream, open while the scenario sends later requests.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stream: bool,
    /// The status code of the response; `None` without a response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The first resourceVersion in the response: that of its object or list. `None` for a stream.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The values in the response that later requests contain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<ServerValue>,
}

/// The HTTP version that a request requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequiredHttp {
    /// HTTP/1.1
    Http1,
    /// HTTP/2
    Http2,
    /// HTTP/1.1, without any header that the request does not have
    Bare,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_target(server: &u8) -> bool {
    *server == 0
}

impl RecordedRequest {
    /// The request at this position.
    ///
    /// # Errors
    /// The reason why a script cannot repeat it.
    pub fn of(exchange: Option<usize>, request: &Request) -> Result<Self, String> {
        let identity = &request.connection.identity;
        let body = request.body.as_ref().map(|body| std::str::from_utf8(body));
        let body = body.transpose().map_err(|_| "its body is binary")?;
        let upgrades = request.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("upgrade"));
        if matches!(identity, Identity::Bearer(_)) {
            return Err("it carries a token of its own".to_owned());
        }
        if upgrades {
            return Err("it upgrades the connection to another protocol".to_owned());
        }
        if let Some(body) = body.filter(|body| body.len() > LONGEST_BODY) {
            return Err(format!("its body has {} bytes", body.len()));
        }
        Ok(Self {
            exchange,
            method: request.method.to_string(),
            target: request.path_and_query(),
            headers: request.headers.clone(),
            body: body.map(str::to_owned),
            anonymous: *identity == Identity::Anonymous,
            server: request.connection.server,
            http: match request.connection.protocol {
                Protocol::Any => None,
                Protocol::Http1 => Some(RequiredHttp::Http1),
                Protocol::Bare => Some(RequiredHttp::Bare),
                Protocol::Http2 => Some(RequiredHttp::Http2),
            },
            stream: false,
            status: None,
            version: None,
            values: Vec::new(),
        })
    }

    /// Adds the response. `stream`: it is read while the scenario sends later requests.
    pub fn respond(&mut self, exchange: &Exchange, stream: bool) {
        let body = &exchange.response.body;
        let text = String::from_utf8_lossy(&body[..body.len().min(LONGEST_BODY)]);
        let watches = self.method == "GET"
            && exchange.request.parameter("watch").is_some_and(|watch| watch != "0" && watch != "false");
        (self.status, self.stream) = (Some(exchange.status()), stream || watches);
        self.values = ServerValue::all(&text, self.generates_name());
        let version = self.values.iter().find(|value| value.key == "resourceVersion" && value.number == 1);
        self.version = version.filter(|_| !self.stream).map(|version| version.value.clone());
    }

    /// The path, without the query.
    pub fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    /// Whether the server chooses the name of the object.
    pub fn generates_name(&self) -> bool {
        self.method == "POST" && self.body.as_ref().is_some_and(|body| body.contains("\"generateName\""))
    }

    /// Whether its target or its body contains a value of the server.
    pub fn contains(&self, value: &ServerValue) -> bool {
        !value.places_in_target(&self.target).is_empty()
            || self.body.as_ref().is_some_and(|body| !value.places_in_body(body).is_empty())
    }
}

/// Forgets the values that no later request contains.
pub fn keep_used_values(steps: &mut [RecordedStep]) {
    for at in 0..steps.len() {
        let (earlier, later) = steps.split_at_mut(at + 1);
        let Some(RecordedStep::Request(request)) = earlier.last_mut() else { continue };
        let uses = |step: &RecordedStep, value: &ServerValue| match step {
            RecordedStep::Request(request) => request.contains(value),
            RecordedStep::Action { .. } => false,
        };
        request.values.retain(|value| later.iter().any(|step| uses(step, value)));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Why a script cannot repeat a request.
    fn reason(request: &Request) -> String {
        RecordedRequest::of(None, request).unwrap_err()
    }

    #[test]
    fn a_request_that_curl_cannot_send_says_why() {
        let create = Request::post("/x", &json!({}));
        let binary = Request { body: Some(b"k8s\0\xff".as_slice().into()), ..create.clone() };
        assert_eq!(reason(&binary), "its body is binary");
        let long = Request { body: Some(vec![b'a'; LONGEST_BODY + 1].into()), ..create.clone() };
        assert_eq!(reason(&long), "its body has 65537 bytes");
        let upgrade = Request::get("/x").header("Upgrade", "websocket");
        assert_eq!(reason(&upgrade), "it upgrades the connection to another protocol");
        let mut of_another = create.clone();
        of_another.connection.identity = Identity::Bearer("secret".into());
        assert_eq!(reason(&of_another), "it carries a token of its own");
        assert!(RecordedRequest::of(None, &create).is_ok());
    }
}
