//! Reads the file.

use std::fmt;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::MultiGzDecoder;
use model::{Event, json_values};
use serde_json::Value;

use super::kept_body::{KeptBody, Packer};
use super::line::{Body, Exchange, FORMAT, Finished, Hook, Line, Moment, Reached};
use super::writer::LARGEST;

/// The length of the largest file after its decompression, in bytes: the largest that a run writes, with its events.
const LONGEST: u64 = LARGEST as u64 + (256 << 20);

/// The length of the longest line, in bytes: the bodies of an exchange, 16 MB, may have six times as many bytes in JSON.
const LONGEST_LINE: u64 = 128 << 20;

/// The number of values of the longest line. The first event has 30,000: all clauses.
const MOST_VALUES_OF_A_LINE: usize = 1_000_000;

/// The number of values of the longest file. A line of a run has 13.
const MOST_VALUES: usize = 16 * MOST_LINES;

/// The number of lines of the longest file: the largest that a run writes has half as many. Each takes memory, however short.
const MOST_LINES: usize = 1_000_000;

/// The cause for a file whose beginning is none of a gzip file: another file, or one that a copy as text has changed.
const NO_GZIP: &str = "it is no gzip file; hint: name the evidence of `kube-assay run --evidence full`, or copy it \
                       again, in binary mode";

/// The cause for the lines of several runs in one file.
const MIXED: &str = "it has lines of another record; hint: name the evidence of one run alone, and give each run a \
                     folder of its own (--output-dir)";

/// The record of a whole run.
#[derive(Debug)]
pub struct Evidence {
    /// How the run reached its server.
    pub reached: Reached,
    /// The settings of the run, as its recorder got them.
    pub setup: Value,
    /// The events of the run.
    pub events: Vec<Event>,
    pub(super) exchanges: Vec<Exchange<KeptBody>>,
    pub(super) hooks: Vec<Hook>,
    pub(super) moments: Vec<Moment>,
}

/// What a file may be wrong in.
fn invalid(why: impl Into<String>) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, why.into())
}

/// The error for a file that was whole when the run wrote it.
fn damaged(why: &dyn fmt::Display) -> io::Error {
    invalid(format!("it is damaged ({why}); hint: copy it again, in binary mode, or repeat the run"))
}

/// The error for what the decoder of gzip refuses. An error of the disk, or of a pipe, is no damage of the file.
fn undecodable(why: io::Error) -> io::Error {
    match why.kind() {
        ErrorKind::UnexpectedEof => {
            invalid(format!("it is cut off ({why}); hint: copy all of it again, or repeat the run"))
        }
        ErrorKind::InvalidInput | ErrorKind::InvalidData => damaged(&why),
        _ => why,
    }
}

impl Evidence {
    /// Reads a file; refuses one that is damaged or incomplete.
    pub fn read(file: impl Read) -> io::Result<Self> {
        let mut lines = lines_of(file)?;
        let Some(Line::Started(started)) = lines.first()? else {
            return Err(invalid(
                "it does not begin as full evidence does; hint: name the evidence of `kube-assay run --evidence full`",
            ));
        };
        if started.format != FORMAT {
            return Err(invalid(format!(
                "it has format {}, and this program reads {FORMAT}",
                started.format
            )));
        }
        let mut evidence = Self {
            reached: started.reached,
            setup: started.setup,
            events: Vec::new(),
            exchanges: Vec::new(),
            hooks: Vec::new(),
            moments: Vec::new(),
        };
        let finished = evidence.take_lines(&mut lines)?;
        evidence.expect_whole(finished)?;
        Ok(evidence)
    }

    /// The number of recorded exchanges.
    pub fn exchanges(&self) -> usize {
        self.exchanges.len()
    }

    /// The names of the hooks that ran.
    pub fn hook_names(&self) -> impl Iterator<Item = &str> {
        self.hooks.iter().map(|hook| hook.name.as_str())
    }

