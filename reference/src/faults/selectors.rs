//! Faults of label and field selectors.

use serde_json::{Value, json};

use crate::fault::{Edit::*, Fault, Items, When, When::*, json_body, on};

const POST: When = Method("POST");
const LABELS: &str = "labelSelector";
const FIELDS: &str = "fieldSelector";
const CONTROLLERS: &[When] = &[Plural("replicationcontrollers"), POST, StatusIs(201)];

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // Labels.
    on("selectors-label-filter-supported", "the server ignores label selectors on namespaces", &[Plural("namespaces"), List], &[DropParameter(LABELS)]),
    on("selectors-label-equals", "a label selector with = matches values by prefix", &[Is(LABELS, "tier=a")], &[SetParameter(LABELS, "tier in (a,ab)")]),
    on("selectors-label-not-equals-includes-absent", "a label selector with != omits objects without the label", &[Has(LABELS)], &[EditParameter(LABELS, |selector| Some(if selector.contains("!=") { format!("{selector},tier") } else { selector.to_owned() }))]),
    on("selectors-label-in-set", "a label selector with \"in\" uses the first value only", &[Has(LABELS)], &[EditParameter(LABELS, |selector| Some(first_of_set(selector)))]),
    on("selectors-label-notin-includes-absent", "a label selector with \"notin\" omits objects without the label", &[Has(LABELS)], &[EditParameter(LABELS, |selector| Some(if selector.contains(" notin ") { format!("{selector},tier") } else { selector.to_owned() }))]),
    on("selectors-label-exists", "the exists selector omits empty labels", &[Is(LABELS, "tier")], &[SetParameter(LABELS, "tier,tier!=")]),
    on("selectors-label-not-exists", "the server ignores the exclamation mark of a label selector", &[Is(LABELS, "!tier")], &[SetParameter(LABELS, "tier")]),
    on("selectors-label-comma-is-and", "a label selector uses its first term only", &[Has(LABELS)], &[EditParameter(LABELS, |selector| Some(first_term(selector)))]),
    on("selectors-label-malformed-400", "the server ignores a malformed label selector", &[Has(LABELS), Matches(|request| ["a b c", "tier in a", "a=b=c", "-x=y"].contains(&request.parameter(LABELS)))], &[DropParameter(LABELS)]),
    on("selectors-label-applies-to-watch", "a watch ignores its label selector", &[Watch], &[DropParameter(LABELS)]),
    on("selectors-labels-usable-for-selection", "a label selector ignores key prefixes", &[Has(LABELS)], &[EditParameter(LABELS, |selector| Some(selector.rsplit('/').next().unwrap_or_default().to_owned()))]),
    on("selectors-annotations-not-selectable", "a label selector matches objects without the label", &[Is(LABELS, "tier=a"), List], &[DropParameter(LABELS)]),
    // Fields.
    on("selectors-field-filter-supported", "the server ignores field selectors", &[List], &[DropParameter(FIELDS)]),
    on("selectors-field-namespace", "a field selector across namespaces matches nothing", &[List, Has(FIELDS), Not(&Namespaced)], &[EditItems(Items::Truncate(0))]),
    on("selectors-field-comma-is-and", "a field selector uses its last term only", &[List, Has(FIELDS)], &[EditParameter(FIELDS, |selector| selector.rsplit(',').next().map(str::to_owned))]),
    on("selectors-field-unknown-400", "the server ignores unknown fields in a field selector", &[Is(FIELDS, "spec.nosuch=x")], &[DropParameter(FIELDS)]),
    // Defaults.
    on("selectors-replicationcontroller-selector-default", "a ReplicationController gets no default selector", CONTROLLERS, &[Remove("/spec/selector")]),
    on("selectors-replicationcontroller-labels-default", "a ReplicationController gets no default labels", CONTROLLERS, &[Remove("/metadata/labels")]),
    on("selectors-defaults-only-if-unset", "the template labels overwrite the selector of a ReplicationController", CONTROLLERS, &[EditJson(|object| object["spec"]["selector"] = object["spec"]["template"]["metadata"]["labels"].clone())]),
    on("selectors-job-unique-labels-generated", "the selector of a Job has no unique label", &[Plural("jobs"), POST, StatusIs(201)], &[Set("/spec/selector/matchLabels", r#"{"job-name":"a"}"#)]),
    on("selectors-job-generation-can-be-disabled", "a Job always gets a generated selector label", &[Plural("jobs"), POST, StatusIs(201)], &[Set("/spec/selector/matchLabels/controller-uid", "\"1\"")]),
    // Selectors within objects.
    on("selectors-may-be-subset-of-template", "the selector must equal the template labels", &[Plural("deployments"), POST], &[Reject(422, "Invalid", "selector and labels differ")]),
    on("selectors-must-match-template", "the server accepts a selector that does not match the template", &[Plural("deployments"), POST], &[EditRequest(|parts, body| json_body(parts, body, match_template))]),
    on("selectors-labelselector-operators", "the server accepts unknown label selector operators", &[Plural("deployments"), POST], &[EditRequest(|parts, body| json_body(parts, body, |object| remove_expressions(object, |expression| ["in", "Gt"].iter().any(|operator| expression["operator"] == *operator))))]),
    on("selectors-labelselector-values-rules", "the server accepts label selector expressions without values", &[Plural("deployments"), POST], &[EditRequest(|parts, body| json_body(parts, body, |object| remove_expressions(object, |expression| expression["values"].is_null())))]),
];

fn first_of_set(selector: &str) -> String {
    match selector.split_once(" in (") {
        Some((key, set)) => format!("{key}={}", set.split([',', ')']).next().unwrap_or_default()),
        None => selector.to_owned(),
    }
}

/// The text up to the first comma outside of parentheses.
fn first_term(selector: &str) -> String {
    let mut depth = 0;
    let ends = |character: char| {
        depth += i32::from(character == '(') - i32::from(character == ')');
        character == ',' && depth == 0
    };
    selector.split(ends).next().unwrap_or_default().to_owned()
}

fn match_template(object: &mut Value) {
    let labels = object["spec"]["template"]["metadata"]["labels"].clone();
    object["spec"]["selector"] = json!({ "matchLabels": labels });
}

fn remove_expressions(object: &mut Value, is_forgotten: fn(&Value) -> bool) {
    let selector = &mut object["spec"]["selector"];
    if let Some(expressions) = selector.get_mut("matchExpressions").and_then(Value::as_array_mut) {
        expressions.retain(|expression| !is_forgotten(expression));
    }
}
