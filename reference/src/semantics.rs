//! The decisions that a fault can change. The defaults are correct.

use bytes::Bytes;
use serde_json::Value;

use crate::failure::Failure;
use crate::store::{Change, Store};

/// The result of a check.
pub(crate) type Checked = Result<(), Failure>;

/// The server's decisions about writes, watches and health requests, once it has checked the request.
pub(crate) trait Semantics: Send + Sync {
    /// Decides on a deletion after the check of its preconditions.
    fn delete_preconditions(&self, checked: Checked) -> Checked {
        checked
    }

    /// Decides on an update after the check of its resourceVersion and uid.
    fn update_preconditions(&self, checked: Checked) -> Checked {
        checked
    }

    fn create_with_version(&self, checked: Checked) -> Checked {
        checked
    }

    /// Changes an updated object before it is stored; `given` is the client's resourceVersion.
    fn client_version(&self, _object: &mut Value, _given: &str) {}

    /// Whether a watch sends a change; `selected` is the result of its selector.
    fn watch_selects(&self, _change: &Change, selected: bool) -> bool {
        selected
    }

    /// The frames of a watch event over `WebSocket`.
    fn watch_frames(&self, event: Bytes) -> Vec<Bytes> {
        vec![event]
    }

    /// Runs after each health request.
    fn health_checked(&self, _store: &dyn Store) {}
}

/// The correct semantics.
pub(crate) struct RightSemantics;

impl Semantics for RightSemantics {}
