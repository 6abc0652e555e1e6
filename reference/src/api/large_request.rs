//! Large requests: those that read, write or copy many bytes wait for a permit.

use super::{ApiResult, Call};
use crate::body::media_type;
use crate::patch;
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
    let copies = verb == Verb::Patch && patch::may_copy_much(&media_type(&call.headers), &call.body);
    if copies || call.body.len() > LARGE / 8 {
        return true;
    }
    if verb == Verb::Create {
        return false;
    }
    let prefix =
        if path.name.is_empty() { ty.prefix(&path.namespace) } else { ty.key(&path.namespace, &path.name) };
    call.cluster.store.takes_more(&ty.collection(), &prefix, LARGE)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use axum::body::Body;
    use http::Request;

    use super::*;
    use crate::cel::deviation::Deviations;
    use crate::cluster::Cluster;
    use crate::semantics::RightSemantics;
    use crate::store::MemoryStore;
    use crate::variant::Behaviours;

    fn cluster() -> Arc<Cluster> {
        let (store, semantics) = (Box::new(MemoryStore::new()), Box::new(RightSemantics));
        let cluster = Cluster::new(store, semantics, Deviations::default(), Behaviours::new([]), true, false);
        Arc::new(cluster)
    }

    /// Whether a patch of a `ConfigMap` is large.
    async fn is_large_patch(cluster: &Arc<Cluster>, media: &str, patch: String) -> bool {
        let uri = "/api/v1/namespaces/default/configmaps/a";
        let request = Request::builder().method("PATCH").uri(uri).header("content-type", media);
        let request = request.body(Body::from(patch)).unwrap();
        let call = super::super::read(cluster.clone(), request).await.unwrap();
        let path = ResourcePath::parse(&call.path).unwrap();
        let ty = cluster.registry.find("", "v1", "configmaps").unwrap();
        is_large(&call, path.verb(&call.method, &call.query), &path, &ty)
    }

    #[tokio::test]
    async fn a_json_patch_with_many_copies_is_large() {
        let cluster = cluster();
        let copy = r#"{"op":"copy","from":"/data","path":"/data/a"}"#;
        let moved = r#"{"op":"move","from":"/data","path":"/metadata/a"}"#;
        let escaped = r#"{"op":"\u0063opy","from":"/data","path":"/data/a"}"#;
        let removal = r#"{"op":"remove","path":"/data/a"}"#;
        for (operation, count, expected) in
            [(copy, 8, false), (copy, 9, true), (moved, 9, true), (escaped, 9, true), (removal, 1000, false)]
        {
            let patch = format!("[{}]", vec![operation; count].join(","));
            let is_large = is_large_patch(&cluster, "application/json-patch+json", patch).await;
            assert_eq!(is_large, expected, "{count} times {operation}");
        }
        let merge = format!(r#"{{"data":{{"a":"{}"}}}}"#, r"\u0063".repeat(100));
        assert!(!is_large_patch(&cluster, "application/merge-patch+json", merge).await);
    }
}
