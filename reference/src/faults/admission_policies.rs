//! Faults of validating admission policies. Most of them change a policy or a binding before the server gets it.

use bytes::Bytes;
use http::request::Parts;
use serde_json::{Value, json};

use crate::cel::deviation::{Check::*, Deviation::*};
use crate::fault::{Edit::*, Fault, When, When::*, expressions, json_body, on};

/// Creates of policies.
const POLICIES: &[When] = &[Method("POST"), Plural("validatingadmissionpolicies")];
/// Creates of bindings.
const BINDINGS: &[When] = &[Method("POST"), Plural("validatingadmissionpolicybindings")];
/// Creates of the objects that policies are about.
const CREATES: &[When] = &[Method("POST"), Plural("configmaps")];
/// Deletions of the policy or binding of a scenario that has only one.
const DELETES_ONLY: When = Matches(|request| request.method == "DELETE" && request.path.ends_with("only"));

/// A fault that changes the spec of each policy.
macro_rules! policy {
    ($name:literal, $what:literal, $edit:expr) => {
        on($name, $what, POLICIES, &[EditRequest(|parts, body| edit_spec(parts, body, $edit))])
    };
}

/// A fault that changes the spec of each binding.
macro_rules! binding {
    ($name:literal, $what:literal, $edit:expr) => {
        on($name, $what, BINDINGS, &[EditRequest(|parts, body| edit_spec(parts, body, $edit))])
    };
}

