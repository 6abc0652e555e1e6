//! Standard output and standard error, and their capabilities.

use std::borrow::Cow;
use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::OnceLock;

use clap::ColorChoice;
use clap::error::ErrorKind;
use reports::{Look, Options, Terminal, Verbosity, is_hostile};
use terminal_size::{Width, terminal_size_of};

use crate::called::called;
use crate::exit::Exit;
use crate::origin;
use crate::standard_error::StandardError;
use crate::standard_output::{self, StandardOutput};

/// What is shown of a longer error, in characters.
const BEGINNING: usize = 3_000;
const END: usize = 1_000;

/// When output has colours: `--color`.
static COLOUR: OnceLock<ColorChoice> = OnceLock::new();

/// Decides when output has colours, before the first output.
pub(crate) fn colour(choice: ColorChoice) {
    let _ = COLOUR.set(choice);
}

/// The exit of the program: a command whose result was not written does not pass.
pub(crate) fn finish(exit: Exit) -> Exit {
    let Some(why) = standard_output::finish() else { return exit };
    complain(format_args!("failed to write to standard output: {why}"));
    if exit == Exit::Passed { Exit::Inconclusive } else { exit }
}

/// `1 object`, `2 objects`.
pub(crate) fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Writes to standard output.
pub(crate) fn say(text: &str) {
    let mut out = StandardOutput;
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Writes one sentence about an error to standard error.
///
/// It may contain a text of the server: no character ends the line or moves the cursor. Hints name the commands as the
/// user calls them.
pub(crate) fn complain(what: impl std::fmt::Display) {
    let what = what.to_string().replace("`kube-assay ", &format!("`{} ", called()));
    let what = format!("{what}{}", origin::notes(&what));
    write_line(&format!("error: {}", harmless(&shortened(&what), &[])));
}

/// Writes an error about the command line, with the usage, to standard error.
pub(crate) fn refuse(why: &clap::Error) -> Exit {
    let text = why.to_string();
    match shortened(&text) {
        Cow::Owned(text) if why.kind() != ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            remark(text.trim_end());
        }
        _ => drop(why.print()),
    }
    let notes = origin::notes(&text);
    if let Some(notes) = notes.strip_prefix("; ") {
        remark(format_args!("note: {notes}"));
    }
    if why.kind() == ErrorKind::InvalidUtf8 {
        for variable in origin::unreadable_variables() {
            remark(format_args!("note: the variable {variable} is no text in UTF-8"));
        }
    }
    Exit::Usage
}

/// An error without its middle, if it repeats a very long argument or file: the beginning, and the hint, matter.
fn shortened(text: &str) -> Cow<'_, str> {
    let left_out = text.chars().count().saturating_sub(BEGINNING + END);
    if left_out == 0 {
        return text.into();
    }
    let beginning: String = text.chars().take(BEGINNING).collect();
    let end: String = text.chars().skip(BEGINNING + left_out).collect();
    format!("{beginning} [{left_out} characters left out] {end}").into()
}

/// Writes a warning or a note, of one or more lines, to standard error.
pub(crate) fn remark(what: impl std::fmt::Display) {
    write_line(&harmless(&what.to_string(), &['\n']));
}

/// Writes a line to standard error, as a whole. The stream may be closed.
fn write_line(line: &str) {
    let _ = StandardError.write_all(format!("{line}\n").as_bytes());
}

/// The text with blanks for hostile characters, except these.
pub(crate) fn harmless(text: &str, except: &[char]) -> String {
    text.chars().map(|c| if is_hostile(c) && !except.contains(&c) { ' ' } else { c }).collect()
}

/// Says where the reports of the previous run are.
pub(crate) fn remark_previous(previous: Option<&Path>) {
    if let Some(folder) = previous {
        remark(format_args!("the reports of the previous run are now in {}", folder.display()));
    }
}

/// The output for the results of a command.
pub(crate) type Results = Box<dyn Write + Send>;

/// The reporter for a terminal; its results go to `results`.
pub(crate) fn terminal(quiet: bool, verbose: bool, results: Results) -> Terminal<StandardError, Results> {
    let verbosity = match (quiet, verbose) {
        (true, _) => Verbosity::Quiet,
        (_, true) => Verbosity::Verbose,
        _ => Verbosity::Normal,
    };
    let (progress, look_of_results) = (look(&io::stderr()), look(&io::stdout()));
    let options = Options { verbosity, interactive: is_interactive(), progress, results: look_of_results };
    Terminal::new(StandardError, results, options)
}

/// Whether standard error is a terminal that can draw a line again.
pub(crate) fn is_interactive() -> bool {
    io::stderr().is_terminal() && env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Standard output; a closed pipe is no error.
pub(crate) fn standard_output() -> Results {
    Box::new(StandardOutput)
}

/// Standard error, for commands of CI systems.
pub(crate) fn standard_error() -> Results {
    Box::new(io::stderr())
}

/// The width and the colours of a stream.
#[cfg(unix)]
pub(crate) fn look(stream: &(impl IsTerminal + std::os::fd::AsFd)) -> Look {
    let colour = match COLOUR.get() {
        Some(ColorChoice::Always) => true,
        Some(ColorChoice::Never) => false,
        _ => stream.is_terminal() && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
    };
    let width =
        terminal_size_of(stream).map_or(Look::default().width, |(Width(width), _)| usize::from(width));
    Look { width, colour }
}
