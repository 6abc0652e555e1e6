//! The wire: connections that carry as many requests as the server allows, and responses read piece by piece.
//!
//! Nothing here counts, retries or measures; it returns when something was sent and what was received. A [`ConnectionPool`] is used
//! on one thread only, so that nothing on the way of a request waits for a lock. The files below `wire/` are the only
//! ones that name the HTTP libraries.

mod connection;
mod connection_pool;
mod endpoint;
mod request_error;
mod streamed_response;

pub use connection::Windows;
pub use connection_pool::{ConnectionPool, Limits, StreamPermit};
pub use endpoint::{Endpoint, Plain};
pub use request_error::RequestError;
pub use streamed_response::{Body, StreamedResponse};

use bytes::Bytes;
use http::uri::PathAndQuery;
use http::{HeaderMap, Method};

/// A request as it is sent, but for the headers that every request to a server carries.
#[derive(Debug, Clone)]
pub struct Call {
    /// Its verb.
    pub method: Method,
    /// Where, below the server's address.
    pub path: PathAndQuery,
    /// The headers of this request alone.
    pub headers: HeaderMap,
    /// What it carries; may be empty.
    pub body: Bytes,
}

impl Call {
    /// A GET.
    pub fn get(path: PathAndQuery) -> Self {
        Self { method: Method::GET, path, headers: HeaderMap::new(), body: Bytes::new() }
    }
}
