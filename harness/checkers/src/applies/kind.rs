//! The types that sequences write, as cells.

use serde_json::{Value, json};

use super::cell::{Cell, Holds};
use super::field_paths;
use model::Resource;

/// A type, and the cells of its objects.
#[derive(Debug, Clone)]
pub struct AppliedType {
    resource: Resource,
    /// The cells that steps change.
    pub(super) cells: Vec<Cell>,
    /// The cells that keep containers from becoming empty.
    anchors: Vec<Cell>,
}

/// The texts of a `ConfigMap`, and metadata of all types.
const CONFIG_MAP: &[(&str, Holds)] = &[
    ("data.a", Holds::Text),
    ("data.b", Holds::Text),
    ("data.c", Holds::Text),
    ("metadata.labels.l", Holds::Text),
    ("metadata.annotations.n", Holds::Text),
];

/// A cell in each map.
const OF_CONFIG_MAP: &[(&str, Holds)] = &[
    ("data.anchor", Holds::Text),
    ("metadata.labels.anchor", Holds::Text),
    ("metadata.annotations.anchor", Holds::Text),
];

/// A cell of every type of list and map.
const GIZMO: &[(&str, Holds)] = &[
    ("spec.mode", Holds::Text),
    ("spec.size", Holds::Number),
    ("spec.settings.a", Holds::Text),
    ("spec.settings.b", Holds::Text),
    ("spec.granularStruct.y", Holds::Text),
    ("spec.freeform.a", Holds::Text),
    ("spec.args", Holds::List),
    ("spec.plainList", Holds::List),
    ("spec.atomicMap", Holds::Map),
    ("spec.atomicStruct", Holds::Structure),
    ("spec.tags[one]", Holds::Member),
    ("spec.tags[two]", Holds::Member),
    ("spec.rules[a]", Holds::Item),
    ("spec.rules[a].value", Holds::Text),
    ("spec.rules[a].note", Holds::Text),
    ("spec.rules[b]", Holds::Item),
    ("spec.rules[b].value", Holds::Text),
    ("spec.ports[80/TCP]", Holds::Item),
    ("spec.ports[80/TCP].label", Holds::Text),
    ("spec.ports[80/UDP]", Holds::Item),
    ("spec.ports[80/UDP].label", Holds::Text),
    ("metadata.labels.l", Holds::Text),
];

/// A cell in each list, map and structure.
const OF_GIZMO: &[(&str, Holds)] = &[
    ("spec.value", Holds::Text),
    ("spec.settings.anchor", Holds::Text),
    ("spec.granularStruct.x", Holds::Text),
    ("spec.freeform.anchor", Holds::Text),
    ("spec.tags[anchor]", Holds::Member),
    ("spec.rules[anchor]", Holds::Item),
    ("spec.ports[443/TCP]", Holds::Item),
    ("metadata.labels.anchor", Holds::Text),
];

impl AppliedType {
    /// The built-in type.
    pub fn config_map() -> Self {
        Self::new(Resource::configmaps(), CONFIG_MAP, OF_CONFIG_MAP)
    }

    /// The custom type of `Context::gizmos`.
    pub fn gizmo(resource: &Resource) -> Self {
        Self::new(resource.clone(), GIZMO, OF_GIZMO)
    }

    fn new(resource: Resource, cells: &[(&'static str, Holds)], anchors: &[(&'static str, Holds)]) -> Self {
        let all = |cells: &[(&'static str, Holds)]| {
            cells.iter().map(|&(name, holds)| Cell::new(name, holds)).collect::<Vec<_>>()
        };
        Self { resource, cells: all(cells), anchors: all(anchors) }
    }

    /// The names of the cells that steps may change.
    pub fn names(&self) -> Vec<&'static str> {
        self.cells.iter().map(|cell| cell.name).collect()
    }

    /// The names of the cells that exist from the beginning.
    pub fn anchors(&self) -> Vec<&'static str> {
        self.anchors.iter().map(|cell| cell.name).collect()
    }

    /// All cells.
    pub(super) fn all(&self) -> impl Iterator<Item = &Cell> {
        self.cells.iter().chain(&self.anchors)
    }

    /// The cell with this name.
    pub(super) fn cell(&self, name: &str) -> Option<&Cell> {
        self.all().find(|cell| cell.name == name)
    }

    /// The fields that identify an object.
    pub(super) fn identity(&self, name: &str) -> Value {
        let Resource { kind, .. } = &self.resource;
        json!({ "apiVersion": self.resource.api_version(), "kind": kind, "metadata": { "name": name } })
    }

    /// Writes a value of a cell into an object, with the item that it is in.
    pub(super) fn write(&self, object: &mut Value, name: &str, number: u8) {
        if let Some(cell) = self.cell(name) {
            field_paths::set(object, &cell.pieces, &cell.value(number));
        }
    }

    /// Removes a cell from an object.
    pub(super) fn take(&self, object: &mut Value, name: &str) {
        if let Some(cell) = self.cell(name) {
            field_paths::remove(object, &cell.pieces);
        }
    }
}
