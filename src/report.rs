//! `kube-assay report`: the reports of a recorded run, again.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use reports::directory::{EVENTS, explain};
use reports::{AtEnd, Directory, ExcerptReport, Format, Reporter};

use crate::cli::ReportArgs;
use crate::exit::Exit;
use crate::output::{Results, complain, look, remark_previous, standard_output, terminal};
use crate::recording::Recording;
use crate::script;

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
    let events = file_of(&args.events);
    if let Some(id) = &args.script {
        return script::write(&events, id);
    }
    let recording = Recording::open(&events)?;
    let mut reporters = reporters(args, &events).map_err(|why| why.to_string())?;
    let is_whole = recording.replay(|event| {
        let mut reported = reporters.iter_mut().map(|reporter| reporter.report(event));
        reported.try_for_each(|reported| reported.map_err(|why| why.to_string()))
    })?;
    reporters.into_iter().try_for_each(Reporter::finish).map_err(|why| why.to_string())?;
    Ok(is_whole)
}

/// The recording, which may be named by the folder of its run.
fn file_of(path: &Path) -> PathBuf {
    if path.is_dir() { path.join(EVENTS) } else { path.to_owned() }
}

fn reporters(args: &ReportArgs, events: &Path) -> io::Result<Vec<Box<dyn Reporter>>> {
    let (mut reporters, mut outputs): (Vec<Box<dyn Reporter>>, _) = (Vec::new(), Vec::new());
    match &args.output_dir {
        // The input must not be overwritten: the folder already has the recording.
        Some(directory) if holds(directory, events) => {
            for (format, name) in Format::FILES {
                outputs.push((format, create(&directory.join(name))?));
            }
        }
        Some(directory) => {
            let directory = Directory::create(directory)?;
            remark_previous(directory.previous());
            reporters.push(Box::new(directory));
        }
        None => {}
    }
    let files = [
        (&args.junit, Format::Junit),
        (&args.html, Format::Html),
        (&args.summary, Format::Summary),
        (&args.coverage, Format::Coverage),
    ];
    for (path, format) in files {
        if let Some(path) = path {
            outputs.push((format, create(path)?));
        }
    }
    if args.tap {
        outputs.push((Format::Tap, standard_output()));
    }
    if !outputs.is_empty() {
        reporters.push(Box::new(AtEnd::new(outputs)));
    }
    if let Some(excerpt) = args.excerpt.given() {
        reporters.push(Box::new(ExcerptReport::new(excerpt, look(&io::stdout()), standard_output())));
    }
    if reporters.is_empty() {
        reporters.push(Box::new(terminal(false, args.verbose, standard_output())));
    }
    Ok(reporters)
}

/// Whether a recording is the one of a folder.
fn holds(directory: &Path, events: &Path) -> bool {
    let (its, given) = (directory.join(EVENTS).canonicalize(), events.canonicalize());
    its.is_ok_and(|its| given.is_ok_and(|given| its == given))
}

fn create(path: &Path) -> io::Result<Results> {
    let file = File::create(path).map_err(|why| explain("create", path, &why))?;
    Ok(Box::new(BufWriter::new(NamedFile { file, path: path.to_owned() })))
}

/// A file whose errors name it.
struct NamedFile {
    file: File,
    path: PathBuf,
}

impl Write for NamedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes).map_err(|why| explain("write", &self.path, &why))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush().map_err(|why| explain("write", &self.path, &why))
    }
}
