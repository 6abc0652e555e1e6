//! The rules of the deprecation guide beside its list of APIs.

use super::api::{Api, Removal, cluster, namespaced, removed, require_minor};
use super::gone::expect_gone;
use super::table::REMOVED;
use crate::api_resources;
use crate::discovery::aggregated::{Aggregated, media_type};
use crate::metrics::{Metrics, Sample};
use crate::openapi;
use crate::prelude::*;
use crate::unprivileged_user;
use crate::verbs::or_note;
use crate::warning;

rows![
    removed_apis_not_served_shape.own_kinds().read_only(),
    removed_apis_manifest_to_new_endpoint.own_kinds(),
    removed_apis_version_gate.own_kinds().read_only(),
    removed_apis_v129_alternative_flowcontrol_v1beta3.own_kinds(),
    removed_apis_v116_psp_interim.own_kinds(),
    removed_apis_v125_psp_no_replacement.own_kinds(),
    removed_apis_aggregated_discovery_v2beta1.own_kinds().read_only(),
    removed_apis_locate_use.own_kinds().read_only(),
];

/// A removed version of a group that exists, and a version of a group that is gone.
const NOT_SERVED: [Api; 2] = [
    namespaced("apps/v1beta1", "deployments", "Deployment"),
    namespaced("extensions/v1beta1", "deployments", "Deployment"),
];

async fn removed_apis_not_served_shape(cx: Context) -> Checked {
    require_minor(&cx)?;
    let [of_group, _] = NOT_SERVED;
    cx.send(Request::get(of_group.root())).await?.expect_status(&[404])?;
    for api in NOT_SERVED {
        let response = cx.send(Request::get(api.path())).await?;
        api.expect_permitted(&cx, "list", &response).await?;
        response.expect_status(&[404])?;
    }
    expect_authorization_first(&cx).await
}

/// A user without permission does not learn which APIs exist. The check needs impersonation and an authorizer.
async fn expect_authorization_first(cx: &Context) -> Checked {
    let served = Request::get("/api/v1/namespaces/default/configmaps").query("limit", 1);
    let Some(refused) = or_note(cx, unprivileged_user::is_refused(cx, served).await)? else { return Ok(()) };
    if refused.status() != 403 {
        cx.note(format!("a user without a role gets {}", refused.brief()));
        return Ok(());
    }
    for api in NOT_SERVED {
        let response = cx.send(unprivileged_user::sends(cx, Request::get(api.path()))).await?;
        response.expect_status(&[403])?;
    }
    Ok(())
}

async fn removed_apis_manifest_to_new_endpoint(cx: Context) -> Checked {
    let job = json!({ "spec": { "template": { "spec": {
        "restartPolicy": "Never", "containers": [{ "name": "a", "image": "registry.example.com/a:1" }],
    } } } });
    let manifests = [
        (
            namespaced("batch/v1", "cronjobs", "CronJob"),
            "batch/v1beta1",
            json!({ "schedule": "0 0 1 1 *", "jobTemplate": job }),
        ),
        (
            namespaced("networking.k8s.io/v1", "ingresses", "Ingress"),
            "extensions/v1beta1",
            json!({ "ingressClassName": "none" }),
        ),
    ];
    let mut sent = false;
    for (api, old, spec) in manifests {
        let Some(collection) = cx.collection_if_listed(api.resource()).await? else { continue };
        let mut manifest = api.body(NAME);
        manifest["apiVersion"] = old.into();
        manifest["spec"] = spec;
        let response = cx.send(Request::post(collection.path(), &manifest)).await?;
        api.expect_permitted(&cx, "create", &response).await?;
        response.expect_error(&[400], &["BadRequest"])?;
        sent = true;
    }
    Halt::skip_unless(sent, "discovery lists neither cronjobs nor ingresses")
}

async fn removed_apis_version_gate(cx: Context) -> Checked {
    let version = cx.send(Request::get("/version")).await?;
    let number = |field: &str| {
        let text = version.json()?[field].as_str()?;
        text.split(|c: char| !c.is_ascii_digit()).next()?.parse::<u32>().ok()
    };
    let Some(binary) = number("minor") else { return Err(Halt::skip("/version has no minor")) };
    let effective = number("emulationMinor").unwrap_or(binary);
    version.expect(
        effective <= binary,
        format!("an emulated minor up to {binary}"),
        effective.to_string(),
    )?;

    let groups = cx.send(Request::get("/apis")).await?;
    let listed = groups.text();
    for (_, removal) in REMOVED.iter().filter(|(_, removal)| removal.minor <= effective) {
        // Most versions are not there at all.
        if !listed.contains(&format!("\"{}\"", removal.api.version)) || removal.require_release(&cx).is_err()
        {
            continue;
        }
        let document = cx.send(Request::get(removal.api.root())).await?;
        let gone = removal.api.entry_in(&document).is_none();
        let expected = format!("no {}, which 1.{} removes", removal.api.name(), removal.minor);
        document.expect(gone, expected, format!("it is served, and /version says 1.{effective}"))?;
    }
    Ok(())
}

