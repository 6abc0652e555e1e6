//! The result of a check on one exchange or stream.

/// What a rule says of one exchange: nothing if it does not apply, else whether it is kept.
pub type CheckResult = Option<Result<(), Breach>>;

/// How an exchange breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breach {
    /// What was legal.
    pub expected: String,
    /// What came.
    pub actual: String,
}

/// Whether a rule is kept. What came is put into words only where it is not.
pub fn kept(holds: bool, expected: impl Into<String>, actual: impl FnOnce() -> String) -> Result<(), Breach> {
    if holds { Ok(()) } else { Err(Breach { expected: expected.into(), actual: actual() }) }
}
