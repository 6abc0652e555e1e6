//! `events.jsonl`: one event a line, written while the run goes on, and read again whenever.

use std::io::{self, BufRead, Read, Write};

use model::{Event, EventKind, FORMAT, json_values};
use serde::Deserialize;

use crate::Reporter;
use crate::words::in_words_of_json;

/// Writes every event as soon as it happens.
#[derive(Debug)]
pub struct EventWriter<W> {
    out: W,
    line: Vec<u8>,
    length: u64,
}

impl<W: Write> EventWriter<W> {
    /// Writes to `out`, which is flushed after every event.
    pub fn new(out: W) -> Self {
        Self { out, line: Vec::new(), length: 0 }
    }

    /// The number of bytes of all events so far.
    pub fn length(&self) -> u64 {
        self.length
    }
}

impl<W: Write> Reporter for EventWriter<W> {
    fn report(&mut self, event: &Event) -> io::Result<()> {
        self.line.clear();
        serde_json::to_writer(&mut self.line, event)?;
        self.line.push(b'\n');
        // One write: a crash leaves whole lines, and at most one that is cut off.
        self.out.write_all(&self.line)?;
        self.length += self.line.len() as u64;
        self.out.flush()
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.out.flush()
    }
}

/// Why a recording cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file itself.
    #[error("failed to read line {line}")]
    Read {
        /// Counted from 1.
        line: usize,
        /// The error of the system.
        #[source]
        why: io::Error,
    },
    /// Memory is bounded, whatever the file.
    #[error("the recording has more than {} MB: no run writes as much", LARGEST >> 20)]
    TooLarge,
    /// Each value takes much more memory than its text.
    #[error("the recording has more than {MOST_VALUES} values: no run writes as many")]
    TooManyValues,
    /// The parser holds all values of a line several times.
    #[error("line {line} has more than {MOST_VALUES_OF_A_LINE} values: no run writes as many")]
    TooManyValuesInLine {
        /// Counted from 1.
        line: usize,
    },
    /// A line that was not written by us, or was damaged.
    #[error("line {line} is no event: {}", in_its_line(.why))]
    NoEvent {
        /// Counted from 1.
        line: usize,
        /// The error of the parser.
        why: serde_json::Error,
    },
    /// Written by a later program.
    #[error(
        "the recording has format {format}, and this kube-assay reads format {FORMAT}; hint: use a newer kube-assay"
    )]
    TooNew {
        /// The recording's format.
        format: u32,
    },
    /// Written by an earlier program.
    #[error(
        "the recording has format {format}, and this kube-assay reads format {FORMAT}; hint: repeat the run with this kube-assay"
    )]
    TooOld {
        /// The recording's format.
        format: u32,
    },
    /// The beginning is missing: nothing could be counted.
    #[error("line {line} is not the start of a run: the recording has lost its beginning")]
    NoStart {
        /// Counted from 1.
        line: usize,
    },
    /// Two recordings in one file.
    #[error("a second run starts on line {line}; a recording holds one run")]
    SecondStart {
        /// Counted from 1.
        line: usize,
    },
    /// Not a single event.
    #[error("the recording is empty")]
    Empty,
}

/// The error of the parser with its place: the parser counts lines anew.
fn in_its_line(why: &serde_json::Error) -> String {
    let text = why.to_string();
    match text.rsplit_once(" at line ") {
        Some((what, _)) => format!("{} at column {}", in_words_of_json(what), why.column()),
        None => in_words_of_json(&text),
    }
}

/// The byte order mark that some editors put before a text.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The largest recording that is read, in bytes. A run of as many scenarios as the program executes writes 30 MB, and 24 MB
/// of evidence.
const LARGEST: u64 = 64 << 20;

/// The number of values of the longest recording that is read. A run of the full profile writes 80,000.
const MOST_VALUES: usize = 2_000_000;

/// The number of values of the longest line that is read. The first line has 30,000: all clauses.
const MOST_VALUES_OF_A_LINE: usize = 500_000;

/// Reads events one by one.
#[derive(Debug)]
pub struct EventReader<R> {
    input: R,
    buffer: Vec<u8>,
    line: usize,
    /// The bytes that are still read.
    left: u64,
    /// The values that are still read.
    values_left: usize,
    /// Whether the first event was read.
    is_started: bool,
    cut_off: Option<usize>,
    over: bool,
    /// The results that the run announced, less those so far.
    missing: usize,
    lost: usize,
}

