use std::time::Duration;

use reqwest::Method;

use crate::client::Client;

#[tokio::test]
async fn health_is_plain_or_verbose() {
    let client = Client::start().await;
    for endpoint in ["livez", "readyz", "healthz"] {
        assert_eq!(client.get(&format!("/{endpoint}")).await.text, "ok");
        let verbose = client.get(&format!("/{endpoint}?verbose=false")).await.text;
        assert!(verbose.starts_with("[+]ping ok\n"), "{verbose}");
        assert!(verbose.ends_with(&format!("{endpoint} check passed\n")), "{verbose}");
        for line in verbose.lines().filter_map(|line| line.strip_prefix("[+]")) {
            let name = line.strip_suffix(" ok").unwrap();
            assert_eq!(client.get(&format!("/{endpoint}/{name}")).await.text, "ok", "{name}");
        }
    }
    for unknown in ["/LIVEZ", "/livez/", "/livez/nosuch", "/livez/ping/", "/livezz", "/livez/shutdown"] {
        assert_eq!(client.get(unknown).await.status, 404, "{unknown}");
    }
}

#[tokio::test]
async fn checks_are_excluded_by_name_and_group() {
    let client = Client::start().await;
    let text = client.get("/livez?verbose&exclude=etcd&exclude=zz&exclude=ping,log&exclude=aa").await.text;
    assert!(text.contains("[+]etcd excluded: ok\n"), "{text}");
    assert!(text.contains("[+]etcd-override-0 excluded with etcd: ok\n"), "{text}");
    let warning = "warn: some health checks cannot be excluded: no matches for \"aa\",\"ping,log\",\"zz\"\n";
    assert!(text.ends_with(&format!("{warning}livez check passed\n")), "{text}");
}

#[tokio::test]
async fn a_broken_store_fails_the_checks_until_repair() {
    let client = Client::start().await;
    client.server.break_store();
    let failed = client.get("/livez").await;
    assert_eq!(failed.status, 500);
    assert!(failed.text.contains("[-]etcd failed: reason withheld\n"));
    assert!(failed.text.ends_with("livez check failed\n"));
    assert_eq!(client.get("/livez?exclude=etcd").await.status, 200);
    assert_eq!(client.get("/readyz?exclude=etcd").await.status, 500);
    assert_eq!(client.get("/readyz?exclude=etcd&exclude=etcd-readiness").await.status, 200);
    assert!(client.get("/livez/etcd").await.text.starts_with("internal server error: "));
    client.server.mend_store();
    assert_eq!(client.get("/readyz").await.status, 200);
}

#[tokio::test]
async fn a_pending_shutdown_fails_only_readyz() {
    let mut client = Client::start().await;
    client.server.shut_down_after(Duration::from_millis(300));
    let ready = client.get("/readyz").await;
    assert!(ready.text.contains("[-]shutdown failed: reason withheld\n"));
    assert_eq!(client.get("/livez").await.status, 200);
    assert_eq!(client.get("/api/v1/namespaces").await.status, 200);
    client.server.stopped().await;
}

#[tokio::test]
async fn rights_match_the_default_roles() {
    let client = Client::start().await;
    let send = async |method: Method, path: &str, headers: &[(&str, &str)]| {
        client.send(method, path, headers, "").await.status().as_u16()
    };
    let admin = [("authorization", "Bearer letmein-admin")];
    let ordinary = [admin[0], ("impersonate-user", "jane")];
    assert_eq!(send(Method::GET, "/livez?verbose", &[]).await, 200);
    assert_eq!(send(Method::HEAD, "/livez", &[]).await, 403);
    assert_eq!(send(Method::HEAD, "/livez", &admin).await, 200);
    assert_eq!(send(Method::POST, "/livez", &admin).await, 200);
    assert_eq!(send(Method::GET, "/livez/ping", &[]).await, 403);
    assert_eq!(send(Method::GET, "/livez/ping", &ordinary).await, 403);
    assert_eq!(send(Method::GET, "/apis", &ordinary).await, 200);
    assert_eq!(send(Method::GET, "/apis", &[]).await, 403);
    assert_eq!(send(Method::GET, "/api/v1/namespaces", &ordinary).await, 403);
    assert_eq!(send(Method::GET, "/livez", &[("authorization", "Bearer invalid")]).await, 401);
    assert_eq!(send(Method::GET, "/apis", &[admin[0], ("impersonate-group", "system:masters")]).await, 400);
    assert_eq!(send(Method::DELETE, "/version", &admin).await, 405);
    assert_eq!(send(Method::DELETE, "/version", &ordinary).await, 403);
    assert_eq!(send(Method::GET, "/statusz", &[]).await, 403);
    assert_eq!(send(Method::GET, "/statusz", &[admin[0], ("accept", "application/json")]).await, 406);
    let structured = "application/json;v=v1beta1;g=config.k8s.io;as=Flagz";
    assert_eq!(send(Method::GET, "/flagz", &[admin[0], ("accept", structured)]).await, 200);
}
