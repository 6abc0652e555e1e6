//! `kube-assay report`: the reports of a recorded run, again.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

use reports::{AtEnd, Directory, Format, Reporter};

use crate::cli::ReportArgs;
use crate::exit::Exit;
use crate::output::{complain, terminal};
use crate::recording::Recording;

/// Reads the events once and hands each to every report asked for.
pub(crate) fn report(args: &ReportArgs) -> Exit {
    match replay(args) {
        Ok(()) => Exit::Upheld,
        Err(why) => {
            complain(why);
            Exit::Usage
        }
    }
}

fn replay(args: &ReportArgs) -> Result<(), String> {
    let recording = Recording::open(&args.events)?;
    let mut reporters = reporters(args).map_err(|why| why.to_string())?;
    recording.replay(|event| {
        let mut told = reporters.iter_mut().map(|reporter| reporter.report(event));
        told.try_for_each(|told| told.map_err(|why| why.to_string()))
    })?;
    reporters.into_iter().try_for_each(Reporter::finish).map_err(|why| why.to_string())
}

fn reporters(args: &ReportArgs) -> io::Result<Vec<Box<dyn Reporter>>> {
    let mut reporters: Vec<Box<dyn Reporter>> = Vec::new();
    match &args.output {
        // What is read must not be written: the recording is there already.
        Some(directory) if holds(directory, &args.events) => {
            for format in Format::ALL {
                let path = directory.join(format.file_name());
                reporters.push(Box::new(AtEnd::new(format, create(&path)?)));
            }
        }
        Some(directory) => reporters.push(Box::new(Directory::create(directory)?)),
        None => {}
    }
    let files =
        [(&args.junit, Format::Junit), (&args.summary, Format::Summary), (&args.coverage, Format::Coverage)];
    for (path, format) in files {
        if let Some(path) = path {
            reporters.push(Box::new(AtEnd::new(format, create(path)?)));
        }
    }
    if reporters.is_empty() {
        reporters.push(Box::new(terminal(false, args.verbose)));
    }
    Ok(reporters)
}

/// Whether a recording is the one that belongs to a folder.
fn holds(directory: &Path, events: &Path) -> bool {
    let (its, given) = (directory.join("events.jsonl").canonicalize(), events.canonicalize());
    its.is_ok_and(|its| given.is_ok_and(|given| its == given))
}

fn create(path: &Path) -> io::Result<BufWriter<File>> {
    let file = File::create(path);
    let file = file
        .map_err(|why| io::Error::new(why.kind(), format!("could not create {}: {why}", path.display())))?;
    Ok(BufWriter::new(file))
}
