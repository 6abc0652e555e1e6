//! The warnings that a request collects for its response.

use std::sync::{Mutex, PoisonError};

use axum::response::Response;
use http::header::WARNING;

use crate::field_validation;

/// Warnings about one request.
#[derive(Debug, Default)]
pub(crate) struct Warnings(Mutex<Vec<String>>);

impl Warnings {
    pub(crate) fn add(&self, text: String) {
        let mut texts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !texts.contains(&text) {
            texts.push(text);
        }
    }

    /// Adds the warnings to a response.
    pub(crate) fn add_to(&self, response: &mut Response) {
        for text in self.0.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            if let Ok(value) = field_validation::warning(text) {
                response.headers_mut().append(WARNING, value);
            }
        }
    }
}
