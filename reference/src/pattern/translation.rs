//! Patterns in the syntax of Go, which kube-apiserver uses: their errors, and the same patterns in the syntax of Rust.
//!
//! The translator decides as the parser of Go: <https://go.dev/src/regexp/syntax/parse.go>.
//! It has no limits of depth and size.

use super::class::{class, range};
use super::escape::{character_escape, class_escape};
use super::reader::{Parsed, PatternReader, error};
use super::repetition::{MOST_COPIES, RepetitionBounds};
use super::unicode_names::NOTHING;

/// The flags of groups: ignore case, `^` and `$` at lines, `.` for line feeds, and lazy repetitions.
const FLAGS: &str = "imsU";

const INVALID_NAME: &str = "invalid named capture";
const INVALID_COUNT: &str = "invalid repeat count";

/// The pattern in the syntax of Rust, where it matches the same texts. Its groups have no numbers and names.
pub(crate) fn translate(pattern: &str) -> Parsed<'_, String> {
    let mut translator = Translator::new(pattern);
    while let Some(first) = translator.reader.peek() {
        translator.part(first)?;
    }
    if translator.groups.is_empty() { Ok(translator.output) } else { error("missing closing )", pattern) }
}

struct Translator<'a> {
    pattern: &'a str,
    reader: PatternReader<'a>,
    output: String,
    flags: [bool; FLAGS.len()],
    /// The groups around the current part.
    groups: Vec<OpenGroup>,
    /// The copies that nested repetitions make of something in this group.
    copies: u64,
    /// The part that a repetition would repeat, by its copies; `None` at the start of a group or of an alternative.
    repeatable: Option<u64>,
    /// The pattern from the repetition on that ends here.
    repetition: Option<&'a str>,
}

/// A group that is not closed: the flags and copies before it.
struct OpenGroup {
    flags: [bool; FLAGS.len()],
    copies: u64,
}

impl<'a> Translator<'a> {
    fn new(pattern: &'a str) -> Self {
        Self {
            pattern,
            reader: PatternReader::new(pattern),
            output: String::new(),
            flags: [false; FLAGS.len()],
            groups: Vec::new(),
            copies: 1,
            repeatable: None,
            repetition: None,
        }
    }

    fn has(&self, flag: char) -> bool {
        FLAGS.chars().zip(self.flags).any(|(name, value)| name == flag && value)
    }

