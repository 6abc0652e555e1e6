//! `kube-assay history`: results of load runs over time.

mod add;
mod page;
mod read;
mod store;

use crate::cli::{HistoryAction, HistoryArgs};
use crate::exit::Exit;

/// Carries out the action.
pub(crate) fn history(args: &HistoryArgs) -> Exit {
    match &args.action {
        HistoryAction::Add(args) => add::add(args),
        HistoryAction::Show(args) => read::show(args),
        HistoryAction::Check(args) => read::check(args),
        HistoryAction::Page(args) => page::page(args),
    }
}
