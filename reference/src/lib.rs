//! A small Kubernetes API server: conformant, and nonconformant on request by faults.
//!
//! It serves the built-in types of `built_in_types.rs`, custom resource definitions and custom resources. It has one Node,
//! which runs the pods that name it; no scheduler does this for others. Lists, watches, versions and writes follow the clause catalogue. Each [`Fault`] breaks one clause, so that a
//! test can prove that the scenario of the clause fails.
//!
//! ```no_run
//! # async fn example() -> Result<(), reference::Error> {
//! let faults = reference::faults().filter(|fault| fault.name == "health-plain-body-ok").collect();
//! let server = reference::Server::start(reference::Options { faults, ..Default::default() }).await?;
//! println!("{} {}", server.url(), server.admin_token());
//! server.stop().await;
//! # Ok(())
//! # }
//! ```
//!
//! This crate shares no type with the rest of the project, because shared types would share mistakes.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::enum_glob_use, reason = "a test panics on errors"))]

mod account_token;
mod admin_endpoints;
mod admission;
mod aggregation;
mod api;
mod apply;
mod auth;
mod autoscaling;
mod background_tasks;
mod binding;
mod body;
mod built_in_types;
mod cbor;
mod cel;
mod cluster;
mod component_status;
mod content_negotiation;
mod continue_token;
mod decoder;
mod definition;
mod delete;
mod deprecation;
mod depth;
mod discovery;
mod document;
mod encoding;
mod event;
mod failure;
pub mod fault;
mod fault_proxy;
mod faults;
mod field_validation;
mod gzip;
mod health;
mod impersonation;
mod kind;
mod kubelet;
mod lagging_replica;
mod lifecycle;
mod list;
mod list_options;
mod managed_fields;
mod metadata;
mod metrics;
mod non_resource_paths;
mod object_size;
mod openapi;
mod options;
mod patch;
mod pattern;
mod pods;
mod protobuf;
mod quantity;
mod query;
mod rbac;
mod registry;
mod representation;
mod request_timeout;
mod resource_type;
mod review;
mod route;
mod scale;
mod schema;
mod selector;
mod semantics;
mod server;
mod shard;
mod shared_body;
mod store;
mod strategy;
mod update;
mod validation;
mod variant;
mod warnings;
mod watch;
mod websocket;
mod work_permit;
mod write;

pub use fault::{Bug, ExpressionFault, Fault, FaultLayer, FaultMechanism};
pub use fault_proxy::{BackendResponse, Connection, FaultProxy, Transport};
pub use faults::{bugs, faults, needs};
pub use server::{Error, Options, Server};
pub use store::StoreFault;
pub use variant::{Behaviour, Variant, variants};
