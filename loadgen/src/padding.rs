//! The padding of an object: data without a meaning, which only its writer changes.

use serde_json::Value;

/// The annotation that pads an object which has no better field for that.
pub(crate) const PADDING: &str = "kube-assay/padding";

/// The letter of which all padding consists.
const LETTER: u8 = b'x';

/// Whether objects of a kind have their padding in `data.payload`, not in an annotation.
pub(crate) fn is_in_data(api_version: &str, kind: &str) -> bool {
    (api_version, kind) == ("v1", "ConfigMap")
}

/// This number of bytes.
pub(crate) fn filler(bytes: usize) -> String {
    char::from(LETTER).to_string().repeat(bytes)
}

/// The length of the padding of an object; 0 if it is absent or has been changed.
pub(crate) fn length(object: &Value) -> u64 {
    let text = |field: &str| object[field].as_str().unwrap_or_default();
    let padding = if is_in_data(text("apiVersion"), text("kind")) {
        &object["data"]["payload"]
    } else {
        &object["metadata"]["annotations"][PADDING]
    };
    let padding = padding.as_str().unwrap_or_default().as_bytes();
    if padding.iter().all(|byte| *byte == LETTER) { padding.len() as u64 } else { 0 }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn padding_that_was_changed_has_no_length() {
        for (text, expected) in [(filler(9), 9), ("xxxy".to_owned(), 0), (String::new(), 0)] {
            let config_map = json!({ "apiVersion": "v1", "kind": "ConfigMap", "data": { "payload": text } });
            assert_eq!(length(&config_map), expected, "{text}");
            let metadata = json!({ "annotations": { PADDING: text } });
            let lease =
                json!({ "apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": metadata });
            assert_eq!(length(&lease), expected, "{text}");
        }
        assert_eq!(length(&Value::Null), 0);
    }
}
