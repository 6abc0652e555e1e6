//! A reference server, and a client without retries or defaults.

use std::sync::Once;
use std::time::Duration;

use reference::{Fault, Options, Server};
use reqwest::{Method, Response};
use serde_json::{Value, json};

pub(crate) struct Client {
    pub(crate) server: Server,
    http: reqwest::Client,
}

/// A response with its body.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ApiResponse {
    pub(crate) status: u16,
    pub(crate) warnings: Vec<String>,
    pub(crate) text: String,
}

impl ApiResponse {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    pub(crate) fn reason(&self) -> String {
        self.json()["reason"].as_str().unwrap_or_default().to_owned()
    }

    pub(crate) fn version(&self) -> String {
        self.json()["metadata"]["resourceVersion"].as_str().unwrap().to_owned()
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let items = self.json()["items"].as_array().cloned().unwrap_or_default();
        items.iter().map(|item| item["metadata"]["name"].as_str().unwrap().to_owned()).collect()
    }
}

impl Client {
    pub(crate) async fn start() -> Self {
        Self::with_faults(Vec::new()).await
    }

    pub(crate) async fn with_faults(faults: Vec<&'static Fault>) -> Self {
        static PROVIDER: Once = Once::new();
        PROVIDER.call_once(|| rustls::crypto::aws_lc_rs::default_provider().install_default().unwrap());
        let server = Server::start(Options { faults, ..Options::default() }).await.unwrap();
        Self {
            server,
            http: reqwest::Client::builder().no_gzip().timeout(Duration::from_secs(10)).build().unwrap(),
        }
    }

    /// Sends a request as it is.
    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Response {
        let mut request = self.http.request(method, format!("{}{path}", self.server.url()));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(body.to_owned()).send().await.unwrap()
    }

    /// Sends text as the administrator.
    pub(crate) async fn text(&self, method: Method, path: &str, media: &str, body: &str) -> ApiResponse {
        self.admin(method, path, media, body).await
    }

    async fn admin(&self, method: Method, path: &str, media: &str, body: &str) -> ApiResponse {
        let token = format!("Bearer {}", self.server.admin_token());
        let headers = [("authorization", token.as_str()), ("content-type", media)];
        let response = self.send(method, path, &headers, body).await;
        let warnings = response.headers().get_all("warning").iter();
        let warnings = warnings.map(|text| text.to_str().unwrap().to_owned()).collect();
        ApiResponse { status: response.status().as_u16(), warnings, text: response.text().await.unwrap() }
    }

    pub(crate) async fn get(&self, path: &str) -> ApiResponse {
        self.admin(Method::GET, path, "application/json", "").await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> ApiResponse {
        self.admin(Method::POST, path, "application/json", &body.to_string()).await
    }

    pub(crate) async fn put(&self, path: &str, body: &Value) -> ApiResponse {
        self.admin(Method::PUT, path, "application/json", &body.to_string()).await
    }

    pub(crate) async fn merge(&self, path: &str, body: &Value) -> ApiResponse {
        self.admin(Method::PATCH, path, "application/merge-patch+json", &body.to_string()).await
    }

    pub(crate) async fn patch(&self, path: &str, media: &str, body: &Value) -> ApiResponse {
        self.admin(Method::PATCH, path, media, &body.to_string()).await
    }

    pub(crate) async fn delete(&self, path: &str, options: &Value) -> ApiResponse {
        self.admin(Method::DELETE, path, "application/json", &options.to_string()).await
    }

    /// Deletes without options.
    pub(crate) async fn delete_bare(&self, path: &str) -> ApiResponse {
        self.admin(Method::DELETE, path, "application/json", "").await
    }

    /// Opens a watch.
    pub(crate) async fn watch(&self, path: &str) -> Events {
        let token = format!("Bearer {}", self.server.admin_token());
        let response = self.send(Method::GET, path, &[("authorization", &token)], "").await;
        assert_eq!(response.status(), 200, "{path}");
        Events { response, unread: Vec::new() }
    }

    /// Creates config maps in the default namespace.
    pub(crate) async fn config_maps(&self, names: &[&str]) {
        for name in names {
            assert_eq!(self.post(MAPS, &config_map(name)).await.status, 201, "{name}");
        }
    }
}

/// The config maps of the default namespace.
pub(crate) const MAPS: &str = "/api/v1/namespaces/default/configmaps";

pub(crate) fn config_map(name: &str) -> Value {
    json!({"metadata": {"name": name}, "data": {"k": "1"}})
}

/// An open watch.
pub(crate) struct Events {
    response: Response,
    unread: Vec<u8>,
}

impl Events {
    /// The next event: `None` at the end of the stream.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        loop {
            if let Some(end) = self.unread.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.unread.drain(..=end).collect();
                return Some(serde_json::from_slice(&line).unwrap());
            }
            self.unread.extend(self.response.chunk().await.unwrap()?);
        }
    }

    /// The next events, each as `TYPE name`.
    pub(crate) async fn take(&mut self, count: usize) -> Vec<String> {
        let mut events = Vec::new();
        for _ in 0..count {
            let event = self.next().await.unwrap();
            let name = event["object"]["metadata"]["name"].as_str().unwrap_or_default();
            events.push(format!("{} {name}", event["type"].as_str().unwrap()));
        }
        events
    }

    /// Whether no event arrives for 200 ms.
    pub(crate) async fn are_silent(&mut self) -> bool {
        tokio::time::timeout(Duration::from_millis(200), self.next()).await.is_err()
    }
}
