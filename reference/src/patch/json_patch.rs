//! JSON patch: a list of operations, all or none.

use serde_json::Value;

use crate::failure::Failure;

/// The most operations that one patch may have.
const MOST: usize = 10_000;

/// Carries all operations out.
pub(super) fn apply(object: &mut Value, patch: &Value) -> Result<(), Failure> {
    let operations = patch
        .as_array()
        .ok_or_else(|| Failure::bad_request("json: cannot unmarshal the patch into a list of operations"))?;
    if operations.len() > MOST {
        let message =
            format!("The allowed maximum operations in a JSON patch is {MOST}, got {}", operations.len());
        return Err(Failure::request_too_large(&message));
    }
    operations
        .iter()
        .try_for_each(|operation| one(object, operation))
        .map_err(|_| Failure::rejected("the server rejected our request due to an error in our request"))
}

fn one(object: &mut Value, operation: &Value) -> Result<(), &'static str> {
    let path = operation["path"].as_str().ok_or("no path")?;
    let from = || operation["from"].as_str().ok_or("no from");
    let value = || operation.get("value").cloned().ok_or("no value");
    match operation["op"].as_str().ok_or("no operation")? {
        "add" => add(object, path, value()?),
        "remove" => remove(object, path).map(|_| ()),
        "replace" => {
            *object.pointer_mut(path).ok_or("nothing to replace")? = value()?;
            Ok(())
        }
        "move" => {
            let moved = remove(object, from()?)?;
            add(object, path, moved)
        }
        "copy" => {
            let copied = object.pointer(from()?).cloned().ok_or("nothing to copy")?;
            add(object, path, copied)
        }
        "test" if object.pointer(path).unwrap_or(&Value::Null) == &value()? => Ok(()),
        "test" => Err("test failed"),
        _ => Err("unknown operation"),
    }
}

fn add(object: &mut Value, path: &str, value: Value) -> Result<(), &'static str> {
    let Some((parent, last)) = split(path) else {
        *object = value;
        return Ok(());
    };
    match object.pointer_mut(parent).ok_or("no parent")? {
        Value::Object(fields) => {
            fields.insert(last, value);
            Ok(())
        }
        Value::Array(items) => {
            let index = if last == "-" { items.len() } else { index(&last)? };
            if index > items.len() {
                return Err("index out of range");
            }
            items.insert(index, value);
            Ok(())
        }
        _ => Err("parent is a scalar"),
    }
}

fn remove(object: &mut Value, path: &str) -> Result<Value, &'static str> {
    let (parent, last) = split(path).ok_or("cannot remove everything")?;
    match object.pointer_mut(parent).ok_or("no parent")? {
        Value::Object(fields) => fields.shift_remove(&last).ok_or("nothing to remove"),
        Value::Array(items) => {
            let index = index(&last)?;
            if index < items.len() { Ok(items.remove(index)) } else { Err("index out of range") }
        }
        _ => Err("parent is a scalar"),
    }
}

fn index(text: &str) -> Result<usize, &'static str> {
    text.parse().map_err(|_| "no index")
}

fn split(path: &str) -> Option<(&str, String)> {
    let (parent, last) = path.rsplit_once('/')?;
    Some((parent, last.replace("~1", "/").replace("~0", "~")))
}
