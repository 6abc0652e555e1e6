//! The groups and versions of a server in its default configuration.
//!
//! Only the operator knows the configuration, or `/flagz` shows it. On other servers a deviation is no failure.

use super::version_names::built_in;
use crate::flags;
use crate::prelude::*;

rows![
    discovery_alpha_off_by_default.own_kinds().read_only(),
    discovery_beta_off_by_default.own_kinds().read_only(),
    discovery_defaults_enabled.own_kinds().read_only(),
];

/// Beta versions of APIs from before 1.22 that later servers still serve by default.
const OLD_BETA_GROUPS: [&str; 8] = [
    "autoscaling",
    "batch",
    "discovery.k8s.io",
    "events.k8s.io",
    "flowcontrol.apiserver.k8s.io",
    "node.k8s.io",
    "policy",
    "storage.k8s.io",
];

/// Groups that every kube-apiserver serves by default.
const STABLE_GROUPS: [&str; 11] = [
    "",
    "admissionregistration.k8s.io",
    "apiextensions.k8s.io",
    "apiregistration.k8s.io",
    "apps",
    "authorization.k8s.io",
    "batch",
    "coordination.k8s.io",
    "events.k8s.io",
    "policy",
    "rbac.authorization.k8s.io",
];

async fn discovery_alpha_off_by_default(cx: Context) -> Checked {
    expect_off(&cx, "alpha", |_| true).await
}

async fn discovery_beta_off_by_default(cx: Context) -> Checked {
    expect_off(&cx, "beta", |group| !OLD_BETA_GROUPS.contains(&group)).await
}

/// Whether the server is a whole kube-apiserver, with or without this group. Other servers may lack any API.
pub(crate) fn is_whole_but(cx: &Context, group: &str) -> bool {
    let info = cx.target_info();
    let has_groups = STABLE_GROUPS.iter().all(|stable| *stable == group || info.serves(stable));
    has_groups && info.has_namespaces()
}

/// No built-in version of these groups has this word in its name.
async fn expect_off(cx: &Context, word: &str, concerns: fn(&str) -> bool) -> Checked {
    for (listed, group, version) in built_in(cx).await? {
        if version.contains(word) && concerns(&group) {
            let expected = format!("no built-in {word} version by default");
            return Err(deviation(cx, &listed, expected, format!("{group}/{version} is served")).await?);
        }
    }
    Ok(())
}

async fn discovery_defaults_enabled(cx: Context) -> Checked {
    let versions = built_in(&cx).await?;
    for expected in STABLE_GROUPS {
        if !versions.iter().any(|(_, group, _)| group == expected) {
            let (listed, ..) = &versions[versions.len() - 1];
            let name = if expected.is_empty() { "the core group" } else { expected };
            let actual = format!("{name} is not served");
            return Err(deviation(&cx, listed, format!("{name} by default"), actual).await?);
        }
    }
    Ok(())
}

/// A failure if the server has its default configuration; otherwise a reason to skip.
async fn deviation(cx: &Context, listed: &Exchange, expected: String, actual: String) -> Result<Halt, Halt> {
    flags::deviation(cx, "runtime-config", listed.fail(expected, actual)).await
}
