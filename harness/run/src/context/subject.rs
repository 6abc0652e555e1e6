//! The subject of a scenario: its effect on requests, and the requests that it rules out.

use std::sync::Arc;

use http::Method;

use super::namespace::NO_NAMESPACES;
use super::{Context, policy};
use model::{Halt, Request, ResourceUnderTest, Subject};

use crate::capability::Capability;

impl Context {
    /// The JSON pointer to the value in objects of the user's type.
    pub(crate) fn value_at(&self) -> Option<Arc<str>> {
        self.user_subject().map(|subject| subject.value_at().clone())
    }

    /// Completes a deletion of objects of the user's type: see `policy`.
    pub(super) fn with_policy(&self, request: Request) -> Request {
        match self.user_subject() {
            Some(subject) => policy::complete(&subject.resource, request),
            None => request,
        }
    }

    fn user_subject(&self) -> Option<&ResourceUnderTest> {
        match &self.inner.subject {
            Subject::Named(subject) => Some(subject),
            _ => None,
        }
    }

    /// Refuses a request that would touch the objects of others, and skips one that the server does not offer: for the
    /// user's type by discovery, and for every type by the probes of the run.
    pub(super) fn may_send(&self, request: &Request) -> Result<(), Halt> {
        let (path, session) = (request.path.trim_end_matches('/'), &self.inner.session);
        if request.method == Method::DELETE && session.fixtures.is_shared(path) {
            let why = "the collection may have objects of others; this is a bug of kube-assay";
            return Err(self.test_error(format!("delete everything at {path}"), why).into());
        }
        let reason = self.not_served(path).or_else(|| self.undiscovered(request));
        let reason = reason.or_else(|| session.findings.reason_against(request));
        reason.map_or(Ok(()), |reason| Err(Halt::Skipped(reason)))
    }

    /// Why the scenario skips a request whose verb discovery does not list for the user's type.
    fn undiscovered(&self, request: &Request) -> Option<String> {
        let subject = self.user_subject()?;
        let verb = Capability::verb_on(&subject.resource.collection(), request)?.as_str();
        let plural = &subject.resource.plural;
        subject.lacks(verb).then(|| format!("this server does not offer {verb} for {plural}"))
    }

    /// Why the scenario skips a path of the core group: a server may have only the user's type.
    fn not_served(&self, path: &str) -> Option<String> {
        self.user_subject()?;
        let core = path.strip_prefix("/api/v1").is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        if core && !self.target_info().serves("") {
            return Some("this server does not serve the core group".to_owned());
        }
        let lacks_namespaces = self.inner.session.fixtures.lacks_namespaces();
        (lacks_namespaces && is_of_namespaces(path)).then(|| NO_NAMESPACES.to_owned())
    }
}

/// Whether a path is that of all namespaces or of one namespace, not of anything below it.
fn is_of_namespaces(path: &str) -> bool {
    let below = path.strip_prefix("/api/v1/namespaces");
    below.is_some_and(|below| below.split('/').count() <= 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_below_a_namespace_is_not_one_of_namespaces() {
        assert!(is_of_namespaces("/api/v1/namespaces") && is_of_namespaces("/api/v1/namespaces/n"));
        for other in ["/api/v1/namespaces/n/configmaps", "/api/v1/configmaps", "/apis/a/v1/namespaces/n/b"] {
            assert!(!is_of_namespaces(other), "{other}");
        }
    }
}
