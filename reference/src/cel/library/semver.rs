//! Semantic versions.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::sync::Arc;

use crate::cel::evaluator::{EvalError, Evaluated};
use crate::cel::value::Value;

/// A version without its build, which has no precedence.
#[derive(Debug, Clone)]
pub(crate) struct Version {
    numbers: [u64; 3],
    prerelease: Vec<String>,
}

pub(super) fn call(name: &str, args: &[Value]) -> Option<Evaluated> {
    use Value::{Bool, Int, Semver, Text};
    let part =
        |version: &Version, index: usize| Ok(Int(i64::try_from(version.numbers[index]).unwrap_or(i64::MAX)));
    let parsed = |text: &str, normalize: bool| {
        let text = if normalize { normalized(text) } else { Cow::Borrowed(text) };
        Version::parse(&text)
    };
    Some(match (name, args) {
        ("isSemver", [Text(text)]) => Ok(Bool(parsed(text, false).is_some())),
        ("isSemver", [Text(text), Bool(normalize)]) => Ok(Bool(parsed(text, *normalize).is_some())),
        ("semver", [Text(text)]) => version(parsed(text, false), text),
        ("semver", [Text(text), Bool(normalize)]) => version(parsed(text, *normalize), text),
        ("major", [Semver(own)]) => part(own, 0),
        ("minor", [Semver(own)]) => part(own, 1),
        ("patch", [Semver(own)]) => part(own, 2),
        ("isLessThan", [Semver(own), Semver(other)]) => Ok(Bool(own.precedence(other).is_lt())),
        ("isGreaterThan", [Semver(own), Semver(other)]) => Ok(Bool(own.precedence(other).is_gt())),
        ("compareTo", [Semver(own), Semver(other)]) => Ok(Int(own.precedence(other) as i64)),
        _ => return None,
    })
}

fn version(parsed: Option<Version>, text: &str) -> Evaluated {
    match parsed {
        Some(version) => Ok(Value::Semver(Arc::new(version))),
        None => Err(EvalError::other(format!("Invalid character(s) found in version {text:?}"))),
    }
}

impl Version {
    fn parse(text: &str) -> Option<Self> {
        let (text, build) = text.split_once('+').map_or((text, None), |(text, build)| (text, Some(build)));
        let (text, prerelease) = text.split_once('-').map_or((text, None), |(text, pre)| (text, Some(pre)));
        let is_identifier = |part: &str| {
            !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        if build.is_some_and(|build| !build.split('.').all(is_identifier)) {
            return None;
        }
        let mut parts = text.split('.').map(number);
        let numbers = [parts.next()??, parts.next()??, parts.next()??];
        let prerelease: Vec<String> =
            prerelease.map(|all| all.split('.').map(str::to_owned).collect()).unwrap_or_default();
        let is_valid = |part: &String| is_identifier(part) && (!is_numeric(part) || number(part).is_some());
        (parts.next().is_none() && prerelease.iter().all(is_valid)).then_some(Self { numbers, prerelease })
    }

    pub(crate) fn is_prerelease(&self) -> bool {
        !self.prerelease.is_empty()
    }

    /// The order of versions: a release follows its prereleases.
    pub(crate) fn precedence(&self, other: &Self) -> Ordering {
        let by_numbers = self.numbers.cmp(&other.numbers);
        let release = |version: &Self| version.prerelease.is_empty();
        by_numbers.then(release(self).cmp(&release(other))).then_with(|| {
            let pairs = self.prerelease.iter().zip(&other.prerelease);
            let unequal =
                pairs.map(|(left, right)| compare_identifiers(left, right)).find(|order| order.is_ne());
            unequal.unwrap_or_else(|| self.prerelease.len().cmp(&other.prerelease.len()))
        })
    }
}

/// Numbers come before words.
fn compare_identifiers(left: &str, right: &str) -> Ordering {
    match (number(left), number(right)) {
        (Some(left), Some(right)) => left.cmp(&right),
        (None, None) => left.cmp(right),
        (left, _) => {
            if left.is_some() {
                Ordering::Less
            } else {
                Ordering::Greater
            }
        }
    }
}

fn is_numeric(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A number without leading zeros.
fn number(text: &str) -> Option<u64> {
    (is_numeric(text) && (text == "0" || !text.starts_with('0'))).then(|| text.parse().ok())?
}

/// The text without a leading v and leading zeros, and with all three numbers.
fn normalized(text: &str) -> Cow<'_, str> {
    let text = text.strip_prefix('v').unwrap_or(text);
    let end = text.find(['-', '+']).unwrap_or(text.len());
    let (numbers, rest) = text.split_at(end);
    let mut parts: Vec<&str> = numbers
        .split('.')
        .map(|part| {
            let trimmed = part.trim_start_matches('0');
            if trimmed.is_empty() && !part.is_empty() { "0" } else { trimmed }
        })
        .collect();
    // Only a version without a prerelease and a build may lack numbers.
    if parts.len() < 3 && !rest.is_empty() {
        return Cow::Borrowed(text);
    }
    parts.extend(std::iter::repeat_n("0", 3_usize.saturating_sub(parts.len())));
    Cow::Owned(format!("{}{rest}", parts.join(".")))
}
