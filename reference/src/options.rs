//! Write options: dryRun, fieldManager, fieldValidation and force, validated as kube-apiserver does.

use crate::failure::{Cause, Failure};
use crate::field_validation::Level;
use crate::query::Query;
use crate::route::Verb;
use crate::validation;

/// The parameters of a create, update or patch.
pub(crate) struct WriteOptions {
    /// Whether the write is a dry run.
    pub(crate) dry_run: bool,
    /// The level of field validation.
    pub(crate) fields: Level,
    /// The `fieldManager`; empty without the parameter.
    pub(crate) manager: String,
    /// Whether an apply takes fields from other managers.
    pub(crate) force: bool,
}

impl WriteOptions {
    /// Parses the parameters of a write; `applies` for a server-side apply.
    pub(crate) fn of(query: &Query, verb: Verb, applies: bool) -> Result<Self, Failure> {
        let (dry_run, level) = (DryRunValues::of(query.all("dryRun")), query.first("fieldValidation"));
        let mut causes = Vec::new();
        let manager = query.first("fieldManager");
        if applies && manager.is_empty() {
            causes.push(Cause::required("fieldManager", "is required for apply patch"));
        }
        if verb == Verb::Patch && !applies && query.has("force") {
            causes.push(Cause::forbidden("force", "may not be specified for non-apply patch"));
        }
        causes.extend(validation::manager("fieldManager", manager));
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
        Ok(Self {
            dry_run: dry_run.dry(),
            fields: fields.unwrap_or(Level::Warn),
            manager: manager.to_owned(),
            force: query.flag("force") == Some(true),
        })
    }
}

/// The values of `dryRun`: `All` is the only valid one.
pub(crate) struct DryRunValues(Vec<String>);

impl DryRunValues {
    pub(crate) fn of<'a>(values: impl Iterator<Item = &'a str>) -> Self {
        Self(values.map(str::to_owned).collect())
    }

    /// Whether the write is a dry run.
    pub(crate) fn dry(&self) -> bool {
        !self.0.is_empty()
    }

    /// The error for invalid values.
    pub(crate) fn cause(&self) -> Option<Cause> {
        let invalid = self.0.iter().any(|value| value != "All");
        invalid.then(|| Cause::not_supported("dryRun", &format!("{:?}", self.0), &["All"]))
    }
}

/// Returns an error for invalid options.
pub(crate) fn refuse(kind: &str, causes: &[Cause]) -> Result<(), Failure> {
    if causes.is_empty() { Ok(()) } else { Err(Failure::invalid("meta.k8s.io", kind, "", causes)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str, verb: Verb) -> Result<(bool, Level), String> {
        let options = WriteOptions::of(&Query::parse(query), verb, false);
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
    fn an_apply_requires_a_field_manager_and_may_force() {
        let read = |query: &str| WriteOptions::of(&Query::parse(query), Verb::Patch, true);
        for query in ["", "fieldManager=", "fieldManager", "fieldManager=a%0Ab"] {
            assert!(read(query).is_err(), "{query}");
        }
        for (force, forced) in
            [("&force=1", true), ("&force", true), ("&force=False", false), ("&force=0", false), ("", false)]
        {
            let options = read(&format!("fieldManager=m{force}")).unwrap();
            assert_eq!((options.manager.as_str(), options.force), ("m", forced), "{force}");
        }
    }

    #[test]
    fn invalid_options_are_rejected() {
        assert_eq!(read("", Verb::Create), Ok((false, Level::Warn)));
        assert_eq!(
            read("dryRun=All&dryRun=All&fieldValidation=Strict", Verb::Update),
            Ok((true, Level::Strict))
        );
        for (query, verb, cause) in [
            ("dryRun", Verb::Create, "CreateOptions dryRun"),
            ("dryRun=All&dryRun=true", Verb::Update, "UpdateOptions dryRun"),
            ("fieldValidation=strict", Verb::Patch, "PatchOptions fieldValidation"),
            ("force=false", Verb::Patch, "PatchOptions force"),
        ] {
            assert_eq!(read(query, verb), Err(cause.to_owned()), "{query}");
        }
        assert_eq!(
            read(&format!("fieldManager={}", "x".repeat(129)), Verb::Create).unwrap_err(),
            "CreateOptions fieldManager"
        );
    }
}
