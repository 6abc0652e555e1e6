//! Files of a run in one folder.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use model::Event;

use crate::Reporter;
use crate::format::Format;
use crate::jsonl::EventWriter;
use crate::record::Record;

/// The file that a run can be judged again from.
pub const EVENTS: &str = "events.jsonl";

/// The folder inside of the output folder for the files of the previous run. Two runs are kept, not more.
pub const PREVIOUS: &str = "previous";

/// The record of every exchange of a run, if the user asks for one.
pub const EVIDENCE: &str = "evidence.jsonl.gz";

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

/// Writes `events.jsonl` while the run goes on, and every file of [`Format::FILES`] at its end.
#[derive(Debug)]
pub struct Directory {
    path: PathBuf,
    previous: Option<PathBuf>,
    events: EventWriter<File>,
    /// The file of the events, locked while the run goes on.
    file: File,
    record: Record,
}

impl Directory {
    /// Makes the folder if need be. The reports of an earlier run in it are moved at once: if this run does not come to
    /// its end, no reader takes them for its own.
    pub fn create(path: &Path) -> io::Result<Self> {
        let previous = keep_previous(path)?;
        let events = path.join(EVENTS);
        let failed = |why: io::Error| explain("create", &events, &why);
        let file = create_file(&events).map_err(failed)?;
        // Not every file system has locks.
        let _ = file.try_lock();
        let (path, record) = (path.to_owned(), Record::default());
        let events = EventWriter::new(file.try_clone().map_err(failed)?);
        Ok(Self { path, previous, events, file, record })
    }

    /// The folder with the reports of the previous run, if there was one.
    pub fn previous(&self) -> Option<&Path> {
        self.previous.as_deref()
    }

    fn write(&self, (format, name): (Format, &str)) -> io::Result<()> {
        save(&self.path.join(name), |out| format.write(&self.record, out))
    }
}

impl Reporter for Directory {
    fn report(&mut self, event: &Event) -> io::Result<()> {
        self.record.add(event);
        self.events.report(event).map_err(|why| explain("write", &self.path.join(EVENTS), &why))
    }

    /// Writes as many reports as possible, and returns the first error.
    fn finish(self: Box<Self>) -> io::Result<()> {
        let written = Format::FILES.map(|file| self.write(file));
        let events = expect_in_place(&self.file, &self.path.join(EVENTS), self.events.length());
        written.into_iter().chain([events]).collect()
    }
}

/// Creates a folder if it is missing, and moves the reports of an earlier run in it to [`PREVIOUS`]. Returns that folder,
/// if there were any. A folder that takes no reports is an error now, not at the end of the run.
pub fn keep_previous(path: &Path) -> io::Result<Option<PathBuf>> {
    fs::create_dir_all(path).map_err(|why| explain("make the output folder", path, &why))?;
    expect_writable(path)?;
    for file in FILES.map(|name| path.join(name)) {
        expect_no_pipe(&file).map_err(|why| explain("write", &file, &why))?;
    }
    expect_no_other_run(path)?;
    let earlier: Vec<&str> = FILES.into_iter().filter(|name| path.join(name).is_file()).collect();
    if earlier.is_empty() {
        return Ok(None);
    }
    let previous = path.join(PREVIOUS);
    // All, so that the folder never has the files of two runs.
    clear(&previous, FILES)?;
    for name in earlier {
        let from = path.join(name);
        fs::rename(&from, previous.join(name))
            .map_err(|why| explain("keep what an earlier run has left,", &from, &why))?;
    }
    Ok(Some(previous))
}

fn expect_writable(folder: &Path) -> io::Result<()> {
    let attempt = folder.join(format!(".kube-assay-{}", std::process::id()));
    File::create_new(&attempt)
        .and_then(|_| fs::remove_file(&attempt))
        .map_err(|why| explain("write into the output folder", folder, &why))
}

/// Expects no folder, which cannot be written to, and no pipe, whose writer waits until somebody reads it.
pub fn expect_no_pipe(file: &Path) -> io::Result<()> {
    match fs::metadata(file).map(|there| there.file_type()) {
        Ok(there) if there.is_dir() || there.is_fifo() => {
            Err(io::Error::new(io::ErrorKind::AlreadyExists, "it is a folder or a pipe"))
        }
        _ => Ok(()),
    }
}

/// Creates a file whose end is written to: a program that empties it during the run leaves it shorter than what was written.
pub fn create_file(path: &Path) -> io::Result<File> {
    File::create(path)?;
    File::options().append(true).open(path)
}

