//! Bodies as text for people: the bytes of a binary body reach no terminal and no report.

use std::str;

use prost::Message;

/// The first bytes of a body in Protobuf.
const MAGIC: &[u8] = b"k8s\0";

/// The envelope of every object in Protobuf.
#[derive(Clone, PartialEq, Message)]
struct Unknown {
    #[prost(message, optional, tag = "1")]
    type_meta: Option<TypeMeta>,
    #[prost(bytes = "vec", tag = "2")]
    raw: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
struct TypeMeta {
    #[prost(string, tag = "2")]
    kind: String,
}

/// The fields of a Status that explain an error.
#[derive(Clone, PartialEq, Message)]
struct Status {
    #[prost(string, tag = "3")]
    message: String,
    #[prost(string, tag = "4")]
    reason: String,
}

/// Whether a body is no text: it has a zero byte, or is no UTF-8. A character may be cut off at the end.
pub(crate) fn is_binary(body: &[u8]) -> bool {
    let broken = str::from_utf8(body).err().is_some_and(|why| why.error_len().is_some());
    broken || body.contains(&0)
}

/// The size and the type of a binary body, and the Status in it, if it has one:
/// `98 bytes of application/vnd.kubernetes.protobuf, NotFound: configmaps "a" not found`.
pub(crate) fn describe(body: &[u8], media_type: Option<&str>) -> String {
    let (size, media_type) = (body.len(), media_type.unwrap_or("an unnamed type"));
    let status = status(body).map(|Status { reason, message }| format!(", {reason}: {message}"));
    format!("{size} bytes of {media_type}{}", status.unwrap_or_default())
}

fn status(body: &[u8]) -> Option<Status> {
    let envelope = Unknown::decode(body.strip_prefix(MAGIC)?).ok()?;
    let is_status = envelope.type_meta.is_some_and(|type_meta| type_meta.kind == "Status");
    if is_status { Status::decode(envelope.raw.as_slice()).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PROTOBUF: Option<&str> = Some("application/vnd.kubernetes.protobuf");

    fn in_protobuf(kind: &str) -> Vec<u8> {
        let status =
            Status { message: "configmaps \"a\" not found".to_owned(), reason: "NotFound".to_owned() };
        let type_meta = Some(TypeMeta { kind: kind.to_owned() });
        let envelope = Unknown { type_meta, raw: status.encode_to_vec() };
        [MAGIC, &envelope.encode_to_vec()].concat()
    }

    #[test]
    fn a_body_in_protobuf_is_described_with_its_status() {
        let status = in_protobuf("Status");
        let size = status.len();
        let expected = format!(
            "{size} bytes of application/vnd.kubernetes.protobuf, NotFound: configmaps \"a\" not found"
        );
        assert!(is_binary(&status));
        assert_eq!(describe(&status, PROTOBUF), expected);
        let other = in_protobuf("ConfigMap");
        let expected = format!("{} bytes of application/vnd.kubernetes.protobuf", other.len());
        assert_eq!(describe(&other, PROTOBUF), expected);
        assert_eq!(describe(&[0, 1], None), "2 bytes of an unnamed type");
    }

    #[test]
    fn text_is_text_also_where_it_is_cut_off() {
        for text in ["", "404 page not found", "{\"a\":\"é\"}", "\u{1b}[31m"] {
            assert!(!is_binary(text.as_bytes()), "{text:?}");
        }
        assert!(!is_binary(&"é".as_bytes()[..1]));
        assert!(is_binary(&[b'a', 0xff, b'b']) && is_binary(b"a\0b"));
    }

    proptest! {
        #[test]
        fn any_body_is_described(body in prop::collection::vec(any::<u8>(), 0..200)) {
            let described = describe(&[MAGIC, &body].concat(), PROTOBUF);
            let size = format!("{} bytes of ", body.len() + MAGIC.len());
            prop_assert!(described.starts_with(&size));
        }
    }
}
