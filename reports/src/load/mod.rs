//! Reports of a load run: each a pure function of a [`LoadRun`], and the live view one of a [`Interval`].
//!
//! [`LoadRun`]: model::load::LoadRun
//! [`Interval`]: model::load::Interval

mod account;
mod annotations;
mod compare;
mod export;
mod figures;
mod format;
mod grid;
mod history;
mod html;
mod interval_log;
mod junit;
mod live;
mod paired;
mod rows;
mod summary;
mod tables;
mod terminal;

#[cfg(test)]
mod tests;

pub use annotations::write_load_annotations;
pub use compare::{write_comparison, write_comparison_json};
pub use export::{ExportError, ExportFormat};
pub use format::{LoadFormat, write_folder};
pub use history::{
    EntryError, read_entry, write_check, write_check_annotations, write_check_junit, write_entry,
    write_history,
};
pub use html::{write_history_page, write_html, write_paired_html};
pub use interval_log::write_interval_log;
pub use junit::write_junit;
pub use live::{Live, live_lines, plain_line};
pub use paired::{
    PAIRED_FILES, PairedOutcome, PairedReport, write_paired, write_paired_annotations, write_paired_folder,
    write_paired_json, write_paired_markdown,
};
pub use summary::{SummaryError, read_summary, write_summary};
pub use terminal::write_terminal;
