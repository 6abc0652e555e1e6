//! Expectations of an exchange: each returns a value, or a failure.

use serde_json::Value;

use crate::breach::CheckResult;
use crate::exchange::Exchange;
use crate::object::{Object, Page};
use crate::outcome::{Failure, Halt, TestError};

impl Exchange {
    /// The response in a few words: `422 Invalid: resourceVersionMatch: …`.
    pub fn brief(&self) -> String {
        let status = self.status();
        let Some(json) = self.json() else {
            let text: String = self.text().chars().take(200).collect();
            return format!("{status} {}", text.trim_end()).trim_end().to_owned();
        };
        if json["kind"] == "Status" {
            let reason = json["reason"].as_str().unwrap_or("without reason");
            let message: String = json["message"].as_str().unwrap_or_default().chars().take(300).collect();
            let other = json["code"].as_u64().filter(|code| *code != u64::from(status));
            let other = other.map(|code| format!(" (a Status of code {code})")).unwrap_or_default();
            return format!("{status}{other} {reason}: {message}");
        }
        let (kind, metadata) = (json["kind"].as_str().unwrap_or("an object"), &json["metadata"]);
        let name = metadata["name"].as_str().map(|name| format!(" {name}")).unwrap_or_default();
        let items =
            json["items"].as_array().map(|items| format!(" of {} items", items.len())).unwrap_or_default();
        let version = metadata["resourceVersion"].as_str().unwrap_or("none");
        format!("{status} {kind}{name}{items} at version {version}")
    }

    /// A failure that this exchange shows.
    pub fn fail(&self, expected: impl Into<String>, actual: impl Into<String>) -> Halt {
        Halt::Failed(Failure { expected: expected.into(), actual: actual.into(), exchange: Some(self.index) })
    }

    /// What holds of a right server's response.
    pub fn expect(
        &self,
        holds: bool,
        expected: impl Into<String>,
        actual: impl Into<String>,
    ) -> Result<(), Halt> {
        if holds { Ok(()) } else { Err(self.fail(expected, actual)) }
    }

    /// A rule for all exchanges applies to this one, and is kept.
    pub fn expect_kept(&self, result: CheckResult, expected: &str) -> Result<(), Halt> {
        match result {
            Some(Ok(())) => Ok(()),
            Some(Err(breach)) => Err(self.fail(breach.expected, breach.actual)),
            None => Err(self.fail(expected, self.brief())),
        }
    }

    /// The HTTP status is one of these.
    pub fn expect_status(&self, legal: &[u16]) -> Result<(), Halt> {
        self.expect(legal.contains(&self.status()), http(legal), self.brief())
    }

    /// The HTTP status is one of these, and there is a right body: that one of them is wrong does not hide the other.
    fn expect_both<T>(&self, legal: &[u16], body: Option<T>, expected: &str) -> Result<T, Halt> {
        let which = match (legal.contains(&self.status()), body) {
            (true, Some(body)) => return Ok(body),
            (true, None) => "; the code is legal, the body is not",
            (false, Some(_)) => "; the body is right, the code is not",
            (false, None) => "",
        };
        Err(self.fail(format!("{} with {expected}", http(legal)), format!("{}{which}", self.brief())))
    }

    /// An object, with HTTP 200 or 201.
    pub fn object(&self) -> Result<Object, Halt> {
        let legal = [200, 201];
        // What goes with a wrong code is often a Status, which is none of the objects that were asked for.
        let known = |json: &&Value| legal.contains(&self.status()) || json["kind"] != "Status";
        let object = self.json().filter(|json| json.is_object()).filter(known);
        self.expect_both(&legal, object, "a JSON object").map(|json| self.read(json))
    }

    /// The object that a write was answered with; a failed write is a test error.
    pub fn written(&self) -> Result<Object, Halt> {
        match self.json() {
            Some(json) if self.succeeded() => Ok(self.read(json)),
            _ => {
                let attempted = format!("{} {}", self.request.method, self.request.path);
                Err(TestError::new(attempted, self.brief()).into())
            }
        }
    }

    /// A list, with HTTP 200.
    pub fn page(&self) -> Result<Page, Halt> {
        let page = self.json().and_then(|json| Page::read(json, self.index));
        let page = self.expect_both(&[200], page, "a list with metadata and items")?;
        Ok(page.valued_at(self.value_at.as_ref()))
    }

    fn read(&self, json: &Value) -> Object {
        Object::new(json.clone()).valued_at(self.value_at.clone())
    }

    /// A refusal with one of these codes.
    ///
    /// Whether its Status is well formed is asked elsewhere; here it must name the same code.
    pub fn expect_refusal(&self, legal: &[u16]) -> Result<&Value, Halt> {
        self.expect_status_of(legal, |_| true, "a Status of the same code")
    }

    /// A refusal with one of these codes and one of these reasons.
    pub fn expect_error(&self, legal: &[u16], reasons: &[&str]) -> Result<&Value, Halt> {
        let named = |status: &Value| reasons.contains(&status["reason"].as_str().unwrap_or_default());
        self.expect_status_of(
            legal,
            named,
            &format!("a Status of the same code and of reason {}", reasons.join(" or ")),
        )
    }

    /// A Status that fits, and names the code that it comes with: under a wrong code, one of those that were legal.
    fn expect_status_of(
        &self,
        legal: &[u16],
        fits: impl Fn(&Value) -> bool,
        expected: &str,
    ) -> Result<&Value, Halt> {
        let code = self.status();
        let own = [code];
        let legal_codes = if legal.contains(&code) { &own } else { legal };
        let named = |status: &Value| legal_codes.iter().any(|legal| status["code"] == *legal);
        let status = self.json().filter(|json| json["kind"] == "Status" && named(json) && fits(json));
        self.expect_both(legal, status, expected)
    }

