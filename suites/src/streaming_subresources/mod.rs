//! Area `streaming-subresources`: exec, attach, portforward, log and proxy, and upgrades of connections.

mod commands;
mod discovery;
mod log;
mod message;
mod nodes;
mod requests;
mod running_pod;
mod watch;

suite!["streaming-subresources", discovery, requests, commands, log, watch];
