//! Reviews of access: the groups of the user.

use crate::prelude::*;
use crate::removed_apis::api::{Api, cluster, namespaced};
use crate::restricted_user::{self, GROUP};
use crate::warning;

rows![migrated_fields_sar_groups_renamed.own_kinds()];

const VERSION: &str = "authorization.k8s.io/v1";

/// A user without a role.
const NOBODY: &str = "kube-assay-none";

/// The reviews of a user that the request names, in each scope.
const REVIEWS: [Api; 2] = [
    cluster(VERSION, "subjectaccessreviews", "SubjectAccessReview"),
    namespaced(VERSION, "localsubjectaccessreviews", "LocalSubjectAccessReview"),
];

async fn migrated_fields_sar_groups_renamed(cx: Context) -> Checked {
    for review in REVIEWS {
        cx.require_listed(&review.resource()).await?;
    }
    let bound = Bound::create(&cx).await?;
    for api in REVIEWS {
        let by_groups = json!({ "user": NOBODY, "groups": [bound.group] });
        let reviewed = bound.review(api, &by_groups, "").await?;
        reviewed.expect_value("/status/allowed", &json!(true))?;

        let by_group = json!({ "user": NOBODY, "group": [bound.group] });
        let reviewed = bound.review(api, &by_group, "").await?;
        reviewed.expect_status(&[201])?;
        reviewed.expect(!is_allowed(&reviewed), "a review that does not allow it", reviewed.text())?;
        warning::expect(&reviewed, "spec.group")?;
        let refused = bound.review(api, &by_group, "Strict").await?;
        refused.expect_error(&[400], &["BadRequest"])?;
    }
    Ok(())
}

/// A user and a group that may get config maps in the scenario's namespace.
struct Bound {
    cx: Context,
    namespace: String,
    user: String,
    group: String,
}

impl Bound {
    /// Skips where everybody may get them, or where the role has no effect.
    async fn create(cx: &Context) -> Result<Self, Halt> {
        let namespace = cx.namespace().await?.to_owned();
        let [user, group] = ["user", "group"].map(|who| format!("kube-assay-{who}-{namespace}"));
        let bound = Self { cx: cx.clone(), namespace, user, group };
        bound.bind().await?;

        let other = bound.review(REVIEWS[0], &json!({ "user": NOBODY }), "").await?;
        let why = "a user without a role may get config maps";
        cx.require_feature("RBAC", !is_allowed(&other), why)?;
        let allowed = cx.eventually(|| async {
            let reviewed = bound.review(REVIEWS[0], &json!({ "user": bound.user }), "").await?;
            Ok(is_allowed(&reviewed).then_some(()))
        });
        cx.require_feature("RBAC", allowed.await?.is_some(), "a role gives its user no permission")?;
        Ok(bound)
    }

    async fn bind(&self) -> Checked {
        let metadata = json!({ "name": NAME });
        let rule = json!({ "apiGroups": [""], "resources": ["configmaps"], "verbs": ["get"] });
        restricted_user::create(&self.cx, "Role", &json!({ "metadata": metadata, "rules": [rule] })).await?;
        let subject = |kind: &str, name: &str| json!({ "kind": kind, "apiGroup": GROUP, "name": name });
        let binding = json!({
            "metadata": metadata,
            "subjects": [subject("User", &self.user), subject("Group", &self.group)],
            "roleRef": { "kind": "Role", "apiGroup": GROUP, "name": NAME },
        });
        restricted_user::create(&self.cx, "RoleBinding", &binding).await
    }

    /// Whether this user may get config maps, at a level of `fieldValidation`. Skips if our user may not review.
    async fn review(&self, api: Api, user: &Value, level: &str) -> Result<Arc<Exchange>, Halt> {
        let mut spec = user.clone();
        spec["resourceAttributes"] =
            json!({ "namespace": self.namespace, "verb": "get", "resource": "configmaps" });
        let review = json!({ "apiVersion": api.version, "kind": api.kind, "spec": spec });
        let namespace =
            if api.namespaced { format!("/namespaces/{}", self.namespace) } else { String::new() };
        let path = format!("{}{namespace}/{}", api.resource().root(), api.plural);
        let mut request = Request::post(path, &review);
        if !level.is_empty() {
            request = request.query("fieldValidation", level);
        }
        let reviewed = self.cx.send(request).await?;
        api.expect_permitted(&self.cx, "create", &reviewed).await?;
        Ok(reviewed)
    }
}

fn is_allowed(review: &Exchange) -> bool {
    review.json().is_some_and(|review| review["status"]["allowed"] == true)
}
