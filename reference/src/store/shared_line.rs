//! The line of an event, which watches of one form share while any of them sends it.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use bytes::Bytes;

use crate::shared_body::SharedBytes;

/// The line of the last form, as long as a watch has it.
#[derive(Debug, Default)]
pub(crate) struct SharedLine(Mutex<(Form, Weak<Vec<u8>>)>);

/// The type of the event, and the address of the type of its object.
pub(crate) type Form = (&'static str, usize);

impl SharedLine {
    /// The line in this form; written only if no watch has it.
    pub(crate) fn in_form(&self, form: Form, write: impl FnOnce() -> String) -> Bytes {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let shared = known.1.upgrade().filter(|_| known.0 == form);
        let line = shared.unwrap_or_else(|| Arc::new(write().into_bytes()));
        *known = (form, Arc::downgrade(&line));
        Bytes::from_owner(SharedBytes(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_written_once_for_all_that_have_it() {
        let line = SharedLine::default();
        let first = line.in_form(("ADDED", 1), || "a".to_owned());
        assert_eq!(line.in_form(("ADDED", 1), || unreachable!("it is there")), first);
        assert_eq!(line.in_form(("ADDED", 2), || "b".to_owned()), "b");
        assert_eq!(line.in_form(("MODIFIED", 2), || "c".to_owned()), "c");
        drop(first);
        assert_eq!(line.in_form(("ADDED", 1), || "d".to_owned()), "d");
    }
}
