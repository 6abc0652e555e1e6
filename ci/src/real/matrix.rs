//! kube-assay against every flavour of a conformant server: each run must pass.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use super::assets::Assets;
use super::flavour::{FLAVOURS, Flavour, hooks};
use super::interrupt::Interrupt;
use super::process::{End, Process, last_lines};
use super::server::RealServer;
use super::summary::{self, Counts};
use crate::cargo;
use crate::cli::RealOptions;
use crate::notice::{Notice, Notices};
use crate::task_error::TaskError;
use crate::workspace::Workspace;

/// The timeout of one run, far longer than a run takes.
const LIMIT: Duration = Duration::from_mins(15);

/// A run as a row of the table.
#[derive(Debug)]
struct Row {
    release: String,
    flavour: &'static str,
    options: String,
    end: End,
    counts: Counts,
}

/// Runs the selected flavours on the first server and one run on each further server. Prints the table, and fails if a
/// run did not exit with 0.
pub(crate) fn run(
    workspace: &Workspace,
    assets: &[Assets],
    options: &RealOptions,
    interrupt: &Interrupt,
) -> Result<Notices, TaskError> {
    let all = FLAVOURS.iter().collect();
    let flavours: Vec<&Flavour> =
        options.flavour.as_deref().map_or(Ok(all), |name| Ok(vec![Flavour::named(name)?]))?;
    cargo::build(workspace)?;
    let mut targets = Vec::new();
    for (number, assets) in assets.iter().enumerate() {
        let flavours = if number == 0 { &flavours[..] } else { &flavours[..1] };
        targets.extend(flavours.iter().map(|flavour| Target {
            workspace,
            number,
            assets,
            flavour,
            interrupt,
        }));
    }
    let (waiting, busy): (Vec<_>, Vec<_>) =
        targets.into_iter().partition(|target| target.flavour.mostly_waits);
    let rows = thread::scope(|scope| {
        let beside = scope.spawn(|| run_in_turn(&waiting, options));
        let mut rows = run_in_turn(&busy, options)?;
        let gone = || TaskError::new("the thread of the runs beside the others panicked");
        rows.extend(beside.join().map_err(|_| gone())??);
        Ok::<_, TaskError>(rows)
    })?;
    println!("\n{}", table(&rows));
    let failed = rows.iter().filter(|row| !row.passed()).count();
    if failed > 0 {
        let evidence = workspace.evidence();
        let sentence =
            format!("{failed} of {} runs against a conformant server did not exit with 0", rows.len());
        return Err(TaskError::new(format!(
            "{sentence}; their reports and logs are in {}",
            evidence.display()
        )));
    }
    Ok(warn_of_empty_runs(&rows))
}

/// Exit code 0 alone does not show that any clause was tested.
fn warn_of_empty_runs(rows: &[Row]) -> Notices {
    let empty = rows.iter().filter(|row| row.counts[0].unwrap_or(0) == 0).count();
    let lines = [
        "WARNING: the real-server stage.".into(),
        format!("{empty} of {} runs exited with 0, but without a passed clause in summary.json.", rows.len()),
    ];
    if empty > 0 { vec![Notice::announce(lines)] } else { Notices::new() }
}

/// The common parts of the runs on one server.
struct Target<'a> {
    workspace: &'a Workspace,
    /// The place of its files among those for all servers.
    number: usize,
    assets: &'a Assets,
    flavour: &'static Flavour,
    interrupt: &'a Interrupt,
}

