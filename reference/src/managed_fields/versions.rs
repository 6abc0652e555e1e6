//! API versions in managedFields, and fields outside of a version.

use crate::apply::{FieldSet, Path, Type, Types, kind_type, structural_type};
use crate::kind;
use crate::resource_type::ResourceType;
use crate::strategy::Part;

/// The versions of a written type.
pub(crate) struct Versions<'a> {
    ty: &'a ResourceType,
    part: Part,
    version: String,
    reset: FieldSet,
}

impl<'a> Versions<'a> {
    /// The versions of a type for writes to a part.
    pub(crate) fn new(ty: &'a ResourceType, part: Part) -> Self {
        Self { ty, part, version: ty.api_version(), reset: FieldSet::of(&reset(ty, part)) }
    }
}

impl Types for Versions<'_> {
    fn version(&self) -> &str {
        &self.version
    }

    fn at(&self, version: &str) -> Result<Option<Type>, String> {
        let Some(custom) = &self.ty.custom else {
            let kind = kind::in_version(version, &self.ty.kind);
            let serves = version == self.version || self.ty.other_versions().contains(&version);
            return Ok(serves.then(|| kind.map_or(Type::Deduced, |kind| kind_type(kind.name))));
        };
        if version == self.version {
            return Ok(Some(structural_type(&custom.schema)));
        }
        let (group, name) = version.split_once('/').unwrap_or(("", version));
        let found = (group == self.ty.group).then(|| custom.versions.get(name)).flatten();
        // Unlike for a built-in type, an entry of a removed version fails the whole computation.
        let invalid_version = || format!("request to convert CR to an invalid group/version: {version}");
        let found = found.ok_or_else(invalid_version)?;
        Ok(Some(structural_type(&found["schema"]["openAPIV3Schema"])))
    }

    // For other versions, changes to reset fields count, except in writes to the status.
    fn reset(&self, version: &str) -> Option<&FieldSet> {
        (self.part == Part::Status || version == self.version).then_some(&self.reset)
    }
}

/// The fields that a write to a part cannot change.
fn reset(ty: &ResourceType, part: Part) -> Vec<Path> {
    let fields: &[&[&str]] = match part {
        Part::Main | Part::Finalize if ty.has_status() => &[&["status"]],
        Part::Main | Part::Finalize => &[],
        Part::Approval => &[&["spec"], &["status", "certificate"]],
        Part::Status if ty.custom.is_some() => &[&["metadata"], &["spec"]],
        Part::Status => match ty.plural.as_str() {
            "deployments" => &[&["spec"], &["metadata", "labels"]],
            "pods" => &[&["spec"], &["metadata", "deletionTimestamp"], &["metadata", "ownerReferences"]],
            "validatingadmissionpolicies" => &[&["metadata"], &["spec"]],
            _ => &[&["spec"]],
        },
    };
    fields.iter().map(|path| Path::of(path)).collect()
}
