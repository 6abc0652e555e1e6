//! Area `update`: PUT.

mod identity;
mod path_mismatch;
mod rejections;
mod replace;
mod version;

pub(crate) use version::concurrency_rows;

suite!["update", replace, version, path_mismatch, identity, rejections];
