//! Area `openapi-documents`: the `OpenAPI` documents, their forms and URLs, against each other and against discovery.
//!
//! Other scenarios define and remove types meanwhile: checks repeat until they pass, and look at built-in types and at
//! the scenario's own.

mod agreement;
mod custom_types;
mod forms;
mod index;
mod urls;

use crate::prelude::*;

suite!["openapi-documents", index, urls, forms, custom_types, agreement];

/// A document in JSON; fails without one.
fn document(response: &Exchange) -> Result<&Value, Halt> {
    response.expect_status(&[200])?;
    response.json().ok_or_else(|| response.fail("a document in JSON", response.brief()))
}

/// The names of the paths of a document in JSON.
fn paths(document: &Value) -> impl Iterator<Item = &str> {
    document["paths"].as_object().into_iter().flatten().map(|(path, _)| path.as_str())
}

/// The first names, for a message.
fn some_of<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    const SHOWN: usize = 3;
    let names: Vec<_> = names.into_iter().collect();
    let more = if names.len() > SHOWN { format!(" and {} more", names.len() - SHOWN) } else { String::new() };
    format!("{}{more}", names[..names.len().min(SHOWN)].join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_names_some() {
        assert_eq!(some_of(["a", "b"]), "a, b");
        assert_eq!(some_of(["a", "b", "c", "d"]), "a, b, c and 1 more");
    }
}
