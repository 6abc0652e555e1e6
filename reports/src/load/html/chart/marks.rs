//! Bands and vertical marks of a chart of results over time.

use super::{BOTTOM_OF_TITLE, COLOURS, Chart, RIGHT, TOP};
use crate::html::{attribute, html};

impl Chart {
    /// A stretch between two values, behind a line of the same colour.
    pub(in crate::load::html) fn band(
        &mut self,
        colour: usize,
        (from, to): (f64, f64),
        (low, high): (f64, f64),
    ) {
        let (left, right, top, bottom) = (self.x(from), self.x(to), self.y(high), self.y(low));
        let (width, height) = ((right - left).max(1.0), (bottom - top).max(1.0));
        self.put(format_args!(
            r#"<rect class="band f{}" x="{left:.1}" y="{top:.1}" width="{width:.1}" height="{height:.1}"/>"#,
            colour % COLOURS
        ));
    }

    /// A vertical line from the top to the bottom, with a word above it and a sentence behind it.
    pub(in crate::load::html) fn mark(&mut self, at: f64, word: &str, sentence: &str) {
        let (at, bottom) = (self.x(at), self.bottom());
        self.put(format_args!(
            r#"<path class="change" d="M{at:.1} {TOP}V{bottom}"><title>{}</title></path>"#,
            html(sentence)
        ));
        if !word.is_empty() {
            let anchor = if at > RIGHT - 30.0 { "end" } else { "middle" };
            self.put(format_args!(
                r#"<text class="change" x="{at:.1}" y="{BOTTOM_OF_TITLE}" text-anchor="{anchor}">{}</text>"#,
                html(word)
            ));
        }
    }

    /// Names of the values of the last line, for the script.
    pub(in crate::load::html) fn name_points(&mut self, names: &[String]) {
        let names: Vec<String> = names.iter().map(|name| attribute(name).replace(' ', "\u{a0}")).collect();
        self.put(format_args!(r#"<path data-names="{}"/>"#, names.join(" ")));
    }
}
