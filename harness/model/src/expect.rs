//! Expectations of an exchange: each returns a value, or a failure.

use serde_json::Value;

use crate::body_text::{describe, is_binary};
use crate::breach::CheckResult;
use crate::exchange::Exchange;
use crate::object::{Object, Page};
use crate::outcome::{Failure, Halt, TestError};

impl Exchange {
    /// The response in one line: `422 Invalid: resourceVersionMatch: …`.
    pub fn brief(&self) -> String {
        let status = self.status();
        let Some(json) = self.json() else { return self.brief_without_json() };
        if is_status(json) {
            let reason = json["reason"].as_str().unwrap_or("without reason");
            let message = json["message"].as_str().unwrap_or_default();
            // Messages about timeouts begin with their reason.
            let repeated = message.strip_prefix(reason).and_then(|rest| rest.strip_prefix(": "));
            let message = beginning(repeated.unwrap_or(message), 300);
            let wait = self.header("retry-after").filter(|_| status == 429);
            let wait = wait.map(|wait| format!(" (Retry-After: {wait})")).unwrap_or_default();
            let other = json["code"].as_u64().filter(|code| *code != u64::from(status));
            let other = other.map(|code| format!(" (a Status of code {code})")).unwrap_or_default();
            return format!("{status}{other} {reason}: {message}{wait}");
        }
        let (kind, metadata) = (json["kind"].as_str().unwrap_or("an object"), &json["metadata"]);
        let name = metadata["name"].as_str().map(|name| format!(" {name}")).unwrap_or_default();
        let items =
            json["items"].as_array().map(|items| format!(" of {} items", items.len())).unwrap_or_default();
        let version = metadata["resourceVersion"].as_str().unwrap_or("none");
        format!("{status} {kind}{name}{items} at version {version}")
    }

    /// The response in one line: `404 with the text '404 page not found'`.
    fn brief_without_json(&self) -> String {
        let (status, body) = (self.status(), &self.response.body);
        let has_no_body = self.request.method == http::Method::HEAD || matches!(status, 100..200 | 204 | 304);
        match body.is_empty() {
            true if has_no_body => status.to_string(),
            true => format!("{status} with an empty body"),
            false if is_binary(body) => {
                let coding = self.unaccepted_coding();
                let coding = coding.map(|coding| format!(", in {coding}, which the request did not accept"));
                let described = describe(body, self.header("content-type"));
                format!("{status} with {}{}", beginning(&described, 300), coding.unwrap_or_default())
            }
            false => format!("{status} with the text '{}'", beginning(self.text().trim_end(), 200)),
        }
    }

    /// The Content-Encoding of a response to a request that accepts none.
    fn unaccepted_coding(&self) -> Option<&str> {
        self.header("content-encoding")
            .filter(|coding| *coding != "identity" && !self.request.accepts_coding())
    }

    /// A failure with this exchange as evidence. It is a test error if the response tells nothing about a clause: see
    /// [`Self::judged`].
    pub fn fail(&self, expected: impl Into<String>, actual: impl Into<String>) -> Halt {
        if let Some(test_error) = self.test_error() {
            return test_error.into();
        }
        Halt::Failed(Failure { expected: expected.into(), actual: actual.into(), exchange: Some(self.index) })
    }

    /// Fails unless `holds`, with this exchange as evidence.
    pub fn expect(
        &self,
        holds: bool,
        expected: impl Into<String>,
        actual: impl Into<String>,
    ) -> Result<(), Halt> {
        if holds { Ok(()) } else { Err(self.fail(expected, actual)) }
    }

    /// Fails unless the check applies to this exchange and passes.
    pub fn expect_passed(&self, result: CheckResult, expected: &str) -> Result<(), Halt> {
        match result {
            Some(Ok(())) => Ok(()),
            Some(Err(breach)) => Err(self.fail(breach.expected, breach.actual)),
            None => Err(self.fail(expected, self.brief())),
        }
    }

