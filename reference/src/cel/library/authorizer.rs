//! Checks of a user's rights, built step by step.

use std::sync::Arc;

use crate::cel::evaluator::{EvalError, Evaluated};
use crate::cel::value::Value;
use crate::validation;

/// What a step of a check knows.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Authorizer {
    stage: Stage,
    pub(crate) user: String,
    pub(crate) groups: Vec<String>,
    pub(crate) verb: String,
    /// The path without a resource; empty for a resource.
    pub(crate) path: String,
    pub(crate) group: String,
    pub(crate) resource: String,
    pub(crate) subresource: String,
    pub(crate) namespace: String,
    pub(crate) name: String,
    pub(crate) allowed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
enum Stage {
    #[default]
    Start,
    Group,
    Resource,
    Path,
    Decision,
}

/// The decision about a complete check.
pub(crate) type Decide<'a> = &'a dyn Fn(&Authorizer) -> bool;

/// A step before or after the check itself.
pub(super) fn call(name: &str, args: &[Value]) -> Option<Evaluated> {
    let [Value::Authorizer(own), args @ ..] = args else { return None };
    let text = |index: usize| match args.get(index) {
        Some(Value::Text(text)) => text.to_string(),
        _ => String::new(),
    };
    let mut next = Authorizer::clone(own);
    match (own.stage, name) {
        (Stage::Start, "path") => {
            let path = text(0);
            if path.is_empty() {
                return Some(Err(EvalError::other("path must not be empty")));
            }
            next.stage = Stage::Path;
            next.path = path;
        }
        (Stage::Start, "group") => {
            next.stage = Stage::Group;
            next.group = text(0);
        }
        (Stage::Start, "serviceAccount") => {
            let (namespace, name) = (text(0), text(1));
            if validation::dns_label(&namespace).is_some() {
                return Some(Err(EvalError::other("Invalid service account namespace")));
            }
            if validation::subdomain(&name).is_some() {
                return Some(Err(EvalError::other("Invalid service account name")));
            }
            next.user = format!("system:serviceaccount:{namespace}:{name}");
            next.groups = crate::account_token::groups(&next.user);
            next.groups.push("system:authenticated".to_owned());
        }
        (Stage::Group, "resource") => {
            next.stage = Stage::Resource;
            next.resource = text(0);
        }
        (Stage::Resource, "subresource") => next.subresource = text(0),
        (Stage::Resource, "namespace") => next.namespace = text(0),
        (Stage::Resource, "name") => next.name = text(0),
        // Roles know no selectors, so these grant and deny nothing.
        (Stage::Resource, "fieldSelector" | "labelSelector") => {}
        (Stage::Decision, "allowed") => return Some(Ok(Value::Bool(own.allowed))),
        (Stage::Decision, "errored") => return Some(Ok(Value::Bool(false))),
        (Stage::Decision, "error" | "reason") => return Some(Ok(Value::text(""))),
        _ => return None,
    }
    Some(Ok(Value::Authorizer(Arc::new(next))))
}

/// The check of a verb.
pub(in crate::cel) fn check(args: &[Value], decide: Decide<'_>) -> Evaluated {
    match args {
        [Value::Authorizer(own), Value::Text(verb)] if matches!(own.stage, Stage::Resource | Stage::Path) => {
            let mut decision = Authorizer { verb: verb.to_string(), ..Authorizer::clone(own) };
            decision.allowed = decide(&decision);
            decision.stage = Stage::Decision;
            Ok(Value::Authorizer(Arc::new(decision)))
        }
        _ => Err(EvalError::NoSuchOverload),
    }
}

impl Authorizer {
    /// The start of a check of a user.
    pub(crate) fn of(user: &str, groups: Vec<String>) -> Self {
        Self { user: user.to_owned(), groups, ..Self::default() }
    }

    /// The check of these parts of the request: group, resource, subresource, namespace and name.
    pub(crate) fn of_resource(&self, parts: [&str; 5]) -> Self {
        let [group, resource, subresource, namespace, name] = parts.map(str::to_owned);
        Self { stage: Stage::Resource, group, resource, subresource, namespace, name, ..self.clone() }
    }

    /// The bytes of its texts.
    pub(in crate::cel) fn len(&self) -> usize {
        let own = [
            &self.user,
            &self.verb,
            &self.path,
            &self.group,
            &self.resource,
            &self.subresource,
            &self.namespace,
            &self.name,
        ];
        own.into_iter().chain(&self.groups).map(String::len).sum()
    }

    pub(in crate::cel) fn type_name(&self) -> &'static str {
        match self.stage {
            Stage::Start => "kubernetes.authorization.Authorizer",
            Stage::Group => "kubernetes.authorization.GroupCheck",
            Stage::Resource => "kubernetes.authorization.ResourceCheck",
            Stage::Path => "kubernetes.authorization.PathCheck",
            Stage::Decision => "kubernetes.authorization.Decision",
        }
    }
}
