//! Strategy of Jobs and `ReplicationControllers`: selectors and pod template labels.

use serde_json::{Map, Value, json};

use super::selector;
use super::workload::{complete_pod, default, validate_pod};
use crate::failure::Cause;
use crate::metadata::text;

/// The label that links pods to their job.
const CONTROLLER: &str = "batch.kubernetes.io/controller-uid";

/// Sets the first status of a job and, without `manualSelector`, a selector and labels of its own.
pub(super) fn begin_job(job: &mut Value) {
    job["status"] = json!({});
    if job["spec"]["manualSelector"] == true {
        return;
    }
    let (uid, name) = (text(job, "uid").to_owned(), text(job, "name").to_owned());
    let labels = [
        (CONTROLLER, &uid),
        ("batch.kubernetes.io/job-name", &name),
        ("controller-uid", &uid),
        ("job-name", &name),
    ];
    let template = &mut job["spec"]["template"];
    for (label, value) in labels {
        template["metadata"]["labels"][label] = value.as_str().into();
    }
    job["spec"]["selector"]["matchLabels"][CONTROLLER] = uid.into();
    default_labels(job);
}

/// Copies the template's labels to an object without labels.
fn default_labels(object: &mut Value) {
    let labels = object["spec"]["template"]["metadata"]["labels"].clone();
    if labels.is_object() {
        default(&mut object["metadata"], "labels", labels);
    }
}

/// Sets the defaults of a job.
pub(super) fn complete_job(job: &mut Value) {
    default_labels(job);
    let spec = &mut job["spec"];
    default(spec, "parallelism", json!(1));
    default(spec, "completions", json!(1));
    default(spec, "backoffLimit", json!(6));
    default(spec, "completionMode", json!("NonIndexed"));
    default(spec, "manualSelector", json!(false));
    default(spec, "podReplacementPolicy", json!("TerminatingOrFailed"));
    default(spec, "suspend", json!(false));
    complete_pod(&mut spec["template"]["spec"]);
}

/// The validation errors of a job.
pub(super) fn validate_job(job: &Value) -> Vec<Cause> {
    let mut causes = selector::of_a_template(&job["spec"]);
    causes.extend(validate_pod(&job["spec"]["template"]["spec"], "spec.template.spec"));
    let policy = &job["spec"]["template"]["spec"]["restartPolicy"];
    if policy != "Never" && policy != "OnFailure" {
        let text = format!("{policy}");
        let path = "spec.template.spec.restartPolicy";
        causes.push(Cause::not_supported(path, &text, &["OnFailure", "Never"]));
    }
    causes
}

/// Sets the defaults of a replication controller.
pub(super) fn complete_replication_controller(controller: &mut Value) {
    default_labels(controller);
    let labels = controller["spec"]["template"]["metadata"]["labels"].clone();
    let spec = &mut controller["spec"];
    default(spec, "replicas", json!(1));
    if labels.is_object() {
        default(spec, "selector", labels);
    }
    complete_pod(&mut spec["template"]["spec"]);
}

/// The validation errors of a replication controller.
pub(super) fn validate_replication_controller(controller: &Value) -> Vec<Cause> {
    let spec = &controller["spec"];
    let mut causes = Vec::new();
    if spec["selector"].as_object().is_none_or(Map::is_empty) {
        causes.push(Cause::required("spec.selector", ""));
    }
    let labels = &spec["template"]["metadata"]["labels"];
    let mut labels_to_match = spec["selector"].as_object().into_iter().flatten();
    if !labels_to_match.all(|(key, value)| labels.get(key) == Some(value)) {
        let detail = "`selector` does not match template `labels`";
        causes.push(Cause::invalid("spec.template.metadata.labels", labels, detail));
    }
    causes.extend(validate_pod(&spec["template"]["spec"], "spec.template.spec"));
    causes
}
