//! The aggregated documents, against the documents of groups and versions.

use std::collections::BTreeMap;

use super::listed::{Scope, aggregated_resources, each, expect_same, text, versions};
use super::{custom_type, eventually, expect_kind, require_core};
use crate::definitions::{self, PLURAL};
use crate::prelude::*;
use crate::verbs::or_note;

rows![
    discovery_aggregated_apis
        .own_kinds()
        .also("discovery-aggregated-response-kind")
        .also("discovery-aggregated-names"),
    discovery_aggregated_api.own_kinds().read_only(),
    discovery_aggregated_version_order.own_kinds(),
    discovery_aggregated_subresources_nested.own_kinds(),
    discovery_aggregated_crd_appears.own_kinds().also("discovery-aggregated-etag"),
    discovery_aggregated_freshness.own_kinds().read_only(),
];

/// The kind of aggregated documents.
pub(super) const KIND: &str = "APIGroupDiscoveryList";

/// The media type of aggregated documents in a version.
pub(crate) fn media_type(version: &str) -> String {
    format!("application/json;g=apidiscovery.k8s.io;v={version};as={KIND}")
}

/// A get of an aggregated document; not yet sent.
pub(crate) fn get(path: &str) -> Request {
    Request::get(path).accept(&media_type("v2"))
}

/// Whether a response is an aggregated document.
pub(super) fn is_aggregated(response: &Exchange) -> bool {
    response.succeeded() && response.json().is_some_and(|json| json["kind"] == KIND)
}

/// The aggregated document of all groups. Skips where the server has none.
pub(crate) struct Aggregated(pub(crate) Arc<Exchange>);

impl Fixture for Aggregated {
    async fn arrange(cx: &Context) -> Result<Self, Halt> {
        let response = cx.send(get("/apis")).await?;
        if is_aggregated(&response) {
            return Ok(Self(response));
        }
        // An older server refuses the media type, or does not read its parameters.
        let plain = response.json().is_some_and(|json| json["kind"] == "APIGroupList");
        if plain || [404, 406].contains(&response.status()) {
            return Err(cx.lacks("AggregatedDiscovery", format!("GET /apis returns {}", response.brief())));
        }
        Err(expect_kind(&response, KIND).err().unwrap_or_else(|| response.fail(KIND, response.brief())))
    }
}

/// The groups of an aggregated document.
pub(crate) fn items(document: &Exchange) -> impl Iterator<Item = &Value> {
    document.json().into_iter().flat_map(|json| each(json, "items"))
}

/// The versions of an aggregated document, by names such as `apps/v1`.
pub(crate) fn all_versions(document: &Exchange) -> BTreeMap<(&str, &str), &Value> {
    let versions = items(document).flat_map(|item| {
        let group = text(&item["metadata"], "name");
        each(item, "versions").map(move |version| ((group, text(version, "version")), version))
    });
    versions.collect()
}

async fn discovery_aggregated_apis(cx: Context) -> Checked {
    let aggregated = match Aggregated::arrange(&cx).await {
        Err(Halt::Skipped(_)) if is_aggregated(&*cx.send(get("/api")).await?) => {
            cx.send(get("/apis")).await?
        }
        arranged => arranged?.0,
    };
    expect_kind(&aggregated, KIND)?;
    let custom_type = custom_type(&cx).await?;
    let scope = Scope::new(&cx, custom_type.as_ref()).await?;
    eventually(&cx, || expect_agreement(&cx, &scope)).await
}

/// The aggregated document has the versions and resources of the documents of all groups.
async fn expect_agreement(cx: &Context, scope: &Scope) -> Checked {
    let (documents, aggregated) = (scope.documents(cx).await?, cx.send(get("/apis")).await?);
    let mut versions = all_versions(&aggregated);
    versions.retain(|(group, version), _| scope.includes(group, version));
    for (root, found) in documents.iter().filter(|(root, _)| root.starts_with("/apis/")) {
        let key = crate::api_resources::group_version(root);
        let missing = || aggregated.fail(format!("the version {}/{}", key.0, key.1), "no such version");
        expect_same(&aggregated, versions.remove(&key).ok_or_else(missing)?, found)?;
    }
    let none = versions.is_empty();
    aggregated.expect(none, "no version that /apis omits", format!("{:?}", versions.keys()))?;
    expect_same_in_beta(cx, &aggregated).await
}

/// The beta form, where the server has it, has the same content.
async fn expect_same_in_beta(cx: &Context, aggregated: &Exchange) -> Checked {
    let beta = cx.send(Request::get("/apis").accept(&media_type("v2beta1"))).await?;
    if !is_aggregated(&beta) {
        return Ok(());
    }
    let content = |document: &Exchange| -> BTreeMap<_, _> {
        let named = |((group, version), found): ((&str, &str), &Value)| {
            (format!("{group}/{version}"), aggregated_resources((group, version), found))
        };
        all_versions(document).into_iter().map(named).collect()
    };
    beta.expect(content(&beta) == content(aggregated), "the versions and resources of v2", beta.brief())
}

