//! A user with the permissions that a scenario grants.

use crate::prelude::*;

/// An impersonated user with a few rights in the scenario's namespace.
pub(crate) struct User {
    name: String,
}

impl User {
    /// A new user with these verbs on the collection. Skips without RBAC or without impersonation.
    pub(crate) async fn with_verbs(
        cx: &Context,
        collection: &Collection,
        who: &str,
        verbs: &[&str],
    ) -> Result<Self, Halt> {
        Self::with_verbs_on(cx, collection, who, (&collection.resource().plural, verbs)).await
    }

    /// The same for another resource, such as the subresource `deployments/status`.
    pub(crate) async fn with_verbs_on(
        cx: &Context,
        collection: &Collection,
        who: &str,
        (resource, verbs): (&str, &[&str]),
    ) -> Result<Self, Halt> {
        let group = &collection.resource().group;
        let rule = json!({ "apiGroups": [group], "resources": [resource], "verbs": verbs });
        Self::with_rules(cx, collection, who, &json!([rule])).await
    }

    /// A new user with a role of these rules, in the namespace of the collection.
    pub(crate) async fn with_rules(
        cx: &Context,
        collection: &Collection,
        who: &str,
        rules: &Value,
    ) -> Result<Self, Halt> {
        let user = Self { name: format!("kube-assay-{who}-{}", cx.namespace().await?) };
        let subject = json!({ "kind": "User", "apiGroup": GROUP, "name": user.name });
        user.with_role(cx, collection, who, (&subject, rules)).await
    }

    /// A service account with a role of these rules, in its namespace.
    pub(crate) async fn service_account(
        cx: &Context,
        collection: &Collection,
        who: &str,
        rules: &Value,
    ) -> Result<Self, Halt> {
        let namespace = cx.namespace().await?;
        let user = Self { name: format!("system:serviceaccount:{namespace}:{who}") };
        let subject = json!({ "kind": "ServiceAccount", "namespace": namespace, "name": who });
        user.with_role(cx, collection, who, (&subject, rules)).await
    }

    async fn with_role(
        self,
        cx: &Context,
        collection: &Collection,
        who: &str,
        (subject, rules): (&Value, &Value),
    ) -> Result<Self, Halt> {
        self.expect_no_rights(cx, collection).await?;
        let metadata = json!({ "name": who });
        create(cx, "Role", &json!({ "metadata": metadata, "rules": rules })).await?;
        let role = json!({ "kind": "Role", "apiGroup": GROUP, "name": who });
        let binding = json!({ "metadata": metadata, "subjects": [subject], "roleRef": role });
        create(cx, "RoleBinding", &binding).await?;
        Ok(self)
    }

    /// The name in requests and roles.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Skips where a user without a role may get an object.
    async fn expect_no_rights(&self, cx: &Context, collection: &Collection) -> Checked {
        let response = cx.send(self.sends(Request::get(collection.path_of("a")))).await?;
        Halt::skip_unless(!response.text().contains("impersonate"), "no permission to impersonate users")?;
        if response.status() == 403 {
            return Ok(());
        }
        Err(cx.lacks("RBAC", format!("a user without a role gets {}", response.brief())))
    }

    /// The request, sent as this user.
    pub(crate) fn sends(&self, request: Request) -> Request {
        impersonate(&self.name, request)
    }

    /// Waits until the server allows a request of this user. Skips where roles have no effect.
    pub(crate) async fn wait_for_grant(&self, cx: &Context, allowed: impl Fn() -> Request + Sync) -> Checked {
        let granted = self.send_until_allowed(cx, allowed).await?;
        if granted.succeeded() {
            return Ok(());
        }
        Err(cx.lacks("RBAC", format!("a request that a role allows gets {}", granted.brief())))
    }

    /// Sends the request until the response is no 403: the server may take a moment to notice a new role.
    pub(crate) async fn send_until_allowed(
        &self,
        cx: &Context,
        allowed: impl Fn() -> Request + Sync,
    ) -> Result<Arc<Exchange>, Halt> {
        let polled = cx.eventually(|| async {
            let response = cx.send(self.sends(allowed())).await?;
            Ok((response.status() != 403).then_some(response))
        });
        match polled.await? {
            Some(response) => Ok(response),
            None => cx.send(self.sends(allowed())).await,
        }
    }
}

/// The API group of roles.
pub(crate) const GROUP: &str = "rbac.authorization.k8s.io";

/// The request, sent as the authenticated user with this name.
pub(crate) fn impersonate(name: &str, request: Request) -> Request {
    request.header("impersonate-user", name).header("impersonate-group", "system:authenticated")
}

/// Creates a role or its binding in the scenario's namespace.
pub(crate) async fn create(cx: &Context, kind: &str, fields: &Value) -> Checked {
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
