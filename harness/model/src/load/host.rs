//! The machine that the generator runs on.

use serde::{Deserialize, Serialize};

/// The machine of the generator; whatever the system does not tell is empty or 0.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// The number of processors that the process may use.
    pub cores: u32,
    /// The model of the processors, or only their architecture.
    pub cpu: String,
    /// Name and release of the kernel: `Linux 6.12.4`.
    pub kernel: String,
    /// Main memory, in bytes.
    pub memory: u64,
}
