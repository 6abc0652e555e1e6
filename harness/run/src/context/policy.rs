//! The propagation policy of deletions, for a user's type whose default policy orphans dependents.

use http::Method;
use model::{Request, Resource};
use serde_json::Value;

/// Adds Background to a deletion without a policy. A server orphans the dependents of these types by default: the
/// objects stay until a garbage collector has run, and there may be no such collector.
pub(super) fn complete(resource: &Resource, mut request: Request) -> Request {
    let names_type = |path: &str| path.split('/').any(|step| step == resource.plural);
    let deletes = request.method == Method::DELETE && names_type(&request.path);
    if !deletes || !orphans(resource) || has_policy(&request) {
        return request;
    }
    match options(&request) {
        Some(mut options) => {
            options["propagationPolicy"] = "Background".into();
            request.body = Some(options.to_string().into());
            request
        }
        None if request.body.is_some() => request,
        None => request.query("propagationPolicy", "Background"),
    }
}

fn orphans(resource: &Resource) -> bool {
    matches!(
        (resource.group.as_str(), resource.plural.as_str()),
        ("batch", "jobs") | ("", "replicationcontrollers")
    )
}

fn has_policy(request: &Request) -> bool {
    let fields = ["propagationPolicy", "orphanDependents"];
    let body = options(request).unwrap_or_default();
    fields.iter().any(|field| request.parameter(field).is_some() || body.get(field).is_some())
}

/// The body, if it is a `DeleteOptions`.
fn options(request: &Request) -> Option<Value> {
    let body: Value = serde_json::from_slice(request.body.as_deref()?).ok()?;
    (body["kind"] == "DeleteOptions").then_some(body)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const PATH: &str = "/apis/batch/v1/namespaces/n/jobs/a";

    fn completed(request: Request) -> (String, Option<Value>) {
        let request = complete(&Resource::of("batch", "v1", "jobs", "Job"), request);
        let body = request.body.as_deref().and_then(|body| serde_json::from_slice(body).ok());
        (request.query, body)
    }

    fn with_body(body: &Value) -> Request {
        Request::delete(PATH).json("application/json", body)
    }

    #[test]
    fn a_deletion_without_a_policy_gets_one() {
        assert_eq!(completed(Request::delete(PATH)).0, "propagationPolicy=Background");
        let options = json!({ "kind": "DeleteOptions", "gracePeriodSeconds": 0 });
        let (query, body) = completed(with_body(&options));
        assert_eq!(
            (query.as_str(), &body.unwrap_or_default()["propagationPolicy"]),
            ("", &json!("Background"))
        );
    }

    #[test]
    fn a_given_policy_stays() {
        let orphan = Request::delete(PATH).query("propagationPolicy", "Orphan");
        assert_eq!(completed(orphan).0, "propagationPolicy=Orphan");
        for options in
            [json!({ "kind": "DeleteOptions", "orphanDependents": true }), json!({ "kind": "ConfigMap" })]
        {
            assert_eq!(completed(with_body(&options)), (String::new(), Some(options)));
        }
        assert_eq!(completed(Request::get(PATH)).0, "");
        let of_another =
            complete(&Resource::configmaps(), Request::delete("/api/v1/namespaces/n/configmaps/a"));
        assert_eq!(of_another.query, "");
    }
}
