//! The workers of a load run: those that the user starts, or the pods of a Job.

use std::sync::Arc;

use harness::TestError;
use harness::load::{Interval, LoadRun};
use loadgen::job::{JobSpec, RunningJob};
use loadgen::run::LoadPlan;
use loadgen::workers::{self, ConfigMaps, Workers};
use loadgen::workload::Workload;

use crate::cli::{LoadArgs, Place, WorkersArgs};
use crate::exit::Exit;
use crate::load_worker::{access_of, client_of, rendezvous};
use crate::output::{remark, say};

/// Whether the flags say where the workers come from, and how the cluster of a Job is reached.
pub(crate) async fn check(args: &WorkersArgs) -> Result<(), String> {
    if let Some(workers) = args.workers.filter(|workers| *workers < 2) {
        return Err(format!(
            "failed to share the load: it takes 2 or more workers, not {workers}; hint: give --workers 2 or more, or leave it out"
        ));
    }
    if args.workers.is_some() && args.rendezvous.is_none() && !args.job && !args.job_manifest {
        return Err(
            "failed to share the load: nothing starts the workers; hint: give --rendezvous DIR and start \
                    `kube-assay load-worker` for each, or give --job"
                .to_owned(),
        );
    }
    if args.job || matches!(args.rendezvous, Some(Place::ConfigMaps { .. })) {
        access_of(&args.cluster).await.map_err(|why| why.to_string())?;
    }
    Ok(())
}

/// Prints the manifest of the Job.
pub(crate) fn print_manifest(args: &LoadArgs, workload: &Workload) -> Exit {
    let workers = args.workers.workers.unwrap_or_default();
    let name = format!("kube-assay-{}", workload.name);
    let spec = spec(&args.workers, workers, name, workload);
    let JobSpec { name, namespace, .. } = &spec;
    let head = format!(
        "# Before: kubectl create secret generic {name} --namespace {namespace} --from-file=kubeconfig=TARGET\n\
         # TARGET is a kubeconfig of the server under load that names no other files, CLUSTER one of this cluster. The\n\
         # coordinator of this Job:\n\
         #   kube-assay load {} --kubeconfig TARGET --workers {workers} \\\n\
         #     --rendezvous configmaps:{namespace}/{name} --job-kubeconfig CLUSTER\n\
         # A pod waits for it for five minutes.\n",
        args.workload
    );
    let objects = spec.account().into_iter().chain([spec.job(false)]);
    let texts = objects.map(|object| serde_saphyr::to_string(&object)).collect::<Result<Vec<_>, _>>();
    match texts {
        Ok(texts) => {
            let texts: Vec<&str> = texts.iter().map(|text| text.trim_end()).collect();
            say(&format!("{head}{}\n", texts.join("\n---\n")));
            Exit::Passed
        }
        Err(why) => {
            crate::output::complain(format_args!("failed to write the manifest: {why}"));
            Exit::Inconclusive
        }
    }
}

/// Performs the run with this number of workers.
pub(crate) async fn coordinate(
    args: &WorkersArgs,
    count: usize,
    plan: LoadPlan,
    show: impl FnMut(&Interval),
) -> Result<LoadRun, TestError> {
    let ready_within = args.ready_timeout;
    if let Some(place) = &args.rendezvous {
        let rendezvous = rendezvous(place, &args.cluster).await?;
        return Box::pin(workers::coordinate(plan, Workers { count, rendezvous, ready_within }, show)).await;
    }
    let client = client_of(&args.cluster).await?;
    let name = format!("kube-assay-{}", plan.run);
    let spec = spec(args, count, name.clone(), &plan.workload);
    let kubeconfig = plan.access.portable_kubeconfig().await?;
    remark(format_args!("starting {count} workers: Job {name} in the namespace {}", args.job_namespace));
    let job = RunningJob::create(client.clone(), spec, &kubeconfig).await?;
    let config_maps = ConfigMaps::new(client, &args.job_namespace, &name).owned_by(job.owner());
    let workers = Workers { count, rendezvous: Arc::new(config_maps), ready_within };
    let performed = Box::pin(workers::coordinate(plan, workers, show)).await;
    let left = job.remove().await;
    match performed {
        Ok(mut run) => {
            run.leftovers.extend(left);
            Ok(run)
        }
        Err(why) if left.is_empty() => Err(why),
        Err(why) => {
            let hint =
                format!("{}; these were left in the cluster of the Job: {}", why.hint, left.join(", "));
            Err(why.hint(hint.trim_start_matches("; ")))
        }
    }
}

fn spec(args: &WorkersArgs, workers: usize, name: String, workload: &Workload) -> JobSpec {
    JobSpec {
        name,
        namespace: args.job_namespace.clone(),
        image: args.image.clone(),
        workers,
        length: workload.warm_up.0 + workload.duration.0 + workload.drain.0,
    }
}
