//! A context of a kubeconfig, and its cluster.

use kube_client::config::{Cluster, Context, Kubeconfig};

/// The context with this name, or the current one.
pub(crate) fn context_named<'a>(kubeconfig: &'a Kubeconfig, name: Option<&String>) -> Option<&'a Context> {
    let name = name.or(kubeconfig.current_context.as_ref())?;
    kubeconfig.contexts.iter().find(|named| named.name == *name)?.context.as_ref()
}

/// The cluster of a context.
pub(crate) fn cluster<'a>(kubeconfig: &'a Kubeconfig, context: &Context) -> Option<&'a Cluster> {
    kubeconfig.clusters.iter().find(|named| named.name == context.cluster)?.cluster.as_ref()
}
