//! `kube-assay certify`: signs a statement about the evidence of a run.

use std::io;
use std::path::Path;

use reports::certificate::{Statement, markdown, page};
use reports::directory::{clear, save};

use crate::certificate::{Envelope, PrivateKey, read_evidence, read_implementation, statement};
use crate::cli::CertifyArgs;
use crate::exit::Exit;
use crate::output::{complain, say};

/// The signed statement, and the same for people.
const FILES: [&str; 3] = ["certificate.json", "certificate.md", "certificate.html"];

/// Replays the evidence, and signs what it shows.
pub(crate) fn certify(args: &CertifyArgs) -> Exit {
    let read = || {
        let (key, implementation) =
            (PrivateKey::read(&args.key)?, read_implementation(&args.implementation)?);
        Ok::<_, String>((key, implementation, read_evidence(&args.evidence)?))
    };
    let (key, implementation, recorded) = match read() {
        Ok(read) => read,
        Err(why) => {
            complain(why);
            return Exit::Usage;
        }
    };
    let statement = match statement(recorded, implementation) {
        Ok(statement) => statement,
        Err(refusal) => {
            complain(format_args!("refused to certify {}: {refusal}", args.evidence.display()));
            return Exit::Failed;
        }
    };
    match write(&statement, &key, &args.output_dir) {
        Ok(written) => {
            say(&written);
            Exit::Passed
        }
        Err(why) => {
            complain(why);
            Exit::Inconclusive
        }
    }
}

/// Writes the three files, and says what they are.
fn write(statement: &Statement, key: &PrivateKey, directory: &Path) -> Result<String, String> {
    let failed = |why: &dyn std::fmt::Display| {
        format!("failed to write the certificate into {}: {why}", directory.display())
    };
    let payload = serde_json::to_vec(statement).map_err(|why| failed(&why))?;
    let envelope = serde_json::to_string(&Envelope::sign(&payload, key)?).map_err(|why| failed(&why))?;
    let texts = [envelope + "\n", markdown(statement), page(statement)];
    write_all(&texts, directory).map_err(|why| why.to_string())?;
    let certificate = &statement.predicate.certificate;
    Ok(format!(
        "certified: {}, {} clauses passed, {} skipped\nkey: {}\ncertificate: {}\n",
        certificate.requirements.set,
        certificate.counts.passed,
        certificate.skipped.len(),
        key.id(),
        directory.join(FILES[0]).display()
    ))
}

/// Writes all files or none: nobody must find a certificate beside the page of another one, or half a page.
fn write_all(texts: &[String; 3], directory: &Path) -> io::Result<()> {
    clear(directory, FILES)?;
    write_into(texts, directory)
}

fn write_into(texts: &[String; 3], directory: &Path) -> io::Result<()> {
    let write =
        |(name, text): (&str, &String)| save(&directory.join(name), |file| file.write_all(text.as_bytes()));
    let written = FILES.into_iter().zip(texts).try_for_each(write);
    if written.is_err() {
        let _ = clear(directory, FILES);
    }
    written
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn no_file_is_left_when_one_cannot_be_written() {
        let folder = tempfile::tempdir().unwrap();
        let texts = FILES.map(str::to_owned);
        write_all(&texts, folder.path()).unwrap();
        assert_eq!(fs::read_to_string(folder.path().join("certificate.md")).unwrap(), "certificate.md");
        fs::remove_file(folder.path().join("certificate.html")).unwrap();
        // What is written to it finds no room.
        std::os::unix::fs::symlink("/dev/full", folder.path().join("certificate.html")).unwrap();
        let full = write_into(&texts, folder.path()).unwrap_err();
        assert_eq!(full.kind(), io::ErrorKind::StorageFull);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
