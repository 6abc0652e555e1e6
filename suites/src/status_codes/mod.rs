//! Area `status-codes`: the HTTP status code of every response.

mod authorization;
mod client_errors;
mod invariants;
mod not_found;
mod pods;
mod request_size;
mod success;
mod timeout;
mod unavailable;

suite![
    "status-codes",
    success,
    invariants,
    client_errors,
    authorization,
    not_found,
    pods,
    unavailable,
    timeout,
    request_size
];
