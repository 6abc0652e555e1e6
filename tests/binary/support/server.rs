//! The reference server inside the test, and what stands on it.

use std::sync::LazyLock;

use reference::{Options, Server};
use tokio::runtime::Runtime;

use super::http::{self, Message};

/// What everything asynchronous of the tests runs on.
pub(crate) static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());

/// A reference server of one test.
pub(crate) struct Reference {
    server: Server,
}

impl Reference {
    /// One that is right.
    pub(crate) fn right() -> Self {
        Self::wrong(&[])
    }

    /// One that is wrong in these ways.
    pub(crate) fn wrong(faults: &[&str]) -> Self {
        let faults = reference::faults().filter(|fault| faults.contains(&fault.name)).collect();
        Self::with(Options { faults, ..Options::default() })
    }

    /// One where whoever comes without credentials is the administrator.
    pub(crate) fn open() -> Self {
        Self::with(Options { open: true, ..Options::default() })
    }

    /// One that has the group apps alone, and no namespaces.
    pub(crate) fn stand_alone() -> Self {
        let variants = reference::variants().filter(|known| known.name == "stand-alone").collect();
        Self::with(Options { variants, ..Options::default() })
    }

    fn with(options: Options) -> Self {
        Self { server: RUNTIME.block_on(Server::start(options)).unwrap() }
    }

    pub(crate) fn url(&self) -> String {
        self.server.url()
    }

    /// Host and port.
    pub(crate) fn address(&self) -> String {
        self.url().trim_start_matches("http://").to_owned()
    }

    pub(crate) fn token(&self) -> &'static str {
        self.server.admin_token()
    }

    /// The names of what runs have created and not removed.
    pub(crate) fn left_behind(&self) -> Vec<String> {
        const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
        ["/api/v1/namespaces", DEFINITIONS].iter().flat_map(|path| self.ours(path)).collect()
    }

    /// The names of what runs have created at a path and not removed.
    pub(crate) fn ours(&self, path: &str) -> Vec<String> {
        let query = "labelSelector=kube-assay%2Frun";
        let headers = vec!["host: x".to_owned(), format!("authorization: Bearer {}", self.token())];
        let request = Message { first: format!("GET {path}?{query} HTTP/1.1"), headers, body: Vec::new() };
        let came = http::exchange(&self.address(), &request).unwrap();
        let came = Message::read(&mut came.as_slice()).unwrap();
        let list: serde_json::Value = serde_json::from_slice(&came.body).unwrap();
        let items = list["items"].as_array().unwrap_or_else(|| panic!("{list}"));
        items.iter().map(|item| item["metadata"]["name"].as_str().unwrap().to_owned()).collect()
    }
}
