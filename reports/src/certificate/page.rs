//! `certificate.html`: the certificate on one page that loads nothing.

use model::Verdict;

use super::statement::{Certificate, Statement};
use crate::html::{Document, html, term};

/// The certificate as a page.
pub fn page(statement: &Statement) -> String {
    let certificate = &statement.predicate.certificate;
    let title = title(certificate);
    let document = Document { title: &title, style: "", script: None };
    let facts: String = facts(statement).iter().map(|(name, value)| term(name, value)).collect();
    [
        document.head(),
        format!("<header><h1>{}</h1>\n", html(&title)),
        format!(
            "<p class=\"verdict\">{}</p>\n<dl>\n{facts}</dl></header>\n<main>\n",
            html(&sentence(certificate))
        ),
        profiles(certificate),
        list("Warnings: should clauses that failed", &statement.predicate.warned_tests),
        list("Not supported: may clauses that failed", &certificate.not_supported),
        skipped(certificate),
        deviations(certificate),
        "</main>\n<footer>This page is not signed: kube-assay verify checks certificate.json.</footer>\n"
            .to_owned(),
        document.foot(),
    ]
    .concat()
}

/// What the certificate is about.
pub(super) fn title(certificate: &Certificate) -> String {
    let Certificate { implementation, requirements, .. } = certificate;
    format!("{} {}: {}", implementation.project, implementation.version, requirements.set)
}

/// What the certificate says.
pub(super) fn sentence(certificate: &Certificate) -> String {
    let names: Vec<&str> =
        certificate.requirements.profiles.iter().map(|profile| profile.name.as_str()).collect();
    let counts = &certificate.counts;
    format!(
        "No must clause of the profiles {} failed: {} clauses passed, {} warnings, {} not supported, {} skipped.",
        names.join(", "),
        counts.of(Verdict::Passed),
        counts.of(Verdict::Warning),
        counts.of(Verdict::NotSupported),
        certificate.skipped.len(),
    )
}

/// The facts that identify the run, each with its name.
pub(super) fn facts(statement: &Statement) -> Vec<(&'static str, String)> {
    let Certificate { implementation, server, requirements, tool, run, .. } =
        &statement.predicate.certificate;
    let evidence = statement.subject.first().map(|subject| subject.digest.sha256.clone());
    vec![
        ("organization", implementation.organization.clone()),
        ("project", implementation.project.clone()),
        ("url", implementation.url.clone()),
        ("version", implementation.version.clone()),
        ("contact", implementation.contact.join(", ")),
        ("server", format!("{} {}", server.address, server.release)),
        ("discovery, SHA-256", server.discovery_sha256.clone()),
        ("OpenAPI index, SHA-256", server.openapi_sha256.clone().unwrap_or_else(|| "none".to_owned())),
        ("claim and server", server.contradictions.join("; ")),
        ("requirement set, SHA-256", requirements.sha256.clone()),
        ("program", format!("{} {}", tool.version, tool.commit)),
        ("binary, SHA-256", tool.sha256.clone()),
        (
            "run",
            format!(
                "{}, --seed {}, {} scenarios, {} exchanges",
                run.id, run.seed, run.scenarios, run.exchanges
            ),
        ),
        ("flags", run.flags.join(" ")),
        ("time", format!("{} to {}", run.started, run.finished)),
        ("evidence, SHA-256", evidence.unwrap_or_default()),
    ]
}

fn profiles(certificate: &Certificate) -> String {
    let row = |profile: &super::CertifiedProfile| {
        let must = &profile.must;
        let (name, passed, failed, skipped) = (html(&profile.name), must.passed, must.failed, must.skipped);
        format!("<tr><td>{name}</td><td>{passed}</td><td>{failed}</td><td>{skipped}</td></tr>\n")
    };
    let rows: String = certificate.requirements.profiles.iter().map(row).collect();
    format!(
        "<h2>Conformance profiles</h2>\n<div class=\"scroll\"><table><tr><th>profile</th><th>must passed</th>\
         <th>failed</th><th>skipped</th></tr>\n{rows}</table></div>\n"
    )
}

fn list(title: &str, clauses: &[String]) -> String {
    if clauses.is_empty() {
        return String::new();
    }
    let item = |clause: &String| format!("<li>{}</li>\n", html(clause));
    let items: String = clauses.iter().map(item).collect();
    format!("<h2>{title}</h2>\n<ul>\n{items}</ul>\n")
}

fn skipped(certificate: &Certificate) -> String {
    let rows = certificate
        .skipped
        .iter()
        .map(|skipped| [skipped.clause.as_str(), skipped.level.as_str(), &skipped.reason]);
    table("Skipped: the certificate says nothing about these", ["clause", "level", "reason"], rows)
}

fn deviations(certificate: &Certificate) -> String {
    let rows =
        certificate.deviations.iter().map(|deviation| [deviation.clause.as_str(), &deviation.behaviour]);
    table("Known deviations: a server that does either passes", ["clause", "kube-apiserver"], rows)
}

/// A table of texts; nothing without rows.
fn table<'a, const N: usize>(
    title: &str,
    columns: [&str; N],
    rows: impl Iterator<Item = [&'a str; N]>,
) -> String {
    let cell = |text: &&str| format!("<td class=\"text\">{}</td>", html(text));
    let row = |cells: [&str; N]| format!("<tr>{}</tr>\n", cells.iter().map(cell).collect::<String>());
    let rows: String = rows.map(row).collect();
    if rows.is_empty() {
        return String::new();
    }
    let head = |column: &&str| format!("<th>{column}</th>");
    let heads: String = columns.iter().map(head).collect();
    format!("<h2>{title}</h2>\n<div class=\"scroll\"><table><tr>{heads}</tr>\n{rows}</table></div>\n")
}
