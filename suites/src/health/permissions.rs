//! Permissions of anonymous and other users on the health endpoints.

use std::fmt;

use harness::Identity;

use super::{get, when_well};
use crate::prelude::*;

/// Somebody other than the target's own user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Who {
    /// Somebody without credentials.
    Anonymous,
    /// A user whom nobody has given any rights; the target's own user acts in this name.
    Ordinary,
}

use Who::{Anonymous, Ordinary};

/// A user that no cluster knows.
const ORDINARY: &str = "kube-assay-ordinary-user";

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Anonymous => "an anonymous user",
            Ordinary => "a user without rights",
        })
    }
}

impl Who {
    /// The request in this name.
    fn sends(self, request: Request) -> Request {
        match self {
            Anonymous => request.identity(Identity::Anonymous),
            Ordinary => request
                .header("impersonate-user", ORDINARY)
                .header("impersonate-group", "system:authenticated"),
        }
    }

    /// Asks in this name what must be refused, and returns the refusal.
    ///
    /// Where the operator has granted it, or it cannot be found out, there is none, and a note says so.
    pub(super) async fn is_refused(
        self,
        cx: &Context,
        request: Request,
    ) -> Result<Option<Arc<Exchange>>, Halt> {
        let answer = when_well(cx, self.sends(request)).await?;
        let (method, path) = (&answer.request.method, &answer.request.path);
        if matches!(answer.status(), 401 | 403) {
            let acts = !answer.text().contains("impersonate");
            if !acts {
                cx.note("not asked in the name of a user without rights: we may not impersonate one");
            }
            return Ok(acts.then_some(answer));
        }
        if answer.status() == 404 {
            cx.note(format!("there is no {path} to ask {self} for"));
            return Ok(None);
        }
        match self.may(cx, &method.as_str().to_lowercase(), path).await? {
            Some(false) => {
                Err(answer.fail(format!("HTTP 403: {self} may not {method} {path}"), answer.brief()))
            }
            Some(true) => {
                cx.note(format!("{self} may {method} {path} on this server"));
                Ok(None)
            }
            None => {
                cx.note(format!("the server does not say whether {self} may {method} {path}"));
                Ok(None)
            }
        }
    }

    /// Whether the server's authorizer grants it; `None` where it does not tell.
    pub(super) async fn may(self, cx: &Context, verb: &str, path: &str) -> Result<Option<bool>, Halt> {
        if self == Anonymous && !anonymous_is_nobody(cx).await? {
            return Ok(None);
        }
        let asked = json!({ "path": path, "verb": verb });
        let answer = cx.send(self.review(&asked)).await?;
        let allowed = answer.json().and_then(|review| review["status"]["allowed"].as_bool());
        Ok(allowed.filter(|_| answer.succeeded()))
    }

    /// Anonymous users may not ask about themselves; a user in whose name we act must, or we would not know that we do.
    fn review(self, asked: &Value) -> Request {
        let review = |kind: &str, spec: &Value| {
            let path = format!("/apis/authorization.k8s.io/v1/{}s", kind.to_lowercase());
            let body = json!({ "apiVersion": "authorization.k8s.io/v1", "kind": kind, "spec": spec });
            Request::post(path, &body)
        };
        match self {
            Anonymous => review(
                "SubjectAccessReview",
                &json!({
                    "user": "system:anonymous",
                    "groups": ["system:unauthenticated"],
                    "nonResourceAttributes": asked,
                }),
            ),
            Ordinary => {
                self.sends(review("SelfSubjectAccessReview", &json!({ "nonResourceAttributes": asked })))
            }
        }
    }
}

/// A path without meaning, which only those get to who may ask for everything.
pub(super) const NOWHERE: &str = "/kube-assay";

/// Whether requests without credentials are nobody's: a proxy may make them those of a user of its own.
async fn anonymous_is_nobody(cx: &Context) -> Result<bool, Halt> {
    let refused = when_well(cx, Anonymous.sends(get(NOWHERE))).await?;
    Ok(matches!(refused.status(), 401 | 403))
}
