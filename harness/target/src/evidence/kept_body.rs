//! A recorded body in memory.

use std::io::Read as _;

use bytes::Bytes;
use flate2::read::DeflateDecoder;
use flate2::{Compress, Compression, FlushCompress, Status};

/// The length from which a body is deflated, in bytes.
const LONG: usize = 512;

/// A recorded body in memory. A long one is deflated: a whole run has 100 MB of them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum KeptBody {
    Plain(Bytes),
    Deflated(Bytes),
}

/// Makes kept bodies: equal ones of equal bodies. It has one state for all of them, as that takes far more memory than a
/// body.
#[derive(Debug)]
pub(super) struct Packer {
    deflate: Compress,
    packed: Vec<u8>,
}

impl Default for Packer {
    fn default() -> Self {
        Self { deflate: Compress::new(Compression::fast(), false), packed: Vec::new() }
    }
}

impl Packer {
    pub(super) fn pack(&mut self, body: Bytes) -> KeptBody {
        if body.len() < LONG {
            return KeptBody::Plain(body);
        }
        let Self { deflate, packed } = self;
        deflate.reset();
        packed.clear();
        packed.reserve(body.len());
        match deflate.compress_vec(&body, packed, FlushCompress::Finish) {
            Ok(Status::StreamEnd) if packed.len() < body.len() => {
                KeptBody::Deflated(Bytes::copy_from_slice(packed))
            }
            // Deflated it would be longer.
            _ => KeptBody::Plain(body),
        }
    }
}

impl KeptBody {
    pub(super) fn unpack(&self) -> Bytes {
        match self {
            Self::Plain(body) => body.clone(),
            Self::Deflated(packed) => {
                let mut body = Vec::new();
                // What a packer packed is whole.
                let _ = DeflateDecoder::new(packed.as_ref()).read_to_end(&mut body);
                body.into()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_comes_out_as_it_went_in_and_a_long_one_is_smaller() {
        let mut packer = Packer::default();
        for body in [Bytes::new(), Bytes::from_static(b"short"), Bytes::from(b"long ".repeat(10_000))] {
            let kept = packer.pack(body.clone());
            assert_eq!(kept, packer.pack(body.clone()));
            assert_eq!(kept.unpack(), body);
            let (KeptBody::Plain(bytes) | KeptBody::Deflated(bytes)) = kept;
            assert!(bytes.len() <= 2 * LONG, "{}", bytes.len());
        }
    }

    #[test]
    fn a_body_that_deflating_makes_longer_stays_as_it_is() {
        // The digits of a linear congruential generator: nothing in them repeats.
        let noise =
            std::iter::successors(Some(1_u32), |last| Some(last.wrapping_mul(1_664_525).wrapping_add(1)));
        let body: Bytes = noise.map(|number| number.to_be_bytes()[0]).take(4 * LONG).collect();
        assert_eq!(Packer::default().pack(body.clone()), KeptBody::Plain(body));
    }
}
