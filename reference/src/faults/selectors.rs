//! Faults of label and field selectors.

use serde_json::{Value, json};

use crate::fault::{Edit::*, Fault, Items, When, When::*, json_body, on};

const POST: When = Method("POST");
const LABELS: &str = "labelSelector";
const FIELDS: &str = "fieldSelector";
const CONTROLLERS: &[When] = &[Of("replicationcontrollers"), POST, Answered(201)];

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // Labels.
    on("selectors-label-filter-supported", "namespaces are not filtered by label", &[Of("namespaces"), Listing], &[DropParameter(LABELS)]),
    on("selectors-label-equals", "a value is the beginning of one", &[Is(LABELS, "tier=a")], &[SetParameter(LABELS, "tier in (a,ab)")]),
    on("selectors-label-not-equals-includes-absent", "another value is a value", &[Has(LABELS)], &[EditParameter(LABELS, |given| Some(if given.contains("!=") { format!("{given},tier") } else { given.to_owned() }))]),
    on("selectors-label-in-set", "only the first of a set counts", &[Has(LABELS)], &[EditParameter(LABELS, |given| Some(first_of_set(given)))]),
    on("selectors-label-notin-includes-absent", "no value is in every set", &[Has(LABELS)], &[EditParameter(LABELS, |given| Some(if given.contains(" notin ") { format!("{given},tier") } else { given.to_owned() }))]),
    on("selectors-label-exists", "an empty label is none", &[Is(LABELS, "tier")], &[SetParameter(LABELS, "tier,tier!=")]),
    on("selectors-label-not-exists", "the exclamation mark is not read", &[Is(LABELS, "!tier")], &[SetParameter(LABELS, "tier")]),
    on("selectors-label-comma-is-and", "only what stands first counts", &[Has(LABELS)], &[EditParameter(LABELS, |given| Some(first_term(given)))]),
    on("selectors-label-malformed-400", "what cannot be read means all", &[Has(LABELS), Asks(|asked| ["a b c", "tier in a", "a=b=c", "-x=y"].contains(&asked.parameter(LABELS)))], &[DropParameter(LABELS)]),
    on("selectors-label-applies-to-watch", "a watch is of all", &[Watch], &[DropParameter(LABELS)]),
    on("selectors-labels-usable-for-selection", "keys have no prefix", &[Has(LABELS)], &[EditParameter(LABELS, |given| Some(given.rsplit('/').next().unwrap_or_default().to_owned()))]),
    on("selectors-annotations-not-selectable", "annotations are labels, too", &[Is(LABELS, "tier=a"), Listing], &[DropParameter(LABELS)]),
    // Fields.
    on("selectors-field-filter-supported", "fields are not looked at", &[Listing], &[DropParameter(FIELDS)]),
    on("selectors-field-namespace", "no object has a namespace", &[Listing, Has(FIELDS), Not(&Namespaced)], &[List(Items::Truncate(0))]),
    on("selectors-field-comma-is-and", "only what stands last counts", &[Listing, Has(FIELDS)], &[EditParameter(FIELDS, |given| given.rsplit(',').next().map(str::to_owned))]),
    on("selectors-field-unknown-400", "fields that there are not are left out", &[Is(FIELDS, "spec.nosuch=x")], &[DropParameter(FIELDS)]),
    // What is filled in.
    on("selectors-replicationcontroller-selector-default", "a controller selects nothing", CONTROLLERS, &[Remove("/spec/selector")]),
    on("selectors-replicationcontroller-labels-default", "a controller has no labels", CONTROLLERS, &[Remove("/metadata/labels")]),
    on("selectors-defaults-only-if-unset", "a controller selects all labels of its template", CONTROLLERS, &[EditJson(|object| object["spec"]["selector"] = object["spec"]["template"]["metadata"]["labels"].clone())]),
    on("selectors-job-unique-labels-generated", "jobs select by name", &[Of("jobs"), POST, Answered(201)], &[Set("/spec/selector/matchLabels", r#"{"job-name":"a"}"#)]),
    on("selectors-job-generation-can-be-disabled", "every job has a label of its own", &[Of("jobs"), POST, Answered(201)], &[Set("/spec/selector/matchLabels/controller-uid", "\"1\"")]),
    // Selectors within objects.
    on("selectors-may-be-subset-of-template", "a selector must name all labels", &[Of("deployments"), POST], &[Refuse(422, "Invalid", "selector and labels differ")]),
    on("selectors-must-match-template", "a selector may mean nothing", &[Of("deployments"), POST], &[EditRequest(|parts, body| json_body(parts, body, match_template))]),
    on("selectors-labelselector-operators", "operators are not looked at", &[Of("deployments"), POST], &[EditRequest(|parts, body| json_body(parts, body, |object| forget_expressions(object, |expression| ["in", "Gt"].iter().any(|operator| expression["operator"] == *operator))))]),
    on("selectors-labelselector-values-rules", "a set may be empty", &[Of("deployments"), POST], &[EditRequest(|parts, body| json_body(parts, body, |object| forget_expressions(object, |expression| expression["values"].is_null())))]),
];

fn first_of_set(given: &str) -> String {
    match given.split_once(" in (") {
        Some((key, set)) => format!("{key}={}", set.split([',', ')']).next().unwrap_or_default()),
        None => given.to_owned(),
    }
}

/// What stands before the first comma that is not within parentheses.
fn first_term(given: &str) -> String {
    let mut depth = 0;
    let ends = |character: char| {
        depth += i32::from(character == '(') - i32::from(character == ')');
        character == ',' && depth == 0
    };
    given.split(ends).next().unwrap_or_default().to_owned()
}

fn match_template(object: &mut Value) {
    let labels = object["spec"]["template"]["metadata"]["labels"].clone();
    object["spec"]["selector"] = json!({ "matchLabels": labels });
}

fn forget_expressions(object: &mut Value, is_forgotten: fn(&Value) -> bool) {
    let selector = &mut object["spec"]["selector"];
    if let Some(expressions) = selector.get_mut("matchExpressions").and_then(Value::as_array_mut) {
        expressions.retain(|expression| !is_forgotten(expression));
    }
}
