//! The bodies of long lists. Many clients that list the same share the bytes of one.

use std::sync::{Mutex, PoisonError};

use bytes::Bytes;

/// The length from which on bodies are shared, in bytes.
const LONG: usize = 64 << 10;

/// The body of the last long list.
#[derive(Debug, Default)]
pub(crate) struct LastList(Mutex<Bytes>);

impl LastList {
    /// These bytes, or those of the last long list if they are the same.
    ///
    /// Clients that read slowly, or never, keep the body of their response in memory.
    pub(crate) fn share(&self, body: Bytes) -> Bytes {
        if body.len() < LONG {
            return body;
        }
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if *last != body {
            *last = body;
        }
        last.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_long_bodies_share_their_bytes() {
        let body = |letter: u8| Bytes::from(vec![letter; LONG]);
        let last = LastList::default();
        let first = last.share(body(b'a'));
        let short = last.share(Bytes::from_static(b"a"));
        let second = last.share(body(b'a'));
        assert_eq!((first.as_ptr(), &short[..]), (second.as_ptr(), &b"a"[..]));
        let other = last.share(body(b'b'));
        assert_eq!((&other, other.as_ptr()), (&body(b'b'), last.share(body(b'b')).as_ptr()));
        assert_eq!(last.share(body(b'a')), first);
    }
}
