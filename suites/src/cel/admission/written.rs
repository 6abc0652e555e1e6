//! The clauses that are no rows of the table.

use harness::Identity;

use super::policies::{bind, create_policy, dry_create, wait_until_enforced};
use crate::cel::offer;
use crate::cel::policy::{self, GROUP, LABEL, binding_of, denies};
use crate::prelude::*;
use crate::restricted_user::User;

rows![
    admission_policies_deletion_ends_enforcement.own_kinds().waits(),
    admission_policies_binding_deletion_ends_enforcement.own_kinds().waits(),
    admission_policies_update_takes_effect.own_kinds().waits(),
    admission_policies_not_about_policies.own_kinds().waits(),
    admission_policies_request_user.own_kinds().waits(),
    admission_policies_request_service_account.own_kinds().waits(),
];

/// The case of the only policy of a scenario.
pub(super) const CASE: &str = "0";

/// A policy with one binding, which the server enforces.
pub(super) struct Only<'a> {
    pub(super) cx: &'a Context,
    pub(super) name: String,
}

impl<'a> Only<'a> {
    pub(super) async fn enforce(cx: &'a Context, fields: &Value) -> Result<Self, Halt> {
        offer::require_policies(cx).await?;
        let only = Self { cx, name: cx.own_name("only") };
        create_policy(cx, &only.name, CASE, fields).await?;
        bind(cx, &only.name, &only.name, &json!({})).await?;
        wait_until_enforced(cx).await?;
        Ok(only)
    }

    fn path_of(&self, resource: &Resource) -> String {
        format!("{}/{}/{}", resource.root(), resource.plural, self.name)
    }

    /// The create of a `ConfigMap` that the policy is about, as a dry run.
    async fn create(&self) -> Result<Request, Halt> {
        dry_create(self.cx, NAME, &json!({ LABEL: CASE })).await
    }

    /// The policy denies a request, or does not: at the latest when an event would have arrived.
    pub(super) async fn expect(&self, is_denied: bool, request: &Request, what: &str) -> Checked {
        let is_as_expected = |response: &Exchange| {
            if is_denied { denies(response, &self.name) } else { response.succeeded() }
        };
        let polled = self.cx.eventually(|| async {
            let response = self.cx.send(request.clone()).await?;
            Ok(is_as_expected(&response).then_some(()))
        });
        if self.cx.yield_place_while(polled).await?.is_some() {
            return Ok(());
        }
        let last = self.cx.send(request.clone()).await?;
        if last.succeeded() || denies(&last, &self.name) {
            return last.expect(is_as_expected(&last), what, last.brief());
        }
        Err(self.cx.test_error("send a request that the policy is about", last.brief()).into())
    }

    async fn delete(&self, resource: &Resource) -> Checked {
        let deleted = self.cx.send(Request::delete(self.path_of(resource))).await?;
        if deleted.succeeded() {
            return Ok(());
        }
        Err(self.cx.test_error(format!("delete the {}", resource.kind), deleted.brief()).into())
    }
}

pub(super) fn never() -> Value {
    json!({ "validations": [{ "expression": "false" }] })
}

async fn admission_policies_deletion_ends_enforcement(cx: Context) -> Checked {
    deletion_ends_enforcement(&cx, &policy::resource(), "the policy is deleted").await
}

async fn admission_policies_binding_deletion_ends_enforcement(cx: Context) -> Checked {
    deletion_ends_enforcement(&cx, &policy::bindings(), "the binding of the policy is deleted").await
}

async fn deletion_ends_enforcement(cx: &Context, deleted: &Resource, what: &str) -> Checked {
    let only = Only::enforce(cx, &never()).await?;
    let create = only.create().await?;
    only.expect(true, &create, "HTTP 422: the policy denies the request").await?;

    only.delete(deleted).await?;

    only.expect(false, &create, &format!("HTTP 201: {what}")).await
}

async fn admission_policies_update_takes_effect(cx: Context) -> Checked {
    let only = Only::enforce(&cx, &never()).await?;
    let create = only.create().await?;
    only.expect(true, &create, "HTTP 422: the policy denies the request").await?;

    for (expression, is_denied) in [("true", false), ("false || false", true)] {
        let patch = json!({ "spec": { "validations": [{ "expression": expression }] } });
        let path = only.path_of(&policy::resource());
        cx.send(Request::merge_patch(path, &patch)).await?.expect_status(&[200])?;
        let code = if is_denied { 422 } else { 201 };
        let what = format!("HTTP {code}: the policy has the new expression `{expression}`");
        only.expect(is_denied, &create, &what).await?;
    }
    Ok(())
}

