//! Uses that a server shows: who wrote its objects through which API, and which APIs it still serves.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use harness::{Access, Client, StoredObjects, TargetInfo, Type};
use serde_json::Value;

use super::range::{Change, Range};
use super::usage::{Place, Usage, Usages};

/// The manifest that `kubectl apply` leaves in an object.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// The managers of Kubernetes itself: an upgrade replaces them together with the server.
const OWN_MANAGERS: [&str; 8] = [
    "kube-apiserver",
    "kube-controller-manager",
    "kube-scheduler",
    "kube-proxy",
    "kubelet",
    "cloud-controller-manager",
    "api-priority-and-fairness-config-consumer-v1",
    "api-priority-and-fairness-config-producer-v1",
];

/// The number of types in a row whose lists fail slowly, after which no other type is listed.
const MOST_UNRESPONSIVE: usize = 2;

/// A list that fails after this time is one without a response.
const SLOW: Duration = Duration::from_secs(5);

/// A server whose objects are searched.
pub(super) struct Server {
    client: Client,
    target_info: TargetInfo,
}

impl Server {
    /// Asks the server for its version; `Err` is a sentence about why it is of no use.
    pub(super) async fn ask(access: Access, request_timeout: Duration) -> Result<Self, String> {
        // A credential plugin may take longer than a request.
        access.log_in().await.map_err(|why| access.redactor().redact(&why.to_string()))?;
        let client = Client::new(access, request_timeout);
        match client.target_info().await {
            Ok(target_info) => Ok(Self { client, target_info }),
            Err(why) => Err(client.redactor().redact(&why.to_string())),
        }
    }

    /// The minor in `/version`.
    pub(super) fn minor(&self) -> Option<u32> {
        Some(self.target_info.version?.minor)
    }

    /// Keeps the uses that objects show, and the removed APIs that the server lists.
    pub(super) async fn search(&self, usages: &mut Usages) {
        let objects = StoredObjects::new(self.client.clone());
        let (types, missing) = match objects.types().await {
            Ok(discovered) => discovered,
            Err(why) => return self.unread(usages, &why.to_string()),
        };
        for response in &missing {
            self.unread(usages, &format!("failed to read {response}"));
        }
        let served: HashSet<(&str, &str)> =
            types.iter().map(|ty| (ty.api_version.as_str(), ty.kind.as_str())).collect();
        let readable = readable(&types, &usages.range);
        let mut unresponsive = 0;
        for (number, ty) in readable.iter().enumerate() {
            if unresponsive == MOST_UNRESPONSIVE {
                let rest = readable.len() - number;
                self.unread(
                    usages,
                    &format!("failed to list {rest} more types: the server did not respond in time"),
                );
                break;
            }
            let began = Instant::now();
            let each = |object: &Value| {
                usages.objects += 1;
                self.search_object(object, &ty.kind, &served, usages);
            };
            let read = objects.each(ty, each).await;
            unresponsive = if read.is_err() && began.elapsed() >= SLOW { unresponsive + 1 } else { 0 };
            if let Err(response) = read {
                self.unread(usages, &format!("failed to list {response}"));
            }
        }
        for ty in &types {
            if let Some((api, Change::Removed)) = usages.range.find(&ty.api_version, &ty.kind) {
                let (namespace, name) = (String::new(), String::new());
                usages.add(Usage { place: Place::Discovery, namespace, name, api, change: Change::Removed });
            }
        }
    }

    fn unread(&self, usages: &mut Usages, what: &str) {
        usages.add_unread(self.client.redactor().redact(what));
    }

    fn search_object(&self, object: &Value, kind: &str, served: &HashSet<(&str, &str)>, usages: &mut Usages) {
        let metadata = &object["metadata"];
        let text = |field: &str| {
            let text = metadata[field].as_str().unwrap_or_default();
            self.client.redactor().redact(text)
        };
        let mut add = |version: &str, kind: &str, place: Place| {
            if let Some((api, change)) = usages.range.find(version, kind) {
                usages.add(Usage { place, namespace: text("namespace"), name: text("name"), api, change });
            }
        };
        if let Some((version, kind)) = metadata["annotations"][LAST_APPLIED].as_str().and_then(applied) {
            add(&version, &kind, Place::LastApplied);
        }
        let mut known = HashSet::new();
        for entry in metadata["managedFields"].as_array().into_iter().flatten() {
            let (Some(version), Some(manager)) = (entry["apiVersion"].as_str(), entry["manager"].as_str())
            else {
                continue;
            };
            // A version that the server no longer serves is one that nobody can write through now.
            let current = served.contains(&(version, kind)) && !OWN_MANAGERS.contains(&manager);
            if current && known.insert((version, manager)) {
                add(version, kind, Place::ManagedFields { manager: self.client.redactor().redact(manager) });
            }
        }
    }
}

/// Version and kind of an applied manifest.
fn applied(manifest: &str) -> Option<(String, String)> {
    let manifest: Value = serde_json::from_str(manifest).ok()?;
    Some((manifest["apiVersion"].as_str()?.to_owned(), manifest["kind"].as_str()?.to_owned()))
}

/// The types whose objects may be written through a changed API: one version of each kind of Kubernetes itself.
fn readable<'a>(types: &'a [Type], range: &Range) -> Vec<&'a Type> {
    let group = |version: &str| version.split_once('/').map_or("", |(group, _)| group).to_owned();
    let versions = |api: &suites::ApiLifecycle| api.versions().map(group).collect::<Vec<_>>();
    let wanted: HashSet<(String, &str)> = range
        .changed()
        .flat_map(|(api, _)| versions(api).into_iter().map(|group| (group, api.kind)))
        .collect();
    let mut known = HashSet::new();
    let is_wanted = |ty: &&'a Type| {
        ty.offers("list")
            && wanted.contains(&(group(&ty.api_version), ty.kind.as_str()))
            && known.insert(ty.kind.as_str())
    };
    types.iter().filter(is_wanted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ty(version: &str, plural: &str, kind: &str) -> Type {
        let verbs = vec!["list".to_owned()];
        Type {
            api_version: version.into(),
            plural: plural.into(),
            kind: kind.into(),
            verbs,
            ..Type::default()
        }
    }

    #[test]
    fn one_version_of_each_kind_of_kubernetes_is_read() {
        let types = [
            ty("v1", "pods", "Pod"),
            ty("flowcontrol.apiserver.k8s.io/v1", "flowschemas", "FlowSchema"),
            ty("flowcontrol.apiserver.k8s.io/v1beta3", "flowschemas", "FlowSchema"),
            ty("example.com/v1", "deployments", "Deployment"),
            ty("apps/v1", "deployments", "Deployment"),
        ];
        let range = Range::new(None, None, Some(30)).unwrap();
        let read: Vec<&str> = readable(&types, &range).iter().map(|ty| ty.api_version.as_str()).collect();
        assert_eq!(read, ["flowcontrol.apiserver.k8s.io/v1", "apps/v1"]);
    }

    #[test]
    fn an_annotation_that_is_no_manifest_shows_nothing() {
        assert_eq!(applied(r#"{"apiVersion":"a/v1","kind":"A"}"#), Some(("a/v1".into(), "A".into())));
        assert_eq!(applied("{"), None);
        assert_eq!(applied(r#"{"apiVersion":1,"kind":"A"}"#), None);
    }
}
