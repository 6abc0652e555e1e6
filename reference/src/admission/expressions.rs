//! The expressions of policies and webhooks: their variables, compilation and evaluation.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::attributes::Attributes;
use crate::auth::User;
use crate::cel::deviation::{Check, Deviations};
use crate::cel::evaluator::EvalError;
use crate::cel::library::authorizer::Authorizer;
use crate::cel::schema_types::Declared;
use crate::cel::types::Type;
use crate::cel::value::{Depths, Object, Value};
use crate::cel::work::Work;
use crate::cel::{EVALUATION_LIMIT, Environment, Program};
use crate::failure::Cause;
use crate::lifecycle;
use crate::rbac::{self, Access};
use crate::store::Commit;
use crate::write::Target;

/// The bytes that a message may have.
const MAX_MESSAGE: usize = 5 * 1024;
const AUTHORIZER: &str = "authorizer";
const VARIABLES: &str = "variables";

/// The variables that expressions of a policy or webhook can read, with the first `defined` ones of its own.
fn environment(spec: &Json, defined: usize, deviations: &Deviations) -> Environment {
    let mut environment = Environment::default();
    if deviations.checks_skipped(Check::DynamicObject) {
        let fields = ["apiVersion", "kind", "metadata", "data", "binaryData", "immutable"];
        let fields = fields.map(|name| (name.to_owned(), Type::Dyn));
        environment.declare_fields("object", "kubernetes.object", BTreeMap::from(fields));
    } else {
        environment.declare("object", Type::Dyn);
    }
    let mut declare = |name: &str, ty: Type| environment.declare(name, ty);
    declare("oldObject", Type::Dyn);
    if spec["paramKind"].is_object() {
        declare("params", Type::Dyn);
    }
    declare(AUTHORIZER, Type::object("kubernetes.authorization.Authorizer"));
    declare("authorizer.requestResource", Type::object("kubernetes.authorization.ResourceCheck"));
    let is_typed = !deviations.checks_skipped(Check::PolicyTypes);
    for (name, schema) in [("request", request_schema()), ("namespaceObject", namespace_schema())] {
        let declared = Declared::of(&schema, &format!("kubernetes.{name}"), false).filter(|_| is_typed);
        match declared {
            Some(declared) => environment.declare_object(name, &declared),
            None => environment.declare(name, Type::Dyn),
        }
    }
    if deviations.checks_skipped(Check::PolicyVariables) {
        environment.declare("self", Type::Dyn);
    }
    let mut fields = BTreeMap::new();
    for (name, expression) in named_expressions(spec).take(defined) {
        environment.declare_fields(VARIABLES, "kubernetes.variables", fields.clone());
        let ty = Program::compile(expression, &environment, deviations).map(|program| program.ty().clone());
        // Variables read each other, so their types add up.
        let ty = ty.ok().filter(Type::is_small).unwrap_or(Type::Dyn);
        fields.insert(name.to_owned(), ty);
    }
    environment.declare_fields(VARIABLES, "kubernetes.variables", fields);
    environment
}

fn named_expressions(spec: &Json) -> impl Iterator<Item = (&str, &str)> {
    let variables = spec["variables"].as_array().into_iter().flatten();
    variables.map(|variable| {
        let text = |field: &str| variable[field].as_str().unwrap_or_default();
        (text("name"), text("expression"))
    })
}

/// The errors in the expressions of a policy.
pub(crate) fn policy_errors(policy: &Json, deviations: &Deviations) -> Vec<Cause> {
    let spec = &policy["spec"];
    let complete = environment(spec, usize::MAX, deviations);
    let mut causes = Vec::new();
    let lists: [(&str, &str, &[Type]); 5] = [
        ("matchConditions", "expression", &[Type::Bool]),
        (VARIABLES, "expression", &[]),
        ("validations", "expression", &[Type::Bool]),
        ("validations", "messageExpression", &[Type::Text]),
        ("auditAnnotations", "valueExpression", &[Type::Text, Type::Null]),
    ];
    for (list, field, types) in lists {
        for (index, entry) in spec[list].as_array().into_iter().flatten().enumerate() {
            let Some(text) = entry[field].as_str().filter(|text| !text.is_empty()) else { continue };
            // A variable can read those before it.
            let own = (list == VARIABLES).then(|| environment(spec, index, deviations));
            let detail = match Program::compile(text, own.as_ref().unwrap_or(&complete), deviations) {
                Err(detail) => format!("compilation failed: {detail}"),
                Ok(program) if !types.is_empty() && !types.contains(program.ty()) => {
                    // A dynamic value is checked when it is there.
                    format!("must evaluate to {}", types[0])
                }
                Ok(_) => continue,
            };
            causes.push(Cause::invalid(format!("spec.{list}[{index}].{field}"), &text.into(), &detail));
        }
    }
    causes
}

