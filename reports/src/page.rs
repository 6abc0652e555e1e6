//! Text laid out for a terminal: wrapped, indented, coloured, and without control characters.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::escape::{clip, command, escape, one_line};

/// The emphasis of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ink {
    Plain,
    Bold,
    Dim,
    Red,
    Yellow,
    Green,
    Magenta,
}

impl Ink {
    fn codes(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Plain => None,
            Self::Bold => Some(("\u{1b}[1m", "\u{1b}[22m")),
            Self::Dim => Some(("\u{1b}[2m", "\u{1b}[22m")),
            Self::Red => Some(("\u{1b}[31m", "\u{1b}[39m")),
            Self::Yellow => Some(("\u{1b}[33m", "\u{1b}[39m")),
            Self::Green => Some(("\u{1b}[32m", "\u{1b}[39m")),
            Self::Magenta => Some(("\u{1b}[35m", "\u{1b}[39m")),
        }
    }

    /// The class in the style sheet.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Bold => "bold",
            Self::Dim => "dim",
            Self::Red => "red",
            Self::Yellow => "yellow",
            Self::Green => "green",
            Self::Magenta => "magenta",
        }
    }

    /// The text in this ink; it must be harmless already.
    pub(crate) fn paint(self, text: &str, colour: bool) -> String {
        match self.codes() {
            Some((on, off)) if colour && !text.is_empty() => format!("{on}{text}{off}"),
            _ => text.to_owned(),
        }
    }
}

/// Where the text of a field begins, behind its label.
pub(crate) const COLUMN: usize = 12;

/// Longer texts are clipped: a server could send megabytes.
const LONGEST: usize = 20_000;

/// Narrower terminals are treated as this wide.
const NARROWEST: usize = 40;

/// Text under construction.
#[derive(Debug)]
pub(crate) struct Page {
    text: String,
    width: Option<usize>,
    colour: bool,
}

impl Page {
    /// For a terminal.
    pub(crate) fn new(width: usize, colour: bool) -> Self {
        Self { text: String::new(), width: Some(width.max(NARROWEST)), colour }
    }

    /// For a file: lines are as long as they are.
    pub(crate) fn plain() -> Self {
        Self { text: String::new(), width: None, colour: false }
    }

    /// How many columns there are, if that is limited.
    pub(crate) fn width(&self) -> Option<usize> {
        self.width
    }

    pub(crate) fn colour(&self) -> bool {
        self.colour
    }

    /// The number of lines so far.
    pub(crate) fn lines(&self) -> usize {
        self.text.lines().count()
    }

    /// How many entries of a list are not shown, if it has more than `shown`.
    pub(crate) fn rest(&mut self, all: usize, shown: usize) {
        if all > shown {
            self.paragraph(2, Ink::Dim, &format!("{} more in report.html, or with --verbose", all - shown));
        }
    }

    /// An empty line, unless there is one.
    pub(crate) fn gap(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// One line of several inks, never wrapped.
    pub(crate) fn line(&mut self, spans: &[(Ink, &str)]) {
        for (ink, span) in spans {
            self.text.push_str(&ink.paint(&one_line(&clip(span, LONGEST)), self.colour));
        }
        self.text.truncate(self.text.trim_end_matches(' ').len());
        self.text.push('\n');
    }

    /// A paragraph, every line of it indented.
    pub(crate) fn paragraph(&mut self, indent: usize, ink: Ink, text: &str) {
        self.hanging(&" ".repeat(indent), indent, ink, text);
    }

    /// A label, and a text in its own column behind it.
    pub(crate) fn field(&mut self, label: &str, ink: Ink, text: &str) {
        let label =
            format!("  {}", Ink::Dim.paint(&format!("{label:<width$} ", width = COLUMN - 3), self.colour));
        self.hanging(&label, COLUMN, ink, text);
    }

    /// A word at the margin, and a text that stays to the right of it.
    pub(crate) fn titled(&mut self, ink: Ink, title: &str, text: &str) {
        let indent = title.width() + 2;
        self.hanging(&format!("{}: ", ink.paint(title, self.colour)), indent, Ink::Bold, text);
    }

    fn hanging(&mut self, first: &str, indent: usize, ink: Ink, text: &str) {
        let text = escape(&clip(text, LONGEST)).into_owned();
        let lines = match self.width {
            Some(width) => wrap(&text, width.saturating_sub(indent).max(NARROWEST / 2)),
            None => text.split('\n').map(str::to_owned).collect(),
        };
        let margin = " ".repeat(indent);
        for (number, line) in lines.iter().enumerate() {
            let before = if number == 0 { first } else { &margin };
            let line = format!("{before}{}", ink.paint(line, self.colour));
            self.text.push_str(line.trim_end_matches(' '));
            self.text.push('\n');
        }
    }

    /// A command to copy: never wrapped or shortened.
    pub(crate) fn command(&mut self, text: &str) {
        self.text.push_str("  ");
        self.text.push_str(&command(&clip(text, LONGEST)));
        self.text.push('\n');
    }

    /// Text laid out elsewhere, harmless already.
    pub(crate) fn block(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }
}

/// Breaks between words, and inside of a word that is longer than a line.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    text.split('\n').flat_map(|line| wrap_line(line, width)).collect()
}

fn wrap_line(line: &str, width: usize) -> Vec<String> {
    let (mut lines, mut current, mut used) = (Vec::new(), String::new(), 0);
    for word in line.split_inclusive(' ') {
        // A word that fits on no line may as well begin on this one.
        let columns = word.trim_end().width();
        if used > 0 && used + columns > width && columns <= width {
            lines.push(std::mem::take(&mut current));
            used = 0;
        }
        for c in word.chars() {
            let columns = c.width().unwrap_or(0);
            if used > 0 && used + columns > width {
                if c == ' ' {
                    continue;
                }
                let rest = current.split_off(seam(&current));
                lines.push(std::mem::replace(&mut current, rest));
                used = current.width();
            }
            current.push(c);
            used += columns;
        }
    }
    lines.push(current);
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

/// Where to break a line inside of a word: behind a character that divides URLs and lists, if it is not far back.
fn seam(line: &str) -> usize {
    let behind = line.rfind(['/', '?', '&', ',']).map_or(0, |at| at + 1);
    if behind > line.len() / 2 { behind } else { line.len() }
}

/// The part of an escaped text that fits into this number of columns, with an ellipsis if the text is longer.
pub(crate) fn fit(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut used = 0;
    let kept: String = text
        .chars()
        .take_while(|c| {
            used += c.width().unwrap_or(0);
            used < width
        })
        .collect();
    format!("{kept}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_as_wide_as_its_column_stays_apart_from_the_text() {
        let mut page = Page::new(80, false);
        page.field("4 should", Ink::Plain, "no hook");
        page.field("122 should", Ink::Plain, "no scenario yet");
        assert_eq!(page.into_text(), "  4 should  no hook\n  122 should no scenario yet\n");
    }
}
