//! Area `compression`: responses with Content-Encoding: gzip.

mod gzip;
mod large;
mod lists;
mod objects;
mod small;
mod watches;

suite!["compression", lists, objects, small, watches];
