use std::io::Read;

use reqwest::Method;
use serde_json::json;

use crate::client::{Client, MAPS};

/// The Content-Encoding and Vary of a response, and its body.
async fn get(client: &Client, path: &str, codings: &str) -> ([String; 2], Vec<u8>) {
    let admin = format!("Bearer {}", client.server.admin_token());
    let headers = [("authorization", admin.as_str()), ("accept-encoding", codings)];
    let response = client.send(Method::GET, path, &headers, "").await;
    let header =
        |name: &str| response.headers().get(name).map_or("", |value| value.to_str().unwrap()).to_owned();
    (["content-encoding", "vary"].map(header), response.bytes().await.unwrap().to_vec())
}

#[tokio::test]
async fn large_responses_are_compressed_for_clients_that_accept_gzip() {
    let client = Client::start().await;
    client.config_maps(&["a"]).await;
    client.merge(&format!("{MAPS}/a"), &json!({ "data": { "k": "x".repeat(128 << 10) } })).await;
    client.config_maps(&["small"]).await;
    let large = format!("{MAPS}/a");
    let (_, plain) = get(&client, &large, "identity").await;
    for codings in ["gzip", "deflate, gzip", "br,gzip , x"] {
        let (headers, packed) = get(&client, &large, codings).await;
        assert_eq!(headers, ["gzip", "Accept-Encoding"], "{codings}");
        let mut unpacked = Vec::new();
        flate2::read::GzDecoder::new(&*packed).read_to_end(&mut unpacked).unwrap();
        assert!(unpacked == plain && packed.len() < plain.len());
    }
    for codings in ["", "identity", "gzip;q=0", "gzip;q=1.0", "GZIP", "*"] {
        let (headers, body) = get(&client, &large, codings).await;
        assert!(headers.concat().is_empty() && body == plain, "{codings}");
    }
    for path in [format!("{MAPS}/small"), format!("{MAPS}/missing"), "/openapi/v3".to_owned()] {
        let (headers, body) = get(&client, &path, "gzip").await;
        assert!(headers[0].is_empty() && body.starts_with(b"{"), "{path}");
    }
}
