//! Compares the response to a step, and the state after it, with the prediction.

use serde_json::Value;

use super::prediction::{After, Fate, predict};
use super::request::Known;
use super::state::{Content, WrittenObject};
use super::step::{Verb, WriteStep};
use crate::script::{self, Check, StepRequest};

/// The rules of a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WriteRule {
    /// The server carries out or refuses each write as the state before it requires.
    Outcomes,
    /// A refused write changes nothing.
    Refusals,
    /// The content is the sum of the writes, in the object and in each response.
    Contents,
    /// A change makes a new version; an object keeps its uid.
    Versions,
    /// A write that changes nothing makes no new version.
    NoOps,
    /// A change of the spec makes a new generation; a change of a label or a finalizer does not.
    Generations,
    /// A dry run has the response of the write, and changes nothing.
    DryRuns,
    /// A deleted object disappears when nothing holds it, and only then.
    Deletions,
}

/// A difference from the prediction.
pub type WriteDifference = script::Difference<WriteRule>;

/// The response to a step.
#[derive(Debug, Clone)]
pub struct WriteResponse {
    /// The HTTP status code.
    pub status: u16,
    /// The object in the response, if any.
    pub object: Option<WrittenObject>,
}

/// One step, with all known facts.
struct Case<'a> {
    step: &'a WriteStep,
    before: &'a Known,
    response: &'a WriteResponse,
    after: Option<&'a WrittenObject>,
    generations: bool,
    found: Vec<WriteDifference>,
}

/// All differences after a step. `generations`: a change of the value is one of the spec.
pub(super) fn judge(
    step: &WriteStep,
    request: &StepRequest,
    before: &Known,
    response: &WriteResponse,
    after: Option<&WrittenObject>,
    generations: bool,
) -> Vec<WriteDifference> {
    let fate = predict(step, request, before.now.as_ref());
    let mut case = Case { step, before, response, after, generations, found: Vec::new() };
    let legal: Vec<u16> = fate.done.iter().chain(fate.refused).copied().collect();
    if !legal.contains(&response.status) {
        let codes: Vec<_> = legal.iter().map(u16::to_string).collect();
        let actual = format!("{}", response.status);
        case.add(WriteRule::Outcomes, codes.join(" or "), actual, Check::Status(legal));
    }
    if step.dry_run || response.status >= 400 {
        case.check_unchanged();
    } else if !fate.done.is_empty() {
        case.check_changed(&fate);
    }
    if step.dry_run && response.status < 400 && !fate.done.is_empty() {
        case.check_dry_run_response(fate.after.content());
    }
    case.found
}

impl After {
    fn content(&self) -> Option<&Content> {
        match self {
            Self::Gone => None,
            Self::New(content) | Self::Same(content) | Self::Deleting(content) => Some(content),
        }
    }
}

