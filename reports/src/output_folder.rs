//! The output folder, which one run at a time writes into.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::directory::{EVENTS, EVIDENCE, clear, expect_no_folder_or_pipe, explain};

/// The folder inside of the output folder for the files of the previous run. Two runs are kept, not more.
const PREVIOUS: &str = "previous";

/// The files of conformance and load runs.
const FILES: [&str; 9] = [
    EVENTS,
    EVIDENCE,
    "junit.xml",
    "report.html",
    "summary.json",
    "coverage.md",
    "latency.hlog",
    "pairs.json",
    "pairs.md",
];

/// A folder that is locked for one run until this is dropped: two runs at the same time would mix their files.
#[derive(Debug)]
pub struct OutputFolder {
    path: PathBuf,
    previous: Option<PathBuf>,
    /// `None` where the file system has no locks.
    _lock: Option<File>,
}

impl OutputFolder {
    /// Makes the folder if it is missing, and moves the reports of an earlier run in it to `previous`: if this run does
    /// not come to its end, no reader takes them for its own. A folder that takes no reports is an error now, not at the
    /// end of the run.
    pub fn take(path: &Path) -> io::Result<Self> {
        fs::create_dir_all(path).map_err(|why| explain("make the output folder", path, &why))?;
        expect_writable(path)?;
        for file in FILES.map(|name| path.join(name)) {
            expect_no_folder_or_pipe(&file).map_err(|why| explain("write", &file, &why))?;
        }
        let lock = lock(path)?;
        Ok(Self { path: path.to_owned(), previous: keep_previous(path)?, _lock: lock })
    }

    /// The files that taking a folder moves or removes, and those that a run writes into it.
    pub fn files(path: &Path) -> impl Iterator<Item = PathBuf> {
        let (folder, previous) = (path.to_owned(), path.join(PREVIOUS));
        [folder, previous].into_iter().flat_map(|folder| FILES.map(|name| folder.join(name)))
    }

    /// Where the folder is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder with the reports of the previous run, if there was one.
    pub fn previous(&self) -> Option<&Path> {
        self.previous.as_deref()
    }
}

fn expect_writable(folder: &Path) -> io::Result<()> {
    let attempt = folder.join(format!(".kube-assay-{}", std::process::id()));
    File::create_new(&attempt)
        .and_then(|_| fs::remove_file(&attempt))
        .map_err(|why| explain("write into the output folder", folder, &why))
}

fn lock(folder: &Path) -> io::Result<Option<File>> {
    let Ok(file) = File::open(folder) else { return Ok(None) };
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Err(io::Error::new(
            io::ErrorKind::ResourceBusy,
            format!(
                "failed to write into the output folder {}: another run writes into it now; hint: choose another folder",
                folder.display()
            ),
        )),
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

fn keep_previous(folder: &Path) -> io::Result<Option<PathBuf>> {
    let earlier: Vec<&str> = FILES.into_iter().filter(|name| folder.join(name).is_file()).collect();
    if earlier.is_empty() {
        return Ok(None);
    }
    let previous = folder.join(PREVIOUS);
    if is_without_run(folder, &earlier) && previous.is_dir() {
        // Of a start that reached no server: the reports of the run before it are worth more.
        clear(folder, FILES)?;
        return Ok(Some(previous));
    }
    // All, so that the folder never has the files of two runs.
    clear(&previous, FILES)?;
    for name in earlier {
        let from = folder.join(name);
        fs::rename(&from, previous.join(name))
            .map_err(|why| explain("keep what an earlier run has left,", &from, &why))?;
    }
    Ok(Some(previous))
}

/// Whether a folder has files of a start alone: a recording without an event, and perhaps the beginning of its evidence.
fn is_without_run(folder: &Path, files: &[&str]) -> bool {
    let is_empty = fs::metadata(folder.join(EVENTS)).is_ok_and(|there| there.len() == 0);
    is_empty && files.iter().all(|name| [EVENTS, EVIDENCE].contains(name))
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;
    use crate::Format;
    use crate::load::{LoadFormat, PAIRED_FILES};

    #[test]
    fn a_folder_has_one_run_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let first = OutputFolder::take(folder.path()).unwrap();
        let why = OutputFolder::take(folder.path()).unwrap_err().to_string();
        assert!(why.contains("another run writes into it now"), "{why}");
        drop(first);
        OutputFolder::take(folder.path()).unwrap();
    }

    #[test]
    fn a_folder_that_takes_no_reports_is_an_error_at_once() {
        for create in ["mkdir", "mkfifo"] {
            let folder = tempfile::tempdir().unwrap();
            let there = Command::new(create).arg(folder.path().join("junit.xml")).status().unwrap();
            assert!(there.success());
            let why = OutputFolder::take(folder.path()).unwrap_err().to_string();
            assert!(
                why.contains("junit.xml: it is a folder or a pipe; hint: choose another folder"),
                "{why}"
            );
        }
        let why = OutputFolder::take(Path::new("/proc/self")).unwrap_err().to_string();
        assert!(why.starts_with("failed to write into the output folder /proc/self: "), "{why}");
    }

    #[test]
    fn starts_without_a_run_keep_the_reports_of_the_last_run() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("report.html"), "of the last run").unwrap();
        for _ in 0..3 {
            drop(OutputFolder::take(folder.path()).unwrap());
            fs::write(folder.path().join(EVENTS), "").unwrap();
            fs::write(folder.path().join(EVIDENCE), "a beginning").unwrap();
            let kept = fs::read_to_string(folder.path().join(PREVIOUS).join("report.html"));
            assert_eq!(kept.unwrap(), "of the last run");
        }
    }

    #[test]
    fn every_report_is_kept() {
        let of_load = LoadFormat::ALL.map(LoadFormat::file_name);
        let names = Format::FILES.iter().map(|(_, name)| *name).chain(of_load);
        assert!(names.chain(PAIRED_FILES).chain([EVENTS]).all(|name| FILES.contains(&name)));
    }
}
