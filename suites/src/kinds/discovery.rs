//! The names of groups, versions, resources and kinds in discovery.

use crate::api_resources;
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    let own = vec![row!(kinds_group_name_dns_subdomain).own_kinds().read_only()];
    let names = table(NAMES, Kinds::Own, names_of_all_resources).into_iter().map(Row::read_only);
    own.into_iter().chain(names).collect()
}

/// Whether a text is a DNS label in lower case.
pub(super) fn is_label(text: &str) -> bool {
    let inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let ends = text.starts_with(inner) && text.ends_with(inner);
    ends && text.len() <= 63 && text.chars().all(|c| inner(c) || c == '-')
}

/// Whether a text is a DNS subdomain in lower case.
fn is_subdomain(text: &str) -> bool {
    const LONGEST: usize = 253;
    text.len() <= LONGEST && text.split('.').all(is_label)
}

async fn kinds_group_name_dns_subdomain(cx: Context) -> Checked {
    let groups = cx.send(Request::get("/apis")).await?;

    groups.expect_status(&[200])?;
    for group in groups.json().and_then(|json| json["groups"].as_array()).into_iter().flatten() {
        let name = group["name"].as_str().unwrap_or_default();
        groups.expect(
            is_subdomain(name),
            "a group name that is a DNS subdomain",
            group["name"].to_string(),
        )?;
        for version in group["versions"].as_array().into_iter().flatten() {
            let version = version["groupVersion"].as_str().unwrap_or_default();
            let of_group = version.split_once('/').is_some_and(|(group, _)| group == name);
            groups.expect(of_group, format!("a version of the group {name}"), version)?;
        }
    }
    Ok(())
}

/// A check of a listed resource; `Err` is the expectation.
type Check = fn(&Value) -> Result<(), String>;

#[rustfmt::skip]
const NAMES: &[(&str, Check)] = &[
    ("kinds-resource-name-lowercase-plural",  is_plural),
    ("kinds-kind-name-camelcase",             is_camel_case),
    ("kinds-kind-name-singular",              is_singular),
    ("kinds-object-types-have-list-endpoint", is_listed),
];

/// Checks every resource of Kubernetes' own groups that discovery lists.
async fn names_of_all_resources(cx: Context, check: Check) -> Checked {
    for (root, found) in api_resources::discovered(&cx).await? {
        for resource in api_resources::resources(&found).filter(|_| api_resources::is_of_the_project(&root)) {
            check(resource).map_err(|expected| found.fail(expected, resource.to_string()))?;
        }
    }
    Ok(())
}

/// A string field of a listed resource.
fn text<'a>(resource: &'a Value, field: &str) -> &'a str {
    resource[field].as_str().unwrap_or_default()
}

fn either(holds: bool, expected: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(expected.to_owned()) }
}

fn is_plural(resource: &Value) -> Result<(), String> {
    let small = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let name = text(resource, "name");
    let plain = name.split('/').all(|part| !part.is_empty() && part.chars().all(small));
    let plural = name.contains('/') || name.ends_with('s');
    either(plain && plural, "a plural name in lower-case letters and digits, or the name of a subresource")
}

fn is_camel_case(resource: &Value) -> Result<(), String> {
    let kind = text(resource, "kind");
    let right =
        kind.starts_with(|c: char| c.is_ascii_uppercase()) && kind.chars().all(|c| c.is_ascii_alphanumeric());
    either(right, "a kind in CamelCase")
}

fn is_singular(resource: &Value) -> Result<(), String> {
    let (name, kind, singular) =
        (text(resource, "name"), text(resource, "kind").to_lowercase(), text(resource, "singularName"));
    if name.contains('/') {
        return Ok(());
    }
    // The kind Endpoints is older than the rule.
    either(name != kind || name == "endpoints", "a singular kind")?;
    either(singular.is_empty() || singular == kind, "no singularName, or the kind in lower case")
}

fn is_listed(resource: &Value) -> Result<(), String> {
    let can = |verb: &str| {
        resource["verbs"].as_array().is_some_and(|verbs| verbs.iter().any(|known| known == verb))
    };
    let part = text(resource, "name").contains('/');
    either(part || !can("get") || can("list"), "the verb list of a resource with the verb get")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn group_names_are_subdomains() {
        assert!(["apps", "a.b-c.d1", "x.k8s.io"].iter().all(|name| is_subdomain(name)));
        assert!(!["", "Apps", "a..b", "-a", "a.", "a_b"].iter().any(|name| is_subdomain(name)));
        assert!(is_label("a-1") && !is_label(&"a".repeat(64)));
    }

    #[test]
    fn resources_are_checked_by_their_names() {
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
