//! The look at a target about one type that the user names: the server may have nothing else.

use serde_json::Value;

use super::{ask, from_responses, patiently, types_of};
use model::{Exchange, Request, SubjectSpec, TargetInfo, TestError, Type};

use crate::client::Client;

/// How many types an error names.
const MOST_NAMED: usize = 12;

/// The verbs of a type that no discovery document lists.
const VERBS: [&str; 8] = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];

impl Client {
    /// Asks a server that may have only the type that the user names: no `/version`, no `/api`, no `/apis`.
    pub async fn target_info_of(&self, given: &SubjectSpec) -> Result<TargetInfo, TestError> {
        let client = self;
        let mut named = find(client, given).await?;
        let schemas =
            patiently(client, Request::get(format!("/openapi/v3{}", given.resource().root()))).await?;
        named.keeps_unknown_fields = schemas.json().is_some_and(|json| is_open(json, &named.kind));
        let version = patiently(client, Request::get("/version")).await?;
        let core = patiently(client, Request::get("/api/v1")).await?;
        let groups = patiently(client, Request::get("/apis")).await?;
        let mut target_info = from_responses(client, &version, &core, &groups).await?;
        if !target_info.serves(&given.group) {
            target_info.groups.push(given.group.clone());
        }
        target_info
            .types
            .retain(|known| (&known.api_version, &known.plural) != (&named.api_version, &named.plural));
        target_info.types.push(named);
        Ok(target_info)
    }
}

/// The type that the user names, as its discovery document has it.
async fn find(client: &Client, given: &SubjectSpec) -> Result<Type, TestError> {
    let discovered = patiently(client, Request::get(given.resource().root())).await?;
    let found = types_of(&discovered, |_| true);
    let named = match found.iter().find(|known| known.plural == given.plural) {
        Some(named) => Some(named.clone()),
        None if found.is_empty() => assumed(client, given).await?,
        None => None,
    };
    let Some(named) = named else { return Err(not_found(client, given, &discovered, &found).await) };
    match ["create", "delete", "get"].into_iter().find(|verb| !named.offers(verb)) {
        None => Ok(named),
        Some(verb) => {
            let why = format!("this server does not offer {verb} for {}", named.plural);
            Err(TestError::new(format!("ask about {given}"), why))
        }
    }
}

/// Whether the schema of a kind, in a document of `OpenAPI` v3, lets its objects keep unknown fields.
fn is_open(document: &Value, kind: &str) -> bool {
    let schemas = document["components"]["schemas"].as_object();
    let of_kind = |schema: &&Value| {
        let kinds = schema["x-kubernetes-group-version-kind"].as_array();
        kinds.is_some_and(|kinds| kinds.iter().any(|one| one["kind"] == kind))
    };
    let mut found = schemas.into_iter().flat_map(|schemas| schemas.values()).filter(of_kind);
    found.any(|schema| schema["x-kubernetes-preserve-unknown-fields"] == true)
}

/// The type as the template has it, where discovery lists no type, but the server lists its objects.
async fn assumed(client: &Client, given: &SubjectSpec) -> Result<Option<Type>, TestError> {
    let resource = given.resource();
    let root = resource.root();
    let listed = patiently(client, Request::get(format!("{root}/{}", given.plural))).await?;
    let inside =
        patiently(client, Request::get(format!("{root}/namespaces/kube-assay/{}", given.plural))).await?;
    let kind = given.template.kind();
    Ok(kind.filter(|_| is_list(&listed)).map(|kind| Type {
        api_version: resource.api_version(),
        plural: given.plural.clone(),
        kind: kind.to_owned(),
        namespaced: is_list(&inside),
        verbs: VERBS.map(str::to_owned).to_vec(),
        subresources: vec!["status".to_owned()],
        assumed: true,
        ..Type::default()
    }))
}

fn is_list(response: &Exchange) -> bool {
    response.succeeded() && response.json().is_some_and(|json| json["items"].is_array())
}

/// Why the type is not there; or, where this is no Kubernetes API server at all, what is wrong with it.
async fn not_found(client: &Client, given: &SubjectSpec, discovered: &Exchange, found: &[Type]) -> TestError {
    if !matches!(discovered.status(), 200 | 404)
        && let Err(elsewhere) = client.target_info().await
    {
        return elsewhere;
    }
    let why = format!("{} does not serve it at {}", client.address(), given.resource().root());
    let there: Vec<&str> = found.iter().map(|known| known.plural.as_str()).take(MOST_NAMED).collect();
    let test_error = TestError::new(format!("ask about {given}"), why);
    if !there.is_empty() {
        return test_error.hint(client.redactor().redact(&format!("there are {}", there.join(", "))));
    }
    match ask(client, Request::get("/apis")).await {
        Ok(groups) => {
            let groups = super::group_names(&groups).collect::<Vec<_>>().join(", ");
            test_error.hint(client.redactor().redact(&format!("--subject can be of the groups {groups}")))
        }
        Err(_) => test_error.hint("is it the right address? look at /api and /apis for what there is"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_schema_that_keeps_unknown_fields_is_open_for_its_own_kind() {
        let open = "x-kubernetes-preserve-unknown-fields";
        let of = |kind: &str| json!([{ "group": "example.com", "version": "v1", "kind": kind }]);
        let document = json!({ "components": { "schemas": {
            "a": { "x-kubernetes-group-version-kind": of("Open"), open: true },
            "b": { "x-kubernetes-group-version-kind": of("Closed"), "properties": { "spec": { open: true } } },
            "c": { open: true },
        } } });
        assert!(is_open(&document, "Open"));
        assert!(!is_open(&document, "Closed") && !is_open(&document, "Other"));
        assert!(!is_open(&json!({ "paths": {} }), "Open"));
    }
}