/// A fault that replaces a text in the expressions of each policy.
macro_rules! reads {
    ($name:literal, $what:literal, $from:literal, $to:literal) => {
        on(
            $name,
            $what,
            POLICIES,
            &[EditRequest(|parts, body| edit_spec(parts, body, |spec| replace(spec, $from, $to)))],
        )
    };
}

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    binding!("admission-policies-action-deny", "a binding with Deny and Audit only audits", |spec| if has_action(spec, "Audit") { retain_actions(spec, |action| action != "Deny") }),
    binding!("admission-policies-action-warn-admits", "the server treats Warn as Deny", |spec| if spec["validationActions"] == json!(["Warn"]) { spec["validationActions"] = json!(["Deny"]) }),
    on("admission-policies-action-warn-header", "the server sends no Warning header for Warn", CREATES, &[WithoutHeader("warning")]),
    binding!("admission-policies-action-audit-admits", "the server treats Audit as Deny", |spec| if spec["validationActions"] == json!(["Audit"]) { spec["validationActions"] = json!(["Deny"]) }),
    binding!("admission-policies-actions-valid", "the server accepts a binding with Deny and Warn", |spec| if has_action(spec, "Deny") { retain_actions(spec, |action| action != "Warn") }),
    expressions("admission-policies-binding-required", "the server enforces policies without a binding", &[Skips(PolicyBindings)]),
    expressions("admission-policies-every-binding", "the server considers only the first binding of a policy", &[Skips(EveryBinding)]),
    policy!("admission-policies-every-validation", "the server evaluates only the first validation", |spec| list(spec, "validations").truncate(1)),
    policy!("admission-policies-first-failed-reason", "the last validation that fails decides the response", |spec| list(spec, "validations").reverse()),
    policy!("admission-policies-reason", "the server ignores reason", |spec| each(spec, "validations", |validation| remove(validation, "reason"))),
    policy!("admission-policies-reason-default", "a denial without a reason is 403 Forbidden", |spec| each(spec, "validations", |validation| default(validation, "reason", "Forbidden"))),
    policy!("admission-policies-reason-supported", "the server accepts any reason", |spec| each(spec, "validations", |validation| if validation["reason"] == "Conflict" { remove(validation, "reason") })),
    policy!("admission-policies-message", "the server reports the expression instead of the message", |spec| each(spec, "validations", |validation| remove(validation, "message"))),
    policy!("admission-policies-message-default", "a denial without a message has no details", |spec| each(spec, "validations", |validation| default(validation, "message", "denied"))),
    policy!("admission-policies-message-line-breaks", "the server accepts a message of two lines", |spec| each(spec, "validations", |validation| replace_in(validation, "message", "\n", " "))),
    policy!("admission-policies-message-expression", "the server ignores messageExpression", |spec| each(spec, "validations", |validation| remove(validation, "messageExpression"))),
    policy!("admission-policies-message-expression-variables", "a messageExpression that reads params fails", |spec| each(spec, "validations", |validation| replace_in(validation, "messageExpression", "params.", "object.nosuch."))),
    policy!("admission-policies-message-expression-fallback", "a messageExpression without a usable value leaves the denial without a message", |spec| each(spec, "validations", |validation| if validation["messageExpression"].is_string() { remove(validation, "message") })),
    policy!("admission-policies-message-expression-type", "the server accepts a messageExpression of any type", |spec| each(spec, "validations", |validation| if validation["messageExpression"].is_string() { remove(validation, "messageExpression") })),
    policy!("admission-policies-failure-policy-fail", "the server treats Fail as Ignore", |spec| spec["failurePolicy"] = "Ignore".into()),
    policy!("admission-policies-failure-policy-default", "the default is Ignore", |spec| default(spec, "failurePolicy", "Ignore")),
    policy!("admission-policies-failure-policy-ignore", "the server treats Ignore as Fail", |spec| spec["failurePolicy"] = "Fail".into()),
    expressions("admission-policies-failure-ignored-alone", "the first evaluation that fails ends the evaluation of the policy", &[Skips(OtherValidations)]),
    expressions("admission-policies-failure-policy-actions", "a failure denies the request, whatever the actions", &[Skips(FailureActions)]),
    policy!("admission-policies-match-conditions-filter", "the server ignores matchConditions", |spec| remove(spec, "matchConditions")),
    policy!("admission-policies-match-conditions-all", "one match condition that is true is enough", any_condition),
    expressions("admission-policies-match-conditions-error-fail", "a match condition that fails is false", &[Skips(ConditionErrors)]),
    policy!("admission-policies-match-conditions-error-ignore", "a match condition that fails denies the request", |spec| if spec["matchConditions"].is_array() { spec["failurePolicy"] = "Fail".into() }),
    expressions("admission-policies-match-conditions-false-first", "the first match condition that fails decides", &[Skips(FalseCondition)]),
    policy!("admission-policies-match-conditions-valid", "the server accepts match conditions of equal names", |spec| list(spec, "matchConditions").dedup()),
    policy!("admission-policies-match-operations", "policies apply to creates alone", |spec| each_rule(spec, |rule| rule["operations"] = json!(["CREATE"]))),
    policy!("admission-policies-match-rules-any", "the server considers only the first resource rule", |spec| list(&mut spec["matchConstraints"], "resourceRules").truncate(1)),
    policy!("admission-policies-match-policy", "the server matches exactly", |spec| if spec["matchConstraints"].is_object() { spec["matchConstraints"]["matchPolicy"] = "Exact".into() }),
    policy!("admission-policies-match-subresources", "a rule about a resource is also about its status", |spec| each_rule(spec, with_status)),
    policy!("admission-policies-match-resource-names", "the server ignores resourceNames", |spec| each_rule(spec, |rule| remove(rule, "resourceNames"))),
    policy!("admission-policies-match-scope", "the server ignores scope", |spec| each_rule(spec, |rule| remove(rule, "scope"))),
    policy!("admission-policies-match-exclude-rules", "the server ignores excludeResourceRules", |spec| remove(&mut spec["matchConstraints"], "excludeResourceRules")),
    policy!("admission-policies-match-namespace-selector", "the server ignores namespaceSelector", |spec| remove(&mut spec["matchConstraints"], "namespaceSelector")),
    policy!("admission-policies-match-namespace-selector-cluster-scoped", "the server ignores namespaceSelector", |spec| remove(&mut spec["matchConstraints"], "namespaceSelector")),
    policy!("admission-policies-match-object-selector", "an objectSelector considers one label alone", |spec| if let Some(labels) = spec.pointer_mut("/matchConstraints/objectSelector/matchLabels") { remove(labels, "chosen") }),
    expressions("admission-policies-match-object-selector-old", "an objectSelector is about the new object alone", &[Skips(OldObjectSelector)]),
    binding!("admission-policies-match-binding", "the server ignores the selectors of a binding", without_selectors),
    binding!("admission-policies-match-binding-rules", "the server ignores the rules of a binding", |spec| remove(spec, "matchResources")),
    expressions("admission-policies-match-binding-narrows", "the matchResources of a binding replace those of the policy", &[Skips(BindingNarrows)]),
    policy!("admission-policies-match-constraints-required", "the server accepts a policy without matchConstraints", |spec| if spec["matchConstraints"].is_null() { spec["matchConstraints"] = json!({"resourceRules": [{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["configmaps"]}]}) }),
    reads!("admission-policies-variables", "variables have a fixed value", "object.data.k : 'none'", "'none' : 'none'"),
    policy!("admission-policies-variables-composition", "the server accepts no variable that reads another one", |spec| list(spec, "variables").retain(|variable| !variable["expression"].as_str().is_some_and(|text| text.contains("variables.")))),
    policy!("admission-policies-variables-order", "variables can read later ones", |spec| list(spec, "variables").sort_by_key(|variable| variable["name"].to_string())),
    policy!("admission-policies-variables-lazy", "a variable that fails denies every request", read_all_variables),
    policy!("admission-policies-variables-types", "variables have no type", |spec| each(spec, "variables", |variable| variable["expression"] = format!("dyn({})", variable["expression"].as_str().unwrap_or_default()).into())),
    policy!("admission-policies-variables-names", "the server accepts a variable of the name a-b", |spec| each(spec, "variables", |variable| replace_in(variable, "name", "-", "_"))),
    binding!("admission-policies-params-name", "params are null", |spec| remove(spec, "paramRef")),
    binding!("admission-policies-params-of-binding", "all bindings have the params of the first one", |spec| if spec["paramRef"]["name"] == "two" { spec["paramRef"]["name"] = "one".into() }),
    expressions("admission-policies-params-selector", "the policy is evaluated for the first selected object alone", &[Skips(EveryParam)]),
    binding!("admission-policies-params-not-found-deny", "the server treats parameterNotFoundAction Deny as Allow", |spec| if spec["paramRef"].is_object() { spec["paramRef"]["parameterNotFoundAction"] = "Allow".into() }),
    binding!("admission-policies-params-not-found-allow", "the server treats parameterNotFoundAction Allow as Deny", |spec| if spec["paramRef"].is_object() { spec["paramRef"]["parameterNotFoundAction"] = "Deny".into() }),
    expressions("admission-policies-params-namespace-of-request", "params come from the same namespace for all requests", &[Skips(ParamNamespace)]),
    policy!("admission-policies-params-match-conditions", "match conditions that read params are false", |spec| each(spec, "matchConditions", |condition| condition["expression"] = "false".into())),
    reads!("admission-policies-params-null", "params are never null", "params != null", "true"),
    binding!("admission-policies-params-reference-valid", "the server accepts a paramRef with a name and a selector", |spec| if spec["paramRef"]["name"].is_string() { remove(&mut spec["paramRef"], "selector") }),
    reads!("admission-policies-update-variables", "oldObject is the new object", "oldObject.", "object."),
    reads!("admission-policies-delete-variables", "object is the existing object", "object == null", "oldObject == null"),
    reads!("admission-policies-request-operation", "request.operation of an update is CREATE", "request.operation", "'CREATE'"),
    reads!("admission-policies-request-fields", "request.name is empty", "request.name,", "'',"),
    reads!("admission-policies-request-dry-run", "request.dryRun is always true", "request.dryRun", "true"),
    reads!("admission-policies-request-user", "request.userInfo has the name of the server", "request.userInfo.username", "'kube-apiserver'"),
    reads!("admission-policies-request-service-account", "request.userInfo.groups lacks the groups of service accounts", "request.userInfo.groups", "['system:authenticated']"),
    reads!("admission-policies-namespace-object", "namespaceObject has no labels", "namespaceObject.metadata.labels", "{'': ''}"),
    reads!("admission-policies-namespace-object-null", "namespaceObject is never null", "namespaceObject == null", "false"),
    on("admission-policies-deletion-ends-enforcement", "the server keeps deleted policies", &[DELETES_ONLY, Plural("validatingadmissionpolicies")], &[SetParameter("dryRun", "All")]),
    on("admission-policies-binding-deletion-ends-enforcement", "the server keeps deleted bindings", &[DELETES_ONLY, Plural("validatingadmissionpolicybindings")], &[SetParameter("dryRun", "All")]),
    on("admission-policies-update-takes-effect", "the server enforces the policy as it was created", &[Method("PATCH"), Plural("validatingadmissionpolicies")], &[SetParameter("dryRun", "All")]),
    expressions("admission-policies-not-about-policies", "policies apply to policies as well", &[Skips(PolicyExemption)]),
];

