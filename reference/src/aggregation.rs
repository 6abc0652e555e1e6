//! API aggregation: `APIService` groups without a reachable backend.

use axum::response::Response;
use http::StatusCode;

use crate::api::Call;
use crate::health;
use crate::lifecycle;

/// The response for a path of a group and version that was given to another server.
pub(crate) fn answer(call: &Call) -> Option<Response> {
    let rest = call.path.strip_prefix("/apis/")?;
    let mut steps = rest.split('/');
    let (group, version) = (steps.next()?, steps.next()?);
    let elsewhere =
        lifecycle::all(&call.cluster, "apiservices.apiregistration.k8s.io").iter().any(|service| {
            let spec = &service["spec"];
            spec["group"] == group && spec["version"] == version && spec["service"].is_object()
        });
    let text = "service unavailable\n".to_owned();
    elsewhere.then(|| health::answer(StatusCode::SERVICE_UNAVAILABLE, text, true))
}
