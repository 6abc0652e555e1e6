//! Permissions of anonymous and other users on the health endpoints.

use std::fmt;

use harness::Identity;

use super::{get, send_when_healthy};
use crate::prelude::*;

/// A user other than the target's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Who {
    /// A user without credentials.
    Anonymous,
    /// A user without roles, whom the target's own user impersonates.
    Ordinary,
}

use Who::{Anonymous, Ordinary};

const ORDINARY: &str = "kube-assay-ordinary-user";

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Anonymous => "an anonymous user",
            Ordinary => "a user without roles",
        })
    }
}

impl Who {
    /// The request as this user sends it.
    fn sends(self, request: Request) -> Request {
        match self {
            Anonymous => request.identity(Identity::Anonymous),
            Ordinary => request
                .header("impersonate-user", ORDINARY)
                .header("impersonate-group", "system:authenticated"),
        }
    }

    /// The rejection of this user's request, which must be rejected.
    ///
    /// `None`, with a note, if the operator allows it, or if the server does not report the user's permissions.
    pub(super) async fn is_refused(
        self,
        cx: &Context,
        request: Request,
    ) -> Result<Option<Arc<Exchange>>, Halt> {
        let response = send_when_healthy(cx, self.sends(request)).await?;
        let (method, path) = (&response.request.method, &response.request.path);
        if matches!(response.status(), 401 | 403) {
            let impersonates = !response.text().contains("impersonate");
            if !impersonates {
                cx.note("a user without roles not tested: no permission to impersonate");
            }
            return Ok(impersonates.then_some(response));
        }
        if response.status() == 404 {
            cx.note(format!("{path} not tested with {self}: HTTP 404"));
            return Ok(None);
        }
        match self.may(cx, &method.as_str().to_lowercase(), path).await? {
            Some(false) => {
                let expected = format!("HTTP 403, because {self} may not {method} {path}");
                return Err(response.fail(expected, response.brief()));
            }
            Some(true) => cx.note(format!("{self} may {method} {path}")),
            None => cx.note(format!("the server does not report whether {self} may {method} {path}")),
        }
        Ok(None)
    }

    /// Whether the server's authorizer allows a request; `None` if it does not report that.
    pub(super) async fn may(self, cx: &Context, verb: &str, path: &str) -> Result<Option<bool>, Halt> {
        if self == Anonymous && !anonymous_is_unprivileged(cx).await? {
            return Ok(None);
        }
        let attributes = json!({ "path": path, "verb": verb });
        let response = cx.send(self.review(&attributes)).await?;
        let allowed = response.json().and_then(|review| review["status"]["allowed"].as_bool());
        Ok(allowed.filter(|_| response.succeeded()))
    }

    /// A review of an anonymous user, or one by the impersonated user, which proves that impersonation works.
    fn review(self, attributes: &Value) -> Request {
        let review = |kind: &str, spec: &Value| {
            let path = format!("/apis/authorization.k8s.io/v1/{}s", kind.to_lowercase());
            let body = json!({ "apiVersion": "authorization.k8s.io/v1", "kind": kind, "spec": spec });
            Request::post(path, &body)
        };
        match self {
            Anonymous => {
                let (user, groups) = ("system:anonymous", ["system:unauthenticated"]);
                let spec = json!({ "user": user, "groups": groups, "nonResourceAttributes": attributes });
                review("SubjectAccessReview", &spec)
            }
            Ordinary => {
                self.sends(review("SelfSubjectAccessReview", &json!({ "nonResourceAttributes": attributes })))
            }
        }
    }
}

/// The rejections of a GET by users without permission. Skips if all of them have the permission.
pub(super) async fn refusals(cx: &Context, path: &str) -> Result<Vec<Arc<Exchange>>, Halt> {
    let mut refusals = Vec::new();
    for who in [Anonymous, Ordinary] {
        refusals.extend(who.is_refused(cx, get(path)).await?);
    }
    if refusals.is_empty() { Err(allowed_to_all()) } else { Ok(refusals) }
}

/// The skip where every user has the permission.
pub(super) fn allowed_to_all() -> Halt {
    let reason = "users without roles may send this request, or the server does not report their permissions";
    Halt::skip(reason)
}

/// An unknown path, which only users with permission for all paths may get.
pub(super) const NOWHERE: &str = "/kube-assay";

/// Whether anonymous requests have no permissions: a proxy may send them as a user of its own.
async fn anonymous_is_unprivileged(cx: &Context) -> Result<bool, Halt> {
    let refused = send_when_healthy(cx, Anonymous.sends(get(NOWHERE))).await?;
    Ok(matches!(refused.status(), 401 | 403))
}
