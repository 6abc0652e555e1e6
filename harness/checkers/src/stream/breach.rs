//! The rules of streams, and their findings.

use model::{Breach, shorten};

/// The length of the texts of a breach, in bytes.
const LONGEST_TEXT: usize = 4 << 10;

/// A requirement of every stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StreamRule {
    /// Versions never decrease.
    Ordered,
    /// No version of an object occurs twice.
    Unique,
    /// No change is missing.
    Reliable,
    /// One version names one state of an object.
    Atomic,
    /// A watch from a version begins with the first change after it.
    Resumable,
    /// No event at or below a bookmark follows it, and none above it precedes it.
    Bookmarkable,
    /// No event outside the selection; an object that enters it is added, one that leaves it is deleted.
    Filtered,
    /// Each event has a known type and an object of the right kind.
    Typed,
}

impl StreamRule {
    /// All rules.
    pub const ALL: [Self; 8] = [
        Self::Ordered,
        Self::Unique,
        Self::Reliable,
        Self::Atomic,
        Self::Resumable,
        Self::Bookmarkable,
        Self::Filtered,
        Self::Typed,
    ];
}

/// Per rule, whether it applied to a stream, and the first breach.
#[derive(Debug, Clone, Default)]
pub struct Findings([(bool, Option<Breach>); 8]);

impl Findings {
    /// Whether the rule applied to the stream.
    pub fn applied(&self, rule: StreamRule) -> bool {
        self.0[rule as usize].0
    }

    /// The first breach of a rule.
    pub fn breach(&self, rule: StreamRule) -> Option<&Breach> {
        self.0[rule as usize].1.as_ref()
    }

    /// The broken rules.
    pub fn broken(&self) -> Vec<StreamRule> {
        StreamRule::ALL.into_iter().filter(|rule| self.breach(*rule).is_some()).collect()
    }

    pub(super) fn apply(&mut self, rule: StreamRule) {
        self.0[rule as usize].0 = true;
    }

    /// Records a breach; only the first builds its texts.
    pub(super) fn breaks(&mut self, rule: StreamRule, texts: impl FnOnce() -> (String, String)) {
        let (applied, breach) = &mut self.0[rule as usize];
        *applied = true;
        breach.get_or_insert_with(|| {
            let (mut expected, mut actual) = texts();
            shorten(&mut expected, LONGEST_TEXT);
            shorten(&mut actual, LONGEST_TEXT);
            Breach { expected, actual }
        });
    }
}