fn run_in_turn(targets: &[Target<'_>], options: &RealOptions) -> Result<Vec<Row>, TaskError> {
    let mut rows = Vec::new();
    for target in targets {
        run_flavour(target, options, &mut rows)?;
    }
    Ok(rows)
}

fn run_flavour(target: &Target<'_>, options: &RealOptions, rows: &mut Vec<Row>) -> Result<(), TaskError> {
    let Target { workspace, number, assets, flavour, interrupt } = target;
    let runs = if *number == 0 { flavour.runs } else { &flavour.runs[..1] };
    let runs = options.repeat.map_or_else(|| runs.to_vec(), |times| vec![flavour.runs[0]; times]);
    let evidence = workspace.evidence().join(format!("{number}-{}", flavour.name));
    // Files of an earlier check must not count for this one. The folder may be absent.
    let _ = fs::remove_dir_all(&evidence);
    let flags = flavour.flags_with(&options.flags);
    let mut server = RealServer::start(assets, (&flags, flavour.replicas), &evidence, interrupt)?;
    println!("kube-apiserver {} is ready, flavour {}.", server.version, flavour.name);
    for (number, options) in runs.iter().enumerate() {
        let report = evidence.join(format!("run-{}", number + 1));
        let row = run_once(target, &server, options, &report)?;
        println!("{}", row.cells().join("  "));
        if !row.passed() {
            println!("{}", last_lines(&report.join("output.txt"), 100));
        }
        rows.push(row);
        server.check_running()?;
    }
    Ok(())
}

fn run_once(target: &Target, server: &RealServer, options: &[&str], report: &Path) -> Result<Row, TaskError> {
    let Target { workspace, flavour, interrupt, .. } = target;
    fs::create_dir_all(report).map_err(TaskError::failed_to(format!("create {}", report.display())))?;
    let mut command = Command::new(workspace.binary("kube-assay"));
    command.args(["run", "--server", &server.url, "--token", &server.credentials.admin]);
    command.arg("--certificate-authority").arg(&server.credentials.authority_file);
    command.args(server.replicas.iter().flat_map(|replica| ["--replica", replica]));
    command.arg("--output-dir").arg(report).args(options);
    if flavour.hooks {
        command.args(hooks(workspace, server));
    }
    let process = Process::start(command, "kube-assay", &report.join("output.txt"))?;
    let end = process.wait(LIMIT, interrupt)?;
    interrupt.check()?;
    let (release, counts) = (server.version.clone(), summary::read(report));
    Ok(Row { release, flavour: flavour.name, options: options.join(" "), end, counts })
}

impl Row {
    fn passed(&self) -> bool {
        self.end.status.is_some_and(|status| status.success())
    }

    fn cells(&self) -> Vec<String> {
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".into());
        let exit = self.end.status.map_or_else(
            || "killed: too slow".into(),
            // Without an exit code, the status names the signal.
            |status| status.code().map_or_else(|| status.to_string(), |code| code.to_string()),
        );
        let mut cells = vec![self.release.clone(), self.flavour.into(), self.options.clone(), exit];
        cells.push(format!("{:.1}", self.end.time.as_secs_f64()));
        cells.extend(self.counts.map(|count| or_dash(count.map(|count| count.to_string()))));
        cells.push(or_dash(self.end.peak_kib.map(|kib| (kib / 1024).to_string())));
        cells
    }
}

fn table(rows: &[Row]) -> String {
    let heads = ["release", "flavour", "options", "exit", "seconds"]
        .into_iter()
        .chain(summary::VERDICTS)
        .chain(["peak MiB"]);
    let mut lines: Vec<Vec<String>> = vec![heads.map(String::from).collect()];
    lines.extend(rows.iter().map(Row::cells));
    let width = |at: usize| lines.iter().map(|cells| cells[at].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..lines[0].len()).map(width).collect();
    let line = |cells: &Vec<String>| {
        let padded = cells.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        padded.collect::<Vec<_>>().join("  ").trim_end().to_string()
    };
    lines.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;

    const NOTHING: Counts = [None; summary::VERDICTS.len()];

    fn row(code: Option<i32>, counts: Counts) -> Row {
        let status = code.map(|code| ExitStatus::from_raw(code << 8));
        let end = End { status, time: Duration::from_millis(12_340), peak_kib: Some(64 * 1024) };
        Row { release: "v1.36.0".into(), flavour: "default", options: "--parallel 1".into(), end, counts }
    }

    #[test]
    fn the_table_has_the_result_of_each_run() {
        let rows = [row(Some(0), [Some(100), Some(0), Some(1), Some(0), Some(2)]), row(None, NOTHING)];

        let table = table(&rows);

        let lines: Vec<&str> = table.lines().collect();
        assert!(lines[0].starts_with("release  flavour  options       exit"), "{table}");
        assert!(lines[1].contains("12.3     100     0"), "{table}");
        assert!(lines[2].contains("killed: too slow") && lines[2].ends_with("64"), "{table}");
    }

    #[test]
    fn an_exit_with_0_and_no_passed_clause_has_a_warning() {
        let passed = [Some(9), Some(0), Some(0), Some(0), Some(0)];

        assert_eq!(warn_of_empty_runs(&[row(Some(0), passed)]), []);
        assert_eq!(warn_of_empty_runs(&[row(Some(0), passed), row(Some(0), NOTHING)]).len(), 1);
    }

    #[test]
    fn only_an_exit_with_0_passes() {
        assert!(row(Some(0), NOTHING).passed());
        assert!(!row(Some(1), NOTHING).passed());
        assert!(!row(Some(3), NOTHING).passed());
        assert!(!row(None, NOTHING).passed());
    }
}
