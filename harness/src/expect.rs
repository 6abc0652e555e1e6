//! What is expected of an exchange; each expectation returns what it found, or a failure.

use serde_json::Value;

use crate::ambient::Ruling;
use crate::exchange::Exchange;
use crate::object::{Object, Page};
use crate::outcome::{Failure, Halt, Obstacle};

impl Exchange {
    /// The answer in a few words: `422 Invalid: resourceVersionMatch: …`.
    pub fn brief(&self) -> String {
        let status = self.status();
        let Some(json) = self.json() else {
            let text: String = self.text().chars().take(200).collect();
            return format!("{status} {}", text.trim_end()).trim_end().to_owned();
        };
        if json["kind"] == "Status" {
            let reason = json["reason"].as_str().unwrap_or("without reason");
            let message: String = json["message"].as_str().unwrap_or_default().chars().take(300).collect();
            return format!("{status} {reason}: {message}");
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

    /// What holds of a right server's answer.
    pub fn expect(
        &self,
        holds: bool,
        expected: impl Into<String>,
        actual: impl Into<String>,
    ) -> Result<(), Halt> {
        if holds { Ok(()) } else { Err(self.fail(expected, actual)) }
    }

    /// A rule for all exchanges applies to this one, and is kept.
    pub fn expect_kept(&self, ruling: Ruling, expected: &str) -> Result<(), Halt> {
        match ruling {
            Some(Ok(())) => Ok(()),
            Some(Err(breach)) => Err(self.fail(breach.expected, breach.actual)),
            None => Err(self.fail(expected, self.brief())),
        }
    }

    /// The HTTP status is one of these.
    pub fn expect_status(&self, legal: &[u16]) -> Result<(), Halt> {
        let expected: Vec<_> = legal.iter().map(u16::to_string).collect();
        self.expect(legal.contains(&self.status()), format!("HTTP {}", expected.join(" or ")), self.brief())
    }

    /// An object, with HTTP 200 or 201.
    pub fn object(&self) -> Result<Object, Halt> {
        self.expect_status(&[200, 201])?;
        match self.json() {
            Some(json) if json.is_object() => Ok(self.read(json)),
            _ => Err(self.fail("a JSON object", self.brief())),
        }
    }

    /// The object that a write was answered with; that the write failed is an obstacle.
    pub fn written(&self) -> Result<Object, Halt> {
        match self.json() {
            Some(json) if self.succeeded() => Ok(self.read(json)),
            _ => {
                let attempted = format!("{} {}", self.request.method, self.request.path);
                Err(Obstacle::new(attempted, self.brief()).into())
            }
        }
    }

    /// A list, with HTTP 200.
    pub fn page(&self) -> Result<Page, Halt> {
        self.expect_status(&[200])?;
        let page = self.json().and_then(|json| Page::read(json, self.index));
        let page = page.ok_or_else(|| self.fail("a list with metadata and items", self.brief()))?;
        Ok(page.valued_at(self.value_at.as_ref()))
    }

    fn read(&self, json: &Value) -> Object {
        Object::new(json.clone()).valued_at(self.value_at.clone())
    }

    /// A refusal with one of these codes.
    ///
    /// Whether its Status is well formed is asked elsewhere; here it must name the same code.
    pub fn expect_refusal(&self, legal: &[u16]) -> Result<&Value, Halt> {
        self.expect_status(legal)?;
        match self.json() {
            Some(status) if status["kind"] == "Status" && status["code"] == self.status() => Ok(status),
            _ => Err(self.fail(format!("a Status of code {}", self.status()), self.brief())),
        }
    }

    /// A refusal with one of these codes and one of these reasons.
    pub fn expect_error(&self, legal: &[u16], reasons: &[&str]) -> Result<&Value, Halt> {
        let status = self.expect_refusal(legal)?;
        let reason = status["reason"].as_str().unwrap_or_default();
        self.expect(
            reasons.contains(&reason),
            format!("a Status of reason {}", reasons.join(" or ")),
            self.brief(),
        )?;
        Ok(status)
    }

    /// The answer was refused for lack of history: HTTP 410.
    pub fn expired(&self) -> bool {
        self.status() == 410
    }
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