impl Case<'_> {
    fn add(&mut self, rule: WriteRule, expected: impl Into<String>, actual: impl Into<String>, check: Check) {
        let now = self.before.now.as_ref();
        let ends = matches!(self.step.verb, Verb::Delete(..)) || now.is_some_and(|now| now.deleting);
        let rule = match rule {
            _ if self.step.dry_run => WriteRule::DryRuns,
            WriteRule::Generations | WriteRule::NoOps => rule,
            _ if ends => WriteRule::Deletions,
            rule => rule,
        };
        self.found.push(WriteDifference { rule, expected: expected.into(), actual: actual.into(), check });
    }

    /// A refused write, or a dry run, leaves the object as it was.
    fn check_unchanged(&mut self) {
        let rule = WriteRule::Refusals;
        match (self.before.now.as_ref(), self.after) {
            (None, None) => {}
            (Some(_), None) => self.add(rule, "the object as before", "no object", Check::Exists(true)),
            (None, Some(_)) => self.add(rule, "no object, as before", "an object", Check::Exists(false)),
            (Some(before), Some(after)) if before.json == after.json => {}
            (Some(before), Some(after)) if before.uid != after.uid => {
                self.add(rule, "the object as before", "another object", Check::Uid(true));
            }
            (Some(before), Some(after)) => {
                if before.version != after.version {
                    let actual = format!("version {}", after.version);
                    self.add(
                        rule,
                        format!("version {}, as before", before.version),
                        actual,
                        Check::Version(true),
                    );
                }
                self.check_content(rule, &before.content, &after.content, false);
                if before.version == after.version && before.content == after.content {
                    self.add(rule, "the object as before", "other fields", Check::Whole);
                }
            }
        }
    }

    fn check_changed(&mut self, fate: &Fate) {
        let before = self.before.now.as_ref();
        match (&fate.after, self.after) {
            (After::Gone, None) => {}
            // The object may have a grace period.
            (After::Gone, Some(after)) if after.deleting && after.lingers => {}
            (After::Gone, Some(_)) => {
                self.add(WriteRule::Contents, "no object", "an object", Check::Exists(false));
            }
            (_, None) => self.add(WriteRule::Contents, "the object", "no object", Check::Exists(true)),
            (After::New(content), Some(after)) => {
                self.check_content(WriteRule::Contents, content, &after.content, false);
                self.check_new_version(after);
                self.check_response(after);
            }
            (After::Same(content) | After::Deleting(content), Some(after)) => {
                self.check_content(WriteRule::Contents, content, &after.content, false);
                if let Some(before) = before {
                    self.check_same_object(before, after);
                }
                self.check_response(after);
                let leaving = matches!(fate.after, After::Deleting(_));
                if leaving != after.deleting {
                    let word = |leaving: bool| {
                        if leaving { "an object being deleted" } else { "a live object" }
                    };
                    let text = r#""deletionTimestamp":"#.to_owned();
                    let check = Check::Contains { response: false, text, present: leaving };
                    self.add(WriteRule::Deletions, word(leaving), word(after.deleting), check);
                }
            }
        }
    }

    fn check_new_version(&mut self, after: &WrittenObject) {
        let known = self.before.versions.iter().any(|(version, _)| *version == after.version);
        if known || after.version.is_empty() {
            let actual = format!("version {:?}", after.version);
            self.add(WriteRule::Versions, "a new version", actual, Check::Version(false));
        }
    }

    fn check_same_object(&mut self, before: &WrittenObject, after: &WrittenObject) {
        if before.uid != after.uid {
            let actual = format!("uid {}", after.uid);
            self.add(WriteRule::Versions, format!("uid {}, as before", before.uid), actual, Check::Uid(true));
        }
        let changed = before.content != after.content || before.deleting != after.deleting;
        let same = before.version == after.version;
        let actual = format!("version {} after {}", after.version, before.version);
        if changed && same {
            self.add(WriteRule::Versions, "a new version", actual, Check::Version(false));
        } else if !changed && !same {
            let expected = "the same version: nothing was changed";
            self.add(WriteRule::NoOps, expected, actual, Check::Version(true));
        }
        self.check_generation(before, after);
    }

    fn check_generation(&mut self, before: &WrittenObject, after: &WrittenObject) {
        let (Some(old), Some(new)) = (before.generation, after.generation) else { return };
        let (was, is) = (&before.content, &after.content);
        // Some types count changes of annotations, and a deletion, too.
        let may_count = was.note != is.note || before.deleting != after.deleting || !self.generations;
        let actual = format!("generation {new} after {old}");
        if was.value != is.value && self.generations && new <= old {
            self.add(
                WriteRule::Generations,
                "a greater generation: the spec was changed",
                actual,
                Check::Generation(false),
            );
        } else if was.value == is.value && new != old && !may_count {
            self.add(
                WriteRule::Generations,
                "the same generation: the spec was not changed",
                actual,
                Check::Generation(true),
            );
        }
    }

    /// The response must have the stored object.
    fn check_response(&mut self, after: &WrittenObject) {
        let Some(returned) = &self.response.object else { return };
        if returned.version != after.version {
            let expected = format!("a response with the stored version {}", after.version);
            let text = format!(r#""resourceVersion":"{}""#, returned.version);
            let check = Check::Contains { response: false, text, present: true };
            self.add(WriteRule::Contents, expected, format!("version {}", returned.version), check);
        }
        self.check_content(WriteRule::Contents, &after.content, &returned.content, true);
    }

    /// The response to a dry run must have the predicted object.
    fn check_dry_run_response(&mut self, would_be: Option<&Content>) {
        if let (Some(would_be), Some(returned)) = (would_be, &self.response.object) {
            self.check_content(WriteRule::DryRuns, would_be, &returned.content, true);
        }
    }

    fn check_content(&mut self, rule: WriteRule, expected: &Content, actual: &Content, response: bool) {
        let Some(((part, should), (_, is))) =
            expected.parts().into_iter().zip(actual.parts()).find(|(should, is)| should != is)
        else {
            return;
        };
        let whose = if response { "a response with the" } else { "the" };
        let check = Self::comparison(expected, actual, part, response);
        self.add(rule, format!("{whose} {part} {should}"), format!("{part} {is}"), check);
    }

    /// The check of a text that shows the difference of a part: a missing text, or one too many.
    fn comparison(expected: &Content, actual: &Content, part: &str, response: bool) -> Check {
        let texts = |content: &Content| -> Vec<String> {
            match part {
                "value" => vec![content.value.clone()],
                "annotation" => content.note.iter().cloned().collect(),
                "label" => content.colour.iter().cloned().collect(),
                _ => content.finalizers.clone(),
            }
        };
        let (should, is) = (texts(expected), texts(actual));
        let lacks = should.iter().find(|text| !is.contains(text));
        let text = lacks.or_else(|| is.iter().find(|text| !should.contains(text)));
        let text = Value::from(text.map(String::as_str).unwrap_or_default()).to_string();
        Check::Contains { response, text, present: lacks.is_some() }
    }
}
