//! The number of values of a JSON text.

/// The number of values of a JSON text, without parsing it: the commas and opening brackets outside its strings. A parsed
/// value takes much more memory than its text, so readers of files count before they parse.
pub fn json_values(text: &[u8]) -> usize {
    let (mut values, mut in_string, mut is_escaped) = (0, false, false);
    for byte in text {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = in_string,
            b'"' => in_string = !in_string,
            b',' | b'[' | b'{' if !in_string => values += 1,
            _ => {}
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_outside_of_strings() {
        for (text, values) in [
            ("", 0),
            ("[]", 1),
            (r#"{"a":[1,2],"b":{}}"#, 5),
            (r#"{"a,[{":",[{"}"#, 1),
            (r#"["a\",[{",1]"#, 2),
            (r#"["a\\",[]]"#, 3),
        ] {
            assert_eq!(json_values(text.as_bytes()), values, "{text}");
        }
    }
}
