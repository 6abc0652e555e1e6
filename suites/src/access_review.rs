//! `SelfSubjectAccessReview`: the permissions of a user.

use crate::prelude::*;

/// The type.
pub(crate) fn resource() -> Resource {
    Resource::of("authorization.k8s.io", "v1", "selfsubjectaccessreviews", "SelfSubjectAccessReview")
}

/// Where they are posted. Skips where discovery does not list the type.
pub(crate) async fn path(cx: &Context) -> Result<String, Halt> {
    let Resource { plural, .. } = resource();
    if cx.discovers(&resource()).await? {
        return Ok(format!("{}/{plural}", resource().root()));
    }
    Err(cx.lacks("AuthorizationAPI", format!("discovery does not list {plural}")))
}
