//! Capabilities: the features of a server that a request relies on, besides the type of its object.

use http::Method;
use model::{ApiPath, Request};

/// A verb of the API, as discovery lists them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verb {
    /// Read one object.
    Get,
    /// Read a collection.
    List,
    /// Follow the changes of a collection.
    Watch,
    /// Add an object to a collection.
    Create,
    /// Replace an object by PUT.
    Update,
    /// Change an object by PATCH.
    Patch,
    /// Delete one object.
    Delete,
    /// Delete the objects of a collection.
    DeleteCollection,
}

impl Verb {
    /// The verb of a request to a path; `None` if its method is no verb there.
    fn of(request: &Request, path: &ApiPath<'_>) -> Option<Self> {
        let watch = || matches!(request.parameter("watch").as_deref(), Some("1" | "true"));
        Some(match (request.method.as_str(), path.name) {
            ("GET", _) if path.watched => Self::Watch,
            ("GET", Some(_)) => Self::Get,
            ("GET", None) if watch() => Self::Watch,
            ("GET", None) => Self::List,
            ("POST", None) => Self::Create,
            ("PUT", Some(_)) => Self::Update,
            ("PATCH", Some(_)) => Self::Patch,
            ("DELETE", Some(_)) => Self::Delete,
            ("DELETE", None) => Self::DeleteCollection,
            _ => return None,
        })
    }

    /// The word in discovery.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::List => "list",
            Self::Watch => "watch",
            Self::Create => "create",
            Self::Update => "update",
            Self::Patch => "patch",
            Self::Delete => "delete",
            Self::DeleteCollection => "deletecollection",
        }
    }
}

/// A type of patch, by its media type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PatchType {
    /// `application/json-patch+json`
    Json,
    /// `application/merge-patch+json`
    Merge,
    /// `application/strategic-merge-patch+json`
    Strategic,
    /// `application/apply-patch+yaml`: server-side apply.
    Apply,
}

impl PatchType {
    /// The patch type of a request; `None` without a patch, or with another media type.
    fn of(request: &Request) -> Option<Self> {
        let media_type = request.content_type().filter(|_| request.method == Method::PATCH)?;
        match media_type.split(';').next()?.trim() {
            "application/json-patch+json" => Some(Self::Json),
            "application/merge-patch+json" => Some(Self::Merge),
            "application/strategic-merge-patch+json" => Some(Self::Strategic),
            "application/apply-patch+yaml" => Some(Self::Apply),
            _ => None,
        }
    }
}

/// A feature that a server may lack, for some types or for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Capability {
    /// A verb. `patch` is not one of these: each patch type is a capability of its own.
    Verb(Verb),
    /// Patches of one type.
    Patch(PatchType),
    /// The status subresource.
    Status,
    /// Dry runs of one verb.
    DryRun(Verb),
    /// `fieldValidation` with errors or warnings.
    FieldValidation,
    /// Lists in chunks: `limit` and `continue`.
    Limit,
    /// `labelSelector`
    LabelSelector,
    /// `fieldSelector`
    FieldSelector,
}

impl Capability {
    /// All capabilities that a request relies on; empty if it is not about a resource.
    pub(crate) fn used_by(request: &Request) -> Vec<Self> {
        let Some(path) = ApiPath::read(&request.path) else { return Vec::new() };
        let verb = Verb::of(request, &path);
        let has = |name: &str, nothing: &str| {
            request.parameter(name).is_some_and(|value| !value.is_empty() && value != nothing)
        };
        let of_path = match path.subresource {
            None => verb.filter(|verb| *verb != Verb::Patch).map(Self::Verb),
            Some("status") => Some(Self::Status),
            Some(_) => None,
        };
        let of_query = [
            (has("fieldValidation", "Ignore"), Self::FieldValidation),
            (has("limit", "0") || has("continue", ""), Self::Limit),
            (has("labelSelector", ""), Self::LabelSelector),
            (has("fieldSelector", ""), Self::FieldSelector),
        ];
        let dry = verb.filter(|_| request.is_dry_run()).map(Self::DryRun);
        let patch = PatchType::of(request).map(Self::Patch);
        let of_query = of_query.into_iter().filter_map(|(used, capability)| used.then_some(capability));
        of_path.into_iter().chain(patch).chain(dry).chain(of_query).collect()
    }

    /// The verb of a request for a collection, such as `apps/v1/deployments`, or for one of its objects; `None` for any
    /// other path, and for a subresource.
    pub(crate) fn verb_on(collection: &str, request: &Request) -> Option<Verb> {
        let path = ApiPath::read(&request.path)?;
        let own = path.collection() == collection && path.subresource.is_none();
        Verb::of(request, &path).filter(|_| own)
    }

