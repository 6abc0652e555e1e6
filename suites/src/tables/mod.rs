//! Area `table`: responses in the form of a Table.

mod columns;
mod custom_resources;
mod encodings;
mod negotiation;
mod requests;
pub(crate) mod response;
mod rows;

suite!["table", negotiation, encodings, columns, rows, requests, custom_resources];
