//! The result of a check on one exchange or stream.

/// The result of a check on one exchange: `None` if the clause does not apply to it.
pub type CheckResult = Option<Result<(), Breach>>;

/// A broken clause: the expected and the actual behaviour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breach {
    /// The legal behaviour, as a noun phrase.
    pub expected: String,
    /// The server's behaviour, as a noun phrase.
    pub actual: String,
}

/// A [`Breach`] unless `holds`; only a breach builds the text of `actual`.
pub fn ensure(
    holds: bool,
    expected: impl Into<String>,
    actual: impl FnOnce() -> String,
) -> Result<(), Breach> {
    if holds { Ok(()) } else { Err(Breach { expected: expected.into(), actual: actual() }) }
}
