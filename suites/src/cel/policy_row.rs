//! The scenario of a policy row: the requests that admission policies admit and deny.

use harness::Version;
use serde::Deserialize;

use super::grant::{Grants, Users};
use super::object::texts;
use super::policy::{self, Policy};
use super::refusal::{expect_refused, expect_verdict};
use super::{compatibility, definition, offer};
use crate::prelude::*;

/// Policies of a scenario, each with one validation, and the requests that they admit and deny.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PolicyRow {
    pub(super) clause: String,
    /// The minor from which on the clause applies.
    #[serde(skip)]
    pub(super) since: Option<Version>,
    /// The users besides the run's own.
    #[serde(default)]
    users: Grants,
    /// A path that every user may read by default.
    readable: Option<String>,
    /// Expressions with which the server must refuse a policy.
    #[serde(default)]
    refused: Vec<String>,
    /// Rules with which the server must refuse a definition.
    #[serde(default)]
    refused_rules: Vec<String>,
    pub(super) cases: Vec<Case>,
}

/// A policy.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Case {
    expression: String,
    #[serde(default)]
    pub(super) accepted: Vec<Sent>,
    #[serde(default)]
    pub(super) rejected: Vec<Sent>,
}

/// A `ConfigMap` that a user creates.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sent {
    user: Option<String>,
    name: Option<String>,
    #[serde(default)]
    data: toml::Table,
}

impl PolicyRow {
    pub(super) async fn check(&self, cx: &Context) -> Checked {
        offer::require_policies(cx).await?;
        compatibility::require(cx, self.since).await?;
        self.expect_refusals(cx).await?;
        let configmaps = cx.configmaps().await?;
        let users = Users::create(cx, &configmaps, &self.users).await?;
        self.expect_readable(cx, &users).await?;

        let namespace = cx.namespace().await?;
        let expressions = self.cases.iter().map(|case| case.expression.replace("$NAMESPACE", namespace));
        let policies = Policy::enforce_all(cx, &expressions.collect::<Vec<_>>()).await?;
        for (case, policy) in self.cases.iter().zip(&policies) {
            for sent in &case.accepted {
                let response = sent.send(cx, &users, policy).await?;
                policy.expect_accepted(cx, &response)?;
            }
            for sent in &case.rejected {
                let response = sent.send(cx, &users, policy).await?;
                policy.expect_rejected(cx, &response)?;
            }
        }
        Ok(())
    }

    /// The server refuses each policy and each definition with an expression that does not compile.
    async fn expect_refusals(&self, cx: &Context) -> Checked {
        for expression in &self.refused {
            let tried =
                policy::try_out(cx, &json!({ "validations": [{ "expression": expression }] })).await?;
            expect_verdict(cx, &tried, &format!("the server refuses a policy with `{expression}`"))?;
            let expected = format!("HTTP 422: the server refuses a policy with `{expression}`");
            tried.expect(tried.status() == 422, expected, tried.brief())?;
        }
        for rule in &self.refused_rules {
            offer::require_cel(cx).await?;
            let schema = definition::with_rule(rule);
            let tried = definition::try_out(cx, &definition::of_spec(cx, "cel", &schema)).await?;
            expect_refused(cx, &tried, &texts(&schema), false)?;
        }
        Ok(())
    }

    /// Skips where the default permission to read a path has been taken away.
    async fn expect_readable(&self, cx: &Context, users: &Users) -> Checked {
        let Some(path) = &self.readable else { return Ok(()) };
        for user in self.users.keys().map(|name| Some(name.as_str())).chain([None]) {
            let read = cx.send(users.sends(user, Request::get(path))).await?;
            let allowed = ![401, 403].contains(&read.status());
            cx.require_feature("DefaultConfiguration", allowed, format!("a user may not read {path}"))?;
        }
        Ok(())
    }
}

impl Sent {
    async fn send(&self, cx: &Context, users: &Users, policy: &Policy) -> Result<Arc<Exchange>, Halt> {
        let data = to_json(&self.data);
        let create = policy.create(cx, self.name.as_deref().unwrap_or(NAME), &data).await?;
        cx.send(users.sends(self.user.as_deref(), create)).await
    }
}

/// A table in JSON.
pub(super) fn to_json(table: &toml::Table) -> Value {
    serde_json::to_value(table).unwrap_or_default()
}
