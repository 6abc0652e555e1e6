//! The target of a command line.

use harness::{Access, Flags, Source, TestError};

use crate::called::NAME;
use crate::cli::TargetArgs;
use crate::proxy;

/// Address and credentials; `None` if the command line names no target.
pub(crate) async fn named(args: &TargetArgs) -> Option<Result<Access, TestError>> {
    let source = if let Some(path) = &args.kubeconfig {
        Source::Kubeconfig { path: path.clone(), context: args.context.clone() }
    } else if args.in_cluster {
        Source::InCluster
    } else {
        flags(args)?.into()
    };
    Some(Access::load(source).await.inspect(proxy::remark_unused))
}

/// Users of kubectl mean a cluster: without a target the plugin runs nothing, instead of testing the embedded server.
pub(crate) fn refuse_embedded_for_kubectl(access: Option<&Access>, called: &str) -> Result<(), String> {
    if access.is_some() || called == NAME {
        return Ok(());
    }
    Err(format!(
        "no target given, and {called} does not read your kubeconfig by itself; \
         give --kubeconfig FILE with --context NAME, or --server URL"
    ))
}

fn flags(args: &TargetArgs) -> Option<Flags> {
    Some(Flags {
        server: args.server.clone()?,
        token: args.token.clone(),
        token_file: args.token_file.clone(),
        certificate_authority: args.certificate_authority.clone(),
        client_certificate: args.client_certificate.clone(),
        client_key: args.client_key.clone(),
        tls_server_name: args.tls_server_name.clone(),
        insecure_skip_tls_verify: args.insecure_skip_tls_verify,
    })
}
