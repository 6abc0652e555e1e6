//! What a scenario must know of its subject, and what it must not send because of it.

use std::sync::Arc;

use http::Method;

use super::namespace::NO_NAMESPACES;
use super::{Context, policy};
use model::{Halt, Request, ResourceUnderTest, Subject};

use crate::capability::Capability;

impl Context {
    /// Where objects hold their value, if the user's template says so.
    pub(crate) fn value_at(&self) -> Option<Arc<str>> {
        self.given().map(|shape| shape.value_at().clone())
    }

    /// A deletion of objects of the user's type: see `policy`.
    pub(super) fn with_policy(&self, request: Request) -> Request {
        match self.given() {
            Some(shape) => policy::complete(&shape.resource, request),
            None => request,
        }
    }

    fn given(&self) -> Option<&ResourceUnderTest> {
        match &self.inner.subject {
            Subject::Given(shape) => Some(shape),
            _ => None,
        }
    }

    /// Refuses what would touch the objects of others, and skips what the server does not offer: for the user's type as
    /// discovery says, and for any as the probes of the run have found.
    pub(super) fn may_send(&self, request: &Request) -> Result<(), Halt> {
        let (path, session) = (request.path.trim_end_matches('/'), &self.inner.session);
        if request.method == Method::DELETE && session.fixtures.is_shared(path) {
            let why = "there may be objects of others: this is a bug of kube-assay";
            return Err(self.test_error(format!("delete everything at {path}"), why).into());
        }
        let reason = self.not_served(path).or_else(|| self.undiscovered(request));
        let reason = reason.or_else(|| session.findings.reason_against(request));
        reason.map_or(Ok(()), |reason| Err(Halt::Skipped(reason)))
    }

    /// Says that discovery lists no such verb for the user's type.
    fn undiscovered(&self, request: &Request) -> Option<String> {
        let shape = self.given()?;
        let verb = Capability::verb_on(&shape.resource.collection(), request)?.as_str();
        let plural = &shape.resource.plural;
        shape.lacks(verb).then(|| format!("this server does not offer {verb} for {plural}"))
    }

    /// Says that a server which may have only the user's type serves nothing at a path of the core group.
    fn not_served(&self, path: &str) -> Option<String> {
        self.given()?;
        let core = path.strip_prefix("/api/v1").is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        if core && !self.target_info().serves("") {
            return Some("this server does not serve the core group".to_owned());
        }
        let made_up = self.inner.session.fixtures.makes_up_namespaces();
        (made_up && is_of_namespaces(path)).then(|| NO_NAMESPACES.to_owned())
    }
}

/// Whether a path is that of namespaces, or of one of them, and of nothing in it.
fn is_of_namespaces(path: &str) -> bool {
    let below = path.strip_prefix("/api/v1/namespaces");
    below.is_some_and(|below| below.split('/').count() <= 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_a_namespace_is_no_namespace() {
        assert!(is_of_namespaces("/api/v1/namespaces") && is_of_namespaces("/api/v1/namespaces/n"));
        for other in ["/api/v1/namespaces/n/configmaps", "/api/v1/configmaps", "/apis/a/v1/namespaces/n/b"] {
            assert!(!is_of_namespaces(other), "{other}");
        }
    }
}
