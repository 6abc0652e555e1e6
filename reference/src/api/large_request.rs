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

/// The same for the object of an apply, which also has the fields of all managers in memory, before and after.
const LARGE_APPLY: usize = 1 << 20;

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
    let copies = verb == Verb::Patch && patch::may_copy(&media_type(&call.headers), &call.body);
    if copies || call.body.len() > LARGE / 8 {
        return true;
    }
    if verb == Verb::Create {
        return false;
    }
    let prefix =
        if path.name.is_empty() { ty.prefix(&path.namespace) } else { ty.key(&path.namespace, &path.name) };
    let most = if super::applies(call, verb) { LARGE_APPLY } else { LARGE };
    call.cluster.store.takes_more(&ty.collection(), &prefix, most)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use axum::body::Body;
    use http::Request;
    use serde_json::json;

    use super::*;
    use crate::cel::deviation::Deviations;
    use crate::cluster::Cluster;
    use crate::semantics::RightSemantics;
    use crate::store::{Commit, Decision, MemoryStore, Object, StoreData};
    use crate::variant::Behaviours;

    fn cluster() -> Arc<Cluster> {
        let (store, semantics) = (Box::new(MemoryStore::new()), Box::new(RightSemantics));
        let cluster = Cluster::new(store, semantics, Deviations::default(), Behaviours::new([]), true, false);
        Arc::new(cluster)
    }

    /// Whether a patch of a `ConfigMap` is large.
    async fn is_large_patch(cluster: &Arc<Cluster>, name: &str, media: &str, patch: &'static str) -> bool {
        let uri = format!("/api/v1/namespaces/default/configmaps/{name}");
        let request = Request::builder().method("PATCH").uri(uri).header("content-type", media);
        let request = request.body(Body::from(patch)).unwrap();
        let call = super::super::read(cluster.clone(), request).await.unwrap();
        let path = ResourcePath::parse(&call.path).unwrap();
        let ty = cluster.registry.find("", "v1", "configmaps").unwrap();
        is_large(&call, path.verb(&call.method, &call.query), &path, &ty)
    }

    #[tokio::test]
    async fn an_apply_to_an_object_is_large_before_a_merge_patch_is() {
        let cluster = cluster();
        for (name, length) in [("small", 1), ("medium", LARGE_APPLY)] {
            let object = json!({ "metadata": { "name": name }, "data": { "a": "a".repeat(length) } });
            let decide = |_: &StoreData, _: Option<&Object>| Ok(Decision::Put(object));
            let key = format!("default/{name}");
            cluster.store.write("configmaps", &key, Commit::Real, Box::new(decide)).unwrap();
        }
        for (name, media, expected) in [
            ("medium", "application/apply-patch+yaml", true),
            ("medium", "application/merge-patch+json", false),
            ("small", "application/apply-patch+yaml", false),
        ] {
            assert_eq!(is_large_patch(&cluster, name, media, "").await, expected, "{name} {media}");
        }
    }

    #[tokio::test]
    async fn a_json_patch_with_copies_is_large() {
        let cluster = cluster();
        for (patch, expected) in [
            (r#"[{"op":"copy","from":"/data","path":"/data/a"}]"#, true),
            (r#"[{"op":"move","from":"/data","path":"/metadata/a"}]"#, true),
            (r#"[{"op":"\u0063opy","from":"/data","path":"/data/a"}]"#, true),
            (r#"[{"op":"add","path":"/data/a","value":"b"}]"#, false),
            (r#"[{"op":"remove","path":"/data/a"}]"#, false),
        ] {
            let is_large = is_large_patch(&cluster, "a", "application/json-patch+json", patch).await;
            assert_eq!(is_large, expected, "{patch}");
        }
        let merge = r#"{"data":{"a":"copy"}}"#;
        assert!(!is_large_patch(&cluster, "a", "application/merge-patch+json", merge).await);
    }
}
