//! Events in, bytes out.
//!
//! Every report is a pure function of the events of a run: no clock, no environment. A recorded
//! `events.jsonl` gives the same bytes again. The output on a terminal is [`Terminal`], a file at the end of a run is
//! one [`Format`] each, and [`Directory`] writes the files among those into one folder.

mod annotations;
mod body;
mod cases;
mod causes;
pub mod certificate;
mod command_line;
mod compare;
mod conclusion;
mod coverage;
mod difference;
pub mod directory;
mod escape;
mod excerpt;
mod failure;
mod failures;
mod files;
mod focus;
mod format;
mod html;
mod jsonl;
mod junit;
mod known_failures;
mod leftovers;
pub mod load;
mod markdown;
pub mod output_folder;
mod page;
mod pipe;
mod progress;
mod record;
mod results;
mod run_again;
mod script;
mod step_summary;
mod summary;
mod table;
mod tap;
mod terminal;
mod timeline;
mod verdict_style;
mod warnings;
mod words;

#[cfg(test)]
mod tests;

use std::io;

use model::Event;

pub use causes::{FailureGroup, cause_ids, failure_groups};
pub use command_line::{SCENARIO_FLAGS, TARGET_FLAGS};
pub use compare::{
    Standing, StandingError, Turn, Turned, have_common_scenario, turns, write_turns, write_turns_json,
};
pub use coverage::{Coverage, Row, Share};
pub use directory::Directory;
pub use escape::is_hostile;
pub use excerpt::{Excerpt, ExcerptReport};
pub use files::Files;
pub use format::{AtEnd, Format};
pub use jsonl::{EventReader, EventWriter, ReadError};
pub use script::{Script, script};
pub use terminal::{Look, Options, Terminal, Verbosity};

/// Takes every event of a run and makes bytes of them.
pub trait Reporter {
    /// Takes the next event.
    fn report(&mut self, event: &Event) -> io::Result<()>;

    /// Writes the end of the report, whether or not the run has ended by itself.
    fn finish(self: Box<Self>) -> io::Result<()>;
}