async fn admission_policies_not_about_policies(cx: Context) -> Checked {
    let mut fields = never();
    fields["matchConstraints"] = json!({
        // A policy and a binding have no namespace.
        "namespaceSelector": {},
        "resourceRules": [{
            "apiGroups": ["", GROUP], "apiVersions": ["v1"], "operations": ["CREATE"],
            "resources": ["configmaps", "validatingadmissionpolicies", "validatingadmissionpolicybindings"],
        }],
        "objectSelector": { "matchLabels": { LABEL: CASE, "run": cx.namespace().await? } },
    });
    let only = Only::enforce(&cx, &fields).await?;
    let labels = json!({ LABEL: CASE, "run": cx.namespace().await? });
    let create = dry_create(&cx, NAME, &labels).await?;
    only.expect(true, &create, "HTTP 422: the policy denies a ConfigMap").await?;

    let binding = binding_of(&only.name, &json!({}));
    let mut spec = never();
    spec["matchConstraints"] = policy::match_constraints();
    for (resource, spec) in [(policy::resource(), spec), (policy::bindings(), binding)] {
        let name = cx.own_name("exempt");
        let path = format!("{}/{}", resource.root(), resource.plural);
        let object = json!({
            "apiVersion": resource.api_version(), "kind": resource.kind, "spec": spec,
            "metadata": { "name": name, "labels": labels },
        });
        let tried = cx.send(Request::post(&path, &object).query("dryRun", "All")).await?;
        if tried.succeeded() {
            // The server may have ignored the dry run.
            cx.remove_in_the_end(&format!("{path}/{name}"));
        }
        let what = format!("HTTP 201: no policy is about a {}", resource.kind);
        let is_about = tried.succeeded() || denies(&tried, &only.name);
        if !is_about {
            return Err(cx.test_error(format!("create a {}", resource.kind), tried.brief()).into());
        }
        tried.expect(tried.succeeded(), what, tried.brief())?;
    }
    Ok(())
}

/// The rules of a user who creates `ConfigMaps`.
fn creates() -> Value {
    json!([{ "apiGroups": [""], "resources": ["configmaps"], "verbs": ["create"] }])
}

async fn admission_policies_request_user(cx: Context) -> Checked {
    offer::require_policies(&cx).await?;
    let configmaps = cx.configmaps().await?;
    let user = User::with_rules(&cx, &configmaps, "named", &creates()).await?;
    let other = User::with_rules(&cx, &configmaps, "other", &creates()).await?;
    let body = configmaps.body("grant", "x");
    for user in [&user, &other] {
        user.wait_for_grant(&cx, || Request::post(configmaps.path(), &body).query("dryRun", "All")).await?;
    }
    let expression = format!(
        "request.userInfo.username == '{}' && 'system:authenticated' in request.userInfo.groups",
        user.name()
    );
    let only = Only::enforce(&cx, &json!({ "validations": [{ "expression": expression }] })).await?;
    let create = only.create().await?;
    only.expect(true, &other.sends(create.clone()), "HTTP 422: the policy denies another user").await?;
    only.expect(false, &user.sends(create), "HTTP 201: the policy admits the user").await
}

async fn admission_policies_request_service_account(cx: Context) -> Checked {
    offer::require_policies(&cx).await?;
    let configmaps = cx.configmaps().await?;
    let accounts = cx.collection(Resource::core("serviceaccounts", "ServiceAccount")).await?;
    let account = json!({ "apiVersion": "v1", "kind": "ServiceAccount", "metadata": { "name": "account" } });
    accounts.create_body(&account).await?;
    let user = User::service_account(&cx, &configmaps, "account", &creates()).await?;
    let token = token(&cx, &accounts).await?;
    let by_account = |request: Request| request.identity(Identity::Bearer(token.clone()));
    let body = configmaps.body("grant", "x");
    let granted = cx.eventually(|| async {
        let create = Request::post(configmaps.path(), &body).query("dryRun", "All");
        Ok(cx.send(by_account(create)).await?.succeeded().then_some(()))
    });
    let why = "its role has no effect for a token of the account";
    granted.await?.ok_or_else(|| cx.lacks("ServiceAccountTokens", why))?;

    let namespace = cx.namespace().await?;
    let expression = format!(
        "request.userInfo.username == '{}' && 'system:serviceaccounts' in request.userInfo.groups && \
         'system:serviceaccounts:{namespace}' in request.userInfo.groups",
        user.name()
    );
    let only = Only::enforce(&cx, &json!({ "validations": [{ "expression": expression }] })).await?;
    let create = only.create().await?;
    only.expect(true, &create, "HTTP 422: the policy denies other users").await?;
    only.expect(false, &by_account(create), "HTTP 201: the policy admits the service account").await
}

/// A token of the scenario's service account.
async fn token(cx: &Context, accounts: &Collection) -> Result<String, Halt> {
    let request = json!({
        "apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": { "expirationSeconds": 3600 },
    });
    let issued = cx.send(Request::post(format!("{}/token", accounts.path_of("account")), &request)).await?;
    let token = issued.json().and_then(|json| json["status"]["token"].as_str());
    token
        .map(str::to_owned)
        .ok_or_else(|| cx.lacks("ServiceAccountTokens", format!("a TokenRequest gets {}", issued.brief())))
}
