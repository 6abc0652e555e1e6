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

/// The response to the create of a definition in this group.
async fn create_in(cx: &Context, group: &str) -> Result<Arc<Exchange>, Halt> {
    definitions::create(cx, &definitions::body(cx, group)).await
}

async fn kinds_group_name_dns_subdomain_crd(cx: Context) -> Checked {
    let group = format!("Bad_{}", definitions::group(&cx, "group"));

    expect_invalid(&*create_in(&cx, &group).await?, "spec.group")
}

async fn kinds_single_word_groups_reserved(cx: Context) -> Checked {
    expect_invalid(&*create_in(&cx, &cx.own_name("word")).await?, "spec.group")
}

async fn kinds_k8s_io_groups_reserved(cx: Context) -> Checked {
    let group = format!("{}.k8s.io", cx.own_name("taken"));

    expect_invalid(&*create_in(&cx, &group).await?, "metadata.annotations")
}

async fn kinds_version_name_dns_label(cx: Context) -> Checked {
    for (root, found) in api_resources::discovered(&cx).await? {
        let (_, version) = api_resources::group_version(&root);
        let right = is_label(version) && version.starts_with(|c: char| c.is_ascii_lowercase());
        found.expect(right, "a version name that is a DNS label and begins with a letter", version)?;
    }
    let mut definition = definitions::body(&cx, &definitions::group(&cx, "version"));
    definition["spec"]["versions"][0]["name"] = "V_1".into();

    let refused = definitions::create(&cx, &definition).await?;

    expect_invalid(&refused, "spec.versions")
}

/// The discovery document with a new type that has a further name.
async fn discovery(cx: &Context, names: &str, name: &str) -> Result<Arc<Exchange>, Halt> {
    let group = definitions::group(cx, "names");
    let mut definition = definitions::body(cx, &group);
    definition["spec"]["names"][names] = json!([name]);
    definitions::serve(cx, &definition, &format!("/apis/{group}/v1/{PLURAL}")).await?;
    let found = cx.eventually(|| async {
        let found = cx.send(Request::get(format!("/apis/{group}/v1"))).await?;
        let known = api_resources::resources(&found).any(|resource| resource["name"] == PLURAL);
        Ok(known.then_some(found))
    });
    let cause = "discovery does not list the served type";
    found.await?.ok_or_else(|| cx.test_error(format!("discover {PLURAL} of {group}"), cause).into())
}

/// Discovery lists the type with its further name.
async fn expect_discovered(cx: &Context, names: &str, name: &str) -> Checked {
    let found = discovery(cx, names, name).await?;
    let resource = api_resources::resources(&found).find(|resource| resource["name"] == PLURAL);
    let listed = resource.map(|resource| resource[names].clone()).unwrap_or_default();
    found.expect(listed == json!([name]), format!("{names}: [{name:?}]"), listed.to_string())
}

/// The further names of all types keep a rule.
async fn expect_of_all(
    cx: &Context,
    names: &str,
    expected: &str,
    right: fn(&Value, &str) -> bool,
) -> Checked {
    for (_, found) in api_resources::discovered(cx).await? {
        for resource in api_resources::resources(&found).filter(|resource| resource.get(names).is_some()) {
            let keeps = |name: &Value| name.as_str().is_some_and(|name| right(resource, name));
            let all = resource[names].as_array().is_some_and(|names| names.iter().all(keeps));
            found.expect(all, expected, resource.to_string())?;
        }
    }
    Ok(())
}

async fn kinds_short_names_in_discovery(cx: Context) -> Checked {
    let right = |resource: &Value, name: &str| is_label(name) && resource["name"] != name;
    expect_of_all(&cx, "shortNames", "short names that are DNS labels, other than the plural", right).await?;

    expect_discovered(&cx, "shortNames", "assaytr").await
}

async fn kinds_categories_in_discovery(cx: Context) -> Checked {
    let right = |_: &Value, name: &str| !name.is_empty() && name.to_lowercase() == name;
    expect_of_all(&cx, "categories", "categories in lower case", right).await?;

    expect_discovered(&cx, "categories", "assayed").await
}
