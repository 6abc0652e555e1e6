//! A custom type of a scenario's own, whose definition changes while objects of it are there.

use harness::{Context, Halt, Method, Request, Resource};
use serde_json::{Value, json};

use super::Story;
use super::owner::{applier, owned_by};
use crate::forms::JSON;

/// Where the schema of a custom type's spec stands in its definition.
const FIELDS: &str = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties";

/// How a map is owned.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Topology {
    /// Key by key.
    Granular,
    /// As a whole.
    Atomic,
}

/// A story about an object with a map whose topology changes.
#[derive(Debug, Clone)]
pub(crate) struct Morph {
    /// The story.
    pub(crate) story: Story,
    /// The field of the spec; it may have the texts `a` and `b`.
    field: &'static str,
}

impl Morph {
    /// With a granular map, or with an atomic one.
    pub(crate) async fn of(cx: &Context, topology: Topology) -> Result<Self, Halt> {
        let story = Story::new(cx, cx.fresh_custom_resources().await?);
        let field = match topology {
            Topology::Granular => "map",
            Topology::Atomic => "whole",
        };
        Ok(Self { story, field })
    }

    /// Fields with this map alone.
    pub(crate) fn map(&self, map: &Value) -> Value {
        json!({ "spec": { self.field: map } })
    }

    /// The map, as a JSON pointer.
    pub(crate) fn place(&self) -> String {
        format!("/spec/{}", self.field)
    }

    /// The path of the map, as owners' fields are written.
    pub(crate) fn path(&self) -> String {
        format!("f:spec/f:{}", self.field)
    }

    /// The path of a key of the map, as owners' fields are written.
    pub(crate) fn path_of(&self, key: &str) -> String {
        format!("{}/f:{key}", self.path())
    }

    /// The path of the map, as causes of a conflict are written.
    pub(crate) fn field(&self) -> String {
        format!(".spec.{}", self.field)
    }

    /// Changes the topology, and waits until it is the one that objects are written by.
    pub(crate) async fn becomes(&self, topology: Topology) -> Result<(), Halt> {
        let (word, shown) = match topology {
            Topology::Granular => ("granular", self.path_of("a")),
            Topology::Atomic => ("atomic", self.path()),
        };
        let path = format!("{FIELDS}/{}/x-kubernetes-map-type", self.field);
        redefine(&self.story, &json!([{ "op": "add", "path": path, "value": word }])).await?;
        let probe = self.story.of("probe");
        let heeded = self.story.cx.eventually(|| async {
            let tried = probe.applying("probe", &self.map(&json!({ "a": "1" }))).query("dryRun", "All");
            let owned = owned_by(&probe.done(tried).await?, applier("probe"));
            Ok(owned.contains(&shown).then_some(()))
        });
        let why = format!("objects are not written by it in time, as {shown} is not owned as such");
        let attempted = format!("make {} {word}", self.field());
        heeded.await?.ok_or_else(|| self.story.cx.obstacle(attempted, why).into())
    }
}

impl Story {
    /// About an object of a custom type that is served in two versions: the same as each of them shows it.
    pub(crate) async fn in_two_versions(cx: &Context) -> Result<[Self; 2], Halt> {
        let first = Self::new(cx, cx.fresh_custom_resources().await?);
        let another = json!([
            { "op": "copy", "from": "/spec/versions/0", "path": "/spec/versions/-" },
            { "op": "replace", "path": "/spec/versions/1/name", "value": "v2" },
            { "op": "replace", "path": "/spec/versions/1/storage", "value": false },
        ]);
        redefine(&first, &another).await?;
        let resource = Resource { version: "v2".to_owned(), ..first.things.resource().clone() };
        let second = Self::new(cx, cx.collection(resource).await?);
        let served = cx.eventually(|| async {
            Ok(cx.send(Request::get(second.things.path())).await?.succeeded().then_some(()))
        });
        let why = "it is not served in time";
        served.await?.ok_or_else(|| cx.obstacle("serve a type in another version", why))?;
        Ok([first, second])
    }
}

/// Changes the definition of the story's type by a JSON patch.
async fn redefine(story: &Story, operations: &Value) -> Result<(), Halt> {
    let Resource { group, plural, .. } = story.things.resource();
    let path = format!("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{plural}.{group}");
    story.done(Request::new(Method::PATCH, path).json(JSON, operations)).await.map(drop)
}
