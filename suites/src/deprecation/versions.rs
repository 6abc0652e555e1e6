//! Versions of groups: their names, their order, and which ones a release serves.

use std::collections::BTreeSet;

use super::deprecated_api::{self, removal, replacement, texts, warned};
use super::releases::{ORDER, PREFERRED, Releases};
use crate::api_resources;
use crate::discovery::aggregated::{self, Aggregated};
use crate::discovery::{self, built_in, listed};
use crate::flags;
use crate::openapi;
use crate::prelude::*;
use crate::removed_apis::{DEPRECATED, require_minor};
use crate::verbs::or_note;

rows![
    deprecation_groups_independently_versioned.own_kinds().read_only(),
    deprecation_version_tracks.own_kinds().read_only(),
    deprecation_any_number_of_versions.own_kinds(),
    deprecation_preferred_version_listed.own_kinds().read_only(),
    deprecation_preferred_version_order.own_kinds(),
    deprecation_rule_3_beta_not_over_ga.own_kinds().read_only(),
    deprecation_rule_4a_ga.own_kinds().read_only(),
    deprecation_rule_4a_beta.own_kinds().read_only(),
    deprecation_resource_lives_until_version_ends.own_kinds().read_only(),
];

/// Stable versions, each with the minor that introduced it.
const STABLE: [(&str, u32); 23] = [
    ("v1", 0),
    ("admissionregistration.k8s.io/v1", 16),
    ("apiextensions.k8s.io/v1", 16),
    ("apiregistration.k8s.io/v1", 10),
    ("apps/v1", 9),
    ("authentication.k8s.io/v1", 6),
    ("authorization.k8s.io/v1", 6),
    ("autoscaling/v1", 3),
    ("autoscaling/v2", 23),
    ("batch/v1", 2),
    ("certificates.k8s.io/v1", 19),
    ("coordination.k8s.io/v1", 14),
    ("discovery.k8s.io/v1", 21),
    ("events.k8s.io/v1", 19),
    ("flowcontrol.apiserver.k8s.io/v1", 29),
    ("networking.k8s.io/v1", 7),
    ("node.k8s.io/v1", 20),
    ("policy/v1", 21),
    ("rbac.authorization.k8s.io/v1", 8),
    ("resource.k8s.io/v1", 34),
    ("scheduling.k8s.io/v1", 14),
    ("storage.k8s.io/v1", 6),
    ("storagemigration.k8s.io/v1", 37),
];

async fn deprecation_groups_independently_versioned(cx: Context) -> Checked {
    let named = cx.send(Request::get("/apis")).await?;
    for group in listed::groups(&named) {
        let name = listed::text(group, "name");
        for version in listed::each(group, "versions") {
            let (expected, actual) = (
                format!("{name}/{}", listed::text(version, "version")),
                listed::text(version, "groupVersion"),
            );
            named.expect(actual == expected, format!("groupVersion {expected}"), actual)?;
        }
    }
    for (_, group, version) in built_in(&cx).await? {
        let root = root(&group, &version);
        let document = cx.send(Request::get(&root)).await?;
        document.expect_status(&[200])?;
        let expected = api_version(&group, &version).into();
        document.expect_values(&[("/kind", "APIResourceList".into()), ("/groupVersion", expected)])?;
    }
    Ok(())
}

/// A version, as in objects.
fn api_version(group: &str, version: &str) -> String {
    if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") }
}

/// The path of the document of a version.
fn root(group: &str, version: &str) -> String {
    let api = if group.is_empty() { "api" } else { "apis" };
    format!("/{api}/{}", api_version(group, version))
}

async fn deprecation_version_tracks(cx: Context) -> Checked {
    discovery::expect_tracks(cx).await
}

async fn deprecation_any_number_of_versions(cx: Context, releases: Releases) -> Checked {
    expect_order(&cx, &releases).await?;
    for version in ORDER {
        discovery::eventually(&cx, || async {
            let list = cx.send(Request::get(releases.path(version, ""))).await?;
            list.expect_status(&[200])?;
            list.expect_value("/apiVersion", &releases.api_version(version).into())
        })
        .await?;
    }
    Ok(())
}

async fn deprecation_preferred_version_listed(cx: Context) -> Checked {
    let named = cx.send(Request::get("/apis")).await?;
    for group in listed::groups(&named) {
        let preferred = &group["preferredVersion"];
        let known = listed::each(group, "versions").any(|version| version == preferred);
        let expected = format!("a preferred version of {} among its versions", listed::text(group, "name"));
        named.expect(known, expected, preferred.to_string())?;
    }
    let aggregated = or_note(&cx, Aggregated::arrange(&cx).await)?;
    let custom = openapi::custom_groups(&cx).await?;
    let own = |group: &&Value| {
        let name = listed::text(group, "name");
        openapi::is_of_the_project(name) && !custom.contains(name)
    };
    for group in listed::groups(&named).filter(own) {
        let name = listed::text(group, "name");
        let document = cx.send(Request::get(format!("/apis/{name}"))).await?;
        document.expect_value("/preferredVersion", &group["preferredVersion"])?;
        if let Some(Aggregated(aggregated)) = &aggregated {
            let (expected, actual) = (names(group), aggregated_names(aggregated, name));
            aggregated.expect(
                actual == expected,
                format!("{name} with {expected:?}"),
                format!("{actual:?}"),
            )?;
        }
    }
    Ok(())
}