    /// Fails unless the HTTP status is one of these.
    pub fn expect_status(&self, legal: &[u16]) -> Result<(), Halt> {
        self.expect(self.has_code(legal), http(legal), self.brief())
    }

    /// Fails unless the HTTP status is one of these and the body is right. The failure names code and body.
    fn expect_both<T>(&self, legal: &[u16], body: Option<T>, expected: &str) -> Result<T, Halt> {
        let mismatch = match (self.has_code(legal), body) {
            (true, Some(body)) => return Ok(body),
            (true, None) => "; the code is legal, the body is not",
            (false, Some(_)) => "; the body is right, the code is not",
            (false, None) => "",
        };
        Err(self.fail(format!("{} with {expected}", http(legal)), format!("{}{mismatch}", self.brief())))
    }

    /// The object of the response; fails unless the status is HTTP 200 or 201.
    pub fn object(&self) -> Result<Object, Halt> {
        let legal = [200, 201];
        // With a wrong code, a Status is usually the error and not the requested object.
        let is_requested = |json: &&Value| legal.contains(&self.status()) || !is_status(json);
        let object = self.json().filter(|json| json.is_object()).filter(is_requested);
        self.expect_both(&legal, object, "a JSON object").map(|json| self.read(json))
    }

    /// Fails unless the response is an object with this value at a JSON pointer; `null` means no value.
    pub fn expect_value(&self, pointer: &str, value: &Value) -> Result<(), Halt> {
        let object = self.object()?;
        let found = object.json().pointer(pointer).unwrap_or(&Value::Null);
        let place = format!("{} {pointer}", object.name());
        self.expect(found == value, format!("{place} is {value}"), format!("it is {found}"))
    }

    /// Fails unless the response is an object with all of these values.
    pub fn expect_values(&self, values: &[(&str, Value)]) -> Result<(), Halt> {
        values.iter().try_for_each(|(pointer, value)| self.expect_value(pointer, value))
    }

    /// The object of a write's response; a failed write is a test error.
    pub fn written(&self) -> Result<Object, Halt> {
        match self.json() {
            Some(json) if self.succeeded() && json.is_object() => Ok(self.read(json)),
            _ => {
                let action = format!("{} {}", self.request.method, self.request.path);
                Err(TestError::new(action, self.brief()).into())
            }
        }
    }

    /// The list of the response; fails unless the status is HTTP 200.
    pub fn page(&self) -> Result<Page, Halt> {
        let page = self.json().and_then(|json| Page::read(json, self.index));
        let page = self.expect_both(&[200], page, "a list with metadata and items")?;
        Ok(page.of_response(&self.response.body, self.value_at.as_ref()))
    }

    fn read(&self, json: &Value) -> Object {
        Object::new(json.clone()).of_body(&self.response.body).valued_at(self.value_at.clone())
    }

    /// The Status of a rejection with one of these codes. It must have that code; other clauses test its other fields.
    pub fn expect_rejection(&self, legal: &[u16]) -> Result<&Value, Halt> {
        self.expect_status_of(legal, |_| true, "a Status of the same code")
    }

    /// The Status of a rejection with one of these codes and one of these reasons.
    pub fn expect_error(&self, legal: &[u16], reasons: &[&str]) -> Result<&Value, Halt> {
        let has_reason = |status: &Value| reasons.contains(&status["reason"].as_str().unwrap_or_default());
        self.expect_status_of(
            legal,
            has_reason,
            &format!("a Status of the same code and of reason {}", reasons.join(" or ")),
        )
    }

    /// The Status that `fits` and has the code of the response; under a wrong code, a legal one.
    fn expect_status_of(
        &self,
        legal: &[u16],
        fits: impl Fn(&Value) -> bool,
        expected: &str,
    ) -> Result<&Value, Halt> {
        let code = self.status();
        let own = [code];
        let legal_codes = if legal.contains(&code) { &own } else { legal };
        let has_code = |status: &Value| legal_codes.iter().any(|legal| status["code"] == *legal);
        let status = self.json().filter(|json| json["kind"] == "Status" && has_code(json) && fits(json));
        self.expect_both(legal, status, expected)
    }

