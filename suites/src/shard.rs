//! Shards: the hash of an object, and the syntax of `shardSelector`.

use std::fmt;

use crate::prelude::*;

/// The parameter.
pub(crate) const SELECTOR: &str = "shardSelector";

/// What follows the last hash.
pub(crate) const END: u128 = 1 << 64;

/// A range of hashes of one field: from the start to below the end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shard {
    field: &'static str,
    start: u128,
    end: u128,
}

impl Shard {
    /// A shard by `metadata.uid`.
    pub(crate) fn of_uids(start: u128, end: u128) -> Self {
        Self { field: "uid", start, end }
    }

    /// A shard by `metadata.namespace`.
    pub(crate) fn of_namespaces(start: u128, end: u128) -> Self {
        Self { field: "namespace", start, end }
    }

    /// The whole space of hashes of uids in parts of equal size.
    pub(crate) fn parts(count: u128) -> Vec<Self> {
        (0..count).map(|part| Self::of_uids(END / count * part, END / count * (part + 1))).collect()
    }

    /// Whether a hash lies in it.
    pub(crate) fn has(self, hash: u128) -> bool {
        (self.start..self.end).contains(&hash)
    }
}

/// The canonical spelling.
impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { field, start, end } = self;
        write!(f, "shardRange(object.metadata.{field}, '{start:#018x}', '{end:#018x}')")
    }
}

/// FNV-1a, 64 bit, of a field's value; wide enough to be added to.
pub(crate) fn hash(value: &str) -> u128 {
    let add = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    value.bytes().fold(0xcbf2_9ce4_8422_2325, add).into()
}

/// Whether the server supports the parameter: a list of a built-in type then has `shardInfo`, even without items.
///
/// A server that rejects this selector supports the parameter, too.
pub(crate) async fn is_supported(cx: &Context) -> Result<bool, Halt> {
    let whole = Shard::of_uids(0, END);
    let listed = cx.configmaps().await?.list().param(SELECTOR, whole).await?;
    let has_info = listed.json().is_some_and(|list| !list["metadata"]["shardInfo"].is_null());
    Ok(has_info || listed.status() != 200)
}

/// Skips where the server ignores the parameter, which is legal.
pub(crate) async fn require_support(cx: &Context) -> Checked {
    if is_supported(cx).await? {
        return Ok(());
    }
    Err(cx.lacks("ShardedListAndWatch", "a list with shardSelector has no shardInfo"))
}

/// Skips where the server ignores the parameter for this type: lists of custom resources have no `shardInfo`.
pub(crate) async fn require_sharding(cx: &Context, collection: &Collection, object: &Object) -> Checked {
    let others = Shard::of_uids(0, hash(object.metadata("uid")).max(1));
    let page = collection.list().param(SELECTOR, others).page().await?;
    if page.shards.is_some() || page.item(object.name()).is_none() {
        return Ok(());
    }
    Err(cx.lacks("ShardedListAndWatch", format!("{} are listed whole", collection.resource().plural)))
}

/// The skip of a clause about servers that ignore the parameter.
pub(crate) fn skip_supported() -> Halt {
    Halt::skip("this server supports shardSelector")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_that_of_the_published_vectors() {
        assert_eq!(hash(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(hash("foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn shards_have_the_canonical_spelling() {
        let halves = Shard::parts(2).iter().map(Shard::to_string).collect::<Vec<_>>();
        assert_eq!(
            halves,
            [
                "shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')",
                "shardRange(object.metadata.uid, '0x8000000000000000', '0x10000000000000000')",
            ]
        );
    }
}
