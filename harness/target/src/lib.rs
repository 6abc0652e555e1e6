//! How a server is reached: from a kubeconfig or flags to connections, and the first look at the server.
//!
//! This is the only crate of the harness that knows an HTTP library. What leaves it passes through the [`Redactor`].

mod access;
mod bare_connection;
mod body;
mod branch;
mod certificate_address;
mod child_process;
mod client;
mod client_tls;
mod connection;
mod credential;
mod evidence;
mod input_file;
mod instant;
mod item_scan;
mod kubeconfig;
mod kubeconfig_checks;
mod kubeconfig_context;
mod kubeconfig_files;
mod kubeconfig_proxy;
mod kubeconfig_types;
mod live;
mod long_list;
mod long_text;
mod memory;
mod opened;
mod plugin;
mod portable;
mod process_group;
mod protobuf_items;
mod redact;
mod server_name;
mod server_scheme;
mod stream_limit;
mod system_trust;
mod target_info;
mod throttled_request;
mod websocket;
mod yaml;

pub use access::{Access, Source};
pub use bare_connection::Io;
pub use branch::{
    Branch, InBranch, branch, in_turn, is_shared, join, join_all, timeout, timeout_at, try_join, try_join_all,
};
pub use child_process::wait_reading;
pub use client::{Client, Relayed};
pub use connection::{ConnectionError, is_closed_early, is_turned_away};
pub use evidence::{Evidence, Idle, Reached, Recorded, Recorder, Replay, Unlike};
pub use input_file::{InputFile, read_beginning, read_input, read_input_text};
pub use instant::Instant;
pub use kubeconfig::{Flags, without_user};
pub use long_list::NeededItems;
pub use memory::{MemoryShare, Reservation, TooLarge};
pub use opened::Opened;
pub use redact::Redactor;
pub use target_info::types_of;
pub use websocket::{Broken, Message, WebSocket, handshake};
pub use yaml::{parse_yaml, yaml_error};
