//! The names of groups, versions, resources and kinds in discovery.

use crate::api_resources;
use crate::prelude::*;

rows![
    kinds_group_name_dns_subdomain.own_kinds().read_only(),
    kinds_resource_name_lowercase_plural.own_kinds().read_only(),
    kinds_kind_name_camelcase.own_kinds().read_only(),
    kinds_kind_name_singular.own_kinds().read_only(),
    kinds_object_types_have_list_endpoint.own_kinds().read_only(),
];

/// Whether a text is a label as in the names of hosts: at most 63 small letters, digits and dashes within.
pub(super) fn is_label(text: &str) -> bool {
    let inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let ends = text.starts_with(inner) && text.ends_with(inner);
    ends && text.len() <= 63 && text.chars().all(|c| inner(c) || c == '-')
}

/// Whether a text is labels with dots between them.
fn is_subdomain(text: &str) -> bool {
    const LONGEST: usize = 253;
    text.len() <= LONGEST && text.split('.').all(is_label)
}

async fn kinds_group_name_dns_subdomain(cx: Context) -> Checked {
    let groups = cx.send(Request::get("/apis")).await?;

    groups.expect_status(&[200])?;
    for group in groups.json().and_then(|json| json["groups"].as_array()).into_iter().flatten() {
        let name = group["name"].as_str().unwrap_or_default();
        groups.expect(is_subdomain(name), "groups called by subdomains", group["name"].to_string())?;
        for version in group["versions"].as_array().into_iter().flatten() {
            let said = version["groupVersion"].as_str().unwrap_or_default();
            let of_group = said.split_once('/').is_some_and(|(group, _)| group == name);
            groups.expect(of_group, format!("versions of the group {name}"), said)?;
        }
    }
    Ok(())
}

/// What holds of a resource that is announced: what it should be, where it is not.
type Check = fn(&Value) -> Result<(), String>;

/// Every resource of Kubernetes' own that is announced is right.
async fn announced(cx: &Context, judge: Check) -> Checked {
    for (root, found) in api_resources::discovered(cx).await? {
        if api_resources::is_of_the_project(&root) {
            api_resources::resources(&found).try_for_each(|resource| right(&found, resource, judge))?;
        }
    }
    Ok(())
}

fn right(found: &Exchange, resource: &Value, judge: Check) -> Checked {
    judge(resource).map_err(|expected| found.fail(expected, resource.to_string()))
}

/// A text of a resource that is announced.
fn text<'a>(resource: &'a Value, field: &str) -> &'a str {
    resource[field].as_str().unwrap_or_default()
}

fn either(holds: bool, expected: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(expected.to_owned()) }
}

async fn kinds_resource_name_lowercase_plural(cx: Context) -> Checked {
    announced(&cx, is_plural).await
}

fn is_plural(resource: &Value) -> Result<(), String> {
    let small = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let name = text(resource, "name");
    let plain = name.split('/').all(|part| !part.is_empty() && part.chars().all(small));
    let plural = name.contains('/') || name.ends_with('s');
    either(plain && plural, "a name in small letters and digits, a plural unless it is that of a subresource")
}

async fn kinds_kind_name_camelcase(cx: Context) -> Checked {
    announced(&cx, is_camel_case).await
}

fn is_camel_case(resource: &Value) -> Result<(), String> {
    let kind = text(resource, "kind");
    let right =
        kind.starts_with(|c: char| c.is_ascii_uppercase()) && kind.chars().all(|c| c.is_ascii_alphanumeric());
    either(right, "a kind in CamelCase")
}

async fn kinds_kind_name_singular(cx: Context) -> Checked {
    announced(&cx, is_singular).await
}

fn is_singular(resource: &Value) -> Result<(), String> {
    let (name, kind, singular) =
        (text(resource, "name"), text(resource, "kind").to_lowercase(), text(resource, "singularName"));
    if name.contains('/') {
        return Ok(());
    }
    // One word is its own plural, and older than the rule.
    either(name != kind || name == "endpoints", "a kind that is no plural")?;
    either(
        singular.is_empty() || singular == kind,
        "the kind in small letters as singularName, if there is one",
    )
}

async fn kinds_object_types_have_list_endpoint(cx: Context) -> Checked {
    announced(&cx, is_listed).await
}

fn is_listed(resource: &Value) -> Result<(), String> {
    let can = |verb: &str| {
        resource["verbs"].as_array().is_some_and(|verbs| verbs.iter().any(|known| known == verb))
    };
    let part = text(resource, "name").contains('/');
    either(part || !can("get") || can("list"), "the verb list of what has the verb get")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn groups_are_told_by_their_form() {
        assert!(["apps", "a.b-c.d1", "x.k8s.io"].iter().all(|name| is_subdomain(name)));
        assert!(!["", "Apps", "a..b", "-a", "a.", "a_b"].iter().any(|name| is_subdomain(name)));
        assert!(is_label("a-1") && !is_label(&"a".repeat(64)));
    }

    #[test]
    fn resources_are_judged_by_their_names() {
        let one = |name: &str, kind: &str| json!({ "name": name, "kind": kind, "singularName": "", "verbs": ["get"] });
        assert_eq!(is_plural(&one("pods/status", "Pod")), Ok(()));
        assert!(is_plural(&one("configMap", "ConfigMap")).is_err());
        assert!(is_singular(&one("pods", "Pods")).is_err());
        assert_eq!(is_singular(&one("endpoints", "Endpoints")), Ok(()));
        assert!(is_camel_case(&one("pods", "pod")).is_err());
        assert!(is_listed(&one("pods", "Pod")).is_err());
        assert_eq!(is_listed(&one("pods/log", "Pod")), Ok(()));
    }
}
