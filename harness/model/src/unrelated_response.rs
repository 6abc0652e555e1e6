//! Responses that tell nothing about a clause: the server may give them to any request, or something else responded.

use crate::exchange::Exchange;
use crate::outcome::TestError;
use crate::store_outage::OUTAGE;

const NOT_PERMITTED: &str = "give the user the permissions that docs/certify.md names; no quota and no policy may reject \
    objects of the run";

/// No quota and no policy rejects a read.
const READ_NOT_PERMITTED: &str = "give the user the permission to read it";

/// The verb that kube-apiserver requires for an unsafe deletion, besides `delete`.
const UNSAFE_DELETION: &str = "unsafe-delete-ignore-read-errors";

const UNSAFE_DELETION_NOT_PERMITTED: &str =
    "give the user the verb unsafe-delete-ignore-read-errors for configmaps, as docs/certify.md says";

const WEB_PAGE: &str =
    "a page for browsers: does a proxy, a firewall or a login respond in the place of the server?";

/// kube-apiserver has no page for it; nginx has one where it limits the connections of a client.
const OUTAGE_OF_PROXY: &str = "repeat the run when the server, and any proxy before it, is in service; give a smaller \
    --parallel if the proxy limits connections";

impl Exchange {
    /// The same exchange, judged whatever the code of its response.
    ///
    /// A server may reject any request for lack of permissions, by a quota or a policy, or because it is out of service. Such a
    /// response tells nothing about a clause, unless the scenario provokes it.
    pub fn judged(&self) -> &Self {
        self.judged.get_or_init(|| ());
        self
    }

    /// Whether a request of the API has a [page for browsers](crate::Response::is_web_page) as its response.
    pub fn is_web_page(&self) -> bool {
        self.response.is_web_page() && self.request.path.starts_with("/api")
    }

    /// Whether a page for browsers denies a request of the API: that of a firewall in the place of the server.
    fn is_denied_by_web_page(&self) -> bool {
        self.status() == 403 && self.response.is_html() && self.request.path.starts_with("/api")
    }

    /// Whether a webhook or a `MutatingAdmissionPolicy` denied the request: kube-apiserver passes on the code and the reason of
    /// a webhook, and gives a policy that fails the reason Invalid with 403.
    pub fn is_denied_by_admission(&self) -> bool {
        let says = |words| self.text().contains(words);
        let by_webhook = || says("admission webhook ") && says(" denied the request");
        self.status() >= 400 && (by_webhook() || says("policy '") && says(" denied request: "))
    }

    /// Whether the HTTP status is one of these; then an error response is [`judged`](Self::judged), unless it is a page for
    /// browsers that denies the request.
    pub fn has_code(&self, codes: &[u16]) -> bool {
        let has = codes.contains(&self.status());
        if has && self.status() >= 400 && !self.is_denied_by_web_page() {
            self.judged();
        }
        has
    }