/// The expressions of one policy or webhook about one request.
pub(super) struct Expressions<'a> {
    target: &'a Target<'a>,
    deviations: &'a Deviations,
    environment: Environment,
    values: Vec<(String, Value)>,
    work: Work,
}

impl<'a> Expressions<'a> {
    pub(super) fn of(
        spec: &Json,
        target: &'a Target<'a>,
        attributes: &Attributes<'_>,
        params: &Json,
    ) -> Self {
        let deviations = &target.cluster.expressions;
        let environment = environment(spec, usize::MAX, deviations);
        let values = values(target, attributes, params);
        let mut expressions = Self { target, deviations, environment, values, work: Work::default() };
        let (mut fields, mut depths) = (BTreeMap::new(), Depths::default());
        for (name, text) in named_expressions(spec) {
            expressions.set_variables(fields.clone());
            // A variable without a value is absent: an expression that reads it fails.
            if let Ok(value) = expressions.value(text)
                && depths.admit(&value)
            {
                fields.insert(name.to_owned(), value);
            }
        }
        expressions.set_variables(fields);
        expressions
    }

    fn set_variables(&mut self, fields: BTreeMap<String, Value>) {
        self.values.retain(|(name, _)| name != VARIABLES);
        let object = Object { type_name: Arc::from("kubernetes.variables"), fields };
        self.values.push((VARIABLES.to_owned(), Value::Object(Arc::new(object))));
    }

    fn value(&self, text: &str) -> Result<Value, EvalError> {
        let program = Program::compile(text, &self.environment, self.deviations)
            .map_err(|detail| EvalError::Other(format!("compilation failed: {detail}")))?;
        let is_limited = !self.deviations.checks_skipped(Check::PolicyCost);
        let limit = if is_limited { self.deviations.limit(EVALUATION_LIMIT) } else { u64::MAX };
        let decide = |check: &Authorizer| allows(self.target, check);
        program.evaluate(self.values.clone(), limit, Some(&decide), self.deviations, &self.work).value
    }

    /// Whether a condition holds.
    pub(super) fn holds(&self, text: &str) -> Result<bool, EvalError> {
        match self.value(text)? {
            Value::Bool(value) => Ok(value),
            _ => Err(EvalError::NoSuchOverload),
        }
    }

    /// Whether all conditions hold; one that does not outweighs errors of the others.
    pub(super) fn match_conditions(&self, conditions: &Json) -> Result<bool, String> {
        let mut failed = None;
        for condition in conditions.as_array().into_iter().flatten() {
            let text = condition["expression"].as_str().unwrap_or_default();
            match self.holds(text) {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(_) if self.deviations.checks_skipped(Check::ConditionErrors) => return Ok(false),
                Err(error) => {
                    let detail = format!("expression '{text}' resulted in error: {error}");
                    failed.get_or_insert(detail);
                }
            }
            if failed.is_some() && self.deviations.checks_skipped(Check::FalseCondition) {
                break;
            }
        }
        failed.map_or(Ok(true), Err)
    }

    /// The message of an expression; `None` if it has no usable one.
    pub(super) fn message(&self, text: &str) -> Option<String> {
        match self.value(text) {
            Ok(Value::Text(message)) if !text.is_empty() => {
                let message = message.trim();
                let is_usable =
                    !message.is_empty() && message.len() <= MAX_MESSAGE && !message.contains('\n');
                is_usable.then(|| message.to_owned())
            }
            _ => None,
        }
    }
}