    /// The stage of its probe: a capability that relies on others has a later one.
    pub(crate) fn stage(self) -> usize {
        match self {
            Self::Verb(Verb::Create | Verb::Get) => 0,
            Self::Verb(Verb::Watch | Verb::DeleteCollection) => 2,
            Self::Verb(_) | Self::Patch(_) => 1,
            _ => 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const ALL: &str = "/apis/apps/v1/namespaces/n/deployments";
    const ONE: &str = "/apis/apps/v1/namespaces/n/deployments/a";
    const STATUS: &str = "/apis/apps/v1/namespaces/n/deployments/a/status";

    fn patch(media_type: &str) -> Request {
        Request::new(Method::PATCH, ONE).json(media_type, &json!({}))
    }

    #[test]
    fn each_request_uses_its_verb() {
        let verbs = [
            (Request::get(ALL), Verb::List),
            (Request::get(ALL).query("watch", "false"), Verb::List),
            (Request::get(ALL).query("watch", 1), Verb::Watch),
            (Request::get(ALL).query("watch", "true"), Verb::Watch),
            (Request::get("/apis/apps/v1/watch/namespaces/n/deployments"), Verb::Watch),
            (Request::get(ONE), Verb::Get),
            (Request::post(ALL, &json!({})), Verb::Create),
            (Request::put(ONE, &json!({})), Verb::Update),
            (Request::delete(ONE), Verb::Delete),
            (Request::delete(ALL), Verb::DeleteCollection),
        ];
        for (request, verb) in verbs {
            assert_eq!(
                Capability::used_by(&request),
                [Capability::Verb(verb)],
                "{}",
                request.path_and_query()
            );
        }
    }

    #[test]
    fn a_patch_uses_the_type_of_its_media_type() {
        let types = [
            ("application/json-patch+json", Some(PatchType::Json)),
            ("application/merge-patch+json; charset=utf-8", Some(PatchType::Merge)),
            ("application/strategic-merge-patch+json", Some(PatchType::Strategic)),
            ("application/apply-patch+yaml", Some(PatchType::Apply)),
            ("text/plain", None),
        ];
        for (media_type, expected) in types {
            let expected: Vec<_> = expected.map(Capability::Patch).into_iter().collect();
            assert_eq!(Capability::used_by(&patch(media_type)), expected, "{media_type}");
        }
        let post = Request::post(ALL, &json!({})).header("content-type", "application/merge-patch+json");
        assert_eq!(Capability::used_by(&post), [Capability::Verb(Verb::Create)]);
    }

    #[test]
    fn a_request_for_the_status_uses_no_verb() {
        let merge = Request::merge_patch(STATUS, &json!({}));
        assert_eq!(Capability::used_by(&Request::get(STATUS)), [Capability::Status]);
        assert_eq!(Capability::used_by(&Request::put(STATUS, &json!({}))), [Capability::Status]);
        assert_eq!(Capability::used_by(&merge), [Capability::Status, Capability::Patch(PatchType::Merge)]);
        assert_eq!(Capability::used_by(&Request::get(format!("{ONE}/scale"))), []);
    }

    #[test]
    fn a_dry_run_depends_on_its_verb() {
        let dry = |request: Request| Capability::used_by(&request.query("dryRun", "All"));
        let options = json!({ "dryRun": ["All"] });
        let verb = |verb| [Capability::Verb(verb), Capability::DryRun(verb)];
        assert_eq!(dry(Request::post(ALL, &json!({}))), verb(Verb::Create));
        assert_eq!(dry(Request::delete(ONE)), verb(Verb::Delete));
        let in_body = Request::delete(ALL).json("application/json", &options);
        assert_eq!(Capability::used_by(&in_body), verb(Verb::DeleteCollection));
        let merge = dry(patch("application/merge-patch+json"));
        assert_eq!(merge, [Capability::Patch(PatchType::Merge), Capability::DryRun(Verb::Patch)]);
    }

    #[test]
    fn parameters_without_effect_use_nothing() {
        let list = |name: &str, value: &str| Capability::used_by(&Request::get(ALL).query(name, value));
        for (name, value) in [
            ("limit", "0"),
            ("continue", ""),
            ("labelSelector", ""),
            ("fieldSelector", ""),
            ("fieldValidation", "Ignore"),
            ("resourceVersion", "1"),
        ] {
            assert_eq!(list(name, value), [Capability::Verb(Verb::List)], "{name}={value}");
        }
        for (name, value, used) in [
            ("limit", "2", Capability::Limit),
            ("continue", "token", Capability::Limit),
            ("labelSelector", "a=b", Capability::LabelSelector),
            ("fieldSelector", "metadata.name=a", Capability::FieldSelector),
            ("fieldValidation", "Strict", Capability::FieldValidation),
            ("fieldValidation", "Warn", Capability::FieldValidation),
        ] {
            assert_eq!(list(name, value), [Capability::Verb(Verb::List), used], "{name}={value}");
        }
    }

    #[test]
    fn a_request_for_no_resource_uses_nothing() {
        for path in ["/livez", "/version", "/apis", "/apis/apps/v1"] {
            assert_eq!(Capability::used_by(&Request::get(path).query("limit", 1)), [], "{path}");
        }
    }

    #[test]
    fn a_verb_belongs_to_one_collection() {
        let on = |request: &Request| Capability::verb_on("apps/v1/deployments", request);
        assert_eq!(on(&Request::get(ALL)), Some(Verb::List));
        assert_eq!(on(&Request::merge_patch(ONE, &json!({}))), Some(Verb::Patch));
        assert_eq!(on(&Request::get(STATUS)), None);
        assert_eq!(on(&Request::get("/api/v1/namespaces/n/configmaps")), None);
    }
}
