//! Ticks at round times.

use jiff::Timestamp;

/// At most this many ticks have room for their labels.
const MOST: f64 = 5.0;

const MINUTE: f64 = 60.0;
const HOUR: f64 = 60.0 * MINUTE;
const DAY: f64 = 24.0 * HOUR;

/// Steps between ticks, in seconds.
const STEPS: [f64; 15] = [
    MINUTE,
    5.0 * MINUTE,
    15.0 * MINUTE,
    HOUR,
    3.0 * HOUR,
    6.0 * HOUR,
    DAY,
    2.0 * DAY,
    7.0 * DAY,
    14.0 * DAY,
    30.0 * DAY,
    91.0 * DAY,
    182.0 * DAY,
    365.0 * DAY,
    5.0 * 365.0 * DAY,
];

/// Times between two instants, in seconds since 1970, with their labels in UTC.
pub(super) fn ticks(from: f64, to: f64) -> Vec<(f64, String)> {
    let fits = |step: &&f64| (to - from) / **step <= MOST;
    let step = STEPS.iter().find(fits).copied().unwrap_or((to - from) / MOST).max(1.0);
    let format = if step < DAY { "%H:%M" } else { "%Y-%m-%d" };
    let first = (from / step).ceil() * step;
    let instants = (0..=5).map(|at| f64::from(at) * step + first).take_while(|at| *at <= to);
    #[expect(clippy::cast_possible_truncation, reason = "whole seconds")]
    let label = |at: f64| {
        let instant = Timestamp::from_second(at as i64).unwrap_or_default();
        (at, instant.strftime(format).to_string())
    };
    let ticks: Vec<(f64, String)> = instants.map(label).collect();
    // A short stretch may have no round time in it.
    if ticks.is_empty() { vec![label(from)] } else { ticks }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(from: &str, to: &str) -> Vec<String> {
        #[expect(clippy::cast_precision_loss, reason = "seconds")]
        let seconds = |text: &str| text.parse::<Timestamp>().unwrap().as_second() as f64;
        ticks(seconds(from), seconds(to)).into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(labels("2026-11-25T10:07:00Z", "2026-11-25T10:22:00Z"), ["10:10", "10:15", "10:20"]);
        assert_eq!(
            labels("2026-11-20T02:00:00Z", "2026-11-24T02:00:00Z"),
            ["2026-11-21", "2026-11-22", "2026-11-23", "2026-11-24"]
        );
        assert_eq!(labels("2026-11-20T02:00:03Z", "2026-11-20T02:00:03Z"), ["02:00"]);
        for years in [1, 3, 20] {
            let count = labels("2000-01-01T00:00:00Z", &format!("{}-01-01T00:00:00Z", 2000 + years)).len();
            assert!((2..=6).contains(&count), "{years}: {count}");
        }
    }
}
