//! Words of a script: texts of the run, with variables in the place of names and of values of the server.

use std::fmt::Write as _;
use std::ops::Range;

use model::{ServerValue, quote};

/// The variables so far.
pub(super) struct Words<'a> {
    run: &'a str,
    /// Values of earlier responses, the latest response first.
    known: Vec<Known<'a>>,
    new: Vec<Variable>,
}

/// A variable with a value of a response.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Variable {
    pub(super) name: String,
    /// The number of the response.
    pub(super) response: usize,
    /// Key and number of the value there.
    pub(super) place: String,
}

struct Known<'a> {
    value: &'a ServerValue,
    number: usize,
    assigned: bool,
}

impl<'a> Words<'a> {
    /// A script without any response yet.
    pub(super) fn new(run: &'a str) -> Self {
        Self { run, known: Vec::new(), new: Vec::new() }
    }

    /// Adds the values of a response.
    pub(super) fn add(&mut self, number: usize, values: &[&'a ServerValue]) {
        let new = values.iter().map(|value| Known { value, number, assigned: false });
        self.known.splice(0..0, new);
    }

    /// The variables that the last words need and that have no value yet.
    pub(super) fn take_new_variables(&mut self) -> Vec<Variable> {
        std::mem::take(&mut self.new)
    }

    /// Whether a text names the run: nothing else is the script's own.
    pub(super) fn is_own(&self, text: &str) -> bool {
        !self.run.is_empty() && text.contains(self.run)
    }

    /// A path with a query.
    pub(super) fn target(&mut self, target: &str) -> String {
        self.word(target, ServerValue::places_in_target)
    }

    /// A body.
    pub(super) fn body(&mut self, body: &str) -> String {
        self.word(body, ServerValue::places_in_body)
    }

    /// A text without values of the server.
    pub(super) fn plain(&self, text: &str) -> String {
        spliced(text, self.places_of_run(text))
    }

    fn word(&mut self, text: &str, places: impl Fn(&ServerValue, &str) -> Vec<Range<usize>>) -> String {
        let mut found: Vec<(Range<usize>, String)> = Vec::new();
        for known in &mut self.known {
            let free = |place: &Range<usize>| found.iter().all(|(taken, _)| !overlap(taken, place));
            let free: Vec<_> = places(known.value, text).into_iter().filter(free).collect();
            if free.is_empty() {
                continue;
            }
            let ServerValue { key, number, .. } = known.value;
            let variable = format!("{key}_{}_{number}", known.number);
            if !std::mem::replace(&mut known.assigned, true) {
                let (name, response) = (variable.clone(), known.number);
                self.new.push(Variable { name, response, place: format!("{key} {number}") });
            }
            found.extend(free.into_iter().map(|place| (place, variable.clone())));
        }
        let of_run = self.places_of_run(text);
        let of_run =
            of_run.into_iter().filter(|(place, _)| found.iter().all(|(taken, _)| !overlap(taken, place)));
        let all = of_run.collect::<Vec<_>>();
        found.extend(all);
        spliced(text, found)
    }

    fn places_of_run(&self, text: &str) -> Vec<(Range<usize>, String)> {
        if self.run.is_empty() {
            return Vec::new();
        }
        let places = text.match_indices(self.run).map(|(at, run)| at..at + run.len());
        places.map(|place| (place, "RUN".to_owned())).collect()
    }
}

fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

/// A quoted text with variables in these places.
fn spliced(text: &str, mut places: Vec<(Range<usize>, String)>) -> String {
    places.sort_by_key(|(place, _)| place.start);
    let (mut word, mut at) = (String::new(), 0);
    for (place, variable) in places {
        if place.start > at {
            word.push_str(&quote(&text[at..place.start]));
        }
        // Writing to a string cannot fail.
        let _ = write!(word, "\"${variable}\"");
        at = place.end;
    }
    if at < text.len() || word.is_empty() {
        word.push_str(&quote(&text[at..]));
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_run_and_values_of_the_server_are_variables() {
        let version = ServerValue { key: "resourceVersion".into(), number: 2, value: "17".into() };
        let uid = ServerValue { key: "uid".into(), number: 1, value: "k3f9x2-uid".into() };
        let mut words = Words::new("k3f9x2");
        words.add(4, &[&version, &uid]);
        let target = words.target("/api/v1/namespaces/assay-k3f9x2-1/configmaps?resourceVersion=17");
        assert_eq!(
            target,
            "'/api/v1/namespaces/assay-'\"$RUN\"'-1/configmaps?resourceVersion='\"$resourceVersion_4_2\""
        );
        let version =
            Variable { name: "resourceVersion_4_2".into(), response: 4, place: "resourceVersion 2".into() };
        assert_eq!(words.take_new_variables(), [version]);
        assert_eq!(words.body(r#"{"uid":"k3f9x2-uid","it":"'"}"#), r#"'{"uid":"'"$uid_4_1"'","it":"'\''"}'"#);
        assert_eq!(words.plain("a"), "'a'");
    }
}
