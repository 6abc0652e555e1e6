//! Notices of passed tasks: for example a skipped stage.

use std::fmt;

/// The notices of a task or of a whole check, in order.
pub(crate) type Notices = Vec<Notice>;

/// A message in a box.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Notice(Vec<String>);

impl Notice {
    /// A notice of the given lines, printed at once.
    pub(crate) fn announce(lines: impl IntoIterator<Item = String>) -> Self {
        let notice = Self(lines.into_iter().collect());
        println!("{notice}");
        notice
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.0.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        let bar = "━".repeat(width + 2);
        writeln!(out, "┏{bar}┓")?;
        for line in &self.0 {
            writeln!(out, "┃ {line:<width$} ┃")?;
        }
        write!(out, "┗{bar}┛")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_is_a_box_as_wide_as_its_longest_line() {
        let notice = Notice(vec!["SKIPPED".into(), "why not".into(), "a longer line".into()]);

        let printed = notice.to_string();

        let widths: Vec<usize> = printed.lines().map(|line| line.chars().count()).collect();
        assert_eq!(widths, [17; 5]);
        assert!(printed.contains("┃ SKIPPED       ┃"), "{printed}");
    }
}
