//! Numbers of a load run as people read them.

use model::load::share_text;

use crate::words::thousands;

/// `1,204`
pub(super) fn count(number: u64) -> String {
    thousands(usize::try_from(number).unwrap_or(usize::MAX))
}

/// `1,204/s`, and slow rates with a decimal: `0.3/s`.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rate is no such number")]
pub(super) fn rate(each_second: f64) -> String {
    if each_second < 99.95 {
        format!("{each_second:.1}/s")
    } else {
        format!("{}/s", count(each_second.round() as u64))
    }
}

/// `10 %` of 0.1, with at most two decimals.
pub(super) fn limit(share: f64) -> String {
    format!("{} %", (share * 1e4).round() / 1e2)
}

/// `812 B`, `3.68 kB`, `36.0 MB`
#[expect(clippy::cast_precision_loss, reason = "it is shown with three digits")]
pub(super) fn bytes(number: u64) -> String {
    let mut value = number as f64;
    let mut units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"].into_iter();
    let mut unit = units.next().unwrap_or_default();
    for next in units.take_while(|_| number >= 1_000) {
        if value < 999.5 {
            break;
        }
        (value, unit) = (value / 1e3, next);
    }
    match value {
        _ if unit == "B" => format!("{number} B"),
        value if value < 9.995 => format!("{value:.2} {unit}"),
        value if value < 99.95 => format!("{value:.1} {unit}"),
        value => format!("{value:.0} {unit}"),
    }
}

/// A part of a whole.
#[expect(clippy::cast_precision_loss, reason = "it is shown with few digits")]
pub(super) fn percent(part: u64, whole: u64) -> String {
    share_text(if whole == 0 { 0.0 } else { part as f64 / whole as f64 })
}

/// `1 error`, `1,204 errors`
pub(super) fn plural(number: u64, noun: &str) -> String {
    crate::words::plural(usize::try_from(number).unwrap_or(usize::MAX), noun)
}

/// Of milliseconds since the run began: `12.5 s`.
pub(super) fn clock(millis: u64) -> String {
    format!("{}.{} s", millis / 1_000, millis % 1_000 / 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_short_and_honest() {
        assert_eq!(
            [bytes(0), bytes(999), bytes(3_681), bytes(999_700)],
            ["0 B", "999 B", "3.68 kB", "1.00 MB"]
        );
        assert_eq!([bytes(36_000_000), bytes(u64::MAX)], ["36.0 MB", "18.4 EB"]);
        assert_eq!([rate(0.31), rate(20.0), rate(50_012.4)], ["0.3/s", "20.0/s", "50,012/s"]);
        assert_eq!([percent(0, 0), percent(9, 9), percent(1, 3)], ["0 %", "100 %", "33.34 %"]);
        assert_eq!([plural(1, "error"), plural(1_204, "error")], ["1 error", "1,204 errors"]);
    }
}
