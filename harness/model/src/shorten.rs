//! Shortens what a server sent, for reports.

use std::fmt::Write as _;

/// The longest number that reports show whole, in digits.
const LONGEST_NUMBER: usize = 1_000;

/// The number of digits that reports show of a longer one.
const SHOWN: usize = 40;

/// Cuts a text at a length in bytes, and says so: `abc… (20000 bytes in all)`.
pub fn shorten(text: &mut String, limit: usize) {
    let length = text.len();
    if length > limit {
        text.truncate(text.floor_char_boundary(limit));
        // Writing to a string cannot fail.
        let _ = write!(text, "… ({length} bytes in all)");
    }
}

/// Cuts each number of very many digits, as a server may have for a resourceVersion: `123… (300000 digits in all)`.
pub fn shorten_numbers(text: &mut String) {
    let (mut shown, mut rest) = (String::new(), text.as_str());
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, number) = rest.split_at(start);
        let length = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
        shown.push_str(before);
        if length > LONGEST_NUMBER {
            // Writing to a string cannot fail.
            let _ = write!(shown, "{}… ({length} digits in all)", &number[..SHOWN]);
        } else {
            shown.push_str(&number[..length]);
        }
        rest = &number[length..];
    }
    shown.push_str(rest);
    *text = shown;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_very_long_numbers_are_cut() {
        let shortened = |text: &str| {
            let mut text = text.to_owned();
            shorten_numbers(&mut text);
            text
        };
        let longest = "7".repeat(LONGEST_NUMBER);
        for text in ["", "version 12, and no other", "é1é", &longest] {
            assert_eq!(shortened(text), text);
        }
        let (long, begins) = ("12".repeat(150_000), "12".repeat(20));
        let expected = format!("expected {begins}… (300000 digits in all), got 31");
        assert_eq!(shortened(&format!("expected {long}, got 31")), expected);
    }
}
