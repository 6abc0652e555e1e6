//! The flags for a load that several processes share.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::Args;

use super::values::duration;
use super::{FileArgs, TargetArgs};

/// The workers of a load run.
#[derive(Debug, Args)]
#[command(next_help_heading = "Workers (none: this process alone)")]
pub(crate) struct WorkersArgs {
    /// Number of workers that share the load; with --rendezvous, --job or --job-manifest
    #[arg(long, value_name = "N", conflicts_with = "against")]
    pub(crate) workers: Option<usize>,
    /// Wait for workers that you start with `load-worker`, and meet them here: in a folder that all share, or in
    /// configmaps:NAMESPACE/NAME
    #[arg(long, value_name = "DIR", requires = "workers", conflicts_with = "job")]
    pub(crate) rendezvous: Option<Place>,
    /// Start the workers as an Indexed Job of a cluster, which need not be the target
    #[arg(long, requires = "workers")]
    pub(crate) job: bool,
    /// Print the Job and its account as YAML, for example for version control, and do nothing else
    #[arg(long, requires = "workers", conflicts_with_all = ["job", "rendezvous"])]
    pub(crate) job_manifest: bool,
    /// Image of the pods of the Job; its entry point is kube-assay of this version
    #[arg(long, value_name = "IMAGE", default_value = concat!("kube-assay:", env!("CARGO_PKG_VERSION")))]
    pub(crate) image: String,
    /// Namespace of the Job
    #[arg(long, value_name = "NAME", default_value = "default")]
    pub(crate) job_namespace: String,
    #[command(flatten)]
    pub(crate) cluster: JobClusterArgs,
    /// Timeout until all workers are ready
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = duration)]
    pub(crate) ready_timeout: Duration,
}

/// The cluster of the Job.
#[derive(Debug, Args)]
pub(crate) struct JobClusterArgs {
    /// Kubeconfig of the cluster with the Job or the rendezvous [default: the service account of the pod]
    #[arg(long, value_name = "FILE")]
    pub(crate) job_kubeconfig: Option<PathBuf>,
    /// Context of that kubeconfig [default: its current context]
    #[arg(long, value_name = "NAME", requires = "job_kubeconfig")]
    pub(crate) job_context: Option<String>,
}

/// `kube-assay load-worker`
#[derive(Debug, Args)]
pub(crate) struct LoadWorkerArgs {
    /// Index of this worker, from 0
    #[arg(long, value_name = "I", env = "JOB_COMPLETION_INDEX", hide_env_values = true)]
    pub(crate) index: usize,
    /// Number of workers: `--workers` of the coordinator
    #[arg(long, value_name = "N")]
    pub(crate) of: usize,
    /// Where this worker meets the coordinator: a folder that all share, or configmaps:NAMESPACE/NAME
    #[arg(long, value_name = "DIR")]
    pub(crate) rendezvous: Place,
    #[command(flatten)]
    pub(crate) cluster: JobClusterArgs,
    /// Timeout until the coordinator publishes the load
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = duration)]
    pub(crate) join_timeout: Duration,
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    #[command(flatten)]
    pub(crate) file: FileArgs,
}

/// Where coordinator and workers meet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// A folder.
    Folder(PathBuf),
    /// `ConfigMaps` in a namespace, with names that begin with a name.
    ConfigMaps {
        /// The namespace.
        namespace: String,
        /// The name.
        name: String,
    },
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some(both) = text.strip_prefix("configmaps:") else {
            return if text.is_empty() {
                Err("it names no folder".to_owned())
            } else {
                Ok(Self::Folder(text.into()))
            };
        };
        match both.split_once('/') {
            Some((namespace, name)) if is_name(namespace) && is_name(name) => {
                Ok(Self::ConfigMaps { namespace: namespace.to_owned(), name: name.to_owned() })
            }
            _ => {
                Err("give configmaps:NAMESPACE/NAME, with names of at most 40 letters, digits and -"
                    .to_owned())
            }
        }
    }
}

/// Whether a text is a name of Kubernetes that leaves room for the names of documents.
pub(super) fn is_name(text: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let ends = [text.bytes().next(), text.bytes().last()];
    text.len() <= 40 && text.bytes().all(inner) && ends.iter().all(|end| end.is_some_and(|byte| byte != b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_folder_or_config_maps() {
        assert_eq!("/mnt/run".parse(), Ok(Place::Folder("/mnt/run".into())));
        let (namespace, name) = ("tests".to_owned(), "run-1".to_owned());
        assert_eq!("configmaps:tests/run-1".parse(), Ok(Place::ConfigMaps { namespace, name }));
        for text in ["", "configmaps:", "configmaps:a", "configmaps:a/", "configmaps:A/b", "configmaps:a/b/c"]
        {
            assert!(text.parse::<Place>().is_err(), "{text}");
        }
    }
}
