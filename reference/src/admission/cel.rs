//! CEL: evaluation of a small subset, for match conditions and admission policies.
//!
//! The subset has `true`, `false`, fields, strings, `has()`, `!`, `==` and `&&`. Any other expression is an error.

use serde_json::Value;

/// Whether an expression holds of something; an error if it cannot be read, or is no statement.
pub(super) fn holds(expression: &str, about: &Value) -> Result<bool, String> {
    for term in expression.split("&&").map(str::trim) {
        if !term_holds(term, about)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn term_holds(term: &str, about: &Value) -> Result<bool, String> {
    if let Some((left, right)) = term.split_once("==") {
        return Ok(value(left.trim(), about)? == value(right.trim(), about)?);
    }
    if let Some(negated) = term.strip_prefix('!') {
        return Ok(!term_holds(negated.trim(), about)?);
    }
    if let Some(path) = term.strip_prefix("has(").and_then(|rest| rest.strip_suffix(')')) {
        return Ok(field(path, about).is_some());
    }
    match value(term, about)? {
        Value::Bool(holds) => Ok(holds),
        other => Err(format!("{term} is {other}, which is neither true nor false")),
    }
}

fn value(term: &str, about: &Value) -> Result<Value, String> {
    let quoted = |quote: char| term.strip_prefix(quote)?.strip_suffix(quote);
    if let Some(text) = quoted('"').or_else(|| quoted('\'')) {
        return Ok(text.into());
    }
    match term {
        "true" => Ok(true.into()),
        "false" => Ok(false.into()),
        path => field(path, about).cloned().ok_or_else(|| format!("no such key: {path}")),
    }
}

fn field<'a>(path: &str, about: &'a Value) -> Option<&'a Value> {
    path.split('.').try_fold(about, |value, name| value.get(name.trim()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn expressions_speak_of_fields() {
        let about = json!({ "object": { "metadata": { "name": "a" } }, "request": { "dryRun": true } });
        let holds = |expression: &str| holds(expression, &about);
        assert_eq!(holds("request.dryRun"), Ok(true));
        assert_eq!(holds("!request.dryRun"), Ok(false));
        assert_eq!(holds("has(object.metadata.name) && object.metadata.name == 'a'"), Ok(true));
        assert_eq!(holds("!has(object.metadata.finalizers)"), Ok(true));
        assert!(holds("object.metadata.name").is_err());
        assert!(holds("object.spec.size > 3").is_err());
    }
}
