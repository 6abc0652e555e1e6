//! `kube-assay load`: runs a load test against a server.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use harness::load::comparison::Looks;
use harness::load::{LoadRun, Slo};
use harness::{Access, TestError, read_input_text};
use loadgen::Template;
use loadgen::workload::Workload;
use reports::load::{LoadFormat, write_folder, write_terminal};
use reports::output_folder::OutputFolder;

use crate::called::called;
use crate::cli::LoadArgs;
use crate::exit::Exit;
use crate::github::{LoadFindings, Runner};
use crate::measure::{LoadTest, Target};
use crate::output::{complain, look, remark_previous, standard_error, standard_output};
use crate::scale::scale;
use crate::slo::{check_selectors, slo};
use crate::standard_output::StandardOutput;
use crate::toml_file::toml_text;
use crate::{load_job, pairs, target};

/// Performs a workload and returns the result.
pub(crate) async fn load(args: LoadArgs) -> Exit {
    if args.workers.job_manifest {
        return match scaled(&args) {
            Ok(workload) => load_job::print_manifest(&args, &workload),
            Err(why) => {
                complain(why);
                Exit::Usage
            }
        };
    }
    let (task, _folder) = match prepare(&args).await {
        Ok(prepared) => prepared,
        Err(why) => {
            complain(why);
            return Exit::Usage;
        }
    };
    // Standard output contains nothing but a document, if the user wants one.
    let commands = if args.output.is_json() { standard_error } else { standard_output };
    let runner = Runner::here(commands);
    let performed = match &args.against {
        Some(other) => Box::pin(pairs::perform(&args, other, task)).await,
        None => Box::pin(once(&args, task)).await,
    };
    let (exit, findings) = performed.unwrap_or_else(|test_error| {
        complain(test_error);
        (Exit::Inconclusive, LoadFindings::default())
    });
    let shown = runner.map_or(Ok(()), |runner| findings.show(runner));
    despite(exit, shown)
}

/// The exit of a command that failed to write a report: it does not pass, and a failure stays one.
pub(crate) fn despite(exit: Exit, written: io::Result<()>) -> Exit {
    let Err(why) = written else { return exit };
    complain(why);
    if exit == Exit::Failed { exit } else { Exit::Inconclusive }
}

/// One run on one server.
async fn once(args: &LoadArgs, task: LoadTask) -> Result<(Exit, LoadFindings), TestError> {
    let load_test = LoadTest::new(args, task.workload, task.template, task.labels, task.slos);
    let target = Target::meet(&load_test, task.access, args.http2).await?;
    load_test.measure(&target).await.map(|measured| close(args, &measured))
}

/// The target and the workload.
pub(crate) struct LoadTask {
    pub(crate) workload: Workload,
    pub(crate) template: Template,
    pub(crate) labels: BTreeMap<String, String>,
    pub(crate) slos: Vec<Slo>,
    pub(crate) access: Option<Access>,
    /// The server to compare with, if any.
    pub(crate) against: Option<Access>,
    /// When a comparison is judged; `None` without one.
    pub(crate) looks: Option<Looks>,
}

/// Checks the command line, and takes the output folder, before the first request.
async fn prepare(args: &LoadArgs) -> Result<(LoadTask, OutputFolder), String> {
    load_job::check(&args.workers).await?;
    let workload = scaled(args)?;
    let looks = args.against.as_ref().map(|_| pairs::looks(args, &workload)).transpose()?;
    let template = args.scale.template.as_deref().map_or_else(|| Ok(Template::config_map()), template)?;
    let labels = args.labels.labels()?;
    let slos = args.slo.iter().map(|name| slo(name)).collect::<Result<Vec<_>, _>>()?;
    let required = slos.iter().filter(|slo| slo.required).flat_map(Slo::thresholds);
    check_selectors(args.threshold.iter().chain(required), &workload, &template.resource)?;
    let access = target::named(&args.target).await.transpose().map_err(|why| why.to_string())?;
    target::refuse_embedded_for_kubectl(access.as_ref(), called())?;
    if access.is_none() && args.workers.workers.is_some() {
        return Err("failed to share the load: workers cannot use the embedded server; hint: name a target"
            .to_owned());
    }
    let against = match &args.against {
        Some(other) => target::named(&other.target).await.transpose().map_err(|why| why.to_string())?,
        None => None,
    };
    let folder = OutputFolder::take(&args.output_dir).map_err(|why| why.to_string())?;
    remark_previous(folder.previous());
    Ok((LoadTask { workload, template, labels, slos, access, against, looks }, folder))
}

/// The workload of the command line.
fn scaled(args: &LoadArgs) -> Result<Workload, String> {
    let mut workload = workload(&args.workload)?;
    scale(&mut workload, &args.scale)?;
    let workers = args.workers.workers.unwrap_or(1);
    let checked = workload.check().and_then(|()| workload.check_workers(workers));
    checked.map_err(|why| format!("the workload {} cannot be run: {why}", workload.name))?;
    Ok(workload)
}

/// The workload with this name, or in this file.
fn workload(name: &str) -> Result<Workload, String> {
    if let Some(workload) = Workload::named(name) {
        return Ok(workload);
    }
    let text = toml_text(name, "workload", Workload::embedded().map(|workload| workload.name))?;
    Workload::read(&text).map_err(|why| format!("{name} is no workload: {why}"))
}

fn template(path: &Path) -> Result<Template, String> {
    let shown = path.display();
    let text = read_input_text(path).map_err(|why| format!("failed to read {shown}: {why}"))?;
    Template::read(&text).map_err(|why| format!("{shown} is no template: {why}"))
}

/// Writes the reports. A failed report does not change a missed threshold.
fn close(args: &LoadArgs, measured: &LoadRun) -> (Exit, LoadFindings) {
    let judged = Exit::from(measured.verdict());
    // The terminal may be closed; the exit code still counts.
    let _ = if args.output.is_json() {
        LoadFormat::Summary.write(measured, &mut StandardOutput)
    } else {
        write_terminal(measured, look(&io::stdout()), &mut StandardOutput)
    };
    let written = write_folder(measured, &args.output_dir);
    (despite(judged, written), LoadFindings::of_run(measured))
}
