//! Continue tokens: encoding of the next key and the resource version.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use crate::failure::Failure;

/// The version of the token format.
const FORMAT: &str = "meta.k8s.io/v1";

/// The content of a token.
pub(crate) struct Token {
    /// The version to read; `None` for the newest, after the first version expired.
    pub(crate) version: Option<u64>,
    /// The first key of the next page, within the list's own prefix.
    pub(crate) start: String,
}

impl Token {
    /// A token that continues after a key.
    pub(crate) fn after(key: &str, prefix: &str, version: Option<u64>) -> Self {
        let start = format!("{}\0", key.strip_prefix(prefix).unwrap_or(key));
        Self { version, start }
    }

    pub(crate) fn encode(&self) -> String {
        let version = self.version.map_or(json!(-1), |version| json!(version));
        let text = json!({"v": FORMAT, "rv": version, "start": format!("/{}", self.start)}).to_string();
        URL_SAFE_NO_PAD.encode(text)
    }

    /// Parses a token from a client.
    pub(crate) fn decode(text: &str) -> Result<Self, Failure> {
        Self::read(text).map_err(|detail| {
            Failure::bad_request(format!("invalid continue token: continue key is not valid: {detail}"))
        })
    }

    fn read(text: &str) -> Result<Self, String> {
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|error| error.to_string())?;
        let token: Value = serde_json::from_slice(&bytes).map_err(|error| error.to_string())?;
        let format = token["v"].as_str().unwrap_or_default();
        if format != FORMAT {
            return Err(format!("server does not recognize this encoded version {format:?}"));
        }
        let version = token["rv"].as_i64().unwrap_or(0);
        if version == 0 {
            return Err(format!("incorrect encoded start resourceVersion (version {FORMAT})"));
        }
        let start = token["start"].as_str().unwrap_or_default();
        if start.is_empty() {
            return Err(format!("encoded start key empty (version {FORMAT})"));
        }
        let key = start.strip_prefix('/').unwrap_or(start);
        if key.split('/').any(|part| matches!(part, "" | "." | "..")) {
            return Err(start.to_owned());
        }
        Ok(Self { version: u64::try_from(version).ok(), start: key.to_owned() })
    }
}
