//! The documents of groups and of their versions.

use std::collections::BTreeSet;

use super::listed::{self, Scope, each, text};
use super::{eventually, expect_kind, require_core};
use crate::api_resources::{self, LONGEST};
use crate::openapi;
use crate::prelude::*;
use crate::verbs::or_note;

rows![
    discovery_named_group_path.own_kinds().read_only(),
    discovery_disabled_version_404.own_kinds(),
    discovery_apis_lists_groups.own_kinds(),
    discovery_preferred_version_valid.own_kinds().read_only(),
    discovery_group_document.own_kinds().read_only(),
    discovery_api_root.own_kinds().read_only(),
    discovery_default_unaggregated.own_kinds().read_only(),
];

async fn discovery_named_group_path(cx: Context) -> Checked {
    let scope = Scope::new(&cx, None).await?;
    eventually(&cx, || async {
        let documents = scope.documents(&cx).await?;
        documents.iter().try_for_each(|(_, found)| expect_kind(found, "APIResourceList"))
    })
    .await
}

/// Versions that a group may have had, and one that none has.
const UNSERVED: [&str; 3] = ["v1alpha1", "v1beta1", "v999"];

async fn discovery_disabled_version_404(cx: Context) -> Checked {
    let mut paths = vec!["/api/v999".to_owned(), "/api/v999/namespaces".to_owned()];
    if let Some(editions) = or_note(&cx, cx.editions_resource().await)? {
        let unserved = format!("/apis/{}/v3alpha1", editions.group);
        paths.extend([format!("{unserved}/{}", editions.plural), unserved]);
    }
    for group in Scope::new(&cx, None).await?.groups(&cx).await? {
        let listed: Vec<_> = listed::versions(&group).collect();
        let unserved = UNSERVED.into_iter().filter(|version| !listed.contains(version));
        paths.extend(unserved.map(|version| format!("/apis/{}/{version}", text(&group, "name"))));
    }

    let responses =
        api_resources::send_for_each(&cx, paths, |path| Request::get(path.as_str()), Some(LONGEST));

    // A server may hide its paths from users without permission.
    let mut shown = responses.await?;
    shown.retain(|(_, response)| response.status() != 403);
    Halt::skip_unless(!shown.is_empty(), "the user of kube-assay may not read these paths")?;
    shown.iter().try_for_each(|(_, response)| response.expect_status(&[404]))
}

async fn discovery_apis_lists_groups(cx: Context) -> Checked {
    let of_project = |group: &&String| !group.is_empty() && openapi::is_of_the_project(group);
    let mut served: Vec<_> = cx.target_info().groups.iter().filter(of_project).cloned().collect();
    if let Some(gadgets) = or_note(&cx, cx.gadgets_resource().await)? {
        served.push(gadgets.group);
    }

    eventually(&cx, || async {
        for path in ["/apis", "/apis/"] {
            let listed = cx.send(Request::get(path)).await?;
            expect_kind(&listed, "APIGroupList")?;
            let names: BTreeSet<_> = listed::groups(&listed).map(|group| text(group, "name")).collect();
            for group in &served {
                let there = names.contains(group.as_str());
                listed.expect(there, format!("the group {group}"), format!("the groups {names:?}"))?;
            }
        }
        Ok(())
    })
    .await
}

async fn discovery_preferred_version_valid(cx: Context) -> Checked {
    let listed = cx.send(Request::get("/apis")).await?;

    expect_kind(&listed, "APIGroupList")?;
    for group in listed::groups(&listed) {
        let (versions, preferred) = (group_versions(group), preferred(group));
        let expected = format!("a preferred version of {} among {versions:?}", text(group, "name"));
        listed.expect(versions.contains(preferred), expected, format!("{preferred:?}"))?;
    }
    Ok(())
}

fn group_versions(group: &Value) -> BTreeSet<&str> {
    each(group, "versions").map(|version| text(version, "groupVersion")).collect()
}

fn preferred(group: &Value) -> &str {
    text(&group["preferredVersion"], "groupVersion")
}

async fn discovery_group_document(cx: Context) -> Checked {
    let scope = Scope::new(&cx, None).await?;
    eventually(&cx, || async {
        let groups = scope.groups(&cx).await?;
        let get = |group: &Value| Request::get(format!("/apis/{}", text(group, "name")));
        for (listed, found) in api_resources::send_for_each(&cx, groups, get, None).await? {
            expect_kind(&found, "APIGroup")?;
            let content = |group: &Value| {
                let name = text(group, "name");
                format!("{name} with versions {:?}, preferred: {}", group_versions(group), preferred(group))
            };
            let (expected, actual) = (content(&listed), found.json().map(content).unwrap_or_default());
            found.expect(actual == expected, format!("{expected}, as in /apis"), actual)?;
        }
        Ok(())
    })
    .await
}

async fn discovery_api_root(cx: Context) -> Checked {
    require_core(&cx)?;

    let root = cx.send(Request::get("/api")).await?;

    expect_kind(&root, "APIVersions")?;
    let versions = root.json().map(|json| json["versions"].clone()).unwrap_or_default();
    let listed = versions.as_array().is_some_and(|versions| versions.iter().any(|version| version == "v1"));
    root.expect(listed, "v1 among the versions", versions.to_string())
}

async fn discovery_default_unaggregated(cx: Context) -> Checked {
    let core = cx.target_info().serves("").then_some(("/api", "APIVersions"));
    for (path, kind) in [("/apis", "APIGroupList")].into_iter().chain(core) {
        // Without a header of the scenario, the HTTP library accepts everything as well.
        for request in [Request::get(path).accept("*/*"), Request::get(path)] {
            expect_kind(&*cx.send(request).await?, kind)?;
        }
    }
    Ok(())
}
