//! Formats bodies. Only the white space between JSON tokens changes.

/// The lines of a body, JSON broken and indented where it does not fit into `width`, at most `limit` of them.
pub(crate) fn lines(body: &str, width: usize, limit: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in body.lines() {
        match line.trim_start().as_bytes().first() {
            Some(b'{' | b'[') if line.chars().count() > width => lines.extend(break_up(line, width)),
            _ => lines.push(line.to_owned()),
        }
    }
    cut(lines, limit)
}

/// At most `limit` lines, the last one with the number of those left out.
pub(crate) fn cut(mut lines: Vec<String>, limit: usize) -> Vec<String> {
    if lines.len() > limit {
        let more = lines.len() - limit + 1;
        lines.truncate(limit - 1);
        lines.push(format!("… {more} lines more"));
    }
    lines
}

/// JSON text, whole or cut off.
fn break_up(text: &str, width: usize) -> Vec<String> {
    let mut layout = Layout { lines: Vec::new(), current: String::new(), depth: 0, width };
    let mut rest = text.trim();
    while let Some(first) = rest.chars().next() {
        let length = layout.take(first, rest);
        rest = &rest[length..];
    }
    layout.end_line();
    layout.lines
}

struct Layout {
    lines: Vec<String>,
    current: String,
    depth: usize,
    width: usize,
}

/// Deeper text is not indented further.
const DEEPEST: usize = 12;

impl Layout {
    /// Takes one token, or a whole value that fits; returns its length in bytes.
    fn take(&mut self, first: char, rest: &str) -> usize {
        match first {
            '{' | '[' => return self.open(rest),
            '}' | ']' => {
                self.end_line();
                self.depth = self.depth.saturating_sub(1);
                self.put(&rest[..1]);
            }
            ',' => {
                self.put(",");
                self.end_line();
            }
            ':' => self.put(": "),
            '"' => {
                let length = string(rest);
                self.put(&rest[..length]);
                return length;
            }
            c if c.is_ascii_whitespace() => {}
            c => self.put(&rest[..c.len_utf8()]),
        }
        first.len_utf8()
    }

    fn open(&mut self, rest: &str) -> usize {
        let room = self.width.saturating_sub(self.current.chars().count().max(2 * self.depth));
        if let Some(length) = value(rest, room) {
            self.put(&rest[..length]);
            return length;
        }
        self.put(&rest[..1]);
        self.end_line();
        self.depth += 1;
        1
    }

    fn put(&mut self, token: &str) {
        if self.current.is_empty() {
            self.current = " ".repeat(2 * self.depth.min(DEEPEST));
        }
        self.current.push_str(token);
    }

    fn end_line(&mut self) {
        if !self.current.trim().is_empty() {
            self.lines.push(std::mem::take(&mut self.current));
        }
        self.current.clear();
    }
}

/// The length of the string that the text begins with, its quotes included.
fn string(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of the object or array that the text begins with, if it ends within `room` bytes.
pub(crate) fn value(text: &str, room: usize) -> Option<usize> {
    let (mut depth, mut at) = (0_usize, 0);
    while at < text.len().min(room) {
        match text.as_bytes()[at] {
            b'"' => at += string(&text[at..]) - 1,
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return (at <= room).then_some(at);
        }
    }
    None
}
