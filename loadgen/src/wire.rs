//! The wire: connections that carry as many concurrent requests as the server allows, and responses read in pieces.
//!
//! Nothing here counts, retries or measures; it returns the instants and the received bytes. A [`ConnectionPool`]
//! belongs to one thread: no request waits for a lock. Only the files below `wire/` name the HTTP libraries.

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

/// A request, without the headers that every request to the server has.
#[derive(Debug, Clone)]
pub struct Call {
    /// The HTTP method.
    pub method: Method,
    /// The path below the server's address.
    pub path: PathAndQuery,
    /// The headers of this request alone.
    pub headers: HeaderMap,
    /// The body; may be empty.
    pub body: Bytes,
}

impl Call {
    /// A GET.
    pub fn get(path: PathAndQuery) -> Self {
        Self { method: Method::GET, path, headers: HeaderMap::new(), body: Bytes::new() }
    }
}
