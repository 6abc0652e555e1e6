//! `kube-assay load-worker`: performs its share of a load run.

use std::sync::Arc;
use std::time::Duration;

use harness::{Access, Client, Source, TestError};
use loadgen::Share;
use loadgen::workers::{ConfigMaps, Folder, Rendezvous, WorkerPlan, work};
use loadgen::workload::Workload;

use crate::cli::{JobClusterArgs, LoadWorkerArgs, Place};
use crate::exit::Exit;
use crate::interrupt::stop_on_interrupt;
use crate::output::{complain, remark};
use crate::{clock, limit, run, target};

/// Timeout for one request to the rendezvous.
const WITHIN: Duration = Duration::from_secs(5);

/// Performs a share of the load that a coordinator publishes.
pub(crate) async fn load_worker(args: LoadWorkerArgs) -> Exit {
    let (access, share) = match prepare(&args).await {
        Ok(prepared) => prepared,
        Err(why) => {
            complain(why);
            return Exit::Usage;
        }
    };
    loadgen::attack::leave_interrupts_alone();
    let stop = stop_on_interrupt();
    let redactor = access.redactor().clone();
    let performed = async {
        let rendezvous = rendezvous(&args.rendezvous, &args.cluster).await?;
        let plan = WorkerPlan {
            share,
            rendezvous,
            access,
            join_within: args.join_timeout,
            tool: run::TOOL.to_owned(),
            make_room,
            clock: clock::now,
            stop,
        };
        Box::pin(work(plan)).await
    };
    match performed.await {
        Ok(()) => {
            remark(format_args!("worker {} of {}: the coordinator has the results", share.index, share.of));
            Exit::Passed
        }
        Err(why) => {
            complain(redactor.redact(&why.to_string()));
            Exit::Inconclusive
        }
    }
}

async fn prepare(args: &LoadWorkerArgs) -> Result<(Access, Share), String> {
    let share = Share { index: args.index, of: args.of };
    if !(2..=loadgen::MOST_WORKERS).contains(&share.of) || share.index >= share.of {
        let (index, of, most) = (share.index, share.of, loadgen::MOST_WORKERS);
        return Err(format!(
            "there is no worker {index} of {of}; hint: give --of 2 to {most}, and an index below it"
        ));
    }
    let access = target::named(&args.target).await.transpose().map_err(|why| why.to_string())?;
    let missing =
        "no target given; hint: give the target flags of the coordinator: --kubeconfig FILE or --server URL";
    access.map(|access| (access, share)).ok_or_else(|| missing.to_owned())
}

/// Where coordinator and workers meet.
pub(crate) async fn rendezvous(
    place: &Place,
    cluster: &JobClusterArgs,
) -> Result<Arc<dyn Rendezvous>, TestError> {
    match place {
        Place::Folder(path) => Ok(Arc::new(Folder::open(path)?)),
        Place::ConfigMaps { namespace, name } => {
            Ok(Arc::new(ConfigMaps::new(client_of(cluster).await?, namespace, name)))
        }
    }
}

/// The client for the cluster of the Job.
pub(crate) async fn client_of(cluster: &JobClusterArgs) -> Result<Client, TestError> {
    let access = access_of(cluster).await?;
    access.log_in().await?;
    Ok(Client::new(access, WITHIN))
}

/// The access to the cluster of the Job, without a request to it.
pub(crate) async fn access_of(cluster: &JobClusterArgs) -> Result<Access, TestError> {
    let source = match &cluster.job_kubeconfig {
        Some(path) => Source::Kubeconfig { path: path.clone(), context: cluster.job_context.clone() },
        None => Source::InCluster,
    };
    Access::load(source).await.map_err(|why| match cluster.job_kubeconfig {
        Some(_) => why,
        None => why.hint("name the cluster of the Job with --job-kubeconfig"),
    })
}

fn make_room(workload: &Workload, many_streams: bool) -> Result<(), String> {
    limit::make_room(limit::connections(workload, many_streams))
}
