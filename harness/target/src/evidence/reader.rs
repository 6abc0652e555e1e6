//! Reads the file.

use std::io::{self, BufRead, BufReader, Read};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::MultiGzDecoder;
use model::Event;
use serde_json::Value;

use super::kept_body::{KeptBody, Packer};
use super::line::{Body, Exchange, FORMAT, Finished, Hook, Line, Moment, Reached};
use super::writer::LARGEST;

/// The length of the largest file after its decompression, in bytes: the largest that a run writes, with its events.
const LONGEST: u64 = LARGEST as u64 + (256 << 20);

/// The length of the longest line, in bytes: a body of 32 MB may have six times as many bytes in JSON.
const LONGEST_LINE: u64 = 256 << 20;

/// The number of lines of the longest file: the largest that a run writes has half as many. Each takes memory, however short.
const MOST_LINES: usize = 1_000_000;

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
    io::Error::new(io::ErrorKind::InvalidData, why.into())
}

impl Evidence {
    /// Reads a file; refuses one that is damaged or incomplete.
    pub fn read(file: impl Read) -> io::Result<Self> {
        // All members of the file: what is behind the first one must not pass unread.
        let mut lines = BufReader::new(MultiGzDecoder::new(BufReader::new(file)).take(LONGEST));
        let Some(Line::Started(started)) = next(&mut lines)? else {
            return Err(invalid("it does not begin as full evidence does"));
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

    fn take_lines(&mut self, lines: &mut impl BufRead) -> io::Result<Finished> {
        let (mut bodies, mut packer, mut count) = (Vec::new(), Packer::default(), 0);
        while let Some(line) = next(lines)? {
            count += 1;
            match line {
                _ if count > MOST_LINES => {
                    return Err(invalid(format!("it has more than {MOST_LINES} lines")));
                }
                Line::Body(body) => bodies.push(kept(body, &bodies, &mut packer)?),
                Line::Exchange(exchange) => {
                    self.exchanges.push(exchange.try_map(|body| kept(body, &bodies, &mut packer))?);
                }
                Line::Hook(hook) => self.hooks.push(hook),
                Line::Moment(moment) => self.moments.push(moment),
                Line::Event(event) => self.events.push(*event),
                Line::Finished(finished) if next(lines)?.is_none() => return Ok(finished),
                Line::Started(_) | Line::Finished(_) => {
                    return Err(invalid("it has lines of another record"));
                }
            }
        }
        Err(invalid("it breaks off: the run was stopped while it wrote"))
    }

    fn expect_whole(&self, finished: Finished) -> io::Result<()> {
        let (found, expected) = (self.exchanges.len(), finished.exchanges);
        if found != expected {
            return Err(invalid(format!("it has {found} exchanges, and its end says {expected}")));
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

fn next(lines: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    match lines.take(LONGEST_LINE).read_until(b'\n', &mut line)? {
        0 => Ok(None),
        length if length as u64 == LONGEST_LINE => Err(invalid("a line of it is longer than a run writes")),
        _ => Ok(Some(serde_json::from_slice(&line)?)),
    }
}

fn kept(body: Body, earlier: &[KeptBody], packer: &mut Packer) -> io::Result<KeptBody> {
    match body {
        Body::Text(text) => Ok(packer.pack(text.into())),
        Body::Base64(text) => {
            let bytes = STANDARD.decode(text).map_err(|why| invalid(why.to_string()))?;
            Ok(packer.pack(bytes.into()))
        }
        Body::Same(number) => {
            earlier.get(number).cloned().ok_or_else(|| invalid(format!("it has no body {number}")))
        }
    }
}
