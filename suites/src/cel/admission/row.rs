//! The scenario of a row: policies with their bindings, and the requests that they deny, warn about and admit.

use serde::Deserialize;
use toml::Table;

use super::attempt::{Attempt, Stored};
use super::expectation::{Effect, Expectation};
use super::param::Param;
use super::policies::{Namespaces, bind, create_policy, wait_until_enforced};
use crate::cel::policy_row::to_json;
use crate::cel::refusal::expect_verdict;
use crate::cel::table::Json;
use crate::cel::{offer, policy};
use crate::prelude::*;

/// Policies of a scenario, and what the server must do with them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::cel) struct AdmissionRow {
    pub(in crate::cel) clause: String,
    /// `ConfigMaps` that exist before the policies.
    #[serde(default)]
    stored: Vec<Stored>,
    #[serde(default)]
    params: Vec<Param>,
    #[serde(default)]
    policies: Vec<CasePolicy>,
    /// Fields of policies that the server must accept, as the counterparts of those that it must refuse.
    #[serde(default)]
    valid: Vec<Json>,
    #[serde(default)]
    refused: Vec<Json>,
    /// The same of bindings.
    #[serde(default)]
    valid_bindings: Vec<Json>,
    #[serde(default)]
    refused_bindings: Vec<Json>,
}

/// A policy, its bindings and its requests.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CasePolicy {
    /// The fields of its spec that are not the default ones.
    spec: Table,
    /// The fields of each binding; without any, one binding that denies.
    bindings: Option<Vec<Table>>,
    #[serde(default)]
    denied: Vec<Attempt>,
    #[serde(default)]
    warned: Vec<Attempt>,
    #[serde(default)]
    accepted: Vec<Attempt>,
}

impl CasePolicy {
    fn attempts(&self, effect: Effect) -> &[Attempt] {
        match effect {
            Effect::Denied => &self.denied,
            Effect::Warned => &self.warned,
            Effect::Accepted => &self.accepted,
        }
    }

    async fn create(&self, cx: &Context, namespaces: &Namespaces, case: usize) -> Checked {
        let name = name_of(cx, case);
        let spec = namespaces.named_in(&to_json(&self.spec));
        create_policy(cx, &name, &case.to_string(), &spec).await?;
        let one = vec![Table::new()];
        let bindings = self.bindings.as_ref().unwrap_or(&one).iter().enumerate();
        let binding = bindings.map(async |(number, binding)| {
            let fields = namespaces.named_in(&to_json(binding));
            bind(cx, &name, &format!("{name}-{number}"), &fields).await
        });
        try_join_all(binding).await.map(drop)
    }

    /// The policy in a few words.
    fn describe(&self) -> String {
        let bindings = self.bindings.as_ref().map(|bindings| format!(", bindings {}", json!(bindings)));
        format!("policy {}{}", to_json(&self.spec), bindings.unwrap_or_default())
    }
}

fn name_of(cx: &Context, case: usize) -> String {
    cx.own_name(&format!("policy-{case}"))
}

impl AdmissionRow {
    pub(in crate::cel) async fn check(&self, cx: &Context) -> Checked {
        offer::require_policies(cx).await?;
        self.expect_writes(cx).await?;
        if self.policies.is_empty() {
            return Ok(());
        }
        let namespaces = Namespaces::create(cx, self.has_other_namespace()).await?;
        try_join_all(self.stored.iter().map(|stored| stored.create(cx, &namespaces))).await?;
        try_join_all(self.params.iter().map(|param| param.create(cx, &namespaces))).await?;
        let policies = self.policies.iter().enumerate();
        try_join_all(policies.map(|(case, policy)| policy.create(cx, &namespaces, case))).await?;
        wait_until_enforced(cx).await?;
        // A denial shows that the server enforces the policy: only then does an accepted request mean something.
        for effect in [Effect::Denied, Effect::Warned, Effect::Accepted] {
            for (case, policy) in self.policies.iter().enumerate() {
                let (name, what) = (name_of(cx, case), policy.describe());
                let expectation = Expectation { cx, policy: &name, what: &what, namespaces: &namespaces };
                for attempt in policy.attempts(effect) {
                    let request = attempt.request(cx, &namespaces, &case.to_string()).await?;
                    expectation.expect(effect, attempt, &request).await?;
                }
            }
        }
        Ok(())
    }

    fn has_other_namespace(&self) -> bool {
        let attempts = |policy: &CasePolicy| {
            let all = policy.denied.iter().chain(&policy.warned).chain(&policy.accepted);
            all.into_iter().any(Attempt::is_elsewhere)
        };
        let has_param = self.params.iter().any(Param::is_elsewhere);
        has_param || self.stored.iter().any(Stored::is_elsewhere) || self.policies.iter().any(attempts)
    }

    /// The server refuses the invalid policies and bindings, and accepts their valid counterparts.
    async fn expect_writes(&self, cx: &Context) -> Checked {
        for (writes, is_valid) in [(&self.valid, true), (&self.refused, false)] {
            for Json(fields) in writes {
                let tried = policy::try_out(cx, fields).await?;
                expect_write(cx, &tried, is_valid, &format!("a policy with {fields}"))?;
            }
        }
        for (writes, is_valid) in [(&self.valid_bindings, true), (&self.refused_bindings, false)] {
            for Json(fields) in writes {
                let tried = policy::try_out_binding(cx, fields).await?;
                expect_write(cx, &tried, is_valid, &format!("a binding with {fields}"))?;
            }
        }
        Ok(())
    }
}

fn expect_write(cx: &Context, tried: &Exchange, is_valid: bool, what: &str) -> Checked {
    let verb = if is_valid { "accepts" } else { "refuses" };
    expect_verdict(cx, tried, &format!("the server {verb} {what}"))?;
    let code = if is_valid { 201 } else { 422 };
    tried.expect(tried.status() == code, format!("HTTP {code}: the server {verb} {what}"), tried.brief())
}

#[cfg(test)]
impl AdmissionRow {
    /// Whether a server that has no policies at all fails the row, and so does one that denies everything.
    pub(in crate::cel) fn has_both_effects(&self) -> bool {
        let policies = || self.policies.iter();
        let acts = policies().any(|policy| !policy.denied.is_empty() || !policy.warned.is_empty());
        let admits = policies().any(|policy| !policy.accepted.is_empty() || !policy.warned.is_empty());
        let refuses = !self.refused.is_empty() || !self.refused_bindings.is_empty();
        let takes = !self.valid.is_empty() || !self.valid_bindings.is_empty();
        (acts && admits) || (refuses && takes)
    }
}
