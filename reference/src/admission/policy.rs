//! `ValidatingAdmissionPolicy`: evaluation of bound policies.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Value, json};

use super::attributes::{Attributes, Operation};
use super::expressions::Expressions;
use super::matching::{Version, matches_resources, may_match};
use super::{params, registered};
use crate::cel::deviation::Check;
use crate::failure::Failure;
use crate::metadata::text;
use crate::store::Object;
use crate::write::Target;

/// The group of policies, to which no policy applies: one that denies all could not be removed.
const GROUP: &str = "admissionregistration.k8s.io";

/// Whether a policy may be about such requests.
pub(super) fn may_apply(target: &Target<'_>, operation: Operation, subresource: &str) -> bool {
    let policies = registered(target, "validatingadmissionpolicies");
    let may_match =
        |policy: &Object| may_match(&policy["spec"]["matchConstraints"], target.ty, operation, subresource);
    let any = skips(target, Check::BindingNarrows);
    policies.iter().any(|policy| any || may_match(policy))
}

/// Rejects a request that fails a bound policy, and warns of what bindings only warn of.
pub(super) fn admit(target: &Target<'_>, attributes: &Attributes<'_>) -> Result<(), Failure> {
    let is_exempt = target.ty.group == GROUP && target.ty.plural.starts_with("validatingadmission");
    if is_exempt && !skips(target, Check::PolicyExemption) {
        return Ok(());
    }
    let bindings = registered(target, "validatingadmissionpolicybindings");
    if bindings.is_empty() && !skips(target, Check::PolicyBindings) {
        return Ok(());
    }
    let bindings = by_policy(&bindings);
    let mut denial = None;
    for policy in registered(target, "validatingadmissionpolicies") {
        for binding in bindings_of(&policy, &bindings, target) {
            let Some(version) = applies(&policy, &binding, target, attributes) else { continue };
            for violation in violations_in(&version, &policy, &binding, target, attributes) {
                denial = denial.or(violation.enforce(&policy, &binding, target, attributes));
            }
        }
    }
    denial.map_or(Ok(()), Err)
}

fn skips(target: &Target<'_>, check: Check) -> bool {
    target.cluster.expressions.checks_skipped(check)
}

/// The bindings by the names of their policies: a run may have hundreds of both, and every write looks at them.
fn by_policy(bindings: &[Object]) -> HashMap<&str, Vec<Object>> {
    let mut by_policy: HashMap<_, Vec<_>> = HashMap::new();
    for binding in bindings {
        let policy = binding["spec"]["policyName"].as_str().unwrap_or_default();
        by_policy.entry(policy).or_default().push(binding.clone());
    }
    by_policy
}

fn bindings_of(policy: &Value, bindings: &HashMap<&str, Vec<Object>>, target: &Target<'_>) -> Vec<Object> {
    let mut own = bindings.get(text(policy, "name")).cloned().unwrap_or_default();
    if own.is_empty() && skips(target, Check::PolicyBindings) {
        own.push(Arc::new(json!({"spec": {"validationActions": ["Deny"]}})));
    }
    if skips(target, Check::EveryBinding) {
        own.truncate(1);
    }
    own
}

/// The version in which a request matches the policy, if it matches the binding as well.
fn applies(
    policy: &Value,
    binding: &Value,
    target: &Target<'_>,
    attributes: &Attributes<'_>,
) -> Option<Version> {
    let (constraints, resources) = (&policy["spec"]["matchConstraints"], &binding["spec"]["matchResources"]);
    let replaces = resources.is_object() && skips(target, Check::BindingNarrows);
    let version =
        if replaces { Version::Requested } else { matches_resources(constraints, target, attributes)? };
    matches_resources(resources, target, attributes).map(|_| version)
}

/// The violations by a request in the version that a policy matches.
fn violations_in(
    version: &Version,
    policy: &Value,
    binding: &Value,
    target: &Target<'_>,
    attributes: &Attributes<'_>,
) -> Vec<Violation> {
    let Version::Equivalent(ty) = version else { return violations(policy, binding, target, attributes) };
    let converted = |object: Option<&Value>| object.map(|object| target.ty.converted(object, ty));
    let (object, old) = (converted(attributes.object), converted(attributes.old));
    let (object, old) = (object.as_ref(), old.as_ref());
    let attributes = Attributes { object, old, requested: Some(target.ty), ..*attributes };
    violations(policy, binding, &Target { ty, ..*target }, &attributes)
}

