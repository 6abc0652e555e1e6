//! Area `schema-conventions`: names and types of the fields of built-in kinds.

mod field;
mod field_rules;
mod field_words;
mod known_fields;
mod requests;

suite!["schema-conventions", field_rules, known_fields, requests];
