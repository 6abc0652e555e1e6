//! `certificate.md`: the certificate for a repository.

use model::{Counts, Level};

use super::page::{facts, sentence, title};
use super::statement::{Certificate, CertifiedProfile, Skipped, Statement};
use crate::markdown::{cell, code};

/// The certificate as Markdown.
pub fn markdown(statement: &Statement) -> String {
    let certificate = &statement.predicate.certificate;
    [
        format!("# {}\n\n{}\n\n", cell(&title(certificate)), cell(&sentence(certificate))),
        facts_table(statement),
        profiles(certificate),
        list("Warnings", "`should` clauses that failed", &statement.predicate.warned_tests),
        list("Not supported", "`may` clauses that failed", &certificate.not_supported),
        skipped(certificate),
        deviations(certificate),
        "\nThis page is not signed: `kube-assay verify` checks certificate.json.\n".to_owned(),
    ]
    .concat()
}

fn facts_table(statement: &Statement) -> String {
    let row = |(name, value): (&str, String)| format!("| {name} | {} |\n", cell(&value));
    let rows: String = facts(statement).into_iter().map(row).collect();
    format!("| | |\n|---|---|\n{rows}")
}

fn profiles(certificate: &Certificate) -> String {
    let row = |profile: &CertifiedProfile| {
        let Counts { passed, failed, skipped, .. } = profile.must;
        format!("| {} | {passed} | {failed} | {skipped} |\n", cell(&profile.name))
    };
    let rows: String = certificate.requirements.profiles.iter().map(row).collect();
    format!(
        "\n## Conformance profiles\n\n| profile | `must` passed | failed | skipped |\n|---|---|---|---|\n{rows}"
    )
}

fn list(title: &str, what: &str, clauses: &[String]) -> String {
    if clauses.is_empty() {
        return String::new();
    }
    let line = |clause: &String| format!("- `{}`\n", code(clause));
    let lines: String = clauses.iter().map(line).collect();
    format!("\n## {title}\n\n{} {what}:\n\n{lines}", clauses.len())
}

fn skipped(certificate: &Certificate) -> String {
    if certificate.skipped.is_empty() {
        return String::new();
    }
    let row = |skipped: &Skipped| {
        format!("| `{}` | {} | {} |\n", code(&skipped.clause), skipped.level, cell(&skipped.reason))
    };
    let rows: String = certificate.skipped.iter().map(row).collect();
    let must = certificate.skipped.iter().filter(|skipped| skipped.level == Level::Must).count();
    let all = certificate.skipped.len();
    format!(
        "\n## Skipped\n\nThe certificate says nothing about {all} clauses, {must} of them `must`:\n\n\
         | clause | level | reason |\n|---|---|---|\n{rows}"
    )
}

fn deviations(certificate: &Certificate) -> String {
    if certificate.deviations.is_empty() {
        return String::new();
    }
    let row =
        |(clause, behaviour): (&String, &String)| format!("| `{}` | {} |\n", code(clause), cell(behaviour));
    let rows: String = certificate
        .deviations
        .iter()
        .map(|deviation| row((&deviation.clause, &deviation.behaviour)))
        .collect();
    format!(
        "\n## Known deviations\n\nThe released kube-apiserver does not follow these clauses, and a server that does \
         either passes:\n\n| clause | kube-apiserver |\n|---|---|\n{rows}"
    )
}
