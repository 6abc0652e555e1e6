//! What a step does.

use std::fmt;

/// The finalizers that steps set, the second one only beside the first.
pub(super) const FINALIZERS: [&str; 2] = ["kube-assay.dev/hold", "kube-assay.dev/keep"];

/// Which of several versions a write names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pick {
    /// None.
    Unsaid,
    /// That of the object as it is.
    Current,
    /// One that it had before, if there is one.
    Old,
}

/// Which uid a write names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// None.
    Unsaid,
    /// The object's.
    Own,
    /// One that no object has.
    Wrong,
}

/// What a JSON patch tests before it writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Test {
    /// Nothing.
    None,
    /// What is so.
    Holds,
    /// What is not so.
    Fails,
}

/// What becomes of the parts of an object; a part that is `None` is left as it is, or left out of a new object.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ObjectChange {
    /// The value.
    pub value: Option<u8>,
    /// An annotation: removed if `Some(None)`.
    pub note: Option<Option<u8>>,
    /// A label: removed if `Some(None)`.
    pub colour: Option<Option<u8>>,
    /// How many of the finalizers there are.
    pub finalizers: Option<usize>,
}

/// A way to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verb {
    /// POST of a new object.
    Create(ObjectChange),
    /// PUT of the object as it was read, changed.
    Update(ObjectChange, Pick, Which),
    /// A merge patch.
    Merge(ObjectChange, Pick, Which),
    /// A JSON patch that writes a value.
    Json(Test, u8),
    /// DELETE with preconditions.
    Delete(Pick, Which),
}

/// One write to one of the objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteStep {
    /// Which object.
    pub name: &'static str,
    /// What is done.
    pub verb: Verb,
    /// Whether it is only tried.
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

impl fmt::Display for Pick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unsaid => "",
            Self::Current => " at its version",
            Self::Old => " at an old version",
        })
    }
}

impl fmt::Display for Which {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unsaid => "",
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
