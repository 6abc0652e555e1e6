//! `kube-assay verify`: checks a certificate, and recomputes it from its evidence.

use std::path::Path;

use harness::read_input;
use reports::certificate::{CERTIFICATE_FORMAT, Certificate, PREDICATE_TYPE, STATEMENT_TYPE, Statement};
use serde_json::Value;

use crate::certificate::{Envelope, PublicKey, evidence_digest, first_difference, read_evidence, statement};
use crate::cli::VerifyArgs;
use crate::exit::Exit;
use crate::file_kind::FileKind;
use crate::output::{complain, remark, say};
use crate::requirements::RequirementSet;
use crate::result_file::expect_bounded;
use crate::run::TOOL;

/// Why a certificate is not verified.
enum Trouble {
    /// A file cannot be read.
    Unreadable(String),
    /// Something does not agree.
    Disagrees(String),
}

/// Checks signature, requirement set and evidence, and says what agrees.
pub(crate) fn verify(args: &VerifyArgs) -> Exit {
    match checked(args) {
        Ok(exit) => exit,
        Err(Trouble::Unreadable(why)) => {
            complain(why);
            Exit::Usage
        }
        Err(Trouble::Disagrees(why)) => {
            complain(format_args!("{} is not verified: {why}", args.certificate.display()));
            Exit::Failed
        }
    }
}

fn checked(args: &VerifyArgs) -> Result<Exit, Trouble> {
    let key = PublicKey::read(&args.key).map_err(Trouble::Unreadable)?;
    let envelope = read(&args.certificate).map_err(Trouble::Unreadable)?;
    let payload = envelope.open(&key).map_err(Trouble::Disagrees)?;
    say(&format!("signature    of the key {}\n", key.id()));
    let signed = Signed::read(&payload).map_err(Trouble::Disagrees)?;
    expect_set(&signed.statement.predicate.certificate).map_err(Trouble::Disagrees)?;
    let Some(evidence) = &args.evidence else {
        say("not checked  the evidence, and with it every verdict; hint: give --evidence EVIDENCE\n");
        return Ok(Exit::Inconclusive);
    };
    expect_digest(&signed, evidence)?;
    recompute(&signed, evidence)?;
    Ok(Exit::Passed)
}

/// Expects the requirement set of the certificate to be the one of this program.
fn expect_set(certificate: &Certificate) -> Result<(), String> {
    if certificate.tool.version != TOOL {
        remark(format_args!("{} recorded this run, and this is {TOOL}", certificate.tool.version));
    }
    let requirements = &certificate.requirements;
    let set = RequirementSet::named(&requirements.set)?;
    if set.digest != requirements.sha256 {
        return Err(format!(
            "its requirement set {} has the SHA-256 {}, and the one of this program {}",
            set.name, requirements.sha256, set.digest
        ));
    }
    say(&format!("requirements {}, SHA-256 {}\n", set.name, set.digest));
    Ok(())
}

fn read(path: &Path) -> Result<Envelope, String> {
    let failed = |why: &dyn std::fmt::Display| {
        let hint = "name the certificate.json that `kube-assay certify` wrote";
        format!("failed to read the certificate {}: {why}; hint: {hint}", path.display())
    };
    let text = read_input(path).map_err(|why| failed(&why))?;
    expect_bounded(&text).map_err(|why| failed(&why))?;
    Envelope::read(&text).map_err(|why| match FileKind::of(&text) {
        Some(FileKind::Certificate) => failed(&format_args!("it is damaged ({why})")),
        Some(kind) => failed(&format_args!("it is no certificate of kube-assay ({kind})")),
        None => failed(&format_args!("it is no certificate of kube-assay ({why})")),
    })
}

/// The signed statement, and the same as JSON.
struct Signed {
    statement: Statement,
    value: Value,
}

impl Signed {
    fn read(payload: &[u8]) -> Result<Self, String> {
        let failed = |why: serde_json::Error| format!("its statement is not that of a certificate: {why}");
        expect_bounded(payload).map_err(|why| format!("its statement is none: {why}"))?;
        // Unlike a value, the statement refuses a field that is there twice: readers may take the one or the other.
        let statement: Statement = serde_json::from_slice(payload).map_err(failed)?;
        let value: Value = serde_json::from_slice(payload).map_err(failed)?;
        if (statement.kind.as_str(), statement.predicate_type.as_str()) != (STATEMENT_TYPE, PREDICATE_TYPE) {
            return Err(format!("its statement has the type {:?}", statement.predicate_type));
        }
        let format = statement.predicate.certificate.format;
        if format != CERTIFICATE_FORMAT {
            return Err(format!("it has format {format}, and this program reads {CERTIFICATE_FORMAT}"));
        }
        Ok(Self { statement, value })
    }
}

/// Expects the file that the certificate is about.
fn expect_digest(signed: &Signed, evidence: &Path) -> Result<(), Trouble> {
    let found = evidence_digest(evidence).map_err(Trouble::Unreadable)?;
    let expected = signed.statement.subject.first().map_or("", |subject| &subject.digest.sha256);
    if found != *expected {
        return Err(Trouble::Disagrees(format!(
            "it is about evidence with the SHA-256 {expected}, and {} has {found}",
            evidence.display()
        )));
    }
    say(&format!("evidence     SHA-256 {expected}\n"));
    Ok(())
}

/// Makes the statement again from the evidence, and compares every field.
fn recompute(signed: &Signed, evidence: &Path) -> Result<(), Trouble> {
    let recorded = read_evidence(evidence).map_err(Trouble::Unreadable)?;
    let implementation = signed.statement.predicate.certificate.implementation.clone();
    let again = statement(recorded, implementation).map_err(|refusal| {
        Trouble::Disagrees(format!("its evidence does not allow a certificate: {refusal}"))
    })?;
    let again = serde_json::to_value(&again).map_err(|why| Trouble::Disagrees(why.to_string()))?;
    if let Some(difference) = first_difference("", &signed.value, &again) {
        return Err(Trouble::Disagrees(format!("its evidence gives something else: {difference}")));
    }
    let certificate = &signed.statement.predicate.certificate;
    let (counts, skipped) = (&certificate.counts, certificate.skipped.len());
    say(&format!(
        "verdicts     all recomputed from {} exchanges: {} clauses passed, {} warnings, {} not supported, {skipped} skipped\n",
        certificate.run.exchanges, counts.passed, counts.warning, counts.not_supported
    ));
    Ok(())
}