/// As much of a first line as every version of the program can read.
#[derive(Deserialize)]
struct Start {
    event: String,
    format: Option<u32>,
}

impl<R: BufRead> EventReader<R> {
    /// Reads from `input`.
    pub fn new(input: R) -> Self {
        Self {
            input,
            buffer: Vec::new(),
            line: 0,
            left: LARGEST,
            values_left: MOST_VALUES,
            is_started: false,
            cut_off: None,
            over: false,
            missing: 0,
            lost: 0,
        }
    }

    /// A note for the user, once the end is reached: the last line was cut off, as by a crash, and was left out.
    pub fn note(&self) -> Option<String> {
        self.cut_off
            .map(|line| format!("line {line}, the last, is cut off and was left out: the run did not end"))
    }

    /// The number of results that are missing, once the end is reached: the recording has lost lines in its middle.
    pub fn lost_results(&self) -> usize {
        self.lost
    }

    fn count(&mut self, kind: &EventKind) {
        match kind {
            EventKind::RunStarted(started) => self.missing = started.scenarios,
            EventKind::ScenarioStarted { .. } => {}
            EventKind::ScenarioFinished(_) => self.missing = self.missing.saturating_sub(1),
            EventKind::RunFinished(finished) => self.lost = finished.lost_results(self.missing),
        }
    }

    /// The next event. A line without a text is none: an editor or `cat` may have added it.
    fn read(&mut self) -> Result<Option<Event>, ReadError> {
        while self.read_line()? {
            if !self.buffer.trim_ascii().is_empty() {
                return self.event();
            }
        }
        if self.is_started { Ok(None) } else { Err(ReadError::Empty) }
    }

    /// Reads the next line into the buffer, and returns whether there is one.
    fn read_line(&mut self) -> Result<bool, ReadError> {
        self.line += 1;
        let line = self.line;
        self.buffer.clear();
        let mut bounded = (&mut self.input).take(self.left + 1);
        let length =
            bounded.read_until(b'\n', &mut self.buffer).map_err(|why| ReadError::Read { line, why })?;
        self.left = self.left.checked_sub(length as u64).ok_or(ReadError::TooLarge)?;
        if line == 1 && self.buffer.starts_with(BYTE_ORDER_MARK) {
            self.buffer.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(length > 0)
    }

    /// The event in the buffer; `None` if it is cut off.
    fn event(&mut self) -> Result<Option<Event>, ReadError> {
        self.count_values()?;
        let ended = self.buffer.ends_with(b"\n");
        match self.parse() {
            // A first line that is cut off leaves nothing to report on.
            Err(ReadError::NoEvent { why, .. }) if !ended && self.is_started && why.is_eof() => {
                self.cut_off = Some(self.line);
                Ok(None)
            }
            parsed => {
                self.is_started = true;
                parsed.map(Some)
            }
        }
    }

    fn count_values(&mut self) -> Result<(), ReadError> {
        let values = json_values(&self.buffer);
        if values > MOST_VALUES_OF_A_LINE {
            return Err(ReadError::TooManyValuesInLine { line: self.line });
        }
        self.values_left = self.values_left.checked_sub(values).ok_or(ReadError::TooManyValues)?;
        Ok(())
    }

    fn parse(&self) -> Result<Event, ReadError> {
        let line = self.line;
        // The parser counts columns from the last line feed.
        let text = self.buffer.trim_ascii_end();
        let wrong = |why| ReadError::NoEvent { line, why };
        if !self.is_started {
            let start: Start = serde_json::from_slice(text).map_err(wrong)?;
            match start.format {
                Some(format) if format > FORMAT => return Err(ReadError::TooNew { format }),
                Some(format) if format < FORMAT => return Err(ReadError::TooOld { format }),
                _ if start.event != "run_started" => return Err(ReadError::NoStart { line }),
                _ => {}
            }
        }
        let event: Event = serde_json::from_slice(text).map_err(wrong)?;
        match event.kind {
            EventKind::RunStarted(_) if self.is_started => Err(ReadError::SecondStart { line }),
            _ => Ok(event),
        }
    }
}

impl<R: BufRead> Iterator for EventReader<R> {
    type Item = Result<Event, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        let read = self.read().transpose();
        if let Some(Ok(event)) = &read {
            self.count(&event.kind);
        }
        self.over = !matches!(read, Some(Ok(_)));
        read
    }
}