/// Changes the spec of the object in a request.
fn edit_spec(parts: &mut Parts, body: &mut Bytes, edit: impl FnOnce(&mut Value)) {
    json_body(parts, body, |object| {
        if let Some(spec) = object.get_mut("spec").filter(|spec| spec.is_object()) {
            edit(spec);
        }
    });
}

fn remove(object: &mut Value, field: &str) {
    if let Some(fields) = object.as_object_mut() {
        fields.shift_remove(field);
    }
}

/// The value of a field that is absent.
fn default(object: &mut Value, field: &str, value: &str) {
    if object[field].is_null() {
        object[field] = value.into();
    }
}

/// The list in a field; an empty one, which is lost, without the field.
fn list<'a>(object: &'a mut Value, field: &str) -> &'a mut Vec<Value> {
    if object[field].is_null() {
        object[field] = json!([]);
    }
    object[field].as_array_mut().expect("a list")
}

fn each(object: &mut Value, field: &str, edit: fn(&mut Value)) {
    object.get_mut(field).and_then(Value::as_array_mut).into_iter().flatten().for_each(edit);
}

fn each_rule(spec: &mut Value, edit: fn(&mut Value)) {
    if let Some(constraints) = spec.get_mut("matchConstraints") {
        each(constraints, "resourceRules", edit);
    }
}

