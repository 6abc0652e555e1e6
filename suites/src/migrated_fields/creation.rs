//! Rules that the result of a write shows, as data, and their runner.

use super::draft::Draft;
use super::manifest::{Fields, Manifest, json_of};
use crate::prelude::*;
use crate::validation::expect_cause;
use crate::warning;

pub(super) const REQUIRED: &str = "FieldValueRequired";
pub(super) const INVALID: &str = "FieldValueInvalid";
pub(super) const NOT_SUPPORTED: &str = "FieldValueNotSupported";
pub(super) const DUPLICATE: &str = "FieldValueDuplicate";

/// Dry-run creates of the same changed manifests, for each of these types.
#[derive(Debug, Clone, Copy)]
pub(super) struct Creations {
    pub(super) manifests: &'static [Manifest],
    pub(super) cases: &'static [Case],
}

pub(super) const fn creations(manifests: &'static [Manifest], cases: &'static [Case]) -> Creations {
    Creations { manifests, cases }
}

/// A changed manifest, and the result of its creation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Case {
    pub(super) change: Fields,
    pub(super) outcome: Outcome,
    /// The fields of the change that the type does not have.
    unknown: &'static [&'static str],
    /// The levels of `fieldValidation`; the empty one is the server's default, which is `Warn`.
    levels: &'static [&'static str],
}

/// The result of a write.
#[derive(Debug, Clone, Copy)]
pub(super) enum Outcome {
    /// Success, and these values in the response.
    Accepted(Fields),
    /// HTTP 422. If there are fields, with a cause of this reason about one of them: servers name fields as in the
    /// request, or as they store them.
    Invalid(&'static str, &'static [&'static str]),
    /// HTTP 400: a value has the wrong type.
    Undecodable,
}

const DEFAULT: &str = "";
const STRICT: &str = "Strict";
const ALL_LEVELS: &[&str] = &[DEFAULT, "Ignore", STRICT];

const fn case(change: Fields, outcome: Outcome) -> Case {
    Case { change, outcome, unknown: &[], levels: &[DEFAULT] }
}

pub(super) const fn accepted(change: Fields, values: Fields) -> Case {
    case(change, Outcome::Accepted(values))
}

pub(super) const fn invalid(change: Fields, reason: &'static str, fields: &'static [&'static str]) -> Case {
    case(change, Outcome::Invalid(reason, fields))
}

pub(super) const fn undecodable(change: Fields) -> Case {
    case(change, Outcome::Undecodable)
}

impl Case {
    /// The change has unknown fields: the server ignores them, warns of them or rejects them, as the level says.
    pub(super) const fn unknown(self, fields: &'static [&'static str]) -> Self {
        Self { unknown: fields, levels: ALL_LEVELS, ..self }
    }

    /// All fields are known, so every level has the same result.
    pub(super) const fn at_every_level(self) -> Self {
        Self { levels: ALL_LEVELS, ..self }
    }

    /// Creates the object as a dry run, at each level.
    pub(super) async fn run(&self, draft: &Draft) -> Checked {
        for level in self.levels {
            let mut request = draft.create(self.change).query("dryRun", "All");
            if *level != DEFAULT {
                request = request.query("fieldValidation", level);
            }
            let response = draft.send("create", request).await?;
            if *level == STRICT && !self.unknown.is_empty() {
                self.expect_strict_error(&response)?;
            } else {
                self.outcome.expect(&response)?;
                self.expect_warnings(*level == DEFAULT, &response)?;
            }
        }
        Ok(())
    }

    fn expect_strict_error(&self, response: &Exchange) -> Checked {
        let status = response.expect_error(&[400], &["BadRequest"])?;
        let message = status["message"].as_str().unwrap_or_default();
        let named = self.unknown.iter().all(|field| message.contains(field));
        response.expect(named, format!("a message that names {}", self.unknown.join(", ")), message)
    }

    fn expect_warnings(&self, warns: bool, response: &Exchange) -> Checked {
        if warns && !self.unknown.is_empty() {
            return self.unknown.iter().try_for_each(|field| warning::expect(response, field));
        }
        warning::expect_none(response, "unknown field")
    }
}

impl Outcome {
    /// Expects it of the response to a write.
    pub(super) fn expect(&self, response: &Exchange) -> Checked {
        match self {
            Self::Accepted(values) => {
                let created = response.request.method == Method::POST;
                response.expect_status(&[if created { 201 } else { 200 }])?;
                values.iter().try_for_each(|(pointer, value)| response.expect_value(pointer, &json_of(value)))
            }
            Self::Invalid(_, []) => response.expect_error(&[422], &["Invalid"]).map(drop),
            Self::Invalid(reason, fields) => expect_one_cause(response, reason, fields),
            Self::Undecodable => response.expect_error(&[400], &["BadRequest"]).map(drop),
        }
    }
}

/// The object is invalid, with a cause of this reason about one of these fields.
fn expect_one_cause(response: &Exchange, reason: &str, fields: &[&str]) -> Checked {
    let found = fields.iter().any(|field| expect_cause(response, field, reason).is_ok());
    if found {
        return Ok(());
    }
    // The failure names the first one.
    let first = fields.first().copied().unwrap_or_default();
    expect_cause(response, first, reason).map(drop)
}

/// The scenario of a row.
pub(super) async fn create(cx: Context, creations: Creations) -> Checked {
    for manifest in creations.manifests {
        let draft = Draft::of(&cx, *manifest).await?;
        for case in creations.cases {
            case.run(&draft).await?;
        }
    }
    Ok(())
}