    /// The response was refused for lack of history: HTTP 410.
    pub fn expired(&self) -> bool {
        self.status() == 410
    }
}

/// Such as `HTTP 400 or 422`.
fn http(legal: &[u16]) -> String {
    format!("HTTP {}", legal.iter().map(u16::to_string).collect::<Vec<_>>().join(" or "))
}

impl Page {
    /// A failure that this page shows.
    pub fn fail(&self, expected: impl Into<String>, actual: impl Into<String>) -> Halt {
        Halt::Failed(Failure { expected: expected.into(), actual: actual.into(), exchange: Some(self.index) })
    }

    /// What holds of a right server's page.
    pub fn expect(
        &self,
        holds: bool,
        expected: impl Into<String>,
        actual: impl Into<String>,
    ) -> Result<(), Halt> {
        if holds { Ok(()) } else { Err(self.fail(expected, actual)) }
    }

    /// The list was built at this version.
    pub fn expect_version(&self, version: &str) -> Result<(), Halt> {
        self.expect(
            self.version == version,
            format!("a list at version {version}"),
            format!("one at version {}", self.version),
        )
    }

    /// The items that scenarios created are these, by name and in whatever order.
    pub fn expect_names(&self, names: &[&str]) -> Result<(), Halt> {
        let (mut shown, mut expected) = (self.own_names(), names.to_vec());
        shown.sort_unstable();
        expected.sort_unstable();
        let actual = format!("[{}]", self.own_names().join(", "));
        self.expect(shown == expected, format!("the items [{}]", names.join(", ")), actual)
    }

    /// Another page shows items, and none of these.
    pub fn expect_followed_by(&self, next: &Self) -> Result<(), Halt> {
        let key = |item: &Object| (item.namespace().to_owned(), item.name().to_owned());
        let shown: Vec<_> = self.items.iter().map(key).collect();
        let others = !next.items.is_empty() && !next.items.iter().any(|item| shown.contains(&key(item)));
        let expected = format!("other items than [{}]", self.names().join(", "));
        next.expect(others, expected, format!("[{}]", next.names().join(", ")))
    }

    /// The items are those of another page of the same collection, content included, in whatever order.
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::exchange::{Response, Timing};
    use crate::request::Request;

    fn response(status: u16, body: &Value) -> Exchange {
        let response = Response { status, body: body.to_string().into(), ..Response::default() };
        Exchange::new(0, Request::get("/"), response, Timing::default())
    }

    fn refused(code: u16, reason: &str) -> Value {
        json!({ "kind": "Status", "code": code, "reason": reason, "message": "no" })
    }

    /// What a failure says was legal, and what came.
    fn told<T>(result: Result<T, Halt>) -> Option<(String, String)> {
        match result {
            Err(Halt::Failed(failure)) => Some((failure.expected, failure.actual)),
            _ => None,
        }
    }

    #[test]
    fn a_wrong_code_does_not_hide_the_body() {
        for (status, body, actual) in [
            (
                500,
                refused(409, "Conflict"),
                "500 (a Status of code 409) Conflict: no; the body is right, the code is not",
            ),
            (500, refused(500, "InternalError"), "500 InternalError: no"),
            (409, refused(409, "Invalid"), "409 Invalid: no; the code is legal, the body is not"),
            (
                409,
                refused(404, "Conflict"),
                "409 (a Status of code 404) Conflict: no; the code is legal, the body is not",
            ),
        ] {
            let expected = "HTTP 409 with a Status of the same code and of reason Conflict";
            let told = told(response(status, &body).expect_error(&[409], &["Conflict"]));
            assert_eq!(told, Some((expected.to_owned(), actual.to_owned())));
        }
        assert!(response(409, &refused(409, "Conflict")).expect_error(&[409], &["Conflict"]).is_ok());
    }

    #[test]
    fn a_refusal_names_its_own_code() {
        let refusal = response(400, &refused(422, "Invalid"));
        assert!(
            told(refusal.expect_refusal(&[400, 422]))
                .is_some_and(|(_, actual)| actual.contains("(a Status of code 422)"))
        );
        assert!(response(422, &refused(422, "Invalid")).expect_refusal(&[400, 422]).is_ok());
    }

    #[test]
    fn objects_and_lists_are_told_apart_from_their_codes() {
        let object = json!({ "kind": "ConfigMap", "metadata": { "name": "a", "resourceVersion": "7" } });
        let list = json!({ "kind": "ConfigMapList", "metadata": { "resourceVersion": "7" }, "items": [] });
        assert!(response(201, &object).object().is_ok() && response(200, &list).page().is_ok());
        for (result, which) in [
            (
                told(response(202, &object).object()),
                "202 ConfigMap a at version 7; the body is right, the code is not",
            ),
            (told(response(404, &refused(404, "NotFound")).object()), "404 NotFound: no"),
            (
                told(response(200, &json!([])).object()),
                "200 an object at version none; the code is legal, the body is not",
            ),
        ] {
            assert_eq!(result, Some(("HTTP 200 or 201 with a JSON object".to_owned(), which.to_owned())));
        }
        let told = told(response(206, &list).page()).unwrap();
        assert_eq!(told.0, "HTTP 200 with a list with metadata and items");
        assert!(told.1.ends_with("the body is right, the code is not"), "{}", told.1);
    }
}
