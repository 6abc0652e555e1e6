//! A hash of a text, equal on every machine and in every build.

/// FNV-1a, written out because it must never change. Mixes its halves, as its lowest bits vary little.
pub fn stable_hash(text: &str) -> u64 {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    hash ^ (hash >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two machines with different builds must agree for ever.
    #[test]
    fn the_hash_never_changes() {
        assert_eq!(stable_hash(""), 0xcbf2_9ce4_8422_2325 ^ 0xcbf2_9ce4);
        assert_eq!(stable_hash("a"), 0xaf63_dc4c_8601_ec8c ^ 0xaf63_dc4c);
        assert_eq!(stable_hash("foobar"), 0x8594_4171_f739_67e8 ^ 0x8594_4171);
    }
}
