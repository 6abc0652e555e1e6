//! `kube-assay history page`: one HTML page.

use harness::load::history::groups;
use reports::directory::save_named;
use reports::load::write_history_page;

use super::read::{read, whole};
use crate::cli::HistoryPageArgs;
use crate::exit::Exit;
use crate::output::complain;
use crate::run::TOOL;

/// Writes the page.
pub(super) fn page(args: &HistoryPageArgs) -> Exit {
    let Some(stored) = read(&args.results) else { return Exit::Usage };
    if stored.entries.is_empty() {
        return Exit::Inconclusive;
    }
    let written = save_named(&args.output, |out| write_history_page(&groups(&stored.entries), TOOL, out));
    match written {
        Ok(()) => whole(&stored, Exit::Passed),
        Err(why) => {
            complain(why);
            Exit::Inconclusive
        }
    }
}
