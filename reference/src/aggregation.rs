//! API aggregation: `APIService` groups without a reachable backend.

use axum::response::Response;
use http::StatusCode;

use crate::api::Call;
use crate::health;
use crate::lifecycle;

/// The response for a group and version with an external backend: `None` for other paths.
pub(crate) fn unavailable(call: &Call) -> Option<Response> {
    let rest = call.path.strip_prefix("/apis/")?;
    let mut segments = rest.split('/');
    let (group, version) = (segments.next()?, segments.next()?);
    let external =
        lifecycle::all(&call.cluster, "apiservices.apiregistration.k8s.io").iter().any(|service| {
            let spec = &service["spec"];
            spec["group"] == group && spec["version"] == version && spec["service"].is_object()
        });
    let text = "service unavailable\n".to_owned();
    external.then(|| health::plain_text(StatusCode::SERVICE_UNAVAILABLE, text, true))
}
