//! `kube-assay load`: puts a workload on a server, and measures what it bears.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::{env, fs};

use harness::load::{LoadRun, judge};
use harness::{Access, Obstacle, Survey};
use jiff::Timestamp;
use loadgen::Template;
use loadgen::run::Order;
use loadgen::wire::Plain;
use loadgen::workload::{Time, Workload};
use reports::load::{Live, prepare_folder, write_folder, write_terminal};
use tokio_util::sync::CancellationToken;

use crate::cli::{LoadArgs, ScaleArgs};
use crate::embedded::Embedded;
use crate::exit::Exit;
use crate::interrupt::stop_on_interrupt;
use crate::output::{complain, look, remark};
use crate::{limit, run, target};

/// Performs a workload and returns how it went.
pub(crate) async fn load(args: LoadArgs) -> Exit {
    let asked = match prepare(&args).await {
        Ok(asked) => asked,
        Err(why) => {
            complain(why);
            return Exit::Usage;
        }
    };
    match perform(&args, asked).await {
        Ok(measured) => close(&args, measured),
        Err(obstacle) => {
            complain(obstacle);
            Exit::Undetermined
        }
    }
}

/// Whom and what to ask.
struct Asked {
    workload: Workload,
    template: Template,
    access: Option<Access>,
}

/// Checks all that the user gave, before anything is asked of any server.
async fn prepare(args: &LoadArgs) -> Result<Asked, String> {
    let mut workload = workload(&args.workload)?;
    scale(&mut workload, &args.scale)?;
    workload.check().map_err(|why| format!("the workload {} cannot be run: {why}", workload.name))?;
    let template = args.scale.template.as_deref().map_or_else(|| Ok(Template::config_map()), template)?;
    let access = target::named(&args.target).await.transpose().map_err(|why| why.to_string())?;
    prepare_folder(&args.output).map_err(|why| why.to_string())?;
    Ok(Asked { workload, template, access })
}

/// The one of this name, or in this file.
fn workload(name: &str) -> Result<Workload, String> {
    if let Some(workload) = Workload::named(name) {
        return Ok(workload);
    }
    if !Path::new(name).extension().is_some_and(|extension| extension == "toml") {
        let known: Vec<String> = Workload::embedded().map(|workload| workload.name).collect();
        return Err(format!(
            "there is no workload {name:?}; give one of {}, or a .toml file",
            known.join(", ")
        ));
    }
    let text = fs::read_to_string(name).map_err(|why| format!("could not read {name}: {why}"))?;
    Workload::read(&text).map_err(|why| format!("{name} is no workload: {why}"))
}

fn template(path: &Path) -> Result<Template, String> {
    let shown = path.display();
    let text = fs::read_to_string(path).map_err(|why| format!("could not read {shown}: {why}"))?;
    Template::read(&text).map_err(|why| format!("{shown} is no template: {why}"))
}

/// What the command line says counts more than what the workload says.
fn scale(workload: &mut Workload, scale: &ScaleArgs) -> Result<(), String> {
    let times = [
        (scale.duration, &mut workload.duration),
        (scale.warm_up, &mut workload.warm_up),
        (scale.drain, &mut workload.drain),
    ];
    times.into_iter().for_each(|(given, time)| *time = given.map_or(*time, Time));
    let population = &mut workload.population;
    set(&mut population.objects, scale.objects);
    set(&mut population.size, scale.size);
    set(&mut population.namespaces, scale.namespaces);
    match &mut workload.watches {
        Some(watches) => {
            set(&mut watches.count, scale.watches);
            set(&mut watches.streams, scale.streams);
            set(&mut watches.opening, scale.opening);
        }
        None if scale.watches.is_some() || scale.opening.is_some() => {
            return Err(format!(
                "the workload {} has no watches: leave out --watches and --opening",
                workload.name
            ));
        }
        None => {}
    }
    match &mut workload.requests {
        Some(requests) => {
            set(&mut requests.rate, scale.rate);
            set(&mut requests.connections, scale.connections);
            set(&mut requests.streams, scale.streams);
            requests.closed = scale.closed.or(requests.closed.filter(|_| scale.rate.is_none()));
        }
        None if scale.rate.is_some() || scale.closed.is_some() || scale.connections.is_some() => {
            return Err(format!(
                "the workload {} sends no requests: leave out --rate, --closed and --connections",
                workload.name
            ));
        }
        None => {}
    }
    Ok(())
}

fn set<T>(value: &mut T, given: Option<T>) {
    if let Some(given) = given {
        *value = given;
    }
}

async fn perform(args: &LoadArgs, asked: Asked) -> Result<LoadRun, Obstacle> {
    let stop = stop_on_interrupt();
    let embedded = asked.access.is_none();
    let (access, _embedded) = match asked.access {
        Some(access) => (access, None),
        None => {
            remark("no target given: asking the embedded reference server");
            let embedded = Embedded::start().await?;
            (embedded.access().await?, Some(embedded))
        }
    };
    let plain = if embedded || args.http2 { Plain::Two } else { Plain::One };
    make_room(&asked.workload, access.encrypted() || plain == Plain::Two, embedded)?;
    let looking = run::look(access.clone(), args.answer_within);
    let looked = stop.run_until_cancelled(looking).await.unwrap_or_else(|| Err(run::interrupted()));
    let (_, survey) = looked?;
    let asked = (asked.workload, asked.template);
    let order = order(args, asked, (access, plain, survey), stop);
    let interactive = io::stderr().is_terminal() && env::var_os("TERM").is_none_or(|term| term != "dumb");
    let mut live = Live::new(io::stderr(), interactive, look(&io::stderr()));
    // Nobody may read the terminal any more; the reports still count.
    let performed = loadgen::run::perform(order, |tick| drop(live.tick(tick))).await;
    let _ = live.clear();
    performed
}

/// The embedded server has the other end of every connection.
fn make_room(workload: &Workload, many_streams: bool, embedded: bool) -> Result<(), Obstacle> {
    let connections = limit::connections(workload, many_streams) * if embedded { 2 } else { 1 };
    limit::make_room(connections).map_err(|why| Obstacle::new("open so many connections", why))
}

fn order(
    args: &LoadArgs,
    (workload, template): (Workload, Template),
    (access, plain, survey): (Access, Plain, Survey),
    stop: CancellationToken,
) -> Order {
    let presets = args.slo.iter().flat_map(|preset| preset.thresholds());
    let thresholds = args.threshold.iter().cloned().chain(presets).filter(|_| args.abort_on_miss);
    let unlike = run::unlike();
    Order {
        workload,
        template,
        access,
        plain,
        survey,
        within: args.answer_within,
        tool: run::TOOL.to_owned(),
        run: run::run_id(unlike),
        seed: args.seed.unwrap_or(unlike % 1_000_000),
        abort_on: thresholds.collect(),
        clock: Timestamp::now,
        stop,
    }
}

/// Judges, and writes the reports. What was missed was missed, with or without a report of it.
fn close(args: &LoadArgs, mut measured: LoadRun) -> Exit {
    measured.thresholds = judge(&args.threshold, None, &measured);
    for preset in &args.slo {
        let judged = judge(&preset.thresholds(), Some(preset.name), &measured);
        measured.thresholds.extend(judged);
    }
    let judged = Exit::from(measured.verdict());
    // Nobody may read the terminal any more; the exit code still counts.
    let _ = write_terminal(&measured, look(&io::stdout()), &mut io::stdout());
    match write_folder(&measured, &args.output) {
        Ok(()) => judged,
        Err(why) => {
            complain(why);
            if judged == Exit::Violated { judged } else { Exit::Undetermined }
        }
    }
}
