//! Faults (placeholder to be grown).
use crate::store::StoreFlaw;
/// A way to be wrong.
#[derive(Debug)]
pub struct Fault {
    /// The clause that it breaks.
    pub name: &'static str,
    /// What it does.
    pub what: &'static str,
    /// How.
    pub rule: Rule,
}
/// How.
#[derive(Debug)]
pub enum Rule {
    /// Store.
    Store(StoreFlaw),
    /// Wire.
    Wire(()),
}
/// The layer.
#[derive(Debug, Clone)]
pub struct FaultLayer;
impl FaultLayer {
    /// New.
    pub fn new(_faults: &[&'static Fault]) -> Self {
        Self
    }
}
impl<S> tower::Layer<S> for FaultLayer {
    type Service = S;
    fn layer(&self, s: S) -> S {
        s
    }
}
