//! Area `single-resource`: requests for one object, and requests for a collection.
//!
//! The scenarios stay in namespaces: what a wrong server makes of them must touch nothing but what is theirs.

mod batch;
mod delete_collection;
mod delete_options;
mod multi_object_reads;
mod rejections;

suite!["single-resource", batch, multi_object_reads, delete_collection, delete_options, rejections];