    /// Whether the server lacks the history for the request: HTTP 410.
    pub fn expired(&self) -> bool {
        self.status() == 410
    }
}

/// Whether this is a Status. The filter of kube-apiserver that ends requests after their timeout leaves its kind out.
fn is_status(json: &Value) -> bool {
    json["kind"] == "Status" || json["kind"].is_null() && json["status"] == "Failure"
}

/// Such as `HTTP 400 or 422`.
fn http(legal: &[u16]) -> String {
    format!("HTTP {}", legal.iter().map(u16::to_string).collect::<Vec<_>>().join(" or "))
}

impl Page {
    /// A failure with this page's exchange as evidence.
    pub fn fail(&self, expected: impl Into<String>, actual: impl Into<String>) -> Halt {
        Halt::Failed(Failure { expected: expected.into(), actual: actual.into(), exchange: Some(self.index) })
    }

    /// Fails unless `holds`, with this page's exchange as evidence.
    pub fn expect(
        &self,
        holds: bool,
        expected: impl Into<String>,
        actual: impl Into<String>,
    ) -> Result<(), Halt> {
        if holds { Ok(()) } else { Err(self.fail(expected, actual)) }
    }

    /// Fails unless the list is at this version.
    pub fn expect_version(&self, version: &str) -> Result<(), Halt> {
        self.expect(
            self.version == version,
            format!("a list at version {version}"),
            format!("a list at version {}", self.version),
        )
    }

    /// Fails unless the items that scenarios created have these names, in any order.
    pub fn expect_names(&self, names: &[&str]) -> Result<(), Halt> {
        let (mut own, mut expected) = (self.own_names(), names.to_vec());
        own.sort_unstable();
        expected.sort_unstable();
        let actual = format!("[{}]", self.own_names().join(", "));
        self.expect(own == expected, format!("the items [{}]", names.join(", ")), actual)
    }

    /// Fails unless the next page has items, and none of this page.
    pub fn expect_followed_by(&self, next: &Self) -> Result<(), Halt> {
        let key = |item: &Object| (item.namespace().to_owned(), item.name().to_owned());
        let keys: Vec<_> = self.items.iter().map(key).collect();
        let others = !next.items.is_empty() && !next.items.iter().any(|item| keys.contains(&key(item)));
        let expected = format!("other items than [{}]", self.names().join(", "));
        next.expect(others, expected, format!("[{}]", next.names().join(", ")))
    }

    /// Fails unless the items are these, content included, in any order.
    pub fn expect_items(&self, expected: &[Object]) -> Result<(), Halt> {
        let brief = |items: &[Object]| -> String {
            let items: Vec<_> =
                items.iter().map(|item| format!("{} at {}", item.name(), item.version())).collect();
            format!("[{}]", items.join(", "))
        };
        let same = Object::contents(&self.items) == Object::contents(expected);
        self.expect(same, format!("unchanged items {}", brief(expected)), brief(&self.items))
    }
}

/// The beginning of a text; a mark shows where it was cut.
pub(crate) fn beginning(text: &str, length: usize) -> String {
    let end = text.char_indices().nth(length).map(|(at, _)| at);
    end.map_or_else(|| text.trim_end().to_owned(), |end| format!("{}…", &text[..end]))
}

#[cfg(test)]
pub(crate) mod tests {
    use serde_json::json;

    use super::*;
    use crate::exchange::{Response, Timing};
    use crate::request::Request;

    pub(crate) fn response(status: u16, body: &Value) -> Exchange {
        let response = Response { status, body: body.to_string().into(), ..Response::default() };
        Exchange::new(0, Request::get("/"), response, Timing::default())
    }

