//! A user with the permissions that a scenario grants.

use crate::prelude::*;

/// An impersonated user with a few rights in the scenario's namespace.
pub(crate) struct User {
    name: String,
}

impl User {
    /// Creates a user with these verbs. Skips without RBAC or without impersonation.
    pub(crate) async fn who_may(
        cx: &Context,
        collection: &Collection,
        who: &str,
        verbs: &[&str],
    ) -> Result<Self, Halt> {
        Self::who_may_with(cx, collection, who, (&collection.resource().plural, verbs)).await
    }

    /// The same for a resource in other words: a subresource of theirs, `collection/status`.
    pub(crate) async fn who_may_with(
        cx: &Context,
        collection: &Collection,
        who: &str,
        (resource, verbs): (&str, &[&str]),
    ) -> Result<Self, Halt> {
        let namespace = cx.namespace().await?;
        let user = Self { name: format!("kube-assay-{who}-{namespace}") };
        user.expect_no_rights(cx, collection).await?;
        let group = &collection.resource().group;
        let rule = json!({ "apiGroups": [group], "resources": [resource], "verbs": verbs });
        let metadata = json!({ "name": who });
        create(cx, "Role", &json!({ "metadata": metadata, "rules": [rule] })).await?;
        let subject = json!({ "kind": "User", "apiGroup": GROUP, "name": user.name });
        let role = json!({ "kind": "Role", "apiGroup": GROUP, "name": who });
        let binding = json!({ "metadata": metadata, "subjects": [subject], "roleRef": role });
        create(cx, "RoleBinding", &binding).await?;
        Ok(user)
    }

    /// Skips where everybody may do everything.
    async fn expect_no_rights(&self, cx: &Context, collection: &Collection) -> Checked {
        let response = cx.send(self.sends(Request::get(collection.path_of("a")))).await?;
        if response.text().contains("impersonate") {
            return Err(Halt::Skipped("we may not act in the name of others".to_owned()));
        }
        if response.status() == 403 {
            return Ok(());
        }
        Err(cx.lacks("RBAC", format!("a user without rights is answered {}", response.brief())))
    }

    /// The request in this name.
    pub(crate) fn sends(&self, request: Request) -> Request {
        in_the_name_of(&self.name, request)
    }

    /// Until what the user may do is known to the server. Skips where roles have no effect.
    pub(crate) async fn wait_for_grant(&self, cx: &Context, allowed: impl Fn() -> Request + Sync) -> Checked {
        let granted = self.is_let_in(cx, allowed).await?;
        if granted.succeeded() {
            return Ok(());
        }
        Err(cx.lacks("RBAC", format!("what a role allows is answered {}", granted.brief())))
    }

    /// The review of the user's rights: a new right may take a moment to hold.
    pub(crate) async fn is_let_in(
        &self,
        cx: &Context,
        allowed: impl Fn() -> Request + Sync,
    ) -> Result<Arc<Exchange>, Halt> {
        let asked = cx.eventually(|| async {
            let response = cx.send(self.sends(allowed())).await?;
            Ok((response.status() != 403).then_some(response))
        });
        match asked.await? {
            Some(response) => Ok(response),
            None => cx.send(self.sends(allowed())).await,
        }
    }
}

const GROUP: &str = "rbac.authorization.k8s.io";

/// The request as this user sends it, of whom no more is known than the name.
pub(crate) fn in_the_name_of(name: &str, request: Request) -> Request {
    request.header("impersonate-user", name).header("impersonate-group", "system:authenticated")
}

/// Creates a role or its binding in the scenario's namespace.
async fn create(cx: &Context, kind: &str, fields: &Value) -> Checked {
    let plural = format!("{}s", kind.to_lowercase());
    let resource = Resource::of(GROUP, "v1", &plural, kind);
    let mut body = fields.clone();
    body["apiVersion"] = resource.api_version().into();
    body["kind"] = kind.into();
    let collection = cx.collection(resource).await?;
    let created = cx.send(Request::post(collection.path(), &body)).await?;
    match created.status() {
        404 => Err(cx.lacks("RBAC", created.brief())),
        201 => Ok(()),
        _ => Err(cx.test_error(format!("create a {kind}"), created.brief()).into()),
    }
}