/// Adds the status of each resource to a rule.
fn with_status(rule: &mut Value) {
    let resources = list(rule, "resources");
    let plain = resources.iter().filter_map(Value::as_str).filter(|resource| !resource.contains('/'));
    let added: Vec<_> = plain.map(|resource| Value::from(format!("{resource}/status"))).collect();
    resources.extend(added);
}

fn without_selectors(spec: &mut Value) {
    if let Some(resources) = spec.get_mut("matchResources") {
        remove(resources, "objectSelector");
        remove(resources, "namespaceSelector");
    }
}

fn has_action(spec: &Value, name: &str) -> bool {
    spec["validationActions"].as_array().is_some_and(|actions| actions.iter().any(|action| action == name))
}

fn retain_actions(spec: &mut Value, keep: fn(&Value) -> bool) {
    if let Some(actions) = spec["validationActions"].as_array_mut() {
        actions.retain(keep);
    }
}

/// Replaces a text in a text.
fn replace_in(object: &mut Value, field: &str, from: &str, to: &str) {
    if let Some(text) = object[field].as_str() {
        object[field] = text.replace(from, to).into();
    }
}

/// Replaces a text in the expressions of a policy.
fn replace(spec: &mut Value, from: &str, to: &str) {
    for (name, fields) in [
        ("validations", &["expression", "messageExpression"][..]),
        ("variables", &["expression"]),
        ("matchConditions", &["expression"]),
    ] {
        for entry in spec.get_mut(name).and_then(Value::as_array_mut).into_iter().flatten() {
            for field in fields {
                replace_in(entry, field, from, to);
            }
        }
    }
}

/// Replaces the match conditions by one that holds if any of them does.
fn any_condition(spec: &mut Value) {
    let conditions = spec["matchConditions"].as_array().into_iter().flatten();
    let texts: Vec<_> = conditions.filter_map(|condition| condition["expression"].as_str()).collect();
    if !texts.is_empty() {
        let expression = texts.join(" || ");
        spec["matchConditions"] = json!([{"name": "any", "expression": expression}]);
    }
}

/// Adds a validation that reads each variable.
fn read_all_variables(spec: &mut Value) {
    let variables = spec["variables"].as_array().into_iter().flatten();
    let names: Vec<_> = variables.filter_map(|variable| variable["name"].as_str()).collect();
    let reads =
        names.iter().map(|name| json!({"expression": format!("variables.{name} == variables.{name}")}));
    let reads: Vec<_> = reads.collect();
    list(spec, "validations").extend(reads);
}