    fn part(&mut self, first: char) -> Parsed<'a, ()> {
        let repetition = self.repetition.take();
        if let Some(bounds) = RepetitionBounds::parse(self.reader.rest) {
            return self.repeat(&bounds, repetition);
        }
        match first {
            '(' if self.reader.rest.starts_with("(?") => return self.special_group(),
            '(' => {
                self.reader.next();
                self.open();
            }
            ')' => return self.close(),
            '|' => {
                self.reader.next();
                self.output.push('|');
                self.repeatable = None;
            }
            '^' => self.position(1, if self.has('m') { "(?m:^)" } else { "^" }),
            '$' => self.position(1, if self.has('m') { "(?m:$)" } else { "$" }),
            '.' => self.position(1, if self.has('s') { "(?s:.)" } else { "." }),
            '[' => {
                let class = class(&mut self.reader)?;
                self.characters(&class);
            }
            '\\' => return self.escape(),
            _ => {
                self.reader.next();
                self.literal(first.into());
            }
        }
        Ok(())
    }

    /// A part that does not depend on the case, in place of so many bytes.
    fn position(&mut self, length: usize, translation: &str) {
        self.reader.rest = &self.reader.rest[length..];
        self.output.push_str(translation);
        self.repeatable = Some(1);
    }

    fn characters(&mut self, class: &str) {
        let (start, end) = if self.has('i') { ("(?i:", ")") } else { ("", "") };
        self.output.extend([start, class, end]);
        self.repeatable = Some(1);
    }

    fn literal(&mut self, character: u32) {
        let range = range(character, character);
        self.characters(if range.is_empty() { NOTHING } else { &range });
    }

    fn open(&mut self) {
        self.groups.push(OpenGroup { flags: self.flags, copies: self.copies });
        self.output.push_str("(?:");
        self.copies = 1;
        self.repeatable = None;
    }

    fn close(&mut self) -> Parsed<'a, ()> {
        let Some(OpenGroup { flags, copies }) = self.groups.pop() else {
            return error("unexpected )", self.pattern);
        };
        self.reader.next();
        self.output.push(')');
        self.flags = flags;
        self.repeatable = Some(self.copies);
        self.copies = self.copies.max(copies);
        Ok(())
    }

    /// A group with a name or with flags, or flags for the rest of a group.
    fn special_group(&mut self) -> Parsed<'a, ()> {
        let start = self.reader.rest;
        let name = start.strip_prefix("(?P<").or_else(|| start.strip_prefix("(?<"));
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            let Some((name, rest)) = name.split_once('>') else { return error(INVALID_NAME, start) };
            self.reader.rest = rest;
            let is_valid = name.chars().all(|letter| letter == '_' || letter.is_ascii_alphanumeric());
            if name.is_empty() || !is_valid {
                return error(INVALID_NAME, self.reader.since(start));
            }
            self.open();
            return Ok(());
        }
        self.reader.rest = &start[2..];
        let (mut flags, mut value, mut is_complete) = (self.flags, true, true);
        while let Some(next) = self.reader.next() {
            match (next, FLAGS.find(next)) {
                (_, Some(flag)) => {
                    flags[flag] = value;
                    is_complete = true;
                }
                ('-', _) if value => (value, is_complete) = (false, false),
                (':' | ')', _) if is_complete => {
                    if next == ':' {
                        self.open();
                    }
                    self.flags = flags;
                    return Ok(());
                }
                _ => break,
            }
        }
        error("invalid or unsupported Perl syntax", self.reader.since(start))
    }

    /// Repeats the last part, unless a repetition, given by its start, comes directly before.
    fn repeat(&mut self, bounds: &RepetitionBounds<'a>, previous: Option<&'a str>) -> Parsed<'a, ()> {
        let start = self.reader.rest;
        self.reader.rest = bounds.rest;
        if !bounds.are_valid() {
            return error(INVALID_COUNT, self.reader.since(start));
        }
        let is_lazy = self.reader.skip("?") != self.has('U');
        if let Some(previous) = previous {
            return error("invalid nested repetition operator", self.reader.since(previous));
        }
        let Some(copies) = self.repeatable else {
            return error("missing argument to repetition operator", self.reader.since(start));
        };
        let copies = bounds.copies_of(copies);
        if copies > MOST_COPIES {
            return error(INVALID_COUNT, self.reader.since(start));
        }
        self.output.push_str(&bounds.to_string());
        if is_lazy {
            self.output.push('?');
        }
        self.copies = self.copies.max(copies);
        self.repeatable = Some(copies);
        self.repetition = Some(start);
        Ok(())
    }

    fn escape(&mut self) -> Parsed<'a, ()> {
        match self.reader.rest.as_bytes().get(1) {
            Some(b'A') => self.position(2, r"\A"),
            Some(b'z') => self.position(2, r"\z"),
            Some(b'b') => self.position(2, r"(?-u:\b)"),
            Some(b'B') => self.position(2, r"(?-u:\B)"),
            Some(b'Q') => {
                let quoted = &self.reader.rest[2..];
                let (quoted, rest) = quoted.split_once(r"\E").unwrap_or((quoted, ""));
                for character in quoted.chars() {
                    self.literal(character.into());
                }
                self.reader.rest = rest;
            }
            _ => {
                if let Some(class) = class_escape(&mut self.reader)? {
                    self.characters(&class);
                } else {
                    let character = character_escape(&mut self.reader)?;
                    self.literal(character);
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
