//! Long bodies of responses. Clients that read slowly, or never, keep theirs in memory: equal ones share their bytes.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use bytes::Bytes;

/// The length from which on bodies are shared, in bytes.
pub(crate) const LONG: usize = 64 << 10;

/// The long bodies that responses still have, by their hash.
#[derive(Debug, Default)]
pub(crate) struct SharedBodies(Mutex<HashMap<u64, Weak<Vec<u8>>>>);

impl SharedBodies {
    /// These bytes, or those of another response if they are the same.
    pub(crate) fn share(&self, body: Bytes) -> Bytes {
        if body.len() < LONG {
            return body;
        }
        let mut hasher = DefaultHasher::new();
        body.hash(&mut hasher);
        let hash = hasher.finish();
        let mut bodies = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let same = bodies.get(&hash).and_then(Weak::upgrade).filter(|same| same.as_slice() == &body[..]);
        let shared = same.unwrap_or_else(|| {
            let mut body = Vec::from(body);
            body.shrink_to_fit();
            let body = Arc::new(body);
            bodies.retain(|_, body| body.strong_count() > 0);
            bodies.insert(hash, Arc::downgrade(&body));
            body
        });
        Bytes::from_owner(SharedBytes(shared))
    }
}

/// Bytes with several owners.
pub(crate) struct SharedBytes(pub(crate) Arc<Vec<u8>>);

impl AsRef<[u8]> for SharedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_long_bodies_share_their_bytes_as_long_as_a_response_has_them() {
        let body = |letter: u8, length: usize| Bytes::from(vec![letter; length]);
        let bodies = SharedBodies::default();
        let [one, other] = [b'a', b'b'].map(|letter| bodies.share(body(letter, LONG)));
        assert_eq!([&one, &other], [&body(b'a', LONG), &body(b'b', LONG)]);
        for (shared, letter) in [(&one, b'a'), (&other, b'b')] {
            assert_eq!(bodies.share(body(letter, LONG)).as_ptr(), shared.as_ptr());
        }
        let short = [(); 2].map(|()| bodies.share(body(b'a', LONG - 1)));
        assert_ne!(short[0].as_ptr(), short[1].as_ptr());
        drop((one, other));
        let last = bodies.share(body(b'c', LONG));
        assert_eq!((last, bodies.0.lock().unwrap().len()), (body(b'c', LONG), 1));
    }
}
