//! `kube-assay version`: the build of the program, and the versions of the formats that it writes.

use harness::FORMAT;
use harness::load::LOAD_FORMAT;
use harness::load::history::HISTORY_FORMAT;
use reports::certificate::CERTIFICATE_FORMAT;
use serde_json::json;

use crate::cli::VersionArgs;
use crate::digest::sha256;
use crate::exit::Exit;
use crate::output::say;
use crate::run::{COMMIT, TOOL};

/// Prints the version.
pub(crate) fn version(args: &VersionArgs) -> Exit {
    let (clauses, catalogue) = (suites::catalogue().clauses().count(), sha256(suites::clause_files()));
    if args.output.is_json() {
        let document = json!({
            "version": env!("CARGO_PKG_VERSION"),
            "commit": COMMIT,
            "clauses": clauses,
            "catalogue_digest": catalogue,
            "formats": { "events": FORMAT, "summary": FORMAT, "load_summary": LOAD_FORMAT, "history_entry": HISTORY_FORMAT, "certificate": CERTIFICATE_FORMAT },
        });
        say(&format!("{document:#}\n"));
        return Exit::Passed;
    }
    let commit = if COMMIT.is_empty() { "unknown" } else { COMMIT };
    say(&format!(
        "{TOOL}\ncommit     {commit}\ncatalogue  {clauses} clauses, SHA-256 {catalogue}\n\
         formats    {FORMAT} (events.jsonl, summary.json), {LOAD_FORMAT} (summary.json of load), {HISTORY_FORMAT} (history), \
         {CERTIFICATE_FORMAT} (certificate.json)\n"
    ));
    Exit::Passed
}
