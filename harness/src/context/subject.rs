//! What a scenario must know of its subject, and what it must not send because of it.

use std::sync::Arc;

use http::Method;

use super::Context;
use super::place::NO_NAMESPACES;
use crate::collection::Resource;
use crate::definition::GROUP;
use crate::outcome::Halt;
use crate::request::Request;
use crate::scenario::Subject;
use crate::shape::Shape;

impl Context {
    /// Where objects hold their value, if the user's template says so.
    pub(crate) fn value_at(&self) -> Option<Arc<str>> {
        self.given().map(|shape| shape.value_at().clone())
    }

    fn given(&self) -> Option<&Shape> {
        match &self.inner.subject {
            Subject::Given(shape) => Some(shape),
            _ => None,
        }
    }

    /// Refuses what would touch the objects of others, and skips what discovery says that the user's type has not.
    pub(super) fn may_send(&self, request: &Request) -> Result<(), Halt> {
        let path = request.path.trim_end_matches('/');
        if request.method == Method::DELETE && self.inner.shared.fixtures.is_shared(path) {
            let why = "there may be objects of others: this is a bug of kube-assay";
            return Err(self.obstacle(format!("delete everything at {path}"), why).into());
        }
        let Some(shape) = self.given() else { return Ok(()) };
        if let Some(reason) = self.reason_against_core(path) {
            return Err(Halt::Skipped(reason.to_owned()));
        }
        match verb(shape, request).filter(|verb| shape.lacks(verb)) {
            Some(verb) => {
                let plural = &shape.resource.plural;
                Err(Halt::Skipped(format!("this server does not offer {verb} for {plural}")))
            }
            None => Ok(()),
        }
    }

    /// Skips what the server has not, where it may have only what the user named.
    pub(super) fn may_use(&self, resource: &Resource) -> Result<(), Halt> {
        let ours = resource.group.ends_with(GROUP);
        if ours || self.given().is_none() || self.survey().serves(&resource.group) {
            return Ok(());
        }
        let (plural, api_version) = (&resource.plural, resource.api_version());
        Err(Halt::Skipped(format!("this server does not serve {plural} in {api_version}")))
    }

    /// Why a path of the core group is not asked for, where the server has only what the user named.
    fn reason_against_core(&self, path: &str) -> Option<&'static str> {
        let core = path.strip_prefix("/api/v1").is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        if core && !self.survey().serves("") {
            return Some("this server does not serve the core group");
        }
        let made_up = self.inner.shared.fixtures.makes_up_namespaces();
        (made_up && is_of_namespaces(path)).then_some(NO_NAMESPACES)
    }
}

/// Whether a path is that of namespaces, or of one of them, and of nothing in it.
fn is_of_namespaces(path: &str) -> bool {
    let below = path.strip_prefix("/api/v1/namespaces");
    below.is_some_and(|below| below.split('/').count() <= 2)
}

/// The verb that a request needs of a type; `None` if it is about something else, or a subresource.
fn verb(shape: &Shape, request: &Request) -> Option<&'static str> {
    let below = request.path.strip_prefix(&shape.resource.root())?.strip_prefix('/')?;
    let steps: Vec<&str> = below.split('/').collect();
    let steps = match steps.as_slice() {
        ["namespaces", _, rest @ ..] if shape.namespaced => rest,
        all => all,
    };
    let (plural, name) = match steps {
        [plural] => (plural, false),
        [plural, _] => (plural, true),
        _ => return None,
    };
    let watches = || matches!(request.parameter("watch").as_deref(), Some("1" | "true"));
    let verb = match (request.method.as_str(), name) {
        ("GET", true) => "get",
        ("GET", false) if watches() => "watch",
        ("GET", false) => "list",
        ("POST", false) => "create",
        ("PUT", true) => "update",
        ("PATCH", true) => "patch",
        ("DELETE", true) => "delete",
        ("DELETE", false) => "deletecollection",
        _ => return None,
    };
    (*plural == shape.resource.plural).then_some(verb)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn each_request_needs_a_verb() {
        let shape = Shape::of(Resource::of("example.com", "v1", "widgets", "Widget"));
        let all = "/apis/example.com/v1/namespaces/n/widgets";
        let one = format!("{all}/a");
        let needs = |request: Request| verb(&shape, &request);
        assert_eq!(needs(Request::get(all)), Some("list"));
        assert_eq!(needs(Request::get("/apis/example.com/v1/widgets").query("watch", 1)), Some("watch"));
        assert_eq!(needs(Request::get(&one)), Some("get"));
        assert_eq!(needs(Request::post(all, &json!({}))), Some("create"));
        assert_eq!(needs(Request::merge_patch(&one, &json!({}))), Some("patch"));
        assert_eq!(needs(Request::delete(all)), Some("deletecollection"));
        assert_eq!(needs(Request::get(format!("{one}/status"))), None);
        assert_eq!(needs(Request::get("/api/v1/namespaces/n/configmaps")), None);
    }

    #[test]
    fn what_is_in_a_namespace_is_no_namespace() {
        assert!(is_of_namespaces("/api/v1/namespaces") && is_of_namespaces("/api/v1/namespaces/n"));
        for other in ["/api/v1/namespaces/n/configmaps", "/api/v1/configmaps", "/apis/a/v1/namespaces/n/b"] {
            assert!(!is_of_namespaces(other), "{other}");
        }
    }
}
