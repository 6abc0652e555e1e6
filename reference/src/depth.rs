//! The nesting of objects.
//!
//! Decoders refuse requests that are nested too deeply. JSON patches could build a deeper object from such requests, step
//! by step, and every function that walks through an object would then need more stack than there is. The other patches
//! merge two documents, and the result is as deep as the deeper one.

use serde_json::Value;

/// The maximum number of lists and maps around a value: that of the JSON decoder, so that clients can send back what they
/// read.
pub(crate) const MOST: usize = 127;

/// The error of kube-apiserver's decoder, whose limit is higher.
pub(crate) const ERROR: &str = "json: exceeded max depth";

/// Whether a value below `above` lists and maps would make an object too deep.
pub(crate) fn is_too_deep(value: &Value, above: usize) -> bool {
    let nested = |value: &Value| is_too_deep(value, above.saturating_add(1));
    match value {
        Value::Array(_) | Value::Object(_) if above >= MOST => true,
        Value::Array(items) => items.iter().any(nested),
        Value::Object(fields) => fields.values().any(nested),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_that_of_the_decoder() {
        for depth in [1, MOST, MOST + 1] {
            let text = format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
            let is_refused = serde_json::from_str::<Value>(&text).is_err();
            assert_eq!(is_refused, depth > MOST, "{depth}");
            let value = (0..depth).fold(Value::from(1), |inner, _| vec![inner].into());
            assert_eq!(is_too_deep(&value, 0), is_refused, "{depth}");
        }
        assert!(is_too_deep(&Value::Array(Vec::new()), MOST));
        assert!(!is_too_deep(&Value::Null, usize::MAX));
    }
}
