//! Files of a run in one folder.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

use model::Event;

use crate::format::Format;
use crate::jsonl::EventWriter;
use crate::output_folder::OutputFolder;
use crate::record::Record;
use crate::{Reporter, pipe};

/// The file that a run can be judged again from.
pub const EVENTS: &str = "events.jsonl";

/// The record of every exchange of a run, if the user asks for one.
pub const EVIDENCE: &str = "evidence.jsonl.gz";

/// Writes `events.jsonl` while the run goes on, and every file of [`Format::FILES`] at its end.
#[derive(Debug)]
pub struct Directory {
    folder: OutputFolder,
    events: EventWriter<File>,
    /// The file of the events.
    file: File,
    record: Record,
}

impl Directory {
    /// Takes the folder, and creates `events.jsonl` in it.
    pub fn create(path: &Path) -> io::Result<Self> {
        let folder = OutputFolder::take(path)?;
        let events = path.join(EVENTS);
        let failed = |why: io::Error| explain("create", &events, &why);
        let file = create_file(&events).map_err(failed)?;
        let events = EventWriter::new(file.try_clone().map_err(failed)?);
        Ok(Self { folder, events, file, record: Record::default() })
    }

    /// The folder with the reports of the previous run, if there was one.
    pub fn previous(&self) -> Option<&Path> {
        self.folder.previous()
    }

    fn write(&self, (format, name): (Format, &str)) -> io::Result<()> {
        save(&self.folder.path().join(name), |out| format.write(&self.record, out))
    }

    /// Expects the events in their file, or writes them once more: a file that another program removes can be read until
    /// it is closed.
    fn keep_events(&self) -> io::Result<()> {
        let path = self.folder.path().join(EVENTS);
        let is_whole = self.file.metadata().is_ok_and(|there| there.len() == self.events.length());
        if !is_whole || path.exists() {
            return expect_in_place(&self.file, &path, self.events.length());
        }
        let mut events = &self.file;
        events.seek(SeekFrom::Start(0)).map_err(|why| explain("read", &path, &why))?;
        save(&path, |out| io::copy(&mut events, out).map(drop))
    }
}

impl Reporter for Directory {
    fn report(&mut self, event: &Event) -> io::Result<()> {
        self.record.add(event);
        self.events.report(event).map_err(|why| explain("write", &self.folder.path().join(EVENTS), &why))
    }

    /// Writes as many reports as possible, and returns the first error.
    fn finish(self: Box<Self>) -> io::Result<()> {
        let written = Format::FILES.map(|file| self.write(file));
        first_error(written.into_iter().chain([self.keep_events()]))
    }
}

/// The first of the errors of several files, with the number of the others.
pub(crate) fn first_error(written: impl IntoIterator<Item = io::Result<()>>) -> io::Result<()> {
    let mut errors = written.into_iter().filter_map(Result::err);
    let Some(first) = errors.next() else { return Ok(()) };
    match errors.count() {
        0 => Err(first),
        others => Err(io::Error::new(first.kind(), format!("{first} (and {others} more files)"))),
    }
}

/// Expects no folder, which cannot be written to, and no pipe, whose writer waits until somebody reads it.
pub fn expect_no_folder_or_pipe(file: &Path) -> io::Result<()> {
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
    File::options().read(true).append(true).open(path)
}

