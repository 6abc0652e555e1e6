//! Objects as a real server has them: pods of 3.7 kB.

use std::fmt::Write;

/// A pod as in an event or a list, without a line feed at its end.
pub(crate) fn pod(name: &str, version: u64, stamp: &str, kind: bool) -> String {
    let mut pod = String::with_capacity(4096);
    pod.push('{');
    if kind {
        pod.push_str(r#""kind":"Pod","apiVersion":"v1","#);
    }
    write!(
        pod,
        r#""metadata":{{"name":"{name}","namespace":"load","uid":"6f1b7c5e-0d0c-4f5e-9a36-2d7c1f5a9b10","resourceVersion":"{version}","generation":1,"creationTimestamp":"2026-01-01T00:00:00Z","labels":{{"app":"load","tier":"backend"}},"annotations":{{"kube-assay/stamp":"{stamp}"}},"#
    )
    .unwrap();
    pod.push_str(concat!(
        r#""managedFields":[{"manager":"kube-assay","operation":"Update","apiVersion":"v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:kube-assay/stamp":{}},"f:labels":{".":{},"f:app":{}}},"f:spec":{"f:containers":{}}}}]},"#,
        r#""spec":{"volumes":[{"name":"token","projected":{"sources":[{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},{"configMap":{"name":"root-ca","items":[{"key":"ca.crt","path":"ca.crt"}]}}],"defaultMode":420}}],"containers":["#
    ));
    for container in 0..2 {
        let comma = if container > 0 { "," } else { "" };
        write!(pod, r#"{comma}{{"name":"c{container}","image":"registry.example/app:{container}","env":["#)
            .unwrap();
        for variable in 0..11 {
            let comma = if variable > 0 { "," } else { "" };
            write!(
                pod,
                r#"{comma}{{"name":"VARIABLE_{variable}","value":"value of number {variable}, \"quoted\""}}"#
            )
            .unwrap();
        }
        pod.push_str(r#"],"resources":{"limits":{"cpu":"500m","memory":"128Mi"},"requests":{"cpu":"100m","memory":"64Mi"}},"terminationMessagePath":"/dev/termination-log","imagePullPolicy":"IfNotPresent"}"#);
    }
    pod.push_str(concat!(
        r#"],"restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","serviceAccountName":"default","nodeName":"node-1","securityContext":{},"schedulerName":"default-scheduler","tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],"priority":0},"#,
        r#""status":{"phase":"Running","conditions":[{"type":"Ready","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-01-01T00:00:00Z"},{"type":"PodScheduled","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-01-01T00:00:00Z"}],"hostIP":"10.0.0.1","podIP":"10.1.0.17","startTime":"2026-01-01T00:00:00Z","qosClass":"Burstable"}}"#
    ));
    pod
}

/// An event of a watch.
pub(crate) fn event(name: &str, version: u64, stamp: &str) -> String {
    format!("{{\"type\":\"MODIFIED\",\"object\":{}}}\n", pod(name, version, stamp, true))
}

/// A list with this number of pods.
pub(crate) fn list(count: usize) -> String {
    let mut text =
        String::from(r#"{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":["#);
    for number in 0..count {
        if number > 0 {
            text.push(',');
        }
        text.push_str(&pod(&format!("pod-{number}"), 1, "0.0", false));
    }
    text + "]}\n"
}
