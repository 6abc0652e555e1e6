//! Labels that admission of others adds are not labels of the system.

use serde_json::json;

use crate::support::http::edited;
use crate::support::{Proxy, Reference, Reply, kube_assay};

/// A label on every object is the webhook's, where there is one; a label on namespaces alone is the server's.
#[test]
fn a_label_that_a_webhook_adds_to_every_object_accuses_nobody() {
    for (is_on_configmaps, has_webhook, code) in [(true, true, 0), (true, false, 1), (false, true, 1)] {
        let reference = Reference::right();
        if has_webhook {
            let configuration = json!({
                "apiVersion": "admissionregistration.k8s.io/v1",
                "kind": "MutatingWebhookConfiguration",
                "metadata": { "name": "adds-labels" },
            });
            let collection = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
            reference.create(collection, &configuration);
        }
        let proxy = Proxy::before(&reference, move |request| {
            let is_labelled = is_on_configmaps || request.target().1.ends_with("/namespaces");
            if request.first.contains("dryRun=All") && is_labelled {
                return Reply::Edited(|response| {
                    edited(response, |object| object["metadata"]["labels"]["team"] = "a".into())
                });
            }
            Reply::Pass
        });
        let program = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]);
        let ended = program.with(&["--clause", "metadata-system-keys-prefixed", "--strict"]).end();
        let ended = ended.ended_with(code);
        let is_noted = ended.report("events.jsonl").contains("/adds-labels may add to every object");
        assert_eq!(is_noted, code == 0, "{}", ended.out);
        assert_eq!(reference.left_behind(), [""; 0]);
    }
}