/// Expects a file to be where it was created, with so many bytes: another program may have removed, replaced or emptied it
/// since.
pub fn expect_in_place(file: &File, path: &Path, length: u64) -> io::Result<()> {
    let written = file.metadata().map_err(|why| explain("write", path, &why))?;
    // A device has no length.
    let is_whole = !written.is_file() || written.len() == length;
    if is_whole && is_at(file, path)? {
        return Ok(());
    }
    Err(io::Error::other(format!(
        "failed to write {}: another program removed, replaced or changed it during the run",
        path.display()
    )))
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

/// Writes a file of an output folder as a whole: it has its old content until it has all of the new one. A link is
/// replaced; a device is written to. The folder is made again if another program has removed it.
pub fn save(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let made = path.parent().map_or(Ok(()), fs::create_dir_all);
    made.map_err(|why| explain("write", path, &why))?;
    save_into(path, write)
}

fn save_into(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let is_file = fs::metadata(path).map_or(true, |there| there.is_file());
    let written = if is_file { replace(path, |file| write(file)) } else { overwrite(path, write) };
    written.map_err(|why| explain("write", path, &why))
}

/// Writes a file that the user names, as [`save`] does, but into a folder that is there, and through a link: `/dev/stdout`
/// is one.
pub fn save_named(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    if path.is_symlink() {
        return overwrite(path, write).map_err(|why| explain("write", path, &why));
    }
    save_into(path, write)
}

fn overwrite(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut file = BufWriter::new(pipe::create(path)?);
    write(&mut file)?;
    file.flush()
}

/// The beginning of the name of a file that is being written.
const UNFINISHED: &str = ".unfinished-";

/// Writes a file under another name beside its own, which it gets at the end. Without this end, nothing is left of it; if
/// its writer is killed, the next one removes it.
pub fn replace(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    remove_abandoned(path.parent().unwrap_or(Path::new("")));
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let unfinished = path.with_file_name(format!("{UNFINISHED}{}-{name}", std::process::id()));
    let written = create_locked(&unfinished).and_then(|file| {
        // Only the owner may have been allowed to read the file.
        if let Ok(there) = fs::symlink_metadata(path).as_ref().map(fs::Metadata::permissions)
            && !path.is_symlink()
        {
            file.set_permissions(there)?;
        }
        let mut file = BufWriter::new(file);
        write(&mut file)?;
        file.flush()?;
        // The lock ends after this.
        fs::rename(&unfinished, path)
    });
    if written.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    written
}

/// Creates a file that its writer holds locked: the lock ends with the writer.
fn create_locked(path: &Path) -> io::Result<File> {
    loop {
        let file = File::create(path)?;
        // Not every file system has locks. Without one, nobody takes the file for abandoned.
        if file.lock().is_err() || is_at(&file, path)? {
            return Ok(file);
        }
    }
}

/// Removes the files of killed writers. That they are still there does no harm, so errors do not matter.
fn remove_abandoned(folder: &Path) {
    let folder = if folder == Path::new("") { Path::new(".") } else { folder };
    let Ok(files) = fs::read_dir(folder) else { return };
    for file in files.flatten().filter(|file| is_unfinished(&file.file_name().to_string_lossy())) {
        let is_file = file.file_type().is_ok_and(|there| there.is_file());
        let Some(left) = is_file.then(|| File::open(file.path()).ok()).flatten() else { continue };
        // The lock is held until the removal: a writer that creates the file meanwhile sees that it is gone.
        if left.try_lock().is_ok() && is_at(&left, &file.path()).unwrap_or(false) {
            let _ = fs::remove_file(file.path());
        }
    }
}

/// Whether a file has the name of one that is being written, such as `.unfinished-712-junit.xml`.
fn is_unfinished(name: &str) -> bool {
    let process = name.strip_prefix(UNFINISHED).and_then(|rest| Some(rest.split_once('-')?.0));
    process.is_some_and(|process| process.parse::<u32>().is_ok())
}

/// Whether a path still leads to this file.
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let written = file.metadata()?;
    Ok(fs::metadata(path).is_ok_and(|there| (there.dev(), there.ino()) == (written.dev(), written.ino())))
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
        io::ErrorKind::NotFound if path.is_relative() && fs::canonicalize(".").is_err() => {
            "; hint: change to another working directory, this one is gone"
        }
        io::ErrorKind::NotFound => "; hint: choose a folder that exists",
        io::ErrorKind::InvalidFilename => "; hint: choose a shorter name",
        _ => "",
    };
    io::Error::new(why.kind(), format!("failed to {attempted} {}: {why}{advice}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The disk is full in the middle of a file.
    fn full(out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"half")?;
        Err(io::ErrorKind::StorageFull.into())
    }

    #[test]
    fn a_file_that_is_not_written_to_its_end_keeps_its_content() {
        let folder = tempfile::tempdir().unwrap();
        let (file, other, link) = (folder.path().join("a"), folder.path().join("b"), folder.path().join("c"));
        save(&file, |out| out.write_all(b"old")).unwrap();
        assert!(save(&file, full).is_err() && save_named(&file, full).is_err());
        assert_eq!(fs::read(&file).unwrap(), b"old");
        fs::write(&other, "of another program").unwrap();
        std::os::unix::fs::symlink(&other, &link).unwrap();
        save(&link, |out| out.write_all(b"new")).unwrap();
        assert_eq!((fs::read(&link).unwrap(), fs::read(&other).unwrap().len()), (b"new".to_vec(), 18));
        fs::remove_file(&link).unwrap();
        std::os::unix::fs::symlink(&other, &link).unwrap();
        save_named(&link, |out| out.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&other).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    }

    #[test]
    fn the_next_write_removes_what_killed_writers_left() {
        let folder = tempfile::tempdir().unwrap();
        let of = |name: &str| folder.path().join(name);
        let (left, foreign) = (of(".unfinished-1-page.html"), of(".unfinished-notes"));
        for file in [&left, &foreign] {
            fs::write(file, "half").unwrap();
        }
        let writing = create_locked(&of(".unfinished-2-junit.xml")).unwrap();
        save(&of("page.html"), |out| out.write_all(b"whole")).unwrap();
        assert!(!left.exists() && foreign.exists() && of(".unfinished-2-junit.xml").exists());
        drop(writing);
        save(&of("page.html"), |out| out.write_all(b"whole")).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_replaced_recording_is_an_error() {
        for replaced in [EVENTS, ""] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("report");
            let directory = Directory::create(&path).unwrap();
            fs::rename(path.join(replaced), folder.path().join("elsewhere")).unwrap();
            fs::create_dir_all(&path).unwrap();
            fs::write(path.join(EVENTS), "").unwrap();
            let why = Box::new(directory).finish().unwrap_err().to_string();
            assert!(why.contains("another program removed, replaced or changed it"), "{why}");
        }
    }
}
