//! The reference server inside the test, and its objects.

use std::sync::LazyLock;

use reference::{Options, Server};
use serde_json::Value;
use tokio::runtime::Runtime;

use super::http::{self, Message};

/// The runtime of all servers in the tests.
pub(crate) static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());

/// A reference server of one test.
pub(crate) struct Reference {
    server: Server,
}

impl Reference {
    /// A correct server.
    pub(crate) fn right() -> Self {
        Self::wrong(&[])
    }

    /// A server with these faults.
    pub(crate) fn wrong(faults: &[&str]) -> Self {
        let faults = reference::faults().filter(|fault| faults.contains(&fault.name)).collect();
        Self::with(Options { faults, ..Options::default() })
    }

    /// A server with a replica, which has these faults.
    pub(crate) fn with_replica(faults: &[&str]) -> Self {
        let faults = reference::faults().filter(|fault| faults.contains(&fault.name)).collect();
        Self::with(Options { faults, replicas: 1, ..Options::default() })
    }

    /// A server whose anonymous user is the administrator.
    pub(crate) fn open() -> Self {
        Self::with(Options { open: true, ..Options::default() })
    }

    /// A server with the group apps alone, and without namespaces.
    pub(crate) fn stand_alone() -> Self {
        Self::stand_alone_with(&[])
    }

    /// The same, with these faults.
    pub(crate) fn stand_alone_with(faults: &[&str]) -> Self {
        Self::variant("stand-alone", faults)
    }

    /// A server with this variant and these faults.
    pub(crate) fn variant(name: &str, faults: &[&str]) -> Self {
        let variants = reference::variants().filter(|known| known.name == name).collect();
        let faults = reference::faults().filter(|fault| faults.contains(&fault.name)).collect();
        Self::with(Options { variants, faults, ..Options::default() })
    }

    fn with(options: Options) -> Self {
        Self { server: RUNTIME.block_on(Server::start(options)).unwrap() }
    }

    pub(crate) fn url(&self) -> String {
        self.server.url()
    }

    /// The URL of its replica.
    pub(crate) fn replica(&self) -> String {
        self.server.replicas().remove(0)
    }

    /// Host and port.
    pub(crate) fn address(&self) -> String {
        self.url().trim_start_matches("http://").to_owned()
    }

    pub(crate) fn token(&self) -> &'static str {
        self.server.admin_token()
    }

    /// The names of the leftovers of runs.
    pub(crate) fn left_behind(&self) -> Vec<String> {
        const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
        ["/api/v1/namespaces", DEFINITIONS].iter().flat_map(|path| self.ours(path)).collect()
    }

    /// The names of the leftovers of runs at a path.
    pub(crate) fn ours(&self, path: &str) -> Vec<String> {
        self.names(&format!("{path}?labelSelector=kube-assay%2Frun"))
    }

    /// The names of the objects in a list.
    pub(crate) fn names(&self, list: &str) -> Vec<String> {
        let list = self.send("GET", list, &Value::Null);
        let items = list["items"].as_array().unwrap_or_else(|| panic!("{list}"));
        items.iter().map(|item| item["metadata"]["name"].as_str().unwrap().to_owned()).collect()
    }

    /// The object at a path, or the Status.
    pub(crate) fn get(&self, path: &str) -> Value {
        self.send("GET", path, &Value::Null)
    }

    /// Creates an object in a collection.
    pub(crate) fn create(&self, collection: &str, object: &Value) {
        let created = self.send("POST", collection, object);
        assert_eq!(created["kind"], object["kind"], "{created}");
    }

    /// Another program, which deletes the object at a path.
    pub(crate) fn deleter(&self) -> impl Fn(&str) + use<> {
        let (address, token) = (self.address(), self.token());
        move |path| drop(send((&address, token), "DELETE", path, &Value::Null))
    }

    fn send(&self, method: &str, path: &str, body: &Value) -> Value {
        send((&self.address(), self.token()), method, path, body)
    }
}

/// Sends a request to an address, with a token; returns the body of the response.
fn send((address, token): (&str, &str), method: &str, path: &str, body: &Value) -> Value {
    let body = if body.is_null() { Vec::new() } else { body.to_string().into_bytes() };
    let headers = vec![
        "host: x".to_owned(),
        format!("authorization: Bearer {token}"),
        "content-type: application/json".to_owned(),
        format!("content-length: {}", body.len()),
    ];
    let request = Message { first: format!("{method} {path} HTTP/1.1"), headers, body };
    let response = http::exchange(address, &request).unwrap();
    let response = Message::read(&mut response.as_slice()).unwrap();
    serde_json::from_slice(&response.body).unwrap()
}
