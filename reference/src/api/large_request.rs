//! Large requests: those that read or write many bytes wait for a permit.

use super::{ApiResult, Call};
use crate::resource_type::ResourceType;
use crate::route::{ResourcePath, Verb};
use crate::work_permit::work;

/// The approximate bytes of the objects of a large request in memory, which is about eight times their length. A permit
/// costs a smaller one more than it spares the others.
const LARGE: usize = 8 << 20;

/// Responds, with a permit if the request is large. The response has it until its body is whole, read or not.
pub(super) async fn respond(
    call: &Call,
    verb: Verb,
    path: &ResourcePath,
    ty: &ResourceType,
    response: impl FnOnce() -> ApiResult + Send,
) -> ApiResult {
    if !is_large(call, verb, path, ty) {
        return response();
    }
    let permit = call.cluster.permits.acquire().await;
    let mut response = work(permit.as_ref(), response)?;
    if let Some(permit) = permit {
        response.extensions_mut().insert(permit);
    }
    Ok(response)
}

fn is_large(call: &Call, verb: Verb, path: &ResourcePath, ty: &ResourceType) -> bool {
    if call.body.len() > LARGE / 8 {
        return true;
    }
    if verb == Verb::Create {
        return false;
    }
    let prefix =
        if path.name.is_empty() { ty.prefix(&path.namespace) } else { ty.key(&path.namespace, &path.name) };
    call.cluster.store.takes_more(&ty.collection(), &prefix, LARGE)
}
