//! What a write is told by its parameters, checked in the order in which kube-apiserver checks it.

use crate::failure::{Cause, Failure};
use crate::field_validation::Level;
use crate::query::Query;
use crate::route::Verb;

/// How long the name of a field manager may be.
const LONGEST_MANAGER: usize = 128;

/// The parameters of a create, update or patch.
pub(crate) struct WriteOptions {
    /// Whether nothing is to be stored.
    pub(crate) dry_run: bool,
    /// What is to be done about fields that there are not.
    pub(crate) fields: Level,
}

impl WriteOptions {
    /// Reads the parameters of a request.
    pub(crate) fn of(query: &Query, verb: Verb) -> Result<Self, Failure> {
        let (dry_run, level) = (Asked::of(query.all("dryRun")), query.first("fieldValidation"));
        let mut causes = Vec::new();
        if verb == Verb::Patch && query.has("force") {
            causes.push(Cause::forbidden("force", "may not be specified for non-apply patch"));
        }
        causes.extend(wrong_manager(query.first("fieldManager")));
        causes.extend(dry_run.cause());
        let fields = Level::named(level);
        if fields.is_none() {
            causes.push(Cause::not_supported("fieldValidation", &format!("{level:?}"), Level::NAMES));
        }
        let kind = match verb {
            Verb::Create => "CreateOptions",
            Verb::Patch => "PatchOptions",
            _ => "UpdateOptions",
        };
        refuse(kind, &causes)?;
        Ok(Self { dry_run: dry_run.dry(), fields: fields.unwrap_or(Level::Warn) })
    }
}

/// What was asked by `dryRun`: `All` is the only thing that there is to ask.
pub(crate) struct Asked(Vec<String>);

impl Asked {
    /// The values that were given, also empty ones.
    pub(crate) fn of<'a>(values: impl Iterator<Item = &'a str>) -> Self {
        Self(values.map(str::to_owned).collect())
    }

    /// Whether nothing is to be stored.
    pub(crate) fn dry(&self) -> bool {
        !self.0.is_empty()
    }

    /// What is wrong with it.
    pub(crate) fn cause(&self) -> Option<Cause> {
        let wrong = self.0.iter().any(|value| value != "All");
        wrong.then(|| Cause::not_supported("dryRun", &format!("{:?}", self.0), &["All"]))
    }
}

fn wrong_manager(name: &str) -> Option<Cause> {
    if name.len() > LONGEST_MANAGER {
        return Some(Cause::too_long("fieldManager", LONGEST_MANAGER as u64));
    }
    let odd = name.chars().any(char::is_control);
    odd.then(|| Cause::invalid("fieldManager", &name.into(), "should only contain printable characters"))
}

/// Refuses options if anything is wrong with them.
pub(crate) fn refuse(kind: &str, causes: &[Cause]) -> Result<(), Failure> {
    if causes.is_empty() { Ok(()) } else { Err(Failure::invalid("meta.k8s.io", kind, "", causes)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str, verb: Verb) -> Result<(bool, Level), String> {
        let options = WriteOptions::of(&Query::parse(query), verb);
        options.map(|options| (options.dry_run, options.fields)).map_err(|failure| {
            let details = &failure.status()["details"];
            format!(
                "{} {}",
                details["kind"].as_str().unwrap(),
                details["causes"][0]["field"].as_str().unwrap()
            )
        })
    }

    #[test]
    fn only_what_there_is_can_be_asked() {
        assert_eq!(read("", Verb::Create), Ok((false, Level::Warn)));
        assert_eq!(
            read("dryRun=All&dryRun=All&fieldValidation=Strict", Verb::Update),
            Ok((true, Level::Strict))
        );
        for (query, verb, refused) in [
            ("dryRun", Verb::Create, "CreateOptions dryRun"),
            ("dryRun=All&dryRun=true", Verb::Update, "UpdateOptions dryRun"),
            ("fieldValidation=strict", Verb::Patch, "PatchOptions fieldValidation"),
            ("force=false", Verb::Patch, "PatchOptions force"),
        ] {
            assert_eq!(read(query, verb), Err(refused.to_owned()), "{query}");
        }
        assert_eq!(
            read(&format!("fieldManager={}", "x".repeat(129)), Verb::Create).unwrap_err(),
            "CreateOptions fieldManager"
        );
    }
}
