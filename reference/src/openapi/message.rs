//! `OpenAPI` documents in Protobuf, as gnostic defines them: titles, paths and methods. Parameters, responses and
//! schemas are left out, so that no table of their hundreds of fields is needed.

use http::HeaderValue;
use serde_json::Value;

use crate::protobuf::Message;

/// A version of `OpenAPI`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    V2,
    V3,
}

/// The field numbers of the methods in a message `PathItem`.
type Methods = &'static [(&'static str, u32)];

impl Version {
    /// Whether a media type in Accept is that of messages.
    pub(super) fn is_requested_by(self, media: &str) -> bool {
        let rest = media.strip_prefix("application/com.github.proto-openapi.spec.");
        let version = rest.and_then(|rest| rest.strip_suffix("v1.0+protobuf"));
        match self {
            Self::V2 => matches!(version, Some("v2@" | "v2.")),
            Self::V3 => matches!(version, Some("v3@" | "v3.")),
        }
    }

    /// The Content-Type of messages: a media type must not have an `@`.
    pub(super) fn content_type(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::V2 => "application/com.github.proto-openapi.spec.v2.v1.0+protobuf",
            Self::V3 => "application/com.github.proto-openapi.spec.v3.v1.0+protobuf",
        })
    }

    /// The name of the field with the version, the numbers of the paths and of a path in them, and the methods.
    fn fields(self) -> (&'static str, u32, u32, Methods) {
        match self {
            Self::V2 => {
                ("swagger", 8, 2, &[("get", 2), ("put", 3), ("post", 4), ("delete", 5), ("patch", 8)])
            }
            Self::V3 => {
                ("openapi", 4, 1, &[("get", 4), ("put", 5), ("post", 6), ("delete", 7), ("patch", 10)])
            }
        }
    }

    /// The message Document.
    pub(super) fn message(self, document: &Value) -> Vec<u8> {
        let (version, paths_field, path_field, methods) = self.fields();
        let mut paths = Message::default();
        for (name, item) in document["paths"].as_object().into_iter().flatten() {
            paths.bytes(path_field, named(name, item, methods));
        }
        let mut info = Message::default();
        info.bytes(1, text(&document["info"]["title"]));
        info.bytes(2, text(&document["info"]["version"]));
        let mut message = Message::default();
        message.bytes(1, text(&document[version]));
        message.bytes(2, info.finish());
        message.bytes(paths_field, paths.finish());
        message.finish()
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// A message `NamedPathItem`.
fn named(name: &str, item: &Value, methods: Methods) -> Vec<u8> {
    let mut operations = Message::default();
    for (_, field) in methods.iter().filter(|(method, _)| item.get(*method).is_some()) {
        operations.bytes(*field, []);
    }
    let mut named = Message::default();
    named.bytes(1, name);
    named.bytes(2, operations.finish());
    named.finish()
}
