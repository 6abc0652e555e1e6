//! Faults of the authorizer.

use std::sync::Arc;

use crate::cel::deviation::{Check::*, Deviation::*};
use crate::cel::library::authorizer::Authorizer;
use crate::fault::expressions;
use crate::faults::cel::{Evaluated, Fault, REFUSED, Value, bool, call, yes};

/// The step without one of its parts.
fn without(value: Evaluated, part: fn(&mut Authorizer) -> &mut String) -> Evaluated {
    match value? {
        Value::Authorizer(step) => {
            let mut step = Authorizer::clone(&step);
            part(&mut step).clear();
            Ok(Value::Authorizer(Arc::new(step)))
        }
        other => Ok(other),
    }
}

fn step(value: &Value) -> Authorizer {
    if let Value::Authorizer(step) = value { Authorizer::clone(step) } else { Authorizer::default() }
}

#[rustfmt::skip]
pub(in crate::faults) const FAULTS: &[Fault] = &[
    expressions("cel-libraries-row-authorizer", "the authorizer checks no paths", &[Lacks("path")]),
    expressions("cel-libraries-authorizer-not-in-crd", "rules have an authorizer", &[Skips(AuthorizerInRules)]),
    expressions("cel-libraries-authorizer-resource-check", "everyone is allowed everything", &[Returns("allowed", yes)]),
    expressions("cel-libraries-authorizer-group-core-and-named", "checks ignore the group", &[Returns("group", |_, right| without(right, |step| &mut step.group))]),
    expressions("cel-libraries-authorizer-subresource", "checks ignore the subresource", &[Returns("subresource", |_, right| without(right, |step| &mut step.subresource))]),
    expressions("cel-libraries-authorizer-namespace", "checks without a namespace are of the request's", &[Skips(AuthorizerNamespace)]),
    expressions("cel-libraries-authorizer-name", "checks ignore the name", &[Returns("name", |_, right| without(right, |step| &mut step.name))]),
    expressions("cel-libraries-authorizer-builders-chain-any-order", "no namespace follows a name", &[Returns("namespace", |args, right| if step(&args[0]).name.is_empty() { right } else { REFUSED })]),
    expressions("cel-libraries-authorizer-reason", "decisions have no reason", &[Lacks("reason")]),
    expressions("cel-libraries-authorizer-path-check", "all paths are allowed", &[Returns("allowed", |args, right| if step(&args[0]).path.is_empty() { right } else { bool(true) })]),
    expressions("cel-libraries-authorizer-path-empty-error", "an empty path is /", &[Returns("path", |args, right| right.or_else(|_| call("path", &[args[0].clone(), Value::text("/")])))]),
    expressions("cel-libraries-authorizer-path-no-resource-builders", "checks of paths have a namespace", &[Declares("kubernetes.authorization.PathCheck..namespace(string) kubernetes.authorization.PathCheck"), Declares("kubernetes.authorization.PathCheck..resource(string) kubernetes.authorization.PathCheck")]),
    expressions("cel-libraries-authorizer-serviceaccount", "serviceAccount is the requester", &[Returns("serviceAccount", |args, _| Ok(args[0].clone()))]),
    expressions("cel-libraries-authorizer-serviceaccount-invalid", "an invalid service account is the requester", &[Returns("serviceAccount", |args, right| right.or_else(|_| Ok(args[0].clone())))]),
    expressions("cel-libraries-authorizer-example-create-pods", "everyone is allowed everything", &[Returns("allowed", yes)]),
    expressions("cel-libraries-authorizer-example-healthz", "no path is allowed", &[Returns("allowed", |args, right| if step(&args[0]).path.is_empty() { right } else { bool(false) })]),
    expressions("cel-libraries-authorizer-example-serviceaccount-as-printed", "the authorizer has resource", &[Declares("kubernetes.authorization.Authorizer..resource(string) kubernetes.authorization.ResourceCheck")]),
    expressions("cel-libraries-authorizer-errored-error", "a denial is an error", &[Returns("errored", |args, _| bool(!step(&args[0]).allowed))]),
    expressions("cel-libraries-authorizer-selectors", "there is no fieldSelector", &[Lacks("fieldSelector")]),
    expressions("cel-libraries-authorizer-request-resource", "the check has no namespace", &[Reads(|text| text.replace("authorizer.requestResource", "authorizer.group('').resource('configmaps')"))]),
];
