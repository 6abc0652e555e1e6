//! The rules, and what came of them.

use model::Breach;

/// What holds of every stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StreamRule {
    /// Versions never fall.
    Ordered,
    /// No version of an object comes twice.
    Unique,
    /// No change is missing.
    Reliable,
    /// One version names one state of an object.
    Atomic,
    /// A watch from a version begins with the first change after it.
    Resumable,
    /// Nothing at or below a bookmark follows it.
    Bookmarkable,
    /// Nothing outside the selection; what enters is added, what leaves is deleted.
    Filtered,
    /// Each event is of a known type and shows an object of the right kind.
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

/// Per rule, whether a stream has shown anything of it, and its first breach.
#[derive(Debug, Clone, Default)]
pub struct Findings([(bool, Option<Breach>); 8]);

impl Findings {
    /// Whether the stream had to keep the rule at all.
    pub fn applied(&self, rule: StreamRule) -> bool {
        self.0[rule as usize].0
    }

    /// The first breach of a rule.
    pub fn breach(&self, rule: StreamRule) -> Option<&Breach> {
        self.0[rule as usize].1.as_ref()
    }

    /// The rules that are broken.
    pub fn broken(&self) -> Vec<StreamRule> {
        StreamRule::ALL.into_iter().filter(|rule| self.breach(*rule).is_some()).collect()
    }

    pub(super) fn apply(&mut self, rule: StreamRule) {
        self.0[rule as usize].0 = true;
    }

    /// Takes note of a breach; its words are only put together for the first.
    pub(super) fn breaks(&mut self, rule: StreamRule, words: impl FnOnce() -> (String, String)) {
        let (applied, breach) = &mut self.0[rule as usize];
        *applied = true;
        breach.get_or_insert_with(|| {
            let (expected, actual) = words();
            Breach { expected, actual }
        });
    }
}
