//! The contents of objects: reads at one version show the same content as the write and as other reads.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use http::Method;
use model::{ApiPath, Breach, CheckResult, Exchange, Request};
use serde_json::Value;

use super::event_reader::{digest, field};
use super::version::ResourceVersion;

/// The contents of the run's own objects. It starts with an acknowledged write, so that it never judges objects of others.
#[derive(Debug, Default)]
pub(super) struct Contents(HashMap<String, HashMap<ResourceVersion, Content>>);

/// Digests of an object at a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Content {
    whole: u64,
    labels: u64,
    annotations: u64,
}

/// The memory that a version takes without its text, in bytes.
const SIZE: usize = size_of::<(String, ResourceVersion, Content)>();

impl Content {
    fn of(object: &Value) -> Self {
        let of = |name: &str| field((&name.to_owned(), &object["metadata"][name]));
        Self { whole: digest(object), labels: of("labels"), annotations: of("annotations") }
    }

    /// What the same version of the object shows differently.
    fn difference(self, object: &Value) -> String {
        let shown = |name: &str| format!("other {name}: {}", object["metadata"][name]);
        let other = Self::of(object);
        if self.labels != other.labels {
            shown("labels")
        } else if self.annotations != other.annotations {
            shown("annotations")
        } else {
            format!("another content: {object}")
        }
    }
}

impl Contents {
    /// Adds the object in the response to a write. Returns the memory that it takes, in bytes. Not one that is being deleted:
    /// the response to the write that removes it may show its new content with the old version.
    pub(super) fn learn(&mut self, collection: &str, object: &Value) -> usize {
        let stays = object["metadata"]["deletionTimestamp"].is_null();
        let Some((key, version)) = identity(collection, object).filter(|_| stays) else { return 0 };
        let size = key.len() + version.size() + SIZE;
        self.0.entry(key).or_default().entry(version).or_insert_with(|| Content::of(object));
        size
    }

    /// Judges the objects in the response to a read, and adds their versions. Returns the memory that these take, too.
    pub(super) fn check(&mut self, read: &Read<'_>) -> (CheckResult, usize) {
        let (mut applied, mut size) = (false, 0);
        for object in read.objects {
            let Some((key, version)) = identity(&read.collection, object) else { continue };
            let Some(versions) = self.0.get_mut(&key) else { continue };
            applied = true;
            match versions.entry(version) {
                Entry::Vacant(place) => {
                    size += place.key().size() + SIZE;
                    place.insert(Content::of(object));
                }
                Entry::Occupied(known) if known.get().whole != digest(object) => {
                    return (Some(Err(breach(object, *known.get()))), size);
                }
                Entry::Occupied(_) => {}
            }
        }
        (applied.then_some(Ok(())), size)
    }
}

/// A read that shows whole objects.
pub(super) struct Read<'a> {
    pub(super) collection: String,
    objects: &'a [Value],
}

impl<'a> Read<'a> {
    /// `None` for writes, watches, errors, subresources with a kind of their own, tables, and objects without some fields.
    pub(super) fn of(exchange: &'a Exchange) -> Option<Self> {
        let request = &exchange.request;
        let reads = request.method == Method::GET && exchange.status() == 200 && asks_for_whole(request);
        let path = ApiPath::read(&request.path).filter(|path| reads && !path.watched)?;
        let whole = matches!(path.subresource, None | Some("status"));
        let plain =
            |kind: &&str| !matches!(*kind, "Table" | "PartialObjectMetadata" | "PartialObjectMetadataList");
        let body = exchange.json().filter(|_| whole && request.parameter("watch").is_none())?;
        body["kind"].as_str().filter(|kind| plain(kind))?;
        let objects = match path.name {
            Some(_) => std::slice::from_ref(body),
            None => body["items"].as_array()?,
        };
        Some(Self { collection: path.collection(), objects })
    }
}

/// Whether a request asks for whole objects: by a parameter of the media type, the server leaves managed fields out.
pub(super) fn asks_for_whole(request: &Request) -> bool {
    let mut accepted = request.headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("accept"));
    !accepted.any(|(_, media_type)| media_type.contains("drop="))
}

fn breach(object: &Value, known: Content) -> Breach {
    let metadata = &object["metadata"];
    let name = [&metadata["namespace"], &metadata["name"]].map(|part| part.as_str().unwrap_or_default());
    let (name, version) = (name.join("/"), &metadata["resourceVersion"]);
    Breach {
        expected: format!(
            "the content of {} at version {version} as in other responses",
            name.trim_matches('/')
        ),
        actual: known.difference(object),
    }
}

/// What has one content at one version: the object of a UID, read through one version of its group.
fn identity(collection: &str, object: &Value) -> Option<(String, ResourceVersion)> {
    let metadata = &object["metadata"];
    let (uid, version) = (metadata["uid"].as_str()?, metadata["resourceVersion"].as_str()?);
    Some((format!("{collection} {uid}"), ResourceVersion::of(version)))
}

#[cfg(test)]
mod tests {
    use model::{Response, Timing};
    use serde_json::json;

    use super::super::write_log::WriteLog;
    use super::*;

    const MAPS: &str = "/api/v1/namespaces/n/configmaps";

