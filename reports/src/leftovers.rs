//! The objects that a run left on the server, and the command that removes them.

use model::quote;

use crate::page::{Ink, Page};
use crate::record::Record;
use crate::words::plural;

/// How many of the objects the terminal lists.
const LISTED: usize = 10;

/// The flags that name a target, and its credentials.
pub const TARGET_FLAGS: [&str; 10] = [
    "--kubeconfig",
    "--context",
    "--in-cluster",
    "--server",
    "--token",
    "--token-file",
    "--certificate-authority",
    "--client-certificate",
    "--client-key",
    "--insecure-skip-tls-verify",
];

/// The flag of a token that a recording does not have.
const TOKEN: &str = "--token=\"$TOKEN\"";

/// Lists the leftovers, and shows the command that removes them.
pub(crate) fn write(page: &mut Page, record: &Record) {
    let left = record.tally.finished().map_or(&[][..], |finished| &finished.leftovers);
    if left.is_empty() {
        return;
    }
    page.gap();
    page.line(&[
        (Ink::Yellow, "left behind"),
        (Ink::Plain, "  "),
        (Ink::Bold, &plural(left.len(), "object")),
    ]);
    for path in left.iter().take(LISTED) {
        page.command(path);
    }
    if left.len() > LISTED {
        page.paragraph(2, Ink::Dim, &format!("and {} more: see summary.json", left.len() - LISTED));
    }
    if let Some(command) = clean_command(record) {
        page.gap();
        page.paragraph(2, Ink::Plain, "Remove the objects of this run with:");
        page.gap();
        page.command(&command);
    }
}

/// The command that removes the leftovers of this run; `None` for the embedded server, which has ended.
pub(crate) fn clean_command(record: &Record) -> Option<String> {
    let started = record.tally.started().filter(|started| !started.invocation.embedded)?;
    let names_target = |flag: &&String| TARGET_FLAGS.contains(&flag.split('=').next().unwrap_or_default());
    let flags = started.invocation.flags.iter().filter(names_target);
    // A recording has no token: the user's shell may have it.
    let flags = flags.map(|flag| if flag.starts_with("--token=") { TOKEN.to_owned() } else { word(flag) });
    let command = ["kube-assay clean --run".to_owned(), word(&started.run)];
    Some(command.into_iter().chain(flags).collect::<Vec<_>>().join(" "))
}

/// A word of a command, between quotes if a shell would change it.
fn word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:@".contains(c);
    if text.chars().all(plain) { text.to_owned() } else { quote(text) }
}
