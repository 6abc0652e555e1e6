//! 503 of an unavailable aggregated API.

use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    // Whoever looks at all types would meet this one.
    vec![row!(status_codes_503_unavailable).own_kinds().alone()]
}

const SERVICES: &str = "/apis/apiregistration.k8s.io/v1/apiservices";

async fn status_codes_503_unavailable(cx: Context) -> Checked {
    if !cx.target_info().serves("apiregistration.k8s.io") {
        return Err(cx.lacks("Aggregation", "it does not serve apiregistration.k8s.io"));
    }
    let group = format!("{}.kube-assay.dev", cx.own_name("elsewhere"));
    let service = json!({
        "apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService",
        "metadata": { "name": format!("v1.{group}"), "labels": cx.own_labels() },
        "spec": {
            "group": group, "version": "v1", "groupPriorityMinimum": 1, "versionPriority": 1,
            "insecureSkipTLSVerify": true,
            "service": { "namespace": cx.namespace().await?, "name": "nobody", "port": 443 },
        },
    });
    let path = format!("{SERVICES}/v1.{group}");
    cx.remove_in_the_end(&path);
    let created = cx.send(Request::post(SERVICES, &service)).await?;
    created.written()?;

    let asked = asked(&cx, &group).await;

    cx.send(Request::delete(path)).await?.written()?;
    asked
}

/// It takes a moment until the server knows that it is another that should answer.
async fn asked(cx: &Context, group: &str) -> Checked {
    let collection = || Request::get(format!("/apis/{group}/v1/things")).within(Duration::from_secs(20));
    let known = cx.eventually(|| async {
        let answer = cx.send(collection()).await?;
        Ok((answer.status() != 404).then_some(answer))
    });
    match known.await? {
        Some(answer) => answer.expect_status(&[503]),
        None => {
            Err(cx.send(collection()).await?.fail("HTTP 503: nobody answers for it", "HTTP 404 all the time"))
        }
    }
}
