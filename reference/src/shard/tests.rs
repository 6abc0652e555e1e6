//! Tests of shard selectors.

use serde_json::json;

use super::*;

const LOWER: &str = "shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')";
const UPPER: &str = "shardRange(object.metadata.uid, '0x8000000000000000', '0x10000000000000000')";

#[test]
fn the_hash_matches_published_vectors() {
    assert_eq!(hash(""), 0xcbf2_9ce4_8422_2325);
    assert_eq!(hash("a"), 0xaf63_dc4c_8601_ec8c);
    assert_eq!(hash("foobar"), 0x8594_4171_f739_67e8);
}

#[test]
fn a_selector_is_normalized() {
    let spaced = "(shardRange( object.metadata.uid,\"0x0000000000000000\",'0x8000000000000000' ))";
    assert_eq!(Shards::parse(spaced).unwrap().to_string(), LOWER);
    let both = format!("{LOWER}||{UPPER}");
    assert_eq!(Shards::parse(&both).unwrap().to_string(), format!("{LOWER} || {UPPER}"));
}

#[test]
fn an_object_is_in_one_half() {
    // The hash of "a" is in the upper half.
    let object = json!({"metadata": {"uid": "a"}});
    assert!(Shards::parse(UPPER).unwrap().matches(&object));
    assert!(!Shards::parse(LOWER).unwrap().matches(&object));
    let own = "shardRange(object.metadata.uid, '0xaf63dc4c8601ec8c', '0xaf63dc4c8601ec8d')";
    let before = "shardRange(object.metadata.uid, '0xaf63dc4c8601ec8b', '0xaf63dc4c8601ec8c')";
    assert!(Shards::parse(own).unwrap().matches(&object));
    assert!(!Shards::parse(before).unwrap().matches(&object));
}

#[test]
fn invalid_selectors_have_the_errors_of_kube_apiserver() {
    let uid = |bounds: &str| format!("shardRange(object.metadata.uid, {bounds})");
    let errors = [
        ("nonsense".to_owned(), "unexpected expression kind 3; expected shardRange() call or || operator"),
        (" ".to_owned(), "empty shard selector is not allowed; omit the parameter for unfiltered lists"),
        (
            "shardRange('a','b','c')".to_owned(),
            "shardRange() first argument: expected field path (e.g. object.metadata.uid), got expression kind 5",
        ),
        ("true".to_owned(), "unexpected expression kind 5; expected shardRange() call or || operator"),
        ("shardRange()".to_owned(), "shardRange() requires exactly 3 arguments, got 0"),
        (format!("{LOWER} && true"), "unsupported function \"_&&_\"; only shardRange() and || are allowed"),
        (uid("0, 1"), "hexStart must be a string literal, got int64"),
        (
            uid("'0x0', '0x8000000000000000'"),
            "hexStart must be a 0x-prefixed 16-digit hex value, got \"0x0\" (did you mean \"0x0000000000000000\"?)",
        ),
        (
            uid("'0x0000000000000000', '8000000000000000'"),
            "hexEnd must have '0x' prefix, got \"8000000000000000\"",
        ),
        (
            uid("'0x0000000000000000', '0xA000000000000000'"),
            "hexEnd: invalid hex character \"A\" in \"0xA000000000000000\"",
        ),
        (
            uid("'0x0000000000000000', '0x10000000000000001'"),
            "hexEnd: 17-digit hex value must be '0x10000000000000000' (2^64), got \"0x10000000000000001\"",
        ),
        (
            uid("'0x0000000000000009', '0x0000000000000005'"),
            "shard range start 0x0000000000000009 must be less than end 0x0000000000000005",
        ),
        (
            format!("{LOWER} || {}", UPPER.replace("uid", "namespace")),
            "all shard ranges must use the same field, got \"object.metadata.uid\" and \"object.metadata.namespace\"",
        ),
        (
            LOWER.replace("uid", "name"),
            "unsupported field path \"object.metadata.name\"; supported: object.metadata.uid, object.metadata.namespace",
        ),
    ];
    for (text, detail) in errors {
        assert_eq!(Shards::parse(&text), Err(format!("invalid shard selector: {detail}")), "{text}");
    }
    for text in ["((", "shardRange(", "'", LOWER.trim_end_matches(')'), "shardRange(,)", "||"] {
        assert!(Shards::parse(text).is_err(), "{text}");
    }
}

/// A deep tree would overflow the stack.
#[test]
fn long_selectors_are_parsed_or_refused() {
    let many = vec![LOWER; 20_000].join("||");
    assert_eq!(Shards::parse(&many).unwrap().ranges.len(), 20_000);
    for text in ["(".repeat(60_000), "f(".repeat(30_000), format!("true{}", "&&true".repeat(20_000))] {
        assert!(Shards::parse(&text).is_err());
    }
}
