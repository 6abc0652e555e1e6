//! Values that the scenarios of a run share, by name: see [`crate::Context::once_per_run`].

use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OnceCell;

/// The values that scenarios have made.
#[derive(Debug, Default)]
pub(crate) struct SharedValues(Mutex<HashMap<String, Cell>>);

/// A value of any type, made once.
type Cell = Arc<OnceCell<Arc<dyn Any + Send + Sync>>>;

impl SharedValues {
    /// The place of the value with this name.
    pub(crate) fn cell(&self, name: &str) -> Cell {
        let mut cells = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        cells.entry(name.to_owned()).or_default().clone()
    }
}
