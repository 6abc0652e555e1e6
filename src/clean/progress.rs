//! The progress of a removal, on standard error: a line that is drawn again on a terminal, or one at intervals elsewhere.

use std::io::{self, Write};
use std::pin::pin;
use std::time::Duration;

use harness::RemovalProgress;
use tokio::time::{Instant, timeout};

use crate::output::{counted, is_interactive, look};
use crate::standard_error::StandardError;

/// The interval between two updates of the line.
const TICK: Duration = Duration::from_millis(200);

/// The interval of lines without a terminal, as that of `run`.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// Goes back to the beginning of the line and empties it.
const CLEAR: &str = "\r\u{1b}[2K";

/// Shows how many objects are left until a removal ends.
pub(super) async fn shown<T>(progress: &RemovalProgress, removal: impl Future<Output = T>) -> T {
    let began = Instant::now();
    let mut line = Line::new(StandardError, is_interactive(), look(&io::stderr()).width);
    let mut removal = pin!(removal);
    loop {
        if let Ok(removed) = timeout(TICK, &mut removal).await {
            return removed;
        }
        // The terminal may be closed.
        let _ = line.show(began.elapsed(), progress.left());
    }
}

/// The line of progress. It is emptied when it is dropped, also by an interruption.
struct Line<W: Write> {
    out: W,
    interactive: bool,
    /// The columns of the terminal.
    width: usize,
    is_drawn: bool,
    /// The elapsed time at the latest line without a terminal.
    beat: Duration,
}

impl<W: Write> Line<W> {
    fn new(out: W, interactive: bool, width: usize) -> Self {
        Self { out, interactive, width, is_drawn: false, beat: Duration::ZERO }
    }

    /// Shows the number of objects that are left; `None` during a search.
    fn show(&mut self, elapsed: Duration, left: Option<usize>) -> io::Result<()> {
        let doing = left.map_or_else(
            || "searching for further objects".to_owned(),
            |left| format!("{} left", counted(left, "object")),
        );
        let text = format!("cleaning up for {} s: {doing}", elapsed.as_secs());
        if self.interactive {
            self.is_drawn = true;
            // The last column stays free: some terminals wrap as soon as it is written.
            let shown: String = text.chars().take(self.width.saturating_sub(1)).collect();
            write!(self.out, "{CLEAR}{shown}")?;
        } else if elapsed >= self.beat + HEARTBEAT {
            self.beat = elapsed;
            writeln!(self.out, "{text}")?;
        }
        self.out.flush()
    }
}

impl<W: Write> Drop for Line<W> {
    fn drop(&mut self) {
        if self.is_drawn {
            let _ = write!(self.out, "{CLEAR}").and_then(|()| self.out.flush());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is shown at these seconds with these numbers of objects.
    fn lines(interactive: bool, width: usize, shown: &[(u64, Option<usize>)]) -> String {
        let mut bytes = Vec::new();
        let mut line = Line::new(&mut bytes, interactive, width);
        for (seconds, left) in shown {
            line.show(Duration::from_secs(*seconds), *left).unwrap();
        }
        drop(line);
        String::from_utf8(bytes).unwrap().replace(CLEAR, "|")
    }

    #[test]
    fn a_terminal_has_one_line_which_is_gone_at_the_end() {
        let shown = lines(true, 80, &[(0, Some(2)), (1, Some(1)), (2, None)]);
        let expected = "|cleaning up for 0 s: 2 objects left|cleaning up for 1 s: 1 object left\
                        |cleaning up for 2 s: searching for further objects|";
        assert_eq!(shown, expected);
        assert_eq!(lines(true, 12, &[(0, Some(2))]), "|cleaning up|");
        assert_eq!(lines(true, 80, &[]), "");
    }

    #[test]
    fn a_log_has_a_line_every_15_seconds() {
        let shown = lines(false, 80, &[(14, Some(9)), (15, Some(8)), (29, Some(7)), (30, Some(6))]);
        assert_eq!(shown, "cleaning up for 15 s: 8 objects left\ncleaning up for 30 s: 6 objects left\n");
    }
}
