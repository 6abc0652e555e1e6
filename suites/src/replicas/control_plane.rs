//! What the servers of a control plane share besides stored objects: namespaces, permissions, keys, discovery.

use std::collections::BTreeSet;

use harness::GROUP;

use super::servers::numbers;
use crate::prelude::*;
use crate::restricted_user::User;

rows![
    replicas_namespace_at_once.own_kinds(),
    replicas_discovery_equal.own_kinds().read_only(),
    replicas_permission_everywhere.own_kinds(),
    replicas_token_everywhere.own_kinds(),
];

async fn replicas_namespace_at_once(cx: Context) -> Checked {
    cx.needs_namespaces()?;
    let configmaps = cx.configmaps().await?;
    for server in numbers(&cx) {
        let other = (server + 1) % (numbers(&cx).end() + 1);
        let namespace = cx.through(server).another_namespace().await?;
        let there = configmaps.within(&namespace).through(other);
        let created = there.context().send(Request::post(there.path(), &there.body("a", "first"))).await?;
        created.expect_status(&[201])?;
    }
    Ok(())
}

async fn replicas_discovery_equal(cx: Context) -> Checked {
    let target = cx.send(Request::get("/version")).await?;
    for server in numbers(&cx).skip(1) {
        let through = cx.through(server);
        let version = through.send(Request::get("/version")).await?;
        if version.json() != target.json() {
            cx.note(format!("replica {server} has another version, and may serve other APIs"));
            continue;
        }
        crate::discovery::eventually(&cx, || async {
            let expected = group_versions(&*cx.send(Request::get("/apis")).await?);
            let listed = through.send(Request::get("/apis")).await?;
            let actual = group_versions(&listed);
            let difference: Vec<_> = expected.symmetric_difference(&actual).cloned().collect();
            listed.expect(difference.is_empty(), "the group versions of the target", difference.join(", "))
        })
        .await?;
        for group_version in group_versions(&*cx.send(Request::get("/apis")).await?) {
            expect_same_resources(&cx, &through, &group_version).await?;
        }
    }
    Ok(())
}

/// The group versions that a server lists, without those that the run itself defines.
fn group_versions(listed: &Exchange) -> BTreeSet<String> {
    let json = listed.json().cloned().unwrap_or_default();
    let groups = json["groups"].as_array().into_iter().flatten();
    let versions = groups.flat_map(|group| group["versions"].as_array().cloned().unwrap_or_default());
    let names = versions.filter_map(|version| version["groupVersion"].as_str().map(str::to_owned));
    names.filter(|name| !name.contains(GROUP)).collect()
}

/// Both servers list the same resources with the same verbs.
async fn expect_same_resources(cx: &Context, other: &Context, group_version: &str) -> Checked {
    let path = format!("/apis/{group_version}");
    crate::discovery::eventually(cx, || async {
        let expected = resources(&*cx.send(Request::get(&path)).await?);
        let listed = other.send(Request::get(&path)).await?;
        let actual = resources(&listed);
        let difference: Vec<_> = expected.symmetric_difference(&actual).cloned().collect();
        listed.expect(difference.is_empty(), "the resources of the target", difference.join(", "))
    })
    .await
}

/// The resources of a group version, each with its verbs.
fn resources(listed: &Exchange) -> BTreeSet<String> {
    let json = listed.json().cloned().unwrap_or_default();
    let resources = json["resources"].as_array().into_iter().flatten();
    let text = |one: &Value| format!("{} {} {}", one["name"], one["namespaced"], one["verbs"]);
    resources.map(text).collect()
}

async fn replicas_permission_everywhere(cx: Context) -> Checked {
    let configmaps = cx.configmaps().await?;
    let user = User::with_verbs(&cx, &configmaps, "reader", &["list"]).await?;
    user.wait_for_grant(&cx, || Request::get(configmaps.path())).await?;
    for server in numbers(&cx) {
        let allowed = || Request::get(configmaps.path());
        user.send_until_allowed(&cx.through(server), allowed).await?.expect_status(&[200])?;
    }
    Ok(())
}

/// The account of the token.
const ACCOUNT: &str = "client";

async fn replicas_token_everywhere(cx: Context) -> Checked {
    let reviews = Resource::of("authentication.k8s.io", "v1", "tokenreviews", "TokenReview");
    cx.require_listed(&reviews).await?;
    let accounts = cx.collection(Resource::core("serviceaccounts", "ServiceAccount")).await?;
    let account = json!({ "apiVersion": "v1", "kind": "ServiceAccount", "metadata": { "name": ACCOUNT } });
    accounts.create_body(&account).await?;
    for server in numbers(&cx) {
        let path = format!("{}/token", accounts.path_of(ACCOUNT));
        let kind = |kind: &str, spec: Value| json!({ "apiVersion": "authentication.k8s.io/v1", "kind": kind, "spec": spec });
        let request = kind("TokenRequest", json!({ "expirationSeconds": 3600 }));
        let issued = cx.through(server).send(Request::post(path, &request)).await?;
        if !issued.succeeded() {
            return Err(cx.lacks("ServiceAccountTokens", format!("a TokenRequest gets {}", issued.brief())));
        }
        let token = issued.json().map(|json| json["status"]["token"].clone()).unwrap_or_default();

        for other in numbers(&cx).filter(|other| *other != server) {
            let review = kind("TokenReview", json!({ "token": token }));
            let review = Request::post(format!("{}/tokenreviews", reviews.root()), &review);
            let reviewed = cx.through(other).send(review).await?;
            reviewed.expect_status(&[201])?;
            reviewed.expect_value("/status/authenticated", &true.into())?;
        }
    }
    Ok(())
}
