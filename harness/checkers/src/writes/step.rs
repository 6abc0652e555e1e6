//! The steps of a sequence.

use std::fmt;

/// The finalizers that steps set, the second one only beside the first.
pub(super) const FINALIZERS: [&str; 2] = ["kube-assay.dev/hold", "kube-assay.dev/keep"];

/// The version that a write names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VersionChoice {
    /// No version.
    Omitted,
    /// The current version of the object.
    Current,
    /// An earlier version of the object, if any.
    Old,
}

/// The uid that a write names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UidChoice {
    /// No uid.
    Omitted,
    /// The uid of the object.
    Own,
    /// A uid that no object has.
    Wrong,
}

/// The test in a JSON patch before its write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Test {
    /// No test.
    None,
    /// A test that holds.
    Holds,
    /// A test that fails.
    Fails,
}

/// The changes of an object's parts; `None` keeps a part as it is, or omits it from a new object.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ObjectChange {
    /// The value.
    pub value: Option<u8>,
    /// An annotation: removed if `Some(None)`.
    pub note: Option<Option<u8>>,
    /// A label: removed if `Some(None)`.
    pub colour: Option<Option<u8>>,
    /// The number of our finalizers.
    pub finalizers: Option<usize>,
}

/// The verb of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verb {
    /// POST of a new object.
    Create(ObjectChange),
    /// PUT of the object as read, with changes.
    Update(ObjectChange, VersionChoice, UidChoice),
    /// A merge patch.
    Merge(ObjectChange, VersionChoice, UidChoice),
    /// A JSON patch that writes a value.
    Json(Test, u8),
    /// DELETE with preconditions.
    Delete(VersionChoice, UidChoice),
}

/// One write to one of the objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteStep {
    /// The object.
    pub name: &'static str,
    /// The verb.
    pub verb: Verb,
    /// Whether it is a dry run.
    pub dry_run: bool,
}

impl fmt::Display for WriteStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, dry) = (self.name, if self.dry_run { ", as a dry run" } else { "" });
        match &self.verb {
            Verb::Create(change) => write!(f, "create {name}{change}{dry}"),
            Verb::Update(change, pick, which) => write!(f, "update {name}{change}{pick}{which}{dry}"),
            Verb::Merge(change, pick, which) => write!(f, "patch {name}{change}{pick}{which}{dry}"),
            Verb::Json(test, value) => write!(f, "patch {name}{test} with value v{value}{dry}"),
            Verb::Delete(pick, which) => write!(f, "delete {name}{pick}{which}{dry}"),
        }
    }
}

impl fmt::Display for ObjectChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut word = " with";
        let mut part = |f: &mut fmt::Formatter<'_>, text: String| -> fmt::Result {
            write!(f, "{word} {text}")?;
            word = ",";
            Ok(())
        };
        if let Some(value) = self.value {
            part(f, format!("value v{value}"))?;
        }
        for (name, letter, value) in [("annotation", 'n', self.note), ("label", 'c', self.colour)] {
            match value {
                Some(Some(number)) => part(f, format!("{name} {letter}{number}"))?,
                Some(None) => part(f, format!("no {name}"))?,
                None => {}
            }
        }
        match self.finalizers {
            Some(0) => part(f, "no finalizer".to_owned()),
            Some(1) => part(f, "a finalizer".to_owned()),
            Some(_) => part(f, "two finalizers".to_owned()),
            None => Ok(()),
        }
    }
}

impl fmt::Display for VersionChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Omitted => "",
            Self::Current => " at its version",
            Self::Old => " at an old version",
        })
    }
}

impl fmt::Display for UidChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Omitted => "",
            Self::Own => " of its uid",
            Self::Wrong => " of a wrong uid",
        })
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "",
            Self::Holds => " if it has its value",
            Self::Fails => " if it has another value",
        })
    }
}
