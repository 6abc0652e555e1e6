//! Standard output and standard error, and what they can show.

use std::env;
use std::io::{self, IsTerminal, Write};

use reports::{Look, Options, Terminal, Verbosity};
use terminal_size::{Width, terminal_size_of};

use crate::called::called;

/// Writes to standard output; that nobody reads it any more is not an error.
pub(crate) fn say(text: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Writes one sentence about what went wrong to standard error.
///
/// A server may have a word in it: nothing of it ends the line or moves the cursor. Advice names our commands as the
/// user calls them.
pub(crate) fn complain(what: impl std::fmt::Display) {
    let what = what.to_string().replace("`kube-assay ", &format!("`{} ", called()));
    let what: String = what.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let _ = writeln!(io::stderr().lock(), "error: {what}");
}

/// Writes a sentence to standard error that is good to know.
pub(crate) fn remark(what: impl std::fmt::Display) {
    let _ = writeln!(io::stderr().lock(), "{what}");
}

/// Where the results of a command go.
pub(crate) type Results = Box<dyn Write + Send>;

/// The reporter for the person at this terminal; its results go where standard output goes, or nowhere.
pub(crate) fn terminal(quiet: bool, verbose: bool, results: Results) -> Terminal<io::Stderr, Results> {
    let verbosity = match (quiet, verbose) {
        (true, _) => Verbosity::Quiet,
        (_, true) => Verbosity::Verbose,
        _ => Verbosity::Normal,
    };
    let (progress, look_of_results) = (look(&io::stderr()), look(&io::stdout()));
    let interactive = io::stderr().is_terminal() && env::var_os("TERM").is_none_or(|term| term != "dumb");
    let options = Options { verbosity, interactive, progress, results: look_of_results };
    Terminal::new(io::stderr(), results, options)
}

/// Standard output, which nobody needs to read.
pub(crate) fn standard_output() -> Results {
    Box::new(io::stdout())
}

/// What a stream can show.
#[cfg(unix)]
pub(crate) fn look(stream: &(impl IsTerminal + std::os::fd::AsFd)) -> Look {
    let colour = stream.is_terminal() && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let width =
        terminal_size_of(stream).map_or(Look::default().width, |(Width(width), _)| usize::from(width));
    Look { width, colour }
}