const V1BETA3: &str = "flowcontrol.apiserver.k8s.io/v1beta3";

async fn removed_apis_v129_alternative_flowcontrol_v1beta3(cx: Context) -> Checked {
    for api in [
        cluster(V1BETA3, "flowschemas", "FlowSchema"),
        cluster(V1BETA3, "prioritylevelconfigurations", "PriorityLevelConfiguration"),
    ] {
        expect_until(&cx, removed(29, 32, api)).await?;
    }
    Ok(())
}

async fn removed_apis_v116_psp_interim(cx: Context) -> Checked {
    expect_until(&cx, removed(21, 25, cluster("policy/v1beta1", "podsecuritypolicies", "PodSecurityPolicy")))
        .await
}

/// Minors before the removal list the API, the others do not serve it.
async fn expect_until(cx: &Context, removal: Removal) -> Checked {
    if require_minor(cx)? >= removal.minor {
        return expect_gone(cx, removal).await;
    }
    let document = cx.send(Request::get(removal.api.root())).await?;
    let why = || format!("discovery does not list {}", removal.api.name());
    cx.require_feature(removal.api.kind, removal.api.entry_in(&document).is_some(), why())
}

const POD_SECURITY_POLICY: &str = "PodSecurityPolicy";

async fn removed_apis_v125_psp_no_replacement(cx: Context) -> Checked {
    require_minor(&cx)?;
    let foreign = openapi::custom_groups(&cx).await?;
    for (root, document) in api_resources::discovered(&cx).await? {
        let (group, _) = api_resources::group_version(&root);
        if openapi::is_of_the_project(group) && !foreign.contains(group) {
            let listed =
                api_resources::resources(&document).any(|entry| entry["kind"] == POD_SECURITY_POLICY);
            document.expect(!listed, format!("no {POD_SECURITY_POLICY}"), format!("{root} lists it"))?;
        }
    }
    expect_no_policy_in_admission(&cx).await
}

/// No policy rejects a privileged Pod. Other admission may.
async fn expect_no_policy_in_admission(cx: &Context) -> Checked {
    let pods = Resource::core("pods", "Pod");
    if !cx.discovers(&pods).await? {
        return Ok(());
    }
    let container = json!({
        "name": "a", "image": "registry.example.com/a:1", "securityContext": { "privileged": true },
    });
    let pod = json!({
        "apiVersion": "v1", "kind": "Pod", "metadata": { "name": cx.own_name("privileged") },
        "spec": { "containers": [container] },
    });
    let path = format!("{}/namespaces/default/{}", pods.root(), pods.plural);
    let response = cx.send(Request::post(path, &pod).query("dryRun", "All")).await?;
    let by_policy = response.text().contains("PodSecurityPolicy: unable to");
    response.expect(!by_policy, "no rejection by a PodSecurityPolicy", response.brief())
}

async fn removed_apis_aggregated_discovery_v2beta1(cx: Context, Aggregated(v2): Aggregated) -> Checked {
    require_minor(&cx)?;
    let media = v2.header("content-type").unwrap_or_default();
    v2.expect(media.split(';').any(|part| part.trim() == "v=v2"), "Content-Type with v=v2", media)?;
    let beta = media_type("v2beta1");

    cx.send(Request::get("/apis").accept(&beta)).await?.expect_status(&[406])?;

    let plain = cx.send(Request::get("/apis").accept(&format!("{beta},application/json"))).await?;
    plain.expect_status(&[200])?;
    let kind = plain.json().map(|json| json["kind"].clone()).unwrap_or_default();
    plain.expect(kind == "APIGroupList", "an APIGroupList", kind.to_string())
}

const GAUGE: &str = "apiserver_requested_deprecated_apis";

async fn removed_apis_locate_use(cx: Context) -> Checked {
    let deprecated = Resource::core("componentstatuses", "ComponentStatus");
    cx.require_listed(&deprecated).await?;
    let path = format!("{}/{}", deprecated.root(), deprecated.plural);
    let used = cx.send(Request::get(path.as_str()).query("limit", 1)).await?;
    Halt::skip_unless(used.status() != 403, "the user of kube-assay may not list componentstatuses")?;
    warning::expect(&used, "deprecated")?;

    // Another server of the same address may have counted the request.
    let counted = cx.eventually(|| async {
        cx.send(Request::get(path.as_str()).query("limit", 1)).await?;
        let metrics = Metrics::read(&cx).await?;
        let is_counted = |sample: &Sample| sample.labels.get("resource") == Some(&deprecated.plural);
        let counts = metrics.samples(GAUGE).any(|sample| is_counted(&sample));
        Ok(counts.then_some(()))
    });
    let uncounted = || used.fail(format!("{GAUGE} of {} in /metrics", deprecated.plural), "no such metric");
    counted.await?.ok_or_else(uncounted)
}
