//! `kube-assay report`: the reports of a recorded run, again.

mod outputs;

use std::io;

use reports::{AtEnd, Directory, ExcerptReport, Files, Format, Reporter};

use crate::cli::ReportArgs;
use crate::exit::Exit;
use crate::output::{complain, look, remark_previous, standard_output, terminal};
use crate::recording::Recording;
use crate::script;
use crate::selection::check_lengths;
use outputs::Outputs;

/// Reads the events once and passes each one to every selected report.
pub(crate) fn report(args: &ReportArgs) -> Exit {
    match replay(args) {
        Ok(true) => Exit::Passed,
        Ok(false) => Exit::Inconclusive,
        Err(why) => {
            complain(why);
            Exit::Usage
        }
    }
}

/// Writes the reports, and returns whether they have all results of the run.
fn replay(args: &ReportArgs) -> Result<bool, String> {
    check_lengths(args.excerpt.clause.iter())?;
    let events = Recording::file_of(&args.events);
    if let Some(id) = &args.script {
        return script::write(&events, id);
    }
    let outputs = Outputs::new(args, &events)?;
    Recording::check(&events)?;
    let recording = Recording::open(&events)?;
    let mut reporters = reporters(args, outputs).map_err(|why| why.to_string())?;
    let is_whole = recording.replay(|event| {
        let mut reported = reporters.iter_mut().map(|reporter| reporter.report(event));
        reported.try_for_each(|reported| reported.map_err(|why| why.to_string()))
    })?;
    reporters.into_iter().try_for_each(Reporter::finish).map_err(|why| why.to_string())?;
    Ok(is_whole)
}

fn reporters(args: &ReportArgs, outputs: Outputs) -> io::Result<Vec<Box<dyn Reporter>>> {
    let mut reporters: Vec<Box<dyn Reporter>> = Vec::new();
    if let Some(folder) = &outputs.folder {
        let directory = Directory::create(folder)?;
        remark_previous(directory.previous());
        reporters.push(Box::new(directory));
    }
    if !outputs.files.is_empty() {
        reporters.push(Box::new(Files::new(outputs.files)));
    }
    if args.tap {
        reporters.push(Box::new(AtEnd::new(vec![(Format::Tap, standard_output())])));
    }
    if let Some(excerpt) = args.excerpt.given() {
        reporters.push(Box::new(ExcerptReport::new(excerpt, look(&io::stdout()), standard_output())));
    }
    if reporters.is_empty() {
        reporters.push(Box::new(terminal(false, args.verbose, standard_output())));
    }
    Ok(reporters)
}
