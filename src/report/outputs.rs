//! The files that `report` writes: none of them may be its recording, or another one of them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use reports::Format;
use reports::directory::EVENTS;
use reports::output_folder::OutputFolder;

use crate::cli::ReportArgs;

/// The files to write, each with its format, and a folder that gets all reports of its own.
pub(super) struct Outputs {
    pub(super) files: Vec<(Format, PathBuf)>,
    pub(super) folder: Option<PathBuf>,
}

impl Outputs {
    /// The outputs of the command line; an error if one of them would replace the recording or another one.
    pub(super) fn new(args: &ReportArgs, events: &Path) -> Result<Self, String> {
        let mut outputs = Self { files: Vec::new(), folder: None };
        match &args.output_dir {
            // The input must not be overwritten: the folder already has the recording.
            Some(directory) if holds(directory, events) => {
                outputs.files.extend(Format::FILES.map(|(format, name)| (format, directory.join(name))));
            }
            folder => outputs.folder.clone_from(folder),
        }
        let named = [
            (&args.junit, Format::Junit),
            (&args.html, Format::Html),
            (&args.summary, Format::Summary),
            (&args.coverage, Format::Coverage),
        ];
        outputs.files.extend(named.into_iter().filter_map(|(path, format)| Some((format, path.clone()?))));
        outputs.expect_distinct(events)?;
        Ok(outputs)
    }

    fn expect_distinct(&self, events: &Path) -> Result<(), String> {
        let mut known = HashMap::from([(identity(events), "the recording".to_owned())]);
        let of_folder = self.folder.iter().flat_map(|folder| OutputFolder::files(folder));
        let paths = of_folder.chain(self.files.iter().map(|(_, path)| path.clone()));
        // Several reports may go to one pipe or device.
        for path in paths.filter(|path| !path.exists() || path.is_file()) {
            let shown = path.display().to_string();
            if let Some(other) = known.insert(identity(&path), shown.clone()) {
                return Err(format!(
                    "failed to write {shown}: it is the same file as {other}; hint: give each report a file of its own"
                ));
            }
        }
        Ok(())
    }
}

/// Whether a recording is the one of a folder.
fn holds(directory: &Path, events: &Path) -> bool {
    directory.join(EVENTS).exists() && identity(&directory.join(EVENTS)) == identity(events)
}

/// One path for all spellings and links of a file, which need not exist.
fn identity(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let absent = || Some(folder.canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(absent).unwrap_or_else(|| path.to_owned())
}
