//! What a scenario must know of its subject, and what it must not send because of it.

use std::sync::Arc;

use http::Method;

use super::{Context, policy};
use crate::capability::Capability;
use crate::outcome::Halt;
use crate::request::Request;
use crate::scenario::Subject;
use crate::shape::Shape;

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

    fn given(&self) -> Option<&Shape> {
        match &self.inner.subject {
            Subject::Given(shape) => Some(shape),
            _ => None,
        }
    }

    /// Refuses what would touch the objects of others, and skips what the server does not offer: for the user's type as
    /// discovery says, and for any as the probes of the run have found.
    pub(super) fn may_send(&self, request: &Request) -> Result<(), Halt> {
        let (path, shared) = (request.path.trim_end_matches('/'), &self.inner.shared);
        if request.method == Method::DELETE && shared.fixtures.is_shared(path) {
            let why = "there may be objects of others: this is a bug of kube-assay";
            return Err(self.obstacle(format!("delete everything at {path}"), why).into());
        }
        let reason = self.undiscovered(request).or_else(|| shared.findings.reason_against(request));
        reason.map_or(Ok(()), |reason| Err(Halt::Skipped(reason)))
    }

    /// Says that discovery lists no such verb for the user's type.
    fn undiscovered(&self, request: &Request) -> Option<String> {
        let shape = self.given()?;
        let verb = Capability::verb_on(&shape.resource.collection(), request)?.as_str();
        let plural = &shape.resource.plural;
        shape.lacks(verb).then(|| format!("this server does not offer {verb} for {plural}"))
    }
}
