//! `DeleteOptions`: parsing and validation; a body overrides the query.

use serde_json::Value;

use crate::failure::{Cause, Failure};
use crate::options::{DryRunValues, refuse};
use crate::query::Query;
use crate::resource_type::ResourceType;

/// The finalizers of the garbage collector.
const ORPHAN: &str = "orphan";
const FOREGROUND: &str = "foregroundDeletion";

/// The options of a deletion.
#[derive(Default)]
pub(crate) struct DeleteOptions {
    /// The precondition on the UID.
    pub(super) uid: Option<String>,
    /// The precondition on the resource version.
    pub(super) version: Option<String>,
    /// The propagation policy.
    policy: Option<Policy>,
    /// The deprecated `orphanDependents`.
    pub(super) orphans: Option<bool>,
    /// The grace period in seconds.
    pub(super) grace: Option<i64>,
    pub(crate) dry_run: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Policy {
    Foreground,
    Background,
    Orphan,
}

impl DeleteOptions {
    /// A deletion without a grace period.
    pub(crate) fn at_once() -> Self {
        Self { grace: Some(0), ..Self::default() }
    }

    /// Parses the options from the body, or from the query if there is no body.
    pub(crate) fn of(query: &Query, body: Option<&Value>) -> Result<Self, Failure> {
        let (dry_run, policy, options) = match body {
            Some(body) => Self::in_body(body),
            None => Self::in_query(query)?,
        };
        let mut causes = Vec::new();
        let parsed_policy = policy.as_deref().and_then(Policy::named);
        match &policy {
            Some(policy) if options.orphans.is_some() => {
                let detail = "orphanDependents and deletionPropagation cannot be both set";
                causes.push(Cause::invalid("propagationPolicy", &policy.as_str().into(), detail));
            }
            Some(policy) if parsed_policy.is_none() => {
                let supported = &["Foreground", "Background", "Orphan", "nil"];
                causes.push(Cause::not_supported("propagationPolicy", &format!("{policy:?}"), supported));
            }
            _ => {}
        }
        causes.extend(dry_run.cause());
        refuse("DeleteOptions", &causes)?;
        Ok(Self { policy: parsed_policy, dry_run: dry_run.dry(), ..options })
    }

    fn in_body(body: &Value) -> (DryRunValues, Option<String>, Self) {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let dry_run = body["dryRun"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let preconditions = &body["preconditions"];
        let options = Self {
            uid: text(&preconditions["uid"]),
            version: text(&preconditions["resourceVersion"]),
            orphans: body["orphanDependents"].as_bool(),
            grace: body["gracePeriodSeconds"].as_i64(),
            ..Self::default()
        };
        (DryRunValues::of(dry_run), text(&body["propagationPolicy"]), options)
    }

    /// A query cannot have preconditions.
    fn in_query(query: &Query) -> Result<(DryRunValues, Option<String>, Self), Failure> {
        let policy = query.has("propagationPolicy").then(|| query.first("propagationPolicy").to_owned());
        let options = Self {
            orphans: query.flag("orphanDependents"),
            grace: query.integer("gracePeriodSeconds")?,
            ..Self::default()
        };
        Ok((DryRunValues::of(query.all("dryRun")), policy, options))
    }

    /// Replaces the finalizers of the garbage collector by those of the policy.
    pub(super) fn choose_finalizers(&self, ty: &ResourceType, object: &mut Value) {
        let policy = match (self.policy, self.orphans) {
            (Some(policy), _) => policy,
            (None, Some(true)) => Policy::Orphan,
            (None, Some(false)) => Policy::Background,
            (None, None) => return,
        };
        let mut finalizers = object["metadata"]["finalizers"].as_array().cloned().unwrap_or_default();
        finalizers.retain(|name| name != ORPHAN && name != FOREGROUND);
        match policy {
            _ if !is_collected(ty) => {}
            Policy::Orphan => finalizers.push(ORPHAN.into()),
            Policy::Foreground => finalizers.push(FOREGROUND.into()),
            Policy::Background => {}
        }
        object["metadata"]["finalizers"] = finalizers.into();
    }
}

impl Policy {
    fn named(name: &str) -> Option<Self> {
        match name {
            "Foreground" => Some(Self::Foreground),
            "Background" => Some(Self::Background),
            "Orphan" => Some(Self::Orphan),
            _ => None,
        }
    }
}

/// Whether the garbage collector handles objects of a type.
fn is_collected(ty: &ResourceType) -> bool {
    !ty.is_built_in("events") && !ty.is_built_in("namespaces")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(query: &str, body: Option<&Value>) -> Result<DeleteOptions, String> {
        let options = DeleteOptions::of(&Query::parse(query), body);
        options
            .map_err(|failure| failure.status()["details"]["causes"][0]["field"].as_str().unwrap().to_owned())
    }

    #[test]
    fn a_body_overrides_the_query() {
        assert!(read("dryRun=All", None).unwrap().dry_run);
        assert!(!read("dryRun=All", Some(&json!({}))).unwrap().dry_run);
        assert!(read("", Some(&json!({"dryRun": ["All"]}))).unwrap().dry_run);
        let conditional =
            read("", Some(&json!({"preconditions": {"uid": "x", "resourceVersion": ""}}))).unwrap();
        assert_eq!((conditional.uid.as_deref(), conditional.version.as_deref()), (Some("x"), Some("")));
        assert_eq!(read("gracePeriodSeconds=17", None).unwrap().grace, Some(17));
    }

    #[test]
    fn invalid_options_are_rejected() {
        for (query, field) in [
            ("dryRun", "dryRun"),
            ("dryRun=all", "dryRun"),
            ("propagationPolicy=Cascade", "propagationPolicy"),
            ("propagationPolicy=", "propagationPolicy"),
            ("propagationPolicy=Orphan&orphanDependents=true", "propagationPolicy"),
        ] {
            assert_eq!(read(query, None).err().as_deref(), Some(field), "{query}");
        }
    }

    #[test]
    fn a_policy_replaces_finalizers() {
        let maps = ResourceType { plural: "configmaps".to_owned(), ..ResourceType::default() };
        let finalizers = |query: &str, before: Value| {
            let mut object = json!({"metadata": {"finalizers": before}});
            read(query, None).unwrap().choose_finalizers(&maps, &mut object);
            object["metadata"]["finalizers"].clone()
        };
        let both = json!(["a/b", "orphan"]);
        assert_eq!(finalizers("", both.clone()), both);
        assert_eq!(
            finalizers("propagationPolicy=Foreground", both.clone()),
            json!(["a/b", "foregroundDeletion"])
        );
        assert_eq!(finalizers("propagationPolicy=Background", both.clone()), json!(["a/b"]));
        assert_eq!(finalizers("orphanDependents=true", json!([])), json!(["orphan"]));
        assert_eq!(finalizers("orphanDependents=false", both), json!(["a/b"]));
    }
}
