//! CEL: evaluation of a small subset, for match conditions and admission policies.
//!
//! The subset has `true`, `false`, fields, strings, `has()`, `!`, `==` and `&&`. Any other expression is an error.

use serde_json::Value;

/// The value of an expression. `Err` for a syntax outside of the subset, or a non-boolean value.
pub(super) fn holds(expression: &str, variables: &Value) -> Result<bool, String> {
    for term in expression.split("&&").map(str::trim) {
        if !term_holds(term, variables)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn term_holds(term: &str, variables: &Value) -> Result<bool, String> {
    if let Some((left, right)) = term.split_once("==") {
        return Ok(value(left.trim(), variables)? == value(right.trim(), variables)?);
    }
    if let Some(negated) = term.strip_prefix('!') {
        return Ok(!term_holds(negated.trim(), variables)?);
    }
    if let Some(path) = term.strip_prefix("has(").and_then(|rest| rest.strip_suffix(')')) {
        return Ok(field(path, variables).is_some());
    }
    match value(term, variables)? {
        Value::Bool(value) => Ok(value),
        other => Err(format!("{term} is {other}, which is not a boolean")),
    }
}

fn value(term: &str, variables: &Value) -> Result<Value, String> {
    let quoted = |quote: char| term.strip_prefix(quote)?.strip_suffix(quote);
    if let Some(text) = quoted('"').or_else(|| quoted('\'')) {
        return Ok(text.into());
    }
    match term {
        "true" => Ok(true.into()),
        "false" => Ok(false.into()),
        path => field(path, variables).cloned().ok_or_else(|| format!("no such key: {path}")),
    }
}

fn field<'a>(path: &str, variables: &'a Value) -> Option<&'a Value> {
    path.split('.').try_fold(variables, |value, name| value.get(name.trim()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn expressions_evaluate_fields() {
        let variables = json!({ "object": { "metadata": { "name": "a" } }, "request": { "dryRun": true } });
        let holds = |expression: &str| holds(expression, &variables);
        assert_eq!(holds("request.dryRun"), Ok(true));
        assert_eq!(holds("!request.dryRun"), Ok(false));
        assert_eq!(holds("has(object.metadata.name) && object.metadata.name == 'a'"), Ok(true));
        assert_eq!(holds("!has(object.metadata.finalizers)"), Ok(true));
        assert!(holds("object.metadata.name").is_err());
        assert!(holds("object.spec.size > 3").is_err());
    }
}
