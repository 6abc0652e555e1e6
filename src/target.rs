//! The target that a command line names.

use harness::{Access, Flags, Obstacle, Source};

use crate::cli::TargetArgs;

/// Address and credentials; `None` if the command line names no target.
pub(crate) async fn named(args: &TargetArgs) -> Option<Result<Access, Obstacle>> {
    let source = if let Some(path) = &args.kubeconfig {
        Source::Kubeconfig { path: path.clone(), context: args.context.clone() }
    } else if args.in_cluster {
        Source::InCluster
    } else {
        Source::Flags(Box::new(flags(args)?))
    };
    Some(Access::load(source).await)
}

fn flags(args: &TargetArgs) -> Option<Flags> {
    Some(Flags {
        server: args.server.clone()?,
        token: args.token.clone(),
        token_file: args.token_file.clone(),
        certificate_authority: args.certificate_authority.clone(),
        client_certificate: args.client_certificate.clone(),
        client_key: args.client_key.clone(),
        insecure_skip_tls_verify: args.insecure_skip_tls_verify,
    })
}