/// The values of the variables for a request.
fn values(target: &Target<'_>, attributes: &Attributes<'_>, params: &Json) -> Vec<(String, Value)> {
    let (ty, requested) = (target.ty, attributes.requested.unwrap_or(target.ty));
    let kind = json!({"group": ty.group, "version": ty.version, "kind": ty.kind});
    let resource = json!({"group": ty.group, "version": ty.version, "resource": ty.plural});
    let mut request = json!({
        "kind": kind,
        "resource": resource,
        "requestKind": {"group": ty.group, "version": requested.version, "kind": ty.kind},
        "requestResource": {"group": ty.group, "version": requested.version, "resource": ty.plural},
        "name": attributes.name(),
        "namespace": target.namespace,
        "operation": attributes.operation.name(),
        "userInfo": {"username": target.user.name(), "groups": target.user.groups()},
        "dryRun": target.commit == Commit::Dry,
        "options": attributes.options(),
    });
    if !attributes.subresource.is_empty() {
        request["subResource"] = attributes.subresource.into();
        request["requestSubResource"] = attributes.subresource.into();
    }
    let namespace = lifecycle::all(target.cluster, "namespaces")
        .into_iter()
        .find(|namespace| namespace["metadata"]["name"] == target.namespace);
    let typed = |schema: &Json, name: &str, json: &Json| {
        Declared::of(schema, name, false).map_or(Value::Null, |declared| declared.value(json))
    };
    let namespace = namespace.map_or(Value::Null, |namespace| {
        typed(&namespace_schema(), "kubernetes.namespaceObject", &namespace)
    });
    let authorizer = Authorizer::of(target.user.name(), target.user.groups());
    let subresource = attributes.subresource;
    let own_resource =
        authorizer.of_resource([&ty.group, &ty.plural, subresource, target.namespace, attributes.name()]);
    let dynamic = |object: Option<&Json>| object.map_or(Value::Null, Value::dynamic);
    [
        ("object", dynamic(attributes.object)),
        ("self", dynamic(attributes.object)),
        ("oldObject", dynamic(attributes.old)),
        ("params", dynamic(Some(params).filter(|params| !params.is_null()))),
        ("request", typed(&request_schema(), "kubernetes.request", &request)),
        ("namespaceObject", namespace),
        (AUTHORIZER, Value::Authorizer(Arc::new(authorizer))),
        ("authorizer.requestResource", Value::Authorizer(Arc::new(own_resource))),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .to_vec()
}

/// Whether the user of a check may do what it says.
fn allows(target: &Target<'_>, check: &Authorizer) -> bool {
    let user = User::named(&check.user, check.groups.iter().map(String::as_str));
    if !check.path.is_empty() {
        return rbac::may_path(target.cluster, &user, check.groups.clone(), &check.verb, &check.path).is_ok();
    }
    let resource = match check.subresource.as_str() {
        "" => check.resource.clone(),
        subresource => format!("{}/{subresource}", check.resource),
    };
    let is_scoped =
        !check.namespace.is_empty() || target.cluster.expressions.checks_skipped(Check::AuthorizerNamespace);
    let namespace = if check.namespace.is_empty() { target.namespace } else { &check.namespace };
    let access = Access {
        user: &check.user,
        groups: check.groups.clone(),
        verb: &check.verb,
        namespace: if is_scoped { namespace } else { "" },
        group: &check.group,
        resource,
        name: &check.name,
    };
    user == User::Admin || rbac::allows(target.cluster, &access)
}

fn text() -> Json {
    json!({"type": "string"})
}

fn texts() -> Json {
    json!({"type": "array", "items": text()})
}

fn object(properties: &Json) -> Json {
    json!({"type": "object", "properties": properties})
}

fn request_schema() -> Json {
    let kind = object(&json!({"group": text(), "version": text(), "kind": text()}));
    let resource = object(&json!({"group": text(), "version": text(), "resource": text()}));
    let extra = json!({"type": "object", "additionalProperties": texts()});
    object(&json!({
        "kind": kind,
        "resource": resource,
        "subResource": text(),
        "requestKind": kind,
        "requestResource": resource,
        "requestSubResource": text(),
        "name": text(),
        "namespace": text(),
        "operation": text(),
        "userInfo": object(&json!({"username": text(), "uid": text(), "groups": texts(), "extra": extra})),
        "dryRun": {"type": "boolean"},
        "options": {"x-kubernetes-int-or-string": true},
    }))
}

fn namespace_schema() -> Json {
    let map = json!({"type": "object", "additionalProperties": text()});
    let time = json!({"type": "string", "format": "date-time"});
    let number = json!({"type": "integer"});
    let condition = object(&json!({
        "status": text(), "type": text(), "lastTransitionTime": time, "message": text(), "reason": text(),
    }));
    object(&json!({
        "metadata": object(&json!({
            "name": text(),
            "generateName": text(),
            "namespace": text(),
            "labels": map,
            "annotations": map,
            "UID": text(),
            "creationTimestamp": time,
            "deletionGracePeriodSeconds": number,
            "deletionTimestamp": time,
            "generation": number,
            "resourceVersion": text(),
            "finalizers": texts(),
        })),
        "spec": object(&json!({"finalizers": texts()})),
        "status": object(&json!({"conditions": {"type": "array", "items": condition}, "phase": text()})),
    }))
}
