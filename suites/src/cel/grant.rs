//! The users of a policy row, with their grants.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::prelude::*;
use crate::restricted_user::{GROUP, User};

/// A permission: of a verb on a resource in the scenario's namespace, or on a path without a resource.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Grant {
    #[serde(default)]
    group: String,
    resource: Option<String>,
    path: Option<String>,
    verb: String,
    name: Option<String>,
}

/// The users of a row. A user whose name begins with `serviceaccount:` is one.
pub(super) type Grants = BTreeMap<String, Vec<Grant>>;

/// Users that may create `ConfigMaps`, besides what the row grants them.
pub(super) struct Users(BTreeMap<String, User>);

impl Users {
    /// Creates the users and waits until the server knows their roles.
    pub(super) async fn create(cx: &Context, configmaps: &Collection, grants: &Grants) -> Result<Self, Halt> {
        let creating = grants.iter().map(async |(name, grants)| {
            let user = create(cx, configmaps, name, grants).await?;
            Ok::<_, Halt>((name.clone(), user))
        });
        Ok(Self(try_join_all(creating).await?.into_iter().collect()))
    }

    /// The request, sent as the user of this name; as the run's own user without a name.
    pub(super) fn sends(&self, name: Option<&str>, request: Request) -> Request {
        match name.and_then(|name| self.0.get(name)) {
            Some(user) => user.sends(request),
            None => request,
        }
    }
}

async fn create(cx: &Context, configmaps: &Collection, name: &str, grants: &[Grant]) -> Result<User, Halt> {
    let mut rules = vec![json!({ "apiGroups": [""], "resources": ["configmaps"], "verbs": ["create"] })];
    rules.extend(
        grants.iter().filter_map(|grant| grant.resource.as_ref().map(|resource| grant.rule(resource))),
    );
    let user = match name.strip_prefix("serviceaccount:") {
        Some(who) => User::service_account(cx, configmaps, who, &rules.into()).await?,
        None => User::with_rules(cx, configmaps, name, &rules.into()).await?,
    };
    let body = configmaps.body("grant", "x");
    user.wait_for_grant(cx, || Request::post(configmaps.path(), &body).query("dryRun", "All")).await?;
    for grant in grants {
        if let Some(path) = &grant.path {
            grant_path(cx, &user, path, &grant.verb).await?;
        }
    }
    Ok(user)
}

impl Grant {
    fn rule(&self, resource: &str) -> Value {
        let mut rule = json!({ "apiGroups": [self.group], "resources": [resource], "verbs": [self.verb] });
        if let Some(name) = &self.name {
            rule["resourceNames"] = json!([name]);
        }
        rule
    }
}

/// Grants a path that is no resource, which only a role of the whole cluster can do.
async fn grant_path(cx: &Context, user: &User, path: &str, verb: &str) -> Checked {
    let name = cx.own_name("path");
    let metadata = json!({ "name": name, "labels": cx.own_labels() });
    let rule = json!({ "nonResourceURLs": [path], "verbs": [verb] });
    let subject = json!({ "kind": "User", "apiGroup": GROUP, "name": user.name() });
    let role = json!({ "kind": "ClusterRole", "apiGroup": GROUP, "name": name });
    let objects = [
        ("ClusterRole", json!({ "metadata": metadata, "rules": [rule] })),
        ("ClusterRoleBinding", json!({ "metadata": metadata, "subjects": [subject], "roleRef": role })),
    ];
    for (kind, mut object) in objects {
        object["apiVersion"] = format!("{GROUP}/v1").into();
        object["kind"] = kind.into();
        let path = format!("/apis/{GROUP}/v1/{}s", kind.to_lowercase());
        cx.remove_in_the_end(&format!("{path}/{name}"));
        let created = cx.send(Request::post(path, &object)).await?;
        Halt::skip_unless(created.status() != 403, format!("the user may not create a {kind}"))?;
        created.written()?;
    }
    // Nothing is there: only the permission decides between 403 and another code.
    let allowed = cx.eventually(|| async {
        let read = cx.send(user.sends(Request::get(path))).await?;
        Ok((read.status() != 403).then_some(()))
    });
    allowed.await?.ok_or_else(|| cx.lacks("RBAC", format!("a user whose role allows {path} still gets 403")))
}
