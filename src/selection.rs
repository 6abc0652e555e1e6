//! The selection of the command line.

use harness::{Catalogue, Selection, SelectionError};

use crate::cli::{RunArgs, SelectionArgs};
use crate::subject::subject;
use crate::suggest::suggest;

/// The maximum length of a pattern, in characters: no id is as long, and each star takes time with each id.
const LONGEST_PATTERN: usize = 1_000;

/// The number of characters that an error shows of a longer pattern.
const SHOWN: usize = 100;

/// The selection of `run`.
pub(crate) fn selection(args: &RunArgs) -> Result<Selection, String> {
    Ok(Selection {
        no_features: args.no_feature.clone(),
        read_only: args.read_only,
        subject: subject(&args.subject)?,
        ..chosen(&args.selection)
    })
}

/// The selection that all commands share.
pub(crate) fn chosen(args: &SelectionArgs) -> Selection {
    Selection {
        areas: args.area.clone(),
        clauses: args.clause.clone(),
        skip: args.skip.clone(),
        levels: args.level.iter().copied().map(Into::into).collect(),
        profile: args.profile.into(),
        shard: args.shard,
        ..Selection::default()
    }
}

/// Rejects unknown names, and suggests similar ones.
pub(crate) fn check(selection: &Selection, features: &[String]) -> Result<(), String> {
    check_lengths(selection.clauses.iter().chain(&selection.skip))?;
    let (catalogue, suites) = (suites::catalogue(), suites::all());
    selection.check(&catalogue, &suites).map_err(|why| match &why {
        SelectionError::Area(area) => {
            let known = catalogue.areas().iter().map(|area| area.name.as_str());
            format!(
                "there is no area {area:?}; {}",
                suggest(area, known, "`kube-assay list coverage` shows all")
            )
        }
        SelectionError::Clause(pattern) => {
            let known = catalogue.clauses().map(|clause| clause.id.as_str());
            let all = "`kube-assay list clauses` shows all";
            format!("no clause or scenario matches {}; {}", shown(pattern), suggest(pattern, known, all))
        }
    })?;
    features
        .iter()
        .chain(&selection.no_features)
        .try_for_each(|feature| check_feature(&catalogue, feature))?;
    match features.iter().find(|feature| selection.no_features.contains(feature)) {
        None => Ok(()),
        Some(both) => {
            Err(format!("--feature {both} and --no-feature {both} exclude each other; hint: give one"))
        }
    }
}

/// Rejects patterns that take too long to compare with all ids.
pub(crate) fn check_lengths<'a>(mut patterns: impl Iterator<Item = &'a String>) -> Result<(), String> {
    match patterns.find(|pattern| pattern.chars().count() > LONGEST_PATTERN) {
        None => Ok(()),
        Some(long) => Err(format!(
            "the pattern {} is too long; hint: give at most {LONGEST_PATTERN} characters",
            shown(long)
        )),
    }
}

/// A pattern in quotes, or the beginning of a long one.
fn shown(pattern: &str) -> String {
    match pattern.char_indices().nth(SHOWN) {
        None => format!("{pattern:?}"),
        Some((end, _)) => format!("{:?}…", &pattern[..end]),
    }
}

/// The declared features that no selected clause is about.
pub(crate) fn unasked<'a>(selection: &Selection, features: &'a [String]) -> Vec<&'a str> {
    if features.is_empty() {
        return Vec::new();
    }
    let catalogue = suites::catalogue();
    let is_asked = |feature: &str| {
        catalogue.clauses().any(|clause| clause.feature == feature && selection.includes(clause))
    };
    features.iter().map(String::as_str).filter(|feature| !is_asked(feature)).collect()
}

/// The optional features that have clauses, sorted.
pub(crate) fn features(catalogue: &Catalogue) -> Vec<&str> {
    let mut features: Vec<&str> = catalogue.clauses().map(|clause| clause.feature.as_str()).collect();
    features.sort_unstable();
    features.dedup();
    features.retain(|feature| !feature.is_empty());
    features
}

/// Rejects a feature without clauses.
pub(crate) fn check_feature(catalogue: &Catalogue, feature: &str) -> Result<(), String> {
    let known = features(catalogue);
    if known.contains(&feature) {
        return Ok(());
    }
    let all = format!("there are {}", known.join(", "));
    Err(format!("there is no feature {feature:?}; {}", suggest(feature, known.into_iter(), &all)))
}
