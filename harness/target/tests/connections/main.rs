//! Connections of a client, with servers that are particular about them: one program, so that it is built once.

mod closed_connections;
mod folded_headers;
mod renewed_certificate;
mod shared_connection;
mod stream_limit;