    pub(crate) fn rejection(code: u16, reason: &str) -> Value {
        json!({ "kind": "Status", "code": code, "reason": reason, "message": "no" })
    }

    /// The expected and the actual text of a failure.
    fn failure_texts<T>(result: Result<T, Halt>) -> Option<(String, String)> {
        match result {
            Err(Halt::Failed(failure)) => Some((failure.expected, failure.actual)),
            _ => None,
        }
    }

    #[test]
    fn a_write_returns_an_object() {
        assert!(response(200, &json!({})).written().is_ok());
        for other in [json!(1), json!([]), Value::Null] {
            let written = response(200, &other).written();
            assert!(matches!(written, Err(Halt::Errored(_))), "{other}: {written:?}");
        }
    }

    #[test]
    fn a_wrong_code_does_not_hide_the_body() {
        for (status, body, actual) in [
            (
                500,
                rejection(409, "Conflict"),
                "500 (a Status of code 409) Conflict: no; the body is right, the code is not",
            ),
            (500, rejection(500, "InternalError"), "500 InternalError: no"),
            (409, rejection(409, "Invalid"), "409 Invalid: no; the code is legal, the body is not"),
            (
                409,
                rejection(404, "Conflict"),
                "409 (a Status of code 404) Conflict: no; the code is legal, the body is not",
            ),
        ] {
            let expected = "HTTP 409 with a Status of the same code and of reason Conflict";
            let texts = failure_texts(response(status, &body).expect_error(&[409], &["Conflict"]));
            assert_eq!(texts, Some((expected.to_owned(), actual.to_owned())));
        }
        assert!(response(409, &rejection(409, "Conflict")).expect_error(&[409], &["Conflict"]).is_ok());
    }

    #[test]
    fn a_status_without_its_kind_has_reason_and_message() {
        let message = "Timeout: request did not complete within the allotted timeout";
        let timeout = json!({
            "metadata": {}, "status": "Failure", "message": message, "reason": "Timeout", "details": {}, "code": 504,
        });
        let expected = "504 Timeout: request did not complete within the allotted timeout";
        assert_eq!(response(504, &timeout).brief(), expected);
        let texts = failure_texts(response(504, &timeout).judged().object()).unwrap();
        assert_eq!(texts.1, expected);
    }

    #[test]
    fn a_rejection_has_the_code_of_its_status() {
        let rejected = response(400, &rejection(422, "Invalid"));
        assert!(
            failure_texts(rejected.expect_rejection(&[400, 422]))
                .is_some_and(|(_, actual)| actual.contains("(a Status of code 422)"))
        );
        assert!(response(422, &rejection(422, "Invalid")).expect_rejection(&[400, 422]).is_ok());
    }

    #[test]
    fn a_failure_names_the_wrong_one_of_code_and_body() {
        let object = json!({ "kind": "ConfigMap", "metadata": { "name": "a", "resourceVersion": "7" } });
        let list = json!({ "kind": "ConfigMapList", "metadata": { "resourceVersion": "7" }, "items": [] });
        assert!(response(201, &object).object().is_ok() && response(200, &list).page().is_ok());
        for (result, which) in [
            (
                failure_texts(response(202, &object).object()),
                "202 ConfigMap a at version 7; the body is right, the code is not",
            ),
            (failure_texts(response(404, &rejection(404, "NotFound")).object()), "404 NotFound: no"),
            (
                failure_texts(response(200, &json!([])).object()),
                "200 an object at version none; the code is legal, the body is not",
            ),
        ] {
            assert_eq!(result, Some(("HTTP 200 or 201 with a JSON object".to_owned(), which.to_owned())));
        }
        let texts = failure_texts(response(206, &list).page()).unwrap();
        assert_eq!(texts.0, "HTTP 200 with a list with metadata and items");
        assert!(texts.1.ends_with("the body is right, the code is not"), "{}", texts.1);
    }
}
