//! The target of a command line.

use harness::{Access, Flags, Source, TestError};

use crate::called::NAME;
use crate::cli::TargetArgs;
use crate::output::remark;
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
    let access = Access::load(source).await.inspect(proxy::remark_unused);
    Some(access.inspect(|access| remark_without_tls(args, access)))
}

/// Warns about flags that have no effect on a connection without TLS. kubectl ignores them as well.
fn remark_without_tls(args: &TargetArgs, access: &Access) {
    let flags = [
        ("--certificate-authority", args.certificate_authority.is_some()),
        ("--client-certificate", args.client_certificate.is_some()),
        ("--tls-server-name", args.tls_server_name.is_some()),
        ("--insecure-skip-tls-verify", args.insecure_skip_tls_verify),
    ];
    for (flag, _) in flags.iter().filter(|(_, is_given)| *is_given && !access.encrypted()) {
        let address = access.address();
        remark(format_args!("warning: {flag} has no effect, because {address} is no https URL"));
    }
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