async fn discovery_aggregated_api(cx: Context, _: Aggregated) -> Checked {
    require_core(&cx)?;

    let aggregated = cx.send(get("/api")).await?;

    expect_kind(&aggregated, KIND)?;
    let groups: Vec<_> = items(&aggregated).map(|item| text(&item["metadata"], "name")).collect();
    aggregated.expect(groups == [""], "one group without a name", format!("{groups:?}"))?;
    let versions = all_versions(&aggregated);
    let core =
        versions.get(&("", "v1")).ok_or_else(|| aggregated.fail("the version v1", "no such version"))?;
    expect_same(&aggregated, core, &*cx.send(Request::get("/api/v1")).await?)
}

async fn discovery_aggregated_version_order(cx: Context, _: Aggregated) -> Checked {
    let custom_type = or_note(&cx, cx.editions_resource().await)?;
    let scope = Scope::new(&cx, custom_type.as_ref()).await?;
    eventually(&cx, || async {
        let (groups, aggregated) = (scope.groups(&cx).await?, cx.send(get("/apis")).await?);
        for item in items(&aggregated) {
            let name = text(&item["metadata"], "name");
            let Some(group) = groups.iter().find(|group| text(group, "name") == name) else { continue };
            let preferred = text(&group["preferredVersion"], "version");
            let order: Vec<_> = versions(item).collect();
            let expected = format!("{preferred} as the first version of {name}");
            aggregated.expect(order.first() == Some(&preferred), expected, format!("{order:?}"))?;
        }
        Ok(())
    })
    .await
}

async fn discovery_aggregated_subresources_nested(cx: Context, _: Aggregated) -> Checked {
    let gadgets = custom_type(&cx).await?;
    let core = if cx.target_info().serves("") { Some(cx.send(get("/api")).await?) } else { None };
    core.iter().try_for_each(|core| expect_no_slash(core))?;
    eventually(&cx, || async {
        let aggregated = cx.send(get("/apis")).await?;
        expect_no_slash(&aggregated)?;
        let Some(gadgets) = &gadgets else { return Ok(()) };
        let of = (gadgets.group.as_str(), gadgets.version.as_str());
        let version = all_versions(&aggregated).remove(&of);
        let names = version.map(|version| aggregated_resources(of, version)).unwrap_or_default();
        let status = format!("{}/status", gadgets.plural);
        let expected = format!("the subresource {status} of {}", gadgets.group);
        aggregated.expect(names.contains_key(&status), expected, format!("{:?}", names.keys()))
    })
    .await
}

/// No resource has the name of a subresource.
fn expect_no_slash(aggregated: &Exchange) -> Checked {
    let versions = all_versions(aggregated).into_values();
    let mut names = versions.flat_map(|version| each(version, "resources")).map(|one| text(one, "resource"));
    let slash = names.find(|name| name.contains('/'));
    aggregated.expect(slash.is_none(), "names of resources without a slash", slash.unwrap_or_default())
}

async fn discovery_aggregated_crd_appears(cx: Context, Aggregated(before): Aggregated) -> Checked {
    let group = definitions::group(&cx, "appears");
    let definition = definitions::body(&cx, &group);
    definitions::serve(&cx, &definition, &format!("/apis/{group}/v1/{PLURAL}")).await?;

    eventually(&cx, || async {
        let aggregated = cx.send(get("/apis")).await?;
        let of = (group.as_str(), "v1");
        let version = all_versions(&aggregated).remove(&of);
        let there = version.is_some_and(|version| aggregated_resources(of, version).contains_key(PLURAL));
        aggregated.expect(there, format!("{PLURAL} in {group}/v1"), "no such resource")
    })
    .await?;
    if let Some(etag) = before.header("etag") {
        let conditional = cx.send(get("/apis").header("if-none-match", etag)).await?;
        let another = conditional.status() == 200 && conditional.header("etag") != Some(etag);
        let actual = format!("HTTP {} and ETag {:?}", conditional.status(), conditional.header("etag"));
        conditional.expect(another, format!("HTTP 200 and another ETag than {etag}"), actual)?;
    }
    cx.send(Request::delete(definitions::path(&definition))).await?.written()?;
    expect_gone(&cx, &group).await
}

/// The documents of all groups do not list a group.
async fn expect_gone(cx: &Context, group: &str) -> Checked {
    eventually(cx, || async {
        let (aggregated, listed) = (cx.send(get("/apis")).await?, cx.send(Request::get("/apis")).await?);
        let mut known = items(&aggregated).map(|item| text(&item["metadata"], "name"));
        aggregated.expect(!known.any(|name| name == group), format!("no group {group}"), group)?;
        let mut known = super::listed::groups(&listed).map(|item| text(item, "name"));
        listed.expect(!known.any(|name| name == group), format!("no group {group}"), group)
    })
    .await
}

async fn discovery_aggregated_freshness(cx: Context, _: Aggregated) -> Checked {
    let scope = Scope::new(&cx, None).await?;
    eventually(&cx, || async {
        let aggregated = cx.send(get("/apis")).await?;
        for ((group, version), found) in all_versions(&aggregated) {
            let freshness = text(found, "freshness");
            // The documents of other servers may be stale.
            let right = freshness == "Current" || (freshness == "Stale" && !scope.includes(group, version));
            aggregated.expect(right, format!("{group}/{version} as Current"), format!("{freshness:?}"))?;
        }
        Ok(())
    })
    .await
}
