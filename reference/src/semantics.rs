//! The decisions that a fault can overturn. The defaults are those of a right server.

use serde_json::Value;

use crate::failure::Failure;
use crate::store::{Change, Store};

/// Whether a request goes ahead.
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

    /// Decides on a create with a resourceVersion.
    fn create_with_version(&self, checked: Checked) -> Checked {
        checked
    }

    /// Completes an updated object, given the resourceVersion that the client sent: nothing of that is stored.
    fn client_version(&self, _object: &mut Value, _given: &str) {}

    /// Whether a watch sends a change, given whether its selector matches.
    fn watch_selects(&self, _change: &Change, selected: bool) -> bool {
        selected
    }

    /// Follows a request for health.
    fn health_checked(&self, _store: &dyn Store) {}
}

/// The semantics of a right server.
pub(crate) struct RightSemantics;

impl Semantics for RightSemantics {}
