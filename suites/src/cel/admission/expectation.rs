//! What the server must do with a request that a policy is about.
//!
//! A server needs a moment to enforce a policy, and perhaps not all servers behind an address enforce it at the same time: each
//! expectation has the time of an event to come true.

use super::attempt::Attempt;
use super::policies::Namespaces;
use crate::cel::policy::denies;
use crate::prelude::*;
use crate::warning;

/// What must happen to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    Denied,
    Warned,
    Accepted,
}

/// An expectation about the requests of a policy.
pub(super) struct Expectation<'a> {
    pub(super) cx: &'a Context,
    /// The name of the policy, which denials contain.
    pub(super) policy: &'a str,
    /// The policy in a few words.
    pub(super) what: &'a str,
    pub(super) namespaces: &'a Namespaces,
}

impl Expectation<'_> {
    /// The request has this effect, with the parts of the response that the attempt names.
    pub(super) async fn expect(&self, effect: Effect, attempt: &Attempt, request: &Request) -> Checked {
        let came_true = self.cx.eventually(|| async {
            let response = self.cx.send(request.clone()).await?;
            Ok(self.mismatch(effect, attempt, &response).is_none().then_some(()))
        });
        if came_true.await?.is_some() {
            return Ok(());
        }
        self.judge(effect, attempt, &*self.cx.send(request.clone()).await?)
    }

    fn judge(&self, effect: Effect, attempt: &Attempt, response: &Exchange) -> Checked {
        let Some(expected) = self.mismatch(effect, attempt, response) else { return Ok(()) };
        if response.succeeded() || denies(response, self.policy) {
            return Err(response.fail(format!("{expected}: {}", self.what), warning::shown(response)));
        }
        Err(self.cx.test_error("send a request that the policy is about", response.brief()).into())
    }

    /// What is missing in a response.
    fn mismatch(&self, effect: Effect, attempt: &Attempt, response: &Exchange) -> Option<String> {
        let has_effect = match effect {
            Effect::Denied => denies(response, self.policy),
            Effect::Warned | Effect::Accepted => response.succeeded(),
        };
        let (outcome, texts) = match effect {
            Effect::Denied => ("HTTP 4xx: a denial", messages(response)),
            Effect::Warned => ("success with a Warning", warning::texts(response)),
            Effect::Accepted => ("success", Vec::new()),
        };
        let has = |text: &String| texts.iter().any(|found| found.contains(text));
        let warns = effect != Effect::Warned || !texts.is_empty();
        if !has_effect || !warns {
            return Some(outcome.to_owned());
        }
        if let Some(code) = attempt.code.filter(|code| *code != response.status()) {
            return Some(format!("HTTP {code}"));
        }
        let reason = response.json().and_then(|status| status["reason"].as_str());
        if let Some(expected) = attempt.reason.as_deref().filter(|expected| reason != Some(expected)) {
            return Some(format!("a Status of reason {expected}"));
        }
        let message = attempt.message.as_ref().map(|text| self.namespaces.in_text(text));
        if let Some(text) = message.filter(|text| !has(text)) {
            return Some(format!("{outcome} with `{text}`"));
        }
        let without = attempt.without.as_ref().filter(|text| has(text));
        without.map(|text| format!("{outcome} without `{text}`"))
    }
}

/// The message of a `Status`, and those of its causes: a server may word its own message as it likes.
fn messages(response: &Exchange) -> Vec<String> {
    let Some(status) = response.json() else { return vec![response.text()] };
    let causes = status["details"]["causes"].as_array().into_iter().flatten();
    let messages = [status].into_iter().chain(causes).filter_map(|part| part["message"].as_str());
    messages.map(str::to_owned).collect()
}
