//! The end of a script, however it ends: it removes what it created.

use std::collections::HashSet;
use std::fmt::Write as _;

use model::ApiPath;
use serde_json::Value;

use super::play::{Play, Request};
use super::word::Words;

/// A part of the paths of custom resource definitions.
const DEFINITIONS: &str = "/customresourcedefinitions/";

/// The objects that a script may create.
#[derive(Default)]
struct Created {
    /// Words of the paths of objects, in order.
    objects: Vec<String>,
    /// Words of the paths of objects in namespaces, and of their collections.
    namespaced: Vec<String>,
    /// Words of the names of namespaces.
    namespaces: Vec<String>,
    has_finalizers: bool,
}

/// A function that removes everything, and its trap.
pub(super) fn write(text: &mut String, plays: &[Play], words: &Words) {
    let created = created(plays, words);
    // Writing to a string cannot fail.
    let mut line = |line: &str| _ = writeln!(text, "{line}");
    line(
        "finish() {\n  trap - EXIT\n  # shellcheck disable=SC2086 # P has the numbers of several processes.",
    );
    line("  [ -z \"$P\" ] || kill $P 2>/dev/null");
    let all = created.namespaced.iter().chain(created.objects.iter().rev());
    if created.has_finalizers {
        all.for_each(|path| line(&format!("  free {path}")));
    }
    created.namespaced.iter().for_each(|path| line(&format!("  remove {path}")));
    created.namespaces.iter().for_each(|name| line(&format!("  remove_namespace {name}")));
    created.objects.iter().rev().for_each(|path| line(&format!("  remove {path}")));
    // The server removes the objects in these two before it removes them.
    created.namespaces.iter().for_each(|name| line(&format!("  gone '/api/v1/namespaces/'{name}")));
    let definitions = created.objects.iter().filter(|path| path.contains(DEFINITIONS));
    definitions.for_each(|path| line(&format!("  gone {path}")));
    line("  rm -rf \"$D\"\n}\ntrap finish EXIT\ntrap 'exit 130' INT TERM HUP");
}

fn created(plays: &[Play], words: &Words) -> Created {
    let mut created = Created::default();
    for play in plays {
        if let Play::Request(request) = play {
            created.add(request, words);
        }
    }
    for list in [&mut created.objects, &mut created.namespaced, &mut created.namespaces] {
        let mut seen = HashSet::new();
        list.retain(|word| seen.insert(word.clone()));
    }
    created
}

impl Created {
    /// Adds the objects of a request, if they are the run's own.
    fn add(&mut self, request: &Request, words: &Words) {
        let (recorded, path) = (request.recorded, request.recorded.path());
        let Some(api) = ApiPath::read(path).filter(|api| api.subresource.is_none()) else { return };
        let body = recorded.body.as_deref().unwrap_or_default();
        self.has_finalizers |= body.contains("finalizers");
        let (collection, name) = match (recorded.method.as_str(), api.name) {
            ("POST", None) => (path, name_of(body)),
            ("PUT" | "PATCH", Some(name)) => {
                (path.trim_end_matches(name).trim_end_matches('/'), Some(name.to_owned()))
            }
            _ => return,
        };
        let object = name.map(|name| format!("{collection}/{name}")).filter(|object| words.is_own(object));
        if api.namespace.is_some() {
            let collection = Some(collection.to_owned()).filter(|collection| words.is_own(collection));
            self.namespaced.extend(object.into_iter().chain(collection).map(|path| words.plain(&path)));
        } else if collection == "/api/v1/namespaces" {
            let name = object.as_ref().and_then(|object| object.rsplit('/').next());
            self.namespaces.extend(name.map(|name| words.plain(name)));
        } else if recorded.generates_name() && words.is_own(body) {
            let (collection, number) = (words.plain(collection), request.number);
            self.objects.push(format!("{collection}/\"$(value {number} name 1)\""));
        } else {
            self.objects.extend(object.map(|object| words.plain(&object)));
        }
    }
}

fn name_of(body: &str) -> Option<String> {
    let body: Value = serde_json::from_str(body).ok()?;
    body["metadata"]["name"].as_str().filter(|name| !name.is_empty()).map(str::to_owned)
}
