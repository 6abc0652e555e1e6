//! Progress and results for a person: progress to one writer, results to another.

use std::io::{self, Write};
use std::time::Duration;

use jiff::Timestamp;
use model::{Event, EventKind, RunStarted, ScenarioFinished, Verdict};

use crate::Reporter;
use crate::escape::{clip, one_line};
use crate::page::{Ink, Page};
use crate::progress::{self, Unrecorded};
use crate::record::Record;
use crate::results;
use crate::verdict_style::VerdictStyle;
use crate::words::{duration, plural};

/// How much the terminal shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Verbosity {
    /// No progress; a line for each failed or inconclusive clause, and the conclusion.
    Quiet,
    /// Progress, the table, every failure explained.
    #[default]
    Normal,
    /// Also a line for each scenario, whole exchanges, and the ids of skipped clauses.
    Verbose,
}

/// The capabilities of an output stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Columns.
    pub width: usize,
    /// Whether it takes colours.
    pub colour: bool,
}

impl Default for Look {
    fn default() -> Self {
        Self { width: 80, colour: false }
    }
}

/// The options of the binary for its two streams and its user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// How much the terminal shows.
    pub verbosity: Verbosity,
    /// Whether progress goes to a terminal, where a line can be drawn again.
    pub interactive: bool,
    /// The stream that takes progress.
    pub progress: Look,
    /// The stream that takes results.
    pub results: Look,
}

/// The reporter for people.
#[derive(Debug)]
pub struct Terminal<P, R> {
    progress: P,
    results: R,
    options: Options,
    record: Record,
    drawn: Option<Timestamp>,
    /// The instant of the latest heartbeat.
    beat: Option<Timestamp>,
    unrecorded: Unrecorded,
}

/// The interval of heartbeats: a job of CI without output for minutes looks dead.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// A progress line drawn more often than this would only flicker.
const REDRAW_MS: u128 = 80;

/// Goes back to the beginning of the line and empties it.
const CLEAR: &str = "\r\u{1b}[2K";

impl<P: Write, R: Write> Terminal<P, R> {
    /// Writes progress to the first writer, usually standard error; results to the second, usually standard output.
    pub fn new(progress: P, results: R, options: Options) -> Self {
        Self {
            progress,
            results,
            options,
            record: Record::default(),
            drawn: None,
            beat: None,
            unrecorded: Unrecorded::default(),
        }
    }

    /// Redraws the progress line without an event, so that a slow scenario is visible. Where no line can be drawn
    /// again, it writes a heartbeat from time to time.
    ///
    /// Only these lines depend on `now`, on the reason of a slow run, which may be empty, and on the time that the clean-up
    /// has taken.
    pub fn tick(
        &mut self,
        now: Timestamp,
        slow_because: String,
        clean_up: Option<Duration>,
    ) -> io::Result<()> {
        self.unrecorded = Unrecorded { slow_because, clean_up };
        self.redraw(now)?;
        self.heartbeat(now)
    }

    fn redraw(&mut self, now: Timestamp) -> io::Result<()> {
        if self.shows_line() && self.is_running() { self.draw(now) } else { Ok(()) }
    }

    fn is_running(&self) -> bool {
        self.record.tally.started().is_some() && self.record.tally.finished().is_none()
    }

    fn heartbeat(&mut self, now: Timestamp) -> io::Result<()> {
        let latest = self.beat.unwrap_or_else(|| self.record.began());
        let due = crate::record::between(latest, now) >= HEARTBEAT;
        let quiet = self.options.verbosity == Verbosity::Quiet;
        if self.options.interactive || quiet || !self.is_running() || !due {
            return Ok(());
        }
        self.beat = Some(now);
        writeln!(self.progress, "{}", progress::heartbeat(&self.record, now, &self.unrecorded))?;
        self.progress.flush()
    }

    fn shows_line(&self) -> bool {
        self.options.interactive && self.options.verbosity != Verbosity::Quiet
    }

    fn draw(&mut self, now: Timestamp) -> io::Result<()> {
        let due = self.drawn.is_none_or(|drawn| crate::record::between(drawn, now).as_millis() >= REDRAW_MS);
        if !due {
            return Ok(());
        }
        self.drawn = Some(now);
        let line = progress::line(&self.record, now, &self.unrecorded, self.options.progress);
        write!(self.progress, "{CLEAR}{line}")?;
        self.progress.flush()
    }

    fn clear(&mut self) -> io::Result<()> {
        if self.drawn.take().is_some() {
            write!(self.progress, "{CLEAR}")?;
        }
        self.progress.flush()
    }

    fn say(&mut self, spans: &[(Ink, &str)]) -> io::Result<()> {
        self.clear()?;
        let mut page = Page::new(self.options.progress.width, self.options.progress.colour);
        page.line(spans);
        self.progress.write_all(page.into_text().as_bytes())
    }

    fn begin(&mut self, started: &RunStarted) -> io::Result<()> {
        let target = &started.target;
        let release = if target.release.is_empty() {
            "of unknown release".to_owned()
        } else {
            format!("({})", target.release)
        };
        let about = format!(
            " {release}{}: {}, seed {}, run {}",
            target.and_replicas(),
            plural(started.scenarios, "scenario"),
            started.seed,
            started.run
        );
        self.say(&[
            (Ink::Plain, &started.tool),
            (Ink::Plain, " tests "),
            (Ink::Bold, &target.address),
            (Ink::Plain, &about),
        ])
    }

    fn ended(&mut self, finished: &ScenarioFinished) -> io::Result<()> {
        let verdict = self.record.verdict_of(finished);
        let took = format!("{:>10}  ", duration(finished.elapsed));
        let why = match (verdict, progress::why(finished)) {
            (Verdict::Passed, _) => String::new(),
            (_, why) => format!("  {}", one_line(&clip(&why, 200))),
        };
        let word = format!("{:<13}", verdict.word());
        self.say(&[
            (verdict.ink(), &word),
            (Ink::Dim, &took),
            (Ink::Plain, finished.scenario.as_str()),
            (Ink::Dim, &why),
        ])
    }
}

impl<P: Write, R: Write> Reporter for Terminal<P, R> {
    fn report(&mut self, event: &Event) -> io::Result<()> {
        self.record.add(event);
        match (&event.kind, self.options.verbosity) {
            (_, Verbosity::Quiet) => return Ok(()),
            (EventKind::RunStarted(started), _) => self.begin(started)?,
            (EventKind::ScenarioFinished(finished), Verbosity::Verbose) => self.ended(finished)?,
            _ => {}
        }
        self.redraw(event.at)
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.clear()?;
        if self.options.verbosity != Verbosity::Quiet {
            writeln!(self.progress)?;
        }
        self.progress.flush()?;
        let mut page = Page::new(self.options.results.width, self.options.results.colour);
        results::write(&mut page, &self.record, self.options.verbosity);
        self.results.write_all(page.into_text().as_bytes())?;
        self.results.flush()
    }
}