/// Two runs that write into one folder at the same time would mix their files.
fn expect_no_other_run(path: &Path) -> io::Result<()> {
    let events = path.join(EVENTS);
    if !events.is_file() {
        return Ok(());
    }
    match File::open(&events).map(|file| file.try_lock()) {
        Ok(Err(TryLockError::WouldBlock)) => Err(io::Error::new(
            io::ErrorKind::ResourceBusy,
            format!(
                "failed to create {}: another run writes it now; hint: choose another folder",
                events.display()
            ),
        )),
        _ => Ok(()),
    }
}

/// Expects a file to be where it was created, with so many bytes: another program may have removed, replaced or emptied it
/// since.
pub fn expect_in_place(file: &File, path: &Path, length: u64) -> io::Result<()> {
    let identity = |of: &fs::Metadata| (of.dev(), of.ino());
    let written = file.metadata().map_err(|why| explain("write", path, &why))?;
    // A device has no length.
    let is_whole = !written.is_file() || written.len() == length;
    match fs::metadata(path) {
        Ok(there) if is_whole && identity(&there) == identity(&written) => Ok(()),
        _ => Err(io::Error::other(format!(
            "failed to write {}: another program removed, replaced or changed it during the run",
            path.display()
        ))),
    }
}

/// Creates a folder if it is missing, and removes files of an earlier call from it.
pub fn clear<const N: usize>(path: &Path, names: [&str; N]) -> io::Result<()> {
    fs::create_dir_all(path).map_err(|why| explain("make the output folder", path, &why))?;
    for name in names {
        let earlier = path.join(name);
        match fs::remove_file(&earlier) {
            Err(why) if why.kind() != io::ErrorKind::NotFound => {
                return Err(explain("remove what an earlier run has left,", &earlier, &why));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Writes a file as a whole.
pub fn save(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let written = File::create(path).and_then(|file| {
        let mut file = BufWriter::new(file);
        write(&mut file)?;
        file.flush()
    });
    written.map_err(|why| explain("write", path, &why))
}

/// The attempted action, the path, the cause and a hint.
pub fn explain(attempted: &str, path: &Path, why: &io::Error) -> io::Error {
    let advice = match why.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "; hint: choose a folder that you may write to"
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "; hint: make room, or choose another folder"
        }
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists | io::ErrorKind::IsADirectory => {
            "; hint: choose another folder, something else is in the way"
        }
        _ => "",
    };
    io::Error::new(why.kind(), format!("failed to {attempted} {}: {why}{advice}", path.display()))
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;
    use crate::load::{LoadFormat, PAIRED_FILES};

    #[test]
    fn a_folder_has_one_run_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let first = Directory::create(folder.path()).unwrap();
        let why = Directory::create(folder.path()).unwrap_err().to_string();
        assert!(why.contains("another run writes it now"), "{why}");
        Box::new(first).finish().unwrap();
        assert!(Directory::create(folder.path()).unwrap().previous().is_some());
    }

    #[test]
    fn a_removed_or_replaced_recording_is_an_error() {
        for removed in [EVENTS, ""] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("report");
            let directory = Directory::create(&path).unwrap();
            fs::rename(path.join(removed), folder.path().join("elsewhere")).unwrap();
            fs::create_dir_all(&path).unwrap();
            let why = Box::new(directory).finish().unwrap_err().to_string();
            assert!(why.contains("another program removed, replaced or changed it"), "{why}");
        }
    }

    #[test]
    fn a_folder_that_takes_no_reports_is_an_error_at_once() {
        for create in ["mkdir", "mkfifo"] {
            let folder = tempfile::tempdir().unwrap();
            let there = Command::new(create).arg(folder.path().join("junit.xml")).status().unwrap();
            assert!(there.success());
            let why = keep_previous(folder.path()).unwrap_err().to_string();
            assert!(
                why.contains("junit.xml: it is a folder or a pipe; hint: choose another folder"),
                "{why}"
            );
        }
        let why = keep_previous(Path::new("/proc/self")).unwrap_err().to_string();
        assert!(why.starts_with("failed to write into the output folder /proc/self: "), "{why}");
    }

    #[test]
    fn every_report_is_kept() {
        let of_load = LoadFormat::ALL.map(LoadFormat::file_name);
        let names = Format::FILES.iter().map(|(_, name)| *name).chain(of_load);
        assert!(names.chain(PAIRED_FILES).chain([EVENTS]).all(|name| FILES.contains(&name)));
    }
}
