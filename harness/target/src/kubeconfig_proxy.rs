//! The proxies of a kubeconfig and of the environment: kube-assay uses none.

use kube_client::Config;
use kube_client::config::{KubeConfigOptions, Kubeconfig, KubeconfigError};

use crate::kubeconfig_context::{cluster, context_named};

/// A valid URL in the place of a proxy's.
const NONE: &str = "http://none";

/// Whether kubectl would reach a context's cluster through a proxy.
pub(crate) fn has_proxy(kubeconfig: &Kubeconfig, context: Option<&String>) -> bool {
    let cluster = context_named(kubeconfig, context).and_then(|context| cluster(kubeconfig, context));
    cluster.is_some_and(|cluster| cluster.proxy_url.is_some())
}

/// The configuration of a context, without a proxy. For a cluster that has none, the `kube` crate would read the proxy of the
/// environment, and refuse one that is no URL.
pub(crate) async fn without_proxy(
    mut kubeconfig: Kubeconfig,
    options: &KubeConfigOptions,
) -> Result<Config, KubeconfigError> {
    for cluster in kubeconfig.clusters.iter_mut().filter_map(|named| named.cluster.as_mut()) {
        cluster.proxy_url = Some(NONE.to_owned());
    }
    let mut config = Config::from_custom_kubeconfig(kubeconfig, options).await?;
    config.proxy_url = None;
    if let Some(cluster) = config.auth_info.exec.as_mut().and_then(|exec| exec.cluster.as_mut()) {
        cluster.proxy_url = None;
    }
    Ok(config)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KUBECONFIG: &str = "current-context: c
contexts: [{name: c, context: {cluster: k, user: u}}]
clusters: [{name: k, cluster: {server: 'https://127.0.0.1:6443'}}]
users: [{name: u, user: {exec: {command: c, provideClusterInfo: true}}}]
";

    #[tokio::test]
    async fn neither_we_nor_a_plugin_get_a_proxy() {
        let kubeconfig = Kubeconfig::from_yaml(KUBECONFIG).unwrap();
        assert!(!has_proxy(&kubeconfig, None));
        let config = without_proxy(kubeconfig, &KubeConfigOptions::default()).await.unwrap();
        let of_plugin = config.auth_info.exec.and_then(|exec| exec.cluster).unwrap();
        assert_eq!((config.proxy_url, of_plugin.proxy_url), (None, None));
    }
}
