//! The names of custom resource definitions.

use super::discovery::is_label;
use crate::api_resources;
use crate::definitions::{self, PLURAL};
use crate::deletion::expect_invalid;
use crate::prelude::*;

rows![
    kinds_group_name_dns_subdomain_crd.own_kinds(),
    kinds_single_word_groups_reserved.own_kinds(),
    kinds_k8s_io_groups_reserved.own_kinds(),
    kinds_version_name_dns_label.own_kinds(),
    kinds_short_names_in_discovery.own_kinds(),
    kinds_categories_in_discovery.own_kinds(),
];

async fn kinds_group_name_dns_subdomain_crd(cx: Context) -> Checked {
    let group = format!("Bad_{}", definitions::group(&cx, "group"));

    let refused = definitions::create(&cx, &definitions::body(&cx, &group)).await?;

    expect_invalid(&refused, "spec.group")
}

async fn kinds_single_word_groups_reserved(cx: Context) -> Checked {
    let refused = definitions::create(&cx, &definitions::body(&cx, &cx.own_name("word"))).await?;

    expect_invalid(&refused, "spec.group")
}

async fn kinds_k8s_io_groups_reserved(cx: Context) -> Checked {
    let group = format!("{}.k8s.io", cx.own_name("taken"));

    let refused = definitions::create(&cx, &definitions::body(&cx, &group)).await?;

    expect_invalid(&refused, "metadata.annotations")
}

async fn kinds_version_name_dns_label(cx: Context) -> Checked {
    for (root, found) in api_resources::discovered(&cx).await? {
        let (_, version) = api_resources::group_version(&root);
        let right = is_label(version) && version.starts_with(|c: char| c.is_ascii_lowercase());
        found.expect(right, "versions called by labels that begin with a letter", version)?;
    }
    let mut definition = definitions::body(&cx, &definitions::group(&cx, "version"));
    definition["spec"]["versions"][0]["name"] = "V_1".into();

    let refused = definitions::create(&cx, &definition).await?;

    expect_invalid(&refused, "spec.versions")
}

/// What is announced of a type with other names besides, as soon as it is.
async fn announced(cx: &Context, names: &str, given: &str) -> Result<Arc<Exchange>, Halt> {
    let group = definitions::group(cx, "names");
    let mut definition = definitions::body(cx, &group);
    definition["spec"]["names"][names] = json!([given]);
    definitions::serve(cx, &definition, &format!("/apis/{group}/v1/{PLURAL}")).await?;
    let found = cx.eventually(|| async {
        let found = cx.send(Request::get(format!("/apis/{group}/v1"))).await?;
        let known = api_resources::resources(&found).any(|resource| resource["name"] == PLURAL);
        Ok(known.then_some(found))
    });
    let why = "it is served, but not announced";
    found.await?.ok_or_else(|| cx.test_error(format!("find {PLURAL} of {group}"), why).into())
}

/// The type is announced with the other names that it was given.
async fn expect_announced(cx: &Context, names: &str, given: &str) -> Checked {
    let found = announced(cx, names, given).await?;
    let resource = api_resources::resources(&found).find(|resource| resource["name"] == PLURAL);
    let said = resource.map(|resource| resource[names].clone()).unwrap_or_default();
    found.expect(said == json!([given]), format!("{names}: [{given:?}]"), said.to_string())
}

/// All such names of all types are like this.
async fn expect_of_all(
    cx: &Context,
    names: &str,
    expected: &str,
    right: fn(&Value, &str) -> bool,
) -> Checked {
    for (_, found) in api_resources::discovered(cx).await? {
        for resource in api_resources::resources(&found).filter(|resource| resource.get(names).is_some()) {
            let list = resource[names].as_array();
            let all = |list: &Vec<Value>| {
                list.iter().all(|name| name.as_str().is_some_and(|name| right(resource, name)))
            };
            found.expect(list.is_some_and(all), expected, resource.to_string())?;
        }
    }
    Ok(())
}

async fn kinds_short_names_in_discovery(cx: Context) -> Checked {
    let right = |resource: &Value, name: &str| is_label(name) && resource["name"] != name;
    expect_of_all(&cx, "shortNames", "short names called by labels, other than the plural", right).await?;

    expect_announced(&cx, "shortNames", "assaytr").await
}

async fn kinds_categories_in_discovery(cx: Context) -> Checked {
    let right = |_: &Value, name: &str| !name.is_empty() && name.to_lowercase() == name;
    expect_of_all(&cx, "categories", "categories in small letters", right).await?;

    expect_announced(&cx, "categories", "assayed").await
}
