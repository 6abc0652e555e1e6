//! 503 of an unavailable aggregated API.

use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    // Alone: scenarios that list all types would find this one.
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

    let checked = expect_unavailable(&cx, &group).await;

    cx.send(Request::delete(path)).await?.written()?;
    checked
}

/// The server returns 404 until it knows the `APIService`.
async fn expect_unavailable(cx: &Context, group: &str) -> Checked {
    let list = || Request::get(format!("/apis/{group}/v1/things")).within(Duration::from_secs(20));
    let response = cx.eventually(|| async {
        let response = cx.send(list()).await?;
        Ok((response.status() != 404).then_some(response))
    });
    match response.await? {
        Some(response) => response.expect_status(&[503]),
        None => {
            Err(cx.send(list()).await?.fail("HTTP 503: the APIService is unavailable", "HTTP 404 each time"))
        }
    }
}
