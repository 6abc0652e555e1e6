use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::{Client, MAPS, config_map};

#[tokio::test]
async fn the_table_of_list_parameters() {
    let client = Client::start().await;
    client.config_maps(&["a", "b", "c"]).await;
    let then = client.get(MAPS).await;
    let v = then.version();
    client.config_maps(&["d"]).await;
    client.delete(&format!("{MAPS}/a"), &json!({})).await;
    let token = client.get(&format!("{MAPS}?limit=2")).await.json()["metadata"]["continue"].clone();
    let token = token.as_str().unwrap();
    let newest = client.get(MAPS).await.names();
    let all = |response: crate::client::ApiResponse| (response.status, response.names());

    assert_eq!(all(client.get(&format!("{MAPS}?resourceVersion=0&limit=1")).await), (200, newest.clone()));
    assert_eq!(all(client.get(&format!("{MAPS}?resourceVersion={v}")).await), (200, newest.clone()));
    let not_older = format!("{MAPS}?limit=500&resourceVersion={v}&resourceVersionMatch=NotOlderThan");
    assert_eq!(all(client.get(&not_older).await), (200, newest));
    for exact in ["limit=500&", "resourceVersionMatch=Exact&", "limit=9&resourceVersionMatch=Exact&"] {
        let listed = client.get(&format!("{MAPS}?{exact}resourceVersion={v}")).await;
        assert_eq!(listed.json()["items"], then.json()["items"], "{exact}");
        assert_eq!(listed.version(), v, "{exact}");
    }
    let refused = [
        ("resourceVersionMatch=Exact", 422),
        ("resourceVersionMatch=NotOlderThan&resourceVersion=", 422),
        ("resourceVersionMatch=Exact&resourceVersion=0", 422),
        ("resourceVersionMatch=newest&resourceVersion=1", 422),
        ("sendInitialEvents=true", 422),
        ("resourceVersion=abc", 400),
        ("limit=abc", 400),
        ("continue=garbage", 400),
        ("continue=e30", 400),
    ];
    for (query, status) in refused {
        assert_eq!(client.get(&format!("{MAPS}?{query}")).await.status, status, "{query}");
    }
    assert_eq!(client.get(&format!("{MAPS}?continue={token}&resourceVersion={v}")).await.status, 400);
    let both = format!("{MAPS}?continue={token}&resourceVersion={v}&resourceVersionMatch=Exact");
    assert_eq!(client.get(&both).await.status, 422);
}

#[tokio::test]
async fn a_read_at_a_future_version_waits_and_then_fails() {
    let client = Client::start().await;
    client.config_maps(&["a"]).await;
    let next = client.get(MAPS).await.version().parse::<u64>().unwrap() + 1;
    let began = Instant::now();
    let (list, get) = (format!("{MAPS}?resourceVersion=99999"), format!("{MAPS}/a?resourceVersion=99999"));
    let (list, get) = tokio::join!(client.get(&list), client.get(&get));
    assert!(began.elapsed() >= Duration::from_secs(3));
    for response in [list, get] {
        assert_eq!((response.status, response.reason()), (504, "Timeout".to_owned()));
        assert_eq!(response.json()["details"]["causes"][0]["reason"], "ResourceVersionTooLarge");
    }
    let soon = format!("{MAPS}?resourceVersion={next}");
    let write = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        client.post(MAPS, &config_map("b")).await
    };
    let (listed, _) = tokio::join!(client.get(&soon), write);
    assert_eq!(listed.names(), ["a", "b"]);
    assert_eq!(client.get(&format!("{MAPS}/a?resourceVersion=abc")).await.status, 500);
}

#[tokio::test]
async fn compacted_versions_expire() {
    let client = Client::start().await;
    client.config_maps(&["a", "b", "c"]).await;
    let first = client.get(&format!("{MAPS}?limit=1")).await;
    let token = first.json()["metadata"]["continue"].as_str().unwrap().to_owned();
    client.config_maps(&["bb"]).await;
    client.server.compact();
    let v = first.version();
    for query in ["resourceVersionMatch=Exact&", "limit=5&"] {
        let gone = client.get(&format!("{MAPS}?{query}resourceVersion={v}")).await;
        assert_eq!((gone.status, gone.reason()), (410, "Expired".to_owned()), "{query}");
        assert_eq!(gone.json()["metadata"], json!({}));
    }
    assert_eq!(client.get(&format!("{MAPS}?resourceVersion={v}")).await.status, 200);
    assert_eq!(client.get(&format!("{MAPS}/a?resourceVersion=1")).await.status, 200);
    let expired = client.get(&format!("{MAPS}?limit=1&continue={token}")).await;
    assert_eq!(expired.status, 410);
    let fresh = expired.json()["metadata"]["continue"].as_str().unwrap().to_owned();
    let rest = client.get(&format!("{MAPS}?continue={fresh}")).await;
    assert_eq!(rest.names(), ["b", "bb", "c"]);
    assert_ne!(rest.version(), v);
    let error = client.watch(&format!("{MAPS}?watch=1&resourceVersion={v}")).await.next().await.unwrap();
    assert_eq!((&error["type"], &error["object"]["code"]), (&json!("ERROR"), &json!(410)));
}
