//! Tests of the variants.

use std::collections::HashSet;

use super::*;

#[test]
fn variants_have_unique_names_and_descriptions() {
    let mut names = HashSet::new();
    for variant in variants() {
        assert!(names.insert(variant.name), "{} twice", variant.name);
        assert!(!variant.what.is_empty(), "{}", variant.name);
        let edits = [variant.behaviours.len(), variant.wires.len(), variant.expressions.len()];
        assert_ne!(edits, [0; 3], "{}", variant.name);
    }
}
