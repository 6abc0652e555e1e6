//! What is wrong with a kubeconfig, and would be passed over in silence.

use std::collections::BTreeSet;

use kube_client::config::{AuthInfo, Cluster, Kubeconfig};
use serde_json::Value;

use crate::kubeconfig_context::{cluster, context_named};
use crate::kubeconfig_types::check_types;

/// Finds what the `kube` crate would pass over in silence: kubectl refuses it, or kube-assay does not know it. The fields are
/// those of the kubeconfig as they are written.
pub(crate) fn check(
    kubeconfig: &Kubeconfig,
    fields: &Value,
    context_name: Option<&String>,
) -> Result<(), String> {
    check_types(fields)?;
    check_kind(kubeconfig)?;
    check_names(kubeconfig)?;
    let Some(context) = context_named(kubeconfig, context_name) else { return Ok(()) };
    let cluster = cluster(kubeconfig, context);
    cluster.map_or(Ok(()), check_authority)?;
    let Some(user) = context.user.as_deref() else { return Ok(()) };
    let Some(named) = kubeconfig.auth_infos.iter().find(|named| named.name == user) else {
        let name = context_name.or(kubeconfig.current_context.as_ref()).map_or("", String::as_str);
        return Err(format!("its context {name:?} names the user {user:?}, and there is none of that name"));
    };
    let Some(auth) = &named.auth_info else { return Ok(()) };
    check_methods(user, auth)?;
    check_impersonation(user, auth)?;
    check_plugin(user, auth)
}

/// Expects a kubeconfig, if it says what it is.
fn check_kind(kubeconfig: &Kubeconfig) -> Result<(), String> {
    let (kind, version) = (kubeconfig.kind.as_deref(), kubeconfig.api_version.as_deref());
    let is_config = kind.is_none_or(|kind| matches!(kind, "" | "Config"));
    if is_config && version.is_none_or(|version| matches!(version, "" | "v1")) {
        return Ok(());
    }
    let (kind, version) = (kind.unwrap_or_default(), version.unwrap_or_default());
    Err(format!("it is a {kind:?} of version {version:?}, and no Config of version v1"))
}

/// Expects each name once.
fn check_names(kubeconfig: &Kubeconfig) -> Result<(), String> {
    let Kubeconfig { clusters, contexts, auth_infos, .. } = kubeconfig;
    once("clusters", clusters.iter().map(|named| named.name.as_str()))?;
    once("contexts", contexts.iter().map(|named| named.name.as_str()))?;
    once("users", auth_infos.iter().map(|named| named.name.as_str()))
}

fn once<'a>(what: &str, mut names: impl Iterator<Item = &'a str>) -> Result<(), String> {
    let mut known = BTreeSet::new();
    match names.find(|name| !known.insert(*name)) {
        Some(twice) => Err(format!("it has two {what} with the name {twice:?}")),
        None => Ok(()),
    }
}

/// Expects an authority, or none to ask.
fn check_authority(cluster: &Cluster) -> Result<(), String> {
    let has_authority =
        cluster.certificate_authority.is_some() || cluster.certificate_authority_data.is_some();
    if has_authority && cluster.insecure_skip_tls_verify == Some(true) {
        let both = "a certificate authority and insecure-skip-tls-verify";
        return Err(format!("its cluster has {both}, and only one of them can be used"));
    }
    Ok(())
}

/// Expects a token or a password, not both, and a user name beside a password.
fn check_methods(user: &str, auth: &AuthInfo) -> Result<(), String> {
    let has_password = auth.username.is_some() || auth.password.is_some();
    if has_password && (auth.token.is_some() || auth.token_file.is_some()) {
        return Err(format!(
            "its user {user:?} has a token and a password, and only one of them can be used"
        ));
    }
    if auth.password.is_some() && auth.username.is_none() {
        return Err(format!("its user {user:?} has a password and no username"));
    }
    Ok(())
}

/// Expects whoever is impersonated to have a name.
fn check_impersonation(user: &str, auth: &AuthInfo) -> Result<(), String> {
    let has_groups = auth.impersonate_groups.as_ref().is_some_and(|groups| !groups.is_empty());
    let has_extra = auth.impersonate_user_extra.as_ref().is_some_and(|extra| !extra.is_empty());
    if auth.impersonate.is_none() && (auth.impersonate_uid.is_some() || has_groups || has_extra) {
        let fields = "as-uid, as-groups or as-user-extra";
        return Err(format!("its user {user:?} has {fields}, and no user to impersonate (as)"));
    }
    Ok(())
}

/// Expects the plugin of a user, if there is one, to speak a version that has been published; v1 must say whether it talks to a
/// person.
fn check_plugin(user: &str, auth: &AuthInfo) -> Result<(), String> {
    let Some(plugin) = &auth.exec else { return Ok(()) };
    match plugin.api_version.as_deref() {
        None | Some("") => Err(format!("the credential plugin of its user {user:?} has no apiVersion")),
        Some("client.authentication.k8s.io/v1") if plugin.interactive_mode.is_none() => {
            Err(format!("the credential plugin of its user {user:?} has no interactiveMode"))
        }
        Some("client.authentication.k8s.io/v1" | "client.authentication.k8s.io/v1beta1") => Ok(()),
        Some(other) => Err(format!(
            "the credential plugin of its user {user:?} has the apiVersion {other:?}, and kube-assay knows \
             client.authentication.k8s.io/v1 and v1beta1"
        )),
    }
}