    fn take_lines(&mut self, lines: &mut LineReader<impl BufRead>) -> io::Result<Finished> {
        let (mut bodies, mut packer) = (Vec::new(), Packer::default());
        while let Some(line) = lines.read()? {
            match line {
                Line::Body(body) => bodies.push(kept(body, &bodies, &mut packer)?),
                Line::Exchange(exchange) => {
                    self.exchanges.push(exchange.try_map(|body| kept(body, &bodies, &mut packer))?);
                }
                Line::Hook(hook) => self.hooks.push(hook),
                Line::Moment(moment) => self.moments.push(moment),
                Line::Event(event) => self.events.push(*event),
                Line::Finished(finished) if lines.read()?.is_none() => return Ok(finished),
                Line::Started(_) | Line::Finished(_) => {
                    return Err(invalid(MIXED));
                }
            }
        }
        Err(invalid("it breaks off: the run was stopped while it wrote; hint: repeat the run"))
    }

    fn expect_whole(&self, finished: Finished) -> io::Result<()> {
        let (found, expected) = (self.exchanges.len(), finished.exchanges);
        if found != expected {
            return Err(damaged(&format_args!("it has {found} exchanges, and its end says {expected}")));
        }
        if finished.left_out > 0 {
            let left_out = finished.left_out;
            return Err(invalid(format!(
                "it lacks {left_out} exchanges, because more came than could be recorded"
            )));
        }
        Ok(())
    }
}

/// The lines of a compressed file.
fn lines_of(file: impl Read) -> io::Result<LineReader<impl BufRead>> {
    // All members of the file: what is behind the first one must not pass unread.
    let unpacked = MultiGzDecoder::new(BufReader::new(file));
    let is_gzip = unpacked.header().is_some();
    let mut unpacked = BufReader::new(unpacked.take(LONGEST));
    match unpacked.fill_buf().err() {
        None => Ok(LineReader::new(unpacked)),
        Some(why) if !is_gzip && why.kind() == ErrorKind::InvalidInput => Err(invalid(NO_GZIP)),
        Some(why) => Err(undecodable(why)),
    }
}

/// Reads the lines of a file one by one, in bounded memory.
struct LineReader<R> {
    input: R,
    lines_left: usize,
    values_left: usize,
}

impl<R: BufRead> LineReader<R> {
    fn new(input: R) -> Self {
        Self { input, lines_left: MOST_LINES, values_left: MOST_VALUES }
    }

    /// The first line; `None` also if it is no line of evidence: the file is another one.
    fn first(&mut self) -> io::Result<Option<Line>> {
        Ok(self.read_text()?.and_then(|line| serde_json::from_slice(&line).ok()))
    }

    /// The next line.
    fn read(&mut self) -> io::Result<Option<Line>> {
        let Some(line) = self.read_text()? else { return Ok(None) };
        serde_json::from_slice(&line).map(Some).map_err(|why| damaged(&why))
    }

    /// The text of the next line.
    fn read_text(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        let read = (&mut self.input).take(LONGEST_LINE).read_until(b'\n', &mut line);
        let length = read.map_err(undecodable)?;
        if length == 0 {
            return Ok(None);
        }
        if length as u64 == LONGEST_LINE {
            return Err(invalid("a line of it is longer than a run writes"));
        }
        self.count(&line)?;
        Ok(Some(line))
    }

    /// Expects the values of a line to fit into the memory: each takes much more of it than its text.
    fn count(&mut self, line: &[u8]) -> io::Result<()> {
        let values = json_values(line);
        let too_many = |most: usize, noun: &str| invalid(format!("it has more than {most} {noun}"));
        if values > MOST_VALUES_OF_A_LINE {
            return Err(too_many(MOST_VALUES_OF_A_LINE, "values in a line"));
        }
        let left = self.lines_left.checked_sub(1);
        self.lines_left = left.ok_or_else(|| too_many(MOST_LINES, "lines"))?;
        let left = self.values_left.checked_sub(values);
        self.values_left = left.ok_or_else(|| too_many(MOST_VALUES, "values"))?;
        Ok(())
    }
}

fn kept(body: Body, earlier: &[KeptBody], packer: &mut Packer) -> io::Result<KeptBody> {
    match body {
        Body::Text(text) => Ok(packer.pack(text.into())),
        Body::Base64(text) => {
            let bytes = STANDARD.decode(text).map_err(|why| damaged(&why))?;
            Ok(packer.pack(bytes.into()))
        }
        Body::Same(number) => {
            earlier.get(number).cloned().ok_or_else(|| damaged(&format_args!("it has no body {number}")))
        }
    }
}
