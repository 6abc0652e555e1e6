//! `certificate.md`: the certificate for a repository.

use model::Level;

use super::statement::{Certificate, Skipped, Statement};
use crate::markdown::{cell, code};

/// The certificate as Markdown.
pub fn markdown(statement: &Statement) -> String {
    let certificate = &statement.predicate.certificate;
    let mut text = format!("# {}\n\n", cell(&super::page::title(certificate)));
    text += &format!("{}\n\n| | |\n|---|---|\n", cell(&super::page::sentence(certificate)));
    for (name, value) in super::page::facts(statement) {
        text += &format!("| {name} | {} |\n", cell(&value));
    }
    text +=
        "\n## Conformance profiles\n\n| profile | `must` passed | failed | skipped |\n|---|---|---|---|\n";
    for profile in &certificate.requirements.profiles {
        let must = &profile.must;
        text +=
            &format!("| {} | {} | {} | {} |\n", cell(&profile.name), must.passed, must.failed, must.skipped);
    }
    text += &list("Warnings", "`should` clauses that failed", &statement.predicate.warned_tests);
    text += &list("Not supported", "`may` clauses that failed", &certificate.not_supported);
    text += &skipped(certificate);
    text += &deviations(certificate);
    text + "\nThis page is not signed: `kube-assay verify` checks certificate.json.\n"
}

fn list(title: &str, what: &str, clauses: &[String]) -> String {
    if clauses.is_empty() {
        return String::new();
    }
    let lines: String = clauses.iter().map(|clause| format!("- `{}`\n", code(clause))).collect();
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
