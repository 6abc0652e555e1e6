//! The envelope of a signed statement: DSSE, <https://github.com/secure-systems-lab/dsse>.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use super::key::{PrivateKey, PublicKey};

/// The type of the payload.
const PAYLOAD_TYPE: &str = "application/vnd.in-toto+json";

/// A payload with its signatures.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Envelope {
    payload_type: String,
    /// In Base64.
    payload: String,
    signatures: Vec<Signature>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Signature {
    #[serde(default)]
    keyid: String,
    /// In Base64.
    sig: String,
}

impl Envelope {
    /// Signs a payload.
    pub(crate) fn sign(payload: &[u8], key: &PrivateKey) -> Result<Self, String> {
        let signature = key.sign(&signed_bytes(PAYLOAD_TYPE, payload))?;
        Ok(Self {
            payload_type: PAYLOAD_TYPE.to_owned(),
            payload: STANDARD.encode(payload),
            signatures: vec![Signature { keyid: key.id(), sig: STANDARD.encode(signature) }],
        })
    }

    /// Reads an envelope. A list is none: the parser would take its items for the fields.
    pub(crate) fn read(text: &[u8]) -> Result<Self, String> {
        if !text.trim_ascii_start().starts_with(b"{") {
            return Err("it is no object in JSON".to_owned());
        }
        serde_json::from_slice(text).map_err(|why| why.to_string())
    }

    /// The payload, if one signature is of this key.
    pub(crate) fn open(&self, key: &PublicKey) -> Result<Vec<u8>, String> {
        if self.payload_type != PAYLOAD_TYPE {
            return Err(format!("the payload has the type {:?}, not {PAYLOAD_TYPE}", self.payload_type));
        }
        let payload =
            STANDARD.decode(&self.payload).map_err(|_| "the payload is not in Base64".to_owned())?;
        let message = signed_bytes(&self.payload_type, &payload);
        let valid = |one: &Signature| {
            STANDARD.decode(&one.sig).is_ok_and(|signature| key.verifies(&message, &signature))
        };
        if self.signatures.iter().any(valid) {
            return Ok(payload);
        }
        let ids: Vec<&str> = self.signatures.iter().map(|signature| signature.keyid.as_str()).collect();
        Err(format!(
            "no signature of the certificate is of the key {}: the certificate was changed, or another key signed it ({})",
            key.id(),
            ids.join(", ")
        ))
    }
}

/// The bytes that are signed: the "pre-authentication encoding" of DSSE.
fn signed_bytes(payload_type: &str, payload: &[u8]) -> Vec<u8> {
    let head = format!("DSSEv1 {} {payload_type} {} ", payload_type.len(), payload.len());
    [head.as_bytes(), payload].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the specification of DSSE.
    #[test]
    fn the_signed_bytes_are_those_of_the_specification() {
        let signed = signed_bytes("http://example.com/HelloWorld", b"hello world");
        assert_eq!(signed, b"DSSEv1 29 http://example.com/HelloWorld 11 hello world");
    }

    #[test]
    fn a_list_is_no_envelope() {
        assert!(Envelope::read(b"{\"payloadType\":\"a\",\"payload\":\"\",\"signatures\":[]}").is_ok());
        assert_eq!(Envelope::read(b" [\"a\",\"\",[]]").unwrap_err(), "it is no object in JSON");
    }
}
