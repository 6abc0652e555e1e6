//! Area `single-resource`: requests for one object, and requests for a collection.
//!
//! The scenarios run in namespaces only: a faulty server must not change objects of others.

mod batch;
pub(crate) mod delete_collection;
mod delete_options;
mod multi_object_reads;
mod rejections;

suite!["single-resource", batch, multi_object_reads, delete_collection, delete_options, rejections];
