//! Text that both `OpenMetrics` and Prometheus parse: a histogram per series, and gauges for what a finished run counted.
//!
//! Attempts without an end count in the bucket without a bound, so that no failure makes a server look fast.

use std::io::{self, Write};

use model::load::{LoadRun, Series};

use super::metric::float;
use crate::escape::one_line;

/// The bounds of the buckets, in seconds: from 5 ms on those of kube-apiserver's request durations.
const BOUNDS: [f64; 27] = [
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0,
    5.0, 6.0, 8.0, 10.0, 15.0, 20.0, 30.0, 45.0, 60.0,
];

/// Name and value of a label.
type Label = (String, String);

/// Writes one document.
pub(super) fn write(runs: &[&LoadRun], out: &mut dyn Write) -> io::Result<()> {
    family(out, "kube_assay_load_run_info", "gauge", "A load run; its labels describe it.")?;
    for run in runs {
        writeln!(out, "kube_assay_load_run_info{{{}}} 1", shown(&of_run(run)))?;
    }
    family(
        out,
        "kube_assay_load_duration_seconds",
        "histogram",
        "Durations of attempts; those that failed with a response are not in it.",
    )?;
    for run in runs {
        for series in &run.series {
            histogram(out, run, series)?;
        }
    }
    family(out, "kube_assay_load_failures", "gauge", "Attempts of a run that failed, by class.")?;
    for run in runs {
        for series in &run.series {
            for (class, count) in &series.errors {
                let labels = with(of_series(run, series), "class", &class.to_string());
                writeln!(out, "kube_assay_load_failures{{{}}} {count}", shown(&labels))?;
            }
        }
    }
    deliveries(out, runs)?;
    writeln!(out, "# EOF")
}

fn deliveries(out: &mut dyn Write, runs: &[&LoadRun]) -> io::Result<()> {
    family(out, "kube_assay_load_deliveries", "gauge", "Deliveries of watch events of a run, by state.")?;
    for run in runs {
        let Some(books) = &run.deliveries else { continue };
        let states = [
            ("expected", books.expected),
            ("delivered", books.delivered),
            ("pending", books.pending),
            ("lost", books.lost),
            ("repeated", books.repeated),
            ("reordered", books.reordered),
        ];
        for (state, count) in states {
            let labels = with(vec![label("workload", &run.workload.name)], "state", state);
            writeln!(out, "kube_assay_load_deliveries{{{}}} {count}", shown(&labels))?;
        }
    }
    Ok(())
}

fn histogram(out: &mut dyn Write, run: &LoadRun, series: &Series) -> io::Result<()> {
    let (name, labels) = ("kube_assay_load_duration_seconds", of_series(run, series));
    let mut recorded = series.histogram.recorded().peekable();
    let mut below = 0;
    for bound in BOUNDS {
        while let Some((_, count)) = recorded.next_if(|(micros, _)| float(*micros) <= bound * 1e6) {
            below += count;
        }
        let labels = with(labels.clone(), "le", &format!("{bound:?}"));
        writeln!(out, "{name}_bucket{{{}}} {below}", shown(&labels))?;
    }
    let all = series.histogram.len() + series.censored.len();
    let seconds = [&series.histogram, &series.censored].map(|part| part.mean() * float(part.len()) / 1e6);
    writeln!(out, "{name}_bucket{{{}}} {all}", shown(&with(labels.clone(), "le", "+Inf")))?;
    writeln!(out, "{name}_count{{{}}} {all}", shown(&labels))?;
    writeln!(out, "{name}_sum{{{}}} {}", shown(&labels), seconds.iter().sum::<f64>())
}

fn family(out: &mut dyn Write, name: &str, kind: &str, help: &str) -> io::Result<()> {
    writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}")
}

fn of_series(run: &LoadRun, series: &Series) -> Vec<Label> {
    let key = &series.key;
    let labels = [
        ("workload", &*run.workload.name),
        ("verb", &key.verb),
        ("resource", &key.resource),
        ("scope", key.scope.word()),
        ("kind", key.kind.word()),
        ("variant", &key.variant),
    ];
    labels.map(|(name, value)| label(name, value)).into()
}

/// The labels of the user get a prefix: none of them can stand for one of ours.
fn of_run(run: &LoadRun) -> Vec<Label> {
    let seed = run.seed.to_string();
    let ours = [
        ("workload", &*run.workload.name),
        ("digest", &run.workload.digest),
        ("run", &run.run),
        ("seed", &seed),
        ("tool", &run.tool),
        ("target", &run.target.address),
        ("release", &run.target.release),
    ];
    let mut labels: Vec<Label> = ours.map(|(name, value)| label(name, value)).into();
    for (name, value) in &run.labels {
        let name = format!("label_{}", legal(name));
        if labels.iter().all(|(known, _)| *known != name) {
            labels.push((name, value.clone()));
        }
    }
    labels
}

/// A label's name may have letters, digits and underscores.
fn legal(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

fn label(name: &str, value: &str) -> Label {
    (name.to_owned(), value.to_owned())
}

fn with(mut labels: Vec<Label>, name: &str, value: &str) -> Vec<Label> {
    labels.push(label(name, value));
    labels
}

fn shown(labels: &[Label]) -> String {
    let quoted = labels.iter().map(|(name, value)| {
        let value = one_line(value).replace('\\', "\\\\").replace('"', "\\\"");
        format!("{name}=\"{value}\"")
    });
    quoted.collect::<Vec<_>>().join(",")
}