    /// What to do about the refusal of a request of the user.
    fn advice_on_permissions(&self) -> &'static str {
        match self.status() {
            403 if self.request.method.is_safe() => READ_NOT_PERMITTED,
            403 if self.text().contains(UNSAFE_DELETION) => UNSAFE_DELETION_NOT_PERMITTED,
            _ => NOT_PERMITTED,
        }
    }

    /// The test error of a response that tells nothing about a clause; `None` for other responses.
    pub(crate) fn test_error(&self) -> Option<TestError> {
        if self.judged.get().is_some() {
            return None;
        }
        let hint = match self.status() {
            _ if self.is_web_page() || self.is_denied_by_web_page() => WEB_PAGE,
            401 | 403 if self.request.is_in_own_name() => self.advice_on_permissions(),
            503 if self.response.is_html() => OUTAGE_OF_PROXY,
            502..=504 => OUTAGE,
            200 => self.store_outage_of_watch()?,
            500 => self.store_outage()?,
            // The response of ingress-nginx in the place of a server that is away.
            404 if self.text().trim_end() == "default backend - 404" => OUTAGE,
            _ => return None,
        };
        let action = format!("{} {}", self.request.method, self.request.path);
        Some(TestError::new(action, self.brief()).hint(hint))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::exchange::{Response, Timing};
    use crate::expect::tests::{rejection, response};
    use crate::outcome::Halt;
    use crate::request::{Identity, Request};

    #[test]
    fn a_response_that_any_request_may_get_tells_nothing_unless_it_is_judged() {
        let forbidden = rejection(403, "Forbidden");
        let outage = |message: &str| json!({ "kind": "Status", "code": 500, "message": message });
        let changed = outage("etcdserver: leader changed");
        let cut = outage("rpc error: code = Unavailable desc = error reading from server: EOF");
        for (code, body) in [
            (401, &forbidden),
            (403, &forbidden),
            (500, &changed),
            (500, &cut),
            (502, &json!("")),
            (504, &changed),
        ] {
            let rejected = response(code, body);
            assert!(matches!(rejected.expect_status(&[200]), Err(Halt::Errored(_))), "{code}");
            assert!(matches!(rejected.object(), Err(Halt::Errored(_))), "{code}");
            assert!(matches!(rejected.judged().object(), Err(Halt::Failed(_))), "{code}");
        }
        let broken = response(500, &rejection(500, "InternalError"));
        assert!(matches!(broken.expect_status(&[200]), Err(Halt::Failed(_))));
        let right_code = response(403, &forbidden);
        assert!(matches!(right_code.expect_error(&[403], &["Invalid"]), Err(Halt::Failed(_))));
    }

    /// The hint of the test error of this response.
    #[track_caller]
    fn hint_for(request: Request, status: u16, body: &Value) -> String {
        let response = Response { status, body: body.to_string().into(), ..Response::default() };
        let exchange = Exchange::new(0, request, response, Timing::default());
        let Err(Halt::Errored(why)) = exchange.expect_status(&[200]) else { panic!("{exchange:?}") };
        why.hint
    }

    #[test]
    fn a_refused_unsafe_deletion_names_the_missing_verb() {
        let message = r#"configmaps "a" is forbidden: not permitted to do "unsafe-delete-ignore-read-errors", reason: "#;
        let forbidden = json!({ "kind": "Status", "message": message, "reason": "Forbidden", "code": 403 });
        let hint = hint_for(Request::delete("/api/v1/namespaces/n/configmaps/a"), 403, &forbidden);
        assert!(hint.contains("the verb unsafe-delete-ignore-read-errors for configmaps"), "{hint}");
    }

    #[test]
    fn a_refused_read_has_no_advice_about_quotas_and_policies() {
        let forbidden = rejection(403, "Forbidden");
        for (request, mentions_quotas) in [
            (Request::get("/api/v1/namespaces"), false),
            (Request::post("/api/v1/namespaces", &json!({})), true),
        ] {
            let hint = hint_for(request, 403, &forbidden);
            assert_eq!(hint.contains("no quota"), mentions_quotas, "{hint}");
            assert_eq!(hint == "give the user the permission to read it", !mentions_quotas, "{hint}");
        }
    }

    #[test]
    fn a_503_with_a_page_may_be_that_of_a_proxy_that_limits_connections() {
        for (content_type, is_of_proxy) in [("text/html", true), ("application/json", false)] {
            let headers = vec![("content-type".to_owned(), content_type.to_owned())];
            let response = Response { status: 503, headers, ..Response::default() };
            let read = Exchange::new(0, Request::get("/api/v1/pods"), response, Timing::default());
            let Err(Halt::Errored(why)) = read.expect_status(&[200]) else { panic!("{read:?}") };
            assert_eq!(why.hint.contains("--parallel"), is_of_proxy, "{why}");
        }
    }

    #[test]
    fn the_404_of_a_proxy_without_its_server_tells_nothing() {
        for (body, tells) in [("default backend - 404", false), ("404 page not found\n", true)] {
            let response = Response { status: 404, body: body.into(), ..Response::default() };
            let read = Exchange::new(0, Request::get("/api/v1/pods"), response, Timing::default());
            assert_eq!(matches!(read.expect_status(&[200]), Err(Halt::Failed(_))), tells, "{body}");
        }
    }

    #[test]
    fn a_page_for_browsers_tells_nothing_about_the_server() {
        for (media_type, tells) in [("Text/HTML; charset=utf-8", false), ("text/plain", true)] {
            let headers = vec![("content-type".to_owned(), media_type.to_owned())];
            let page = Response { status: 200, headers, body: "<html>".into(), ..Response::default() };
            let listed = Exchange::new(0, Request::get("/api/v1/pods"), page, Timing::default());
            assert_eq!(matches!(listed.page(), Err(Halt::Failed(_))), tells);
        }
    }

    #[test]
    fn a_page_that_denies_another_users_request_tells_nothing_about_the_server() {
        let html = vec![("content-type".to_owned(), "text/html".to_owned())];
        let page = Response { status: 403, headers: html, body: "<html>".into(), ..Response::default() };
        let as_user = Request::get("/api/v1/pods").header("impersonate-user", "jane");
        let denied = Exchange::new(0, as_user, page, Timing::default());
        let found = denied.expect_error(&[403], &["Forbidden"]);
        assert!(matches!(found, Err(Halt::Errored(why)) if why.hint.contains("firewall")));
        assert!(matches!(denied.judged().expect_error(&[403], &["Forbidden"]), Err(Halt::Failed(_))));
    }

    #[test]
    fn denials_of_webhooks_and_mutating_policies_are_known_by_their_words() {
        for (code, message, is_denial) in [
            (400, r#"admission webhook "w" denied the request: no"#, true),
            (403, "policy 'p' with binding 'b' denied request: error applying patch: x", true),
            (422, "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no", false),
            (403, "secrets is forbidden: User \"policy 'p'\" cannot list it", false),
            (200, r#"admission webhook "w" denied the request: no"#, false),
        ] {
            let denied = response(code, &json!({ "kind": "Status", "message": message }));
            assert_eq!(denied.is_denied_by_admission(), is_denial, "{message}");
        }
    }

    #[test]
    fn a_rejection_of_another_user_is_judged() {
        let as_user = Request::get("/").header("impersonate-user", "jane");
        for request in [as_user, Request::get("/").identity(Identity::Anonymous)] {
            let response = Response { status: 403, ..Response::default() };
            let rejected = Exchange::new(0, request, response, Timing::default());
            assert!(matches!(rejected.expect_status(&[200]), Err(Halt::Failed(_))));
        }
    }
}
