//! Discovery of field validation: the published parameter and schemas.

use crate::prelude::*;

rows![fieldval_parameter_published_in_openapi.own_kinds().read_only()];

/// The `OpenAPI` documents of the core group, newest version first.
const DOCUMENTS: [&str; 2] = ["/openapi/v3/api/v1", "/openapi/v2"];

const COLLECTION: &str = "/api/v1/namespaces/{namespace}/configmaps";
const OBJECT: &str = "/api/v1/namespaces/{namespace}/configmaps/{name}";

async fn fieldval_parameter_published_in_openapi(cx: Context) -> Checked {
    for path in DOCUMENTS {
        let published = cx.send(Request::get(path)).await?;
        let described = |document: &&Value| document["paths"][COLLECTION].is_object();
        let Some(document) = published.json().filter(described) else { continue };
        for (path, verb) in [(COLLECTION, "post"), (OBJECT, "put"), (OBJECT, "patch")] {
            let listed = names(document, &document["paths"][path], verb);
            let published_there = listed.iter().any(|name| name == "fieldValidation");
            let expected = format!("the parameter fieldValidation of {verb} {path}");
            published.expect(published_there, expected, format!("the parameters {listed:?}"))?;
        }
        return Ok(());
    }
    Err(Halt::skip("the server publishes no OpenAPI document of ConfigMaps in JSON"))
}

/// The names of the parameters of a verb, with those of all verbs of the path.
fn names(document: &Value, path: &Value, verb: &str) -> Vec<String> {
    let lists = [&path["parameters"], &path[verb]["parameters"]];
    let parameters = lists.into_iter().filter_map(Value::as_array).flatten();
    let names = parameters.filter_map(|parameter| resolved(document, parameter)["name"].as_str());
    names.map(str::to_owned).collect()
}

/// A parameter, or the parameter of its `$ref`.
fn resolved<'a>(document: &'a Value, parameter: &'a Value) -> &'a Value {
    let reference = parameter["$ref"].as_str().and_then(|reference| reference.strip_prefix('#'));
    reference.and_then(|pointer| document.pointer(pointer)).unwrap_or(parameter)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn parameters_are_found_by_reference_and_in_place() {
        let path = json!({ "parameters": [{ "name": "pretty" }], "post": { "parameters": [{ "$ref": "#/parameters/x" }] } });
        let document = json!({ "parameters": { "x": { "name": "fieldValidation" } } });
        assert_eq!(names(&document, &path, "post"), ["pretty", "fieldValidation"]);
        assert_eq!(names(&document, &path, "put"), ["pretty"]);
    }
}
