//! The certificate of a run: a signed statement about its evidence.
//!
//! [`certify`](crate::certify) and [`verify`](crate::verify) make the same statement from the same evidence: verdicts come
//! from a replay, never from the recorded verdicts.

mod check;
mod description;
mod difference;
mod envelope;
mod implementation;
mod key;
mod statement;

pub(crate) use description::request_openapi;
pub(crate) use difference::first_difference;
pub(crate) use envelope::Envelope;
pub(crate) use implementation::read as read_implementation;
pub(crate) use key::{PrivateKey, PublicKey};
pub(crate) use statement::{evidence_digest, read_evidence, statement};