/// The names of the versions of a group, in its order.
fn names(group: &Value) -> Vec<&str> {
    listed::versions(group).collect()
}

/// The same in an aggregated document.
fn aggregated_names<'a>(document: &'a Exchange, group: &str) -> Vec<&'a str> {
    let items = aggregated::items(document).filter(|item| listed::text(&item["metadata"], "name") == group);
    items.flat_map(listed::versions).collect()
}

async fn deprecation_preferred_version_order(cx: Context, releases: Releases) -> Checked {
    expect_order(&cx, &releases).await?;
    let mut stable_before = true;
    let mut last = String::new();
    for (listed, group, version) in built_in(&cx).await? {
        let stable = !version.contains("alpha") && !version.contains("beta");
        let right = group != last || stable_before || !stable;
        listed.expect(
            right,
            format!("the stable {group}/{version} before beta and alpha"),
            "it comes after",
        )?;
        (last, stable_before) = (group, stable);
    }
    Ok(())
}

/// The group of the custom type lists all its versions in the order of preference, at once or soon.
async fn expect_order(cx: &Context, releases: &Releases) -> Checked {
    discovery::eventually(cx, || async {
        let document = cx.send(Request::get(releases.group_path())).await?;
        document.expect_status(&[200])?;
        let group = document.json().cloned().unwrap_or_default();
        document.expect(
            names(&group) == ORDER,
            format!("the versions {ORDER:?}"),
            format!("{:?}", names(&group)),
        )?;
        document.expect_value("/preferredVersion/version", &PREFERRED.into())
    })
    .await
}

async fn deprecation_rule_3_beta_not_over_ga(cx: Context) -> Checked {
    for (ty, list) in warned(&cx).await?.iter().filter(|(ty, _)| is_stable(ty.api_version())) {
        for text in texts(list) {
            let Some((version, _)) = replacement(&text).and_then(|replacement| replacement.split_once(' '))
            else {
                continue;
            };
            let (group, _) = version.split_once('/').unwrap_or(("", version));
            let right = group != ty.group() || is_stable(version);
            list.expect(right, format!("no beta version instead of {}", ty.api_version()), text.as_str())?;
        }
    }
    Ok(())
}

fn is_stable(api_version: &str) -> bool {
    let (_, version) = api_version.rsplit_once('/').unwrap_or(("", api_version));
    !version.contains("alpha") && !version.contains("beta")
}

async fn deprecation_rule_4a_ga(cx: Context) -> Checked {
    let minor = require_minor(&cx)?;
    let named = cx.send(Request::get("/apis")).await?;
    let served: BTreeSet<_> =
        built_in(&cx).await?.iter().map(|(_, group, version)| api_version(group, version)).collect();
    let expected = STABLE.iter().filter(|(_, since)| *since <= minor);
    for (version, _) in expected.filter(|(version, _)| !served.contains(*version)) {
        let (group, _) = version.split_once('/').unwrap_or_default();
        let failure = named.fail(format!("{version} until the major version ends"), "/apis does not list it");
        if discovery::is_whole_but(&cx, group) {
            return Err(flags::changed(&cx, "runtime-config", failure).await?);
        }
        cx.note(format!("{version} is not served, and this server is no whole kube-apiserver"));
    }
    for (_, api) in DEPRECATED {
        or_note(&cx, deprecated_api::list(&cx, *api).await)?;
    }
    Ok(())
}

async fn deprecation_rule_4a_beta(cx: Context) -> Checked {
    let minor = require_minor(&cx)?;
    let release = &cx.target_info().release;
    Halt::skip_unless(!release.contains("-alpha"), format!("{release} may serve what its release removes"))?;
    for (ty, list) in warned(&cx).await? {
        for text in texts(&list) {
            let in_time = removal(&text).is_none_or(|removed| removed > (1, minor));
            let expected =
                format!("no {} {} that 1.{minor} or an earlier release removes", ty.api_version(), ty.kind);
            list.expect(in_time, expected, text)?;
        }
    }
    Ok(())
}

async fn deprecation_resource_lives_until_version_ends(cx: Context) -> Checked {
    let core = cx.send(Request::get("/api/v1")).await?;
    Halt::skip_unless(core.succeeded(), "the server has no core group")?;
    // A server whose core group lacks other types as well is no kube-apiserver.
    let has_services = api_resources::resources(&core).any(|entry| entry["name"] == "services");
    let whole = has_services && discovery::is_whole_but(&cx, "");
    for (_, api) in DEPRECATED {
        if api_resources::resources(&core).any(|entry| entry["name"] == api.plural) {
            or_note(&cx, deprecated_api::list(&cx, *api).await)?;
        } else if whole {
            return Err(core.fail(format!("{} in /api/v1", api.plural), "discovery does not list it"));
        } else {
            cx.note(format!("the server has no {}", api.plural));
        }
    }
    for ty in api_resources::built_in(&cx).await?.iter().filter(|ty| !ty.is_core()) {
        let deprecated = DEPRECATED.iter().any(|(_, api)| api.kind == ty.kind);
        core.expect(!deprecated, format!("{} in v1 alone", ty.kind), format!("{} has it", ty.api_version()))?;
    }
    Ok(())
}
