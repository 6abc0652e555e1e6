use std::time::Duration;

use reqwest::Method;
use serde_json::json;

use crate::client::{Client, MAPS};

/// A request: method, path and headers.
type Probe = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// The requests to a right and a faulty server.
const PROBES: &[Probe] = &[
    ("GET", "/livez", ADMIN),
    ("GET", "/readyz", ADMIN),
    ("GET", "/healthz", ADMIN),
    ("GET", "/livez?verbose", ADMIN),
    ("GET", "/livez?verbose=false", ADMIN),
    ("GET", "/readyz?verbose", ADMIN),
    ("GET", "/livez?verbose&exclude=ping", ADMIN),
    ("GET", "/livez?exclude=ping&verbose", ADMIN),
    ("GET", "/livez?verbose&exclude=ping&exclude=log", ADMIN),
    ("GET", "/livez?verbose&exclude=ping,log", ADMIN),
    ("GET", "/livez?exclude=nosuch", ADMIN),
    ("GET", "/livez?exclude=etcd", ADMIN),
    ("GET", "/livez?verbose&exclude=etcd", ADMIN),
    ("GET", "/livez?verbose&exclude=poststarthook/rbac/bootstrap-roles", ADMIN),
    ("GET", "/livez/ping", ADMIN),
    ("GET", "/livez/etcd", ADMIN),
    ("GET", "/livez/shutdown", ADMIN),
    ("GET", "/livez/poststarthook/rbac/bootstrap-roles", ADMIN),
    ("GET", "/healthz/ping", ADMIN),
    ("GET", "/livez/nosuch", ADMIN),
    ("GET", "/LIVEZ", ADMIN),
    ("HEAD", "/livez", ADMIN),
    ("POST", "/livez", ADMIN),
    ("GET", "/livez", &[]),
    ("GET", "/livez?verbose", &[]),
    ("GET", "/livez/ping", &[]),
    ("HEAD", "/livez", &[]),
    ("GET", "/livez", &[("authorization", "Bearer invalid")]),
    ("GET", "/livez", &[ADMIN[0], ("accept", "application/json")]),
    ("GET", "/", ADMIN),
    ("GET", "/metrics", ADMIN),
    ("GET", "/statusz", &[]),
    ("GET", "/statusz", &[ADMIN[0], ("accept", "application/json")]),
    ("GET", "/flagz", &[]),
    // This request would wait for the broken store.
    ("GET", "/api/v1/namespaces?timeout=100ms", ADMIN),
];

const ADMIN: &[(&str, &str)] = &[("authorization", "Bearer letmein-admin")];

/// The responses to the probes, without parts that differ between servers.
async fn responses(client: &Client) -> Vec<String> {
    let mut responses = Vec::new();
    for (method, path, headers) in PROBES {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let response = client.send(method.clone(), path, headers, "").await;
        let head =
            format!("{method} {path} {} {:?}", response.status(), response.headers().get("cache-control"));
        let text = response.text().await.unwrap();
        let text = if path.starts_with("/api/v1/namespaces") { String::new() } else { text };
        responses.push(format!("{head}\n{text}"));
    }
    responses
}

/// The responses of a healthy server, with a broken store, and during shutdown.
async fn all_responses(client: &Client) -> Vec<String> {
    let mut all = responses(client).await;
    client.server.break_store();
    all.extend(responses(client).await);
    client.server.mend_store();
    client.server.shut_down_after(Duration::from_mins(1));
    all.extend(responses(client).await);
    all
}

#[tokio::test]
async fn every_health_fault_changes_a_response() {
    let right = all_responses(&Client::start().await).await;
    // These two need load or a config map.
    let tested_below = ["health-fast-under-load", "health-no-side-effects"];
    for fault in reference::faults().filter(|fault| fault.name.starts_with("health-")) {
        if tested_below.contains(&fault.name) {
            continue;
        }
        let faulty = all_responses(&Client::with_faults(vec![fault]).await).await;
        assert!(right != faulty, "{} changes no response", fault.name);
    }
}

fn fault(name: &str) -> &'static reference::Fault {
    reference::faults().find(|fault| fault.name == name).unwrap()
}

#[tokio::test]
async fn only_the_fault_rejects_probes_under_load() {
    let client = Client::with_faults(vec![fault("health-fast-under-load")]).await;
    assert_eq!(client.get("/livez").await.status, 200);
    for _ in 0..120 {
        client.get("/version").await;
    }
    assert_eq!(client.get("/livez").await.status, 429);
}

#[tokio::test]
async fn health_with_side_effects_writes() {
    let client = Client::with_faults(vec![fault("health-no-side-effects")]).await;
    client.config_maps(&["a"]).await;
    let before = client.get(&format!("{MAPS}/a")).await;
    client.get("/livez").await;
    let after = client.get(&format!("{MAPS}/a")).await;
    assert_ne!(before.version(), after.version());
    assert_eq!(after.json()["data"], json!({"k": "1"}));
}
