//! `kube-assay certify`: signs a statement about the evidence of a run.

use std::fs;
use std::path::Path;

use reports::certificate::{Statement, markdown, page};

use crate::certificate::{Envelope, PrivateKey, read_evidence, read_implementation, statement};
use crate::cli::CertifyArgs;
use crate::exit::Exit;
use crate::output::{complain, say};

/// The file of the signed statement.
const FILE: &str = "certificate.json";

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
    fs::create_dir_all(directory).map_err(|why| failed(&why))?;
    for (name, text) in [
        (FILE, envelope + "\n"),
        ("certificate.md", markdown(statement)),
        ("certificate.html", page(statement)),
    ] {
        fs::write(directory.join(name), text).map_err(|why| failed(&why))?;
    }
    let certificate = &statement.predicate.certificate;
    Ok(format!(
        "certified: {}, {} clauses passed, {} skipped\nkey: {}\ncertificate: {}\n",
        certificate.requirements.set,
        certificate.counts.passed,
        certificate.skipped.len(),
        key.id(),
        directory.join(FILE).display()
    ))
}