/// The reason why a request fails a policy.
struct Violation {
    detail: String,
    reason: Option<String>,
    /// It denies the request, whatever the actions.
    always_denies: bool,
}

impl Violation {
    fn failed(detail: String) -> Self {
        Self { detail, reason: None, always_denies: false }
    }

    /// Does what the actions of the binding say. The failure of a denial.
    fn enforce(
        &self,
        policy: &Value,
        binding: &Value,
        target: &Target<'_>,
        attributes: &Attributes<'_>,
    ) -> Option<Failure> {
        let (name, binding_name) = (text(policy, "name"), text(binding, "name"));
        let acts = |action: &str| {
            binding["spec"]["validationActions"]
                .as_array()
                .is_some_and(|all| all.iter().any(|one| one == action))
        };
        if acts("Warn") {
            target.warnings.add(format!(
                "Validation failed for ValidatingAdmissionPolicy '{name}' with binding '{binding_name}': {}",
                self.detail
            ));
        }
        if !self.always_denies && !acts("Deny") {
            return None;
        }
        let cause = format!(
            "ValidatingAdmissionPolicy '{name}' with binding '{binding_name}' denied request: {}",
            self.detail
        );
        let (resource, object) = (target.ty.group_resource(), attributes.name());
        let message = format!("{resource} {object:?} is forbidden: {cause}");
        Some(Failure::denied(target.ty, object, &message, &cause, self.reason.as_deref()))
    }
}

/// The violations of a policy by a request, for each of its parameters, in the order of the validations.
fn violations(
    policy: &Value,
    binding: &Value,
    target: &Target<'_>,
    attributes: &Attributes<'_>,
) -> Vec<Violation> {
    let is_lenient = policy["spec"]["failurePolicy"] == "Ignore";
    match params::of_binding(policy, binding, target) {
        Ok(params) => {
            let of_param = |param: &Object| violations_with(&policy["spec"], param, target, attributes);
            params.iter().flat_map(of_param).collect()
        }
        Err(_) if is_lenient => Vec::new(),
        Err(detail) => {
            let detail = format!("failed to configure binding: {detail}");
            vec![Violation { always_denies: true, ..Violation::failed(detail) }]
        }
    }
}

fn violations_with(
    spec: &Value,
    params: &Value,
    target: &Target<'_>,
    attributes: &Attributes<'_>,
) -> Vec<Violation> {
    let is_lenient = spec["failurePolicy"] == "Ignore" || skips(target, Check::PolicyErrors);
    let failed = |detail: String| {
        let always_denies = skips(target, Check::FailureActions);
        (!is_lenient).then_some(Violation { always_denies, ..Violation::failed(detail) })
    };
    let expressions = Expressions::of(spec, target, attributes, params);
    match expressions.match_conditions(&spec["matchConditions"]) {
        Ok(true) => {}
        Err(detail) => return failed(detail).into_iter().collect(),
        Ok(false) => return Vec::new(),
    }
    let mut violations = Vec::new();
    for validation in spec["validations"].as_array().into_iter().flatten() {
        let expression = validation["expression"].as_str().unwrap_or_default().trim();
        match expressions.holds(expression) {
            Ok(true) => {}
            Ok(false) => violations.push(violation(validation, &expressions)),
            Err(_) if skips(target, Check::OtherValidations) => break,
            Err(error) => {
                violations.extend(failed(format!("expression '{expression}' resulted in error: {error}")));
            }
        }
    }
    violations
}

fn violation(validation: &Value, expressions: &Expressions<'_>) -> Violation {
    let text_of = |field: &str| validation[field].as_str().unwrap_or_default().trim();
    let message = expressions.message(text_of("messageExpression"));
    let detail = message.unwrap_or_else(|| match text_of("message") {
        "" => format!("failed expression: {}", text_of("expression")),
        message => message.to_owned(),
    });
    Violation { reason: validation["reason"].as_str().map(str::to_owned), ..Violation::failed(detail) }
}