    fn exchange(request: Request, body: &Value) -> Exchange {
        let response = Response { status: 200, body: body.to_string().into(), ..Response::default() };
        Exchange::new(0, request, response, Timing::default())
    }

    fn object(version: &str, labels: &Value, value: &str) -> Value {
        let metadata = json!({ "name": "a", "namespace": "n", "uid": "u", "resourceVersion": version, "labels": labels });
        json!({ "kind": "ConfigMap", "apiVersion": "v1", "metadata": metadata, "data": { "value": value } })
    }

    /// A write log that knows an object at version 5.
    fn written() -> WriteLog {
        let write_log = WriteLog::default();
        let post = Request::post(MAPS, &json!({}));
        let begun = write_log.begin(&post);
        write_log.record(&exchange(post, &object("5", &json!({ "b": "" }), "first")), begun);
        write_log
    }

    fn list(item: &Value) -> Value {
        json!({ "kind": "ConfigMapList", "apiVersion": "v1", "metadata": {}, "items": [item] })
    }

    #[test]
    fn a_read_at_a_known_version_has_its_content() {
        let right = object("5", &json!({ "b": "" }), "first");
        let mut bare = right.clone();
        bare.as_object_mut().unwrap().retain(|name, _| name != "kind" && name != "apiVersion");
        let one = format!("{MAPS}/a");
        let reads =
            [(one.as_str(), right.clone()), (MAPS, list(&bare)), ("/api/v1/configmaps", list(&right))];
        for (path, body) in reads {
            assert_eq!(written().check_read(&exchange(Request::get(path), &body)), Some(Ok(())), "{path}");
        }
        for (item, difference) in [
            (object("5", &json!({}), "first"), "other labels: {}"),
            (object("5", &json!({ "b": "" }), "second"), "another content: {\"kind\":\"ConfigMap\""),
        ] {
            let found = written().check_read(&exchange(Request::get("/api/v1/configmaps"), &list(&item)));
            let breach = found.unwrap().unwrap_err();
            assert_eq!(breach.expected, "the content of n/a at version \"5\" as in other responses");
            assert!(breach.actual.starts_with(difference), "{}", breach.actual);
        }
    }

    #[test]
    fn reads_of_an_object_that_is_being_deleted_are_compared_with_each_other() {
        let write_log = written();
        let one = || Request::get(format!("{MAPS}/a"));
        let mut deleted = object("6", &json!({}), "first");
        deleted["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z".into();
        let put = Request::put(format!("{MAPS}/a"), &json!({}));
        let mut removed = deleted.clone();
        removed["metadata"]["finalizers"] = json!([]);
        write_log.record(&exchange(put.clone(), &removed), write_log.begin(&put));
        assert_eq!(write_log.check_read(&exchange(one(), &deleted)), Some(Ok(())));
        assert_eq!(write_log.check_read(&exchange(Request::get(MAPS), &list(&deleted))), Some(Ok(())));
        let undeleted = exchange(Request::get(MAPS), &list(&object("6", &json!({}), "first")));
        assert!(write_log.check_read(&undeleted).unwrap().is_err());
    }

    #[test]
    fn reads_are_compared_with_each_other() {
        let write_log = written();
        let read = |value| {
            write_log.check_read(&exchange(Request::get(MAPS), &list(&object("6", &json!({}), value))))
        };
        assert_eq!(read("second"), Some(Ok(())));
        assert_eq!(read("second"), Some(Ok(())));
        assert!(read("third").unwrap().is_err());
    }

    #[test]
    fn other_responses_are_not_judged() {
        let (other, version) =
            (object("5", &json!({}), "other"), "/apis/x.example.com/v2/namespaces/n/configmaps/a");
        let mut stranger = other.clone();
        stranger["metadata"]["uid"] = "v".into();
        let mut partial = other.clone();
        partial["kind"] = "PartialObjectMetadata".into();
        let one = || Request::get(format!("{MAPS}/a"));
        let unjudged = [
            (one(), stranger),
            (one(), partial),
            (one().query("watch", 1), other.clone()),
            (one().accept("application/json; drop=metadata.managedFields"), other.clone()),
            (Request::get(version), other.clone()),
            (Request::get(format!("{MAPS}/a/scale")), other.clone()),
            (Request::put(format!("{MAPS}/a"), &json!({})), other.clone()),
        ];
        for (request, body) in unjudged {
            let path = request.path_and_query();
            assert_eq!(written().check_read(&exchange(request, &body)), None, "{path}");
        }
        assert!(written().check_read(&exchange(one(), &other)).unwrap().is_err());
    }

    #[test]
    fn a_changed_definition_may_change_what_reads_show() {
        const THINGS: &str = "/apis/example.com/v1/namespaces/n/things";
        let write_log = WriteLog::default();
        let post = Request::post(THINGS, &json!({}));
        write_log.record(&exchange(post.clone(), &object("5", &json!({}), "first")), write_log.begin(&post));
        let get = || exchange(Request::get(format!("{THINGS}/a")), &object("5", &json!({}), "second"));
        assert!(write_log.check_read(&get()).unwrap().is_err());
        let definition = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.example.com";
        write_log.begin(&Request::merge_patch(definition, &json!({})));
        assert_eq!(write_log.check_read(&get()), None);
    }
}
