//! A list as it is written: its items are made one at a time, for together they take many times the memory of their text.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

use super::{View, in_version, table, without_list_fields};
use crate::content_negotiation::Representation;
use crate::resource_type::ResourceType;

/// A list of stored objects in a view.
pub(super) struct List<'a, I> {
    pub(super) view: &'a View,
    pub(super) ty: &'a ResourceType,
    pub(super) metadata: Map<String, Value>,
    pub(super) objects: &'a [I],
}

impl<I: AsRef<Value>> Serialize for List<'_, I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { view, ty, metadata, .. } = self;
        let mut list = serializer.serialize_map(None)?;
        match view.representation {
            Representation::Object if ty.custom.is_some() => {
                list.serialize_entry("apiVersion", &ty.api_version())?;
                list.serialize_entry("items", &Items(self))?;
                list.serialize_entry("kind", &ty.list_kind)?;
                list.serialize_entry("metadata", metadata)?;
            }
            Representation::Object => {
                list.serialize_entry("kind", &ty.list_kind)?;
                list.serialize_entry("apiVersion", &ty.api_version())?;
                list.serialize_entry("metadata", metadata)?;
                list.serialize_entry("items", &Items(self))?;
            }
            Representation::Metadata(version) | Representation::MetadataList(version) => {
                list.serialize_entry("kind", "PartialObjectMetadataList")?;
                list.serialize_entry("apiVersion", &format!("meta.k8s.io/{version}"))?;
                list.serialize_entry("metadata", &without_list_fields(metadata.clone()))?;
                list.serialize_entry("items", &Items(self))?;
            }
            Representation::Table(version) => {
                let table = self.table(version);
                for (name, value) in table.as_object().into_iter().flatten() {
                    list.serialize_entry(name, value)?;
                }
            }
        }
        list.end()
    }
}

impl<I: AsRef<Value>> List<'_, I> {
    fn table(&self, version: &str) -> Value {
        let objects: Vec<_> =
            self.objects.iter().map(|object| in_version(self.ty, object.as_ref())).collect();
        let objects: Vec<&Value> = objects.iter().map(|object| &**object).collect();
        let metadata = Value::Object(without_list_fields(self.metadata.clone()));
        table::table(self.ty, version, &metadata, &objects, self.view.include, true)
    }
}

/// The items of a list.
struct Items<'a, I>(&'a List<'a, I>);

impl<I: AsRef<Value>> Serialize for Items<'_, I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let List { view, ty, objects, .. } = self.0;
        serializer.collect_seq(objects.iter().map(|object| view.item(ty, object.as_ref())))
    }
}
