//! Finds the items of a list in Kubernetes' Protobuf while it arrives: each is field 2 of the list message.
//!
//! The message is in field 2 of an envelope, after its type in field 1.
//! <https://kubernetes.io/docs/reference/using-api/api-concepts/#protobuf-encoding>

/// The first bytes of the envelope.
const MAGIC: &[u8] = b"k8s\0";

/// The longest type that is read, in bytes.
const LONGEST_TYPE: usize = 256;

/// The key of a length-delimited field 1, and of field 2.
const FIELD_1: u64 = 1 << 3 | 2;
const FIELD_2: u64 = 2 << 3 | 2;

/// The scan of a list, byte by byte.
#[derive(Debug, Default)]
pub(crate) struct ProtobufItems {
    part: Part,
    /// A number of variable length, as far as it has arrived, and its next bit.
    number: u64,
    bit: u32,
    /// The type of the message: its API version and its kind.
    of_type: Vec<u8>,
    in_list: bool,
}

/// What the next byte belongs to.
#[derive(Debug, Clone, Copy)]
enum Part {
    Magic(usize),
    Key,
    Number,
    Length {
        key: u64,
    },
    Value {
        key: u64,
        left: u64,
    },
    /// No list, or no Protobuf: no item follows.
    Other,
}

impl Default for Part {
    fn default() -> Self {
        Self::Magic(0)
    }
}

impl ProtobufItems {
    /// Scans the next byte. Whether it begins an item.
    pub(crate) fn scan(&mut self, byte: u8) -> bool {
        match self.part {
            Part::Magic(at) if byte != MAGIC[at] => self.part = Part::Other,
            Part::Magic(at) if at + 1 == MAGIC.len() => self.part = Part::Key,
            Part::Magic(at) => self.part = Part::Magic(at + 1),
            Part::Key => return self.add_to_number(byte).is_some_and(|key| self.begin_field(key)),
            Part::Number => self.part = self.add_to_number(byte).map_or(self.part, |_| Part::Key),
            Part::Length { key } => {
                if let Some(length) = self.add_to_number(byte) {
                    self.part = self.value(key, length);
                }
            }
            Part::Value { key, left } => {
                if key == FIELD_1 && !self.in_list && self.of_type.len() < LONGEST_TYPE {
                    self.of_type.push(byte);
                }
                self.part = if left > 1 { Part::Value { key, left: left - 1 } } else { Part::Key };
            }
            Part::Other => {}
        }
        false
    }

    /// The number, if this byte is its last one.
    fn add_to_number(&mut self, byte: u8) -> Option<u64> {
        if self.bit > 63 {
            self.part = Part::Other;
            return None;
        }
        self.number |= u64::from(byte & 0x7f) << self.bit;
        self.bit += 7;
        (byte < 0x80).then(|| {
            self.bit = 0;
            std::mem::take(&mut self.number)
        })
    }

    /// The key has the number of a field and the type of its value. Whether the field is an item.
    fn begin_field(&mut self, key: u64) -> bool {
        self.part = match key & 7 {
            0 => Part::Number,
            1 => Part::Value { key, left: 8 },
            2 => Part::Length { key },
            5 => Part::Value { key, left: 4 },
            _ => Part::Other,
        };
        self.in_list && key == FIELD_2
    }

    fn value(&mut self, key: u64, length: u64) -> Part {
        if key == FIELD_2 && !self.in_list {
            self.in_list = true;
            // The fields of other messages mean something else: field 2 of a ConfigMap is its data.
            return if self.of_type.ends_with(b"List") { Part::Key } else { Part::Other };
        }
        if length == 0 { Part::Key } else { Part::Value { key, left: length } }
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn field(number: u8, value: &[u8]) -> Vec<u8> {
        let mut bytes = vec![number << 3 | 2];
        let mut length = value.len();
        while length > 0x7f {
            bytes.push(0x80 | u8::try_from(length & 0x7f).unwrap());
            length >>= 7;
        }
        bytes.push(u8::try_from(length).unwrap());
        [&bytes, value].concat()
    }

    fn message(kind: &[u8], fields: &[u8]) -> Vec<u8> {
        let of_type = [field(1, b"v1"), field(2, kind)].concat();
        [MAGIC, &field(1, &of_type), &field(2, fields), &field(3, b""), &field(4, b"x")].concat()
    }

    fn items(bytes: &[u8]) -> usize {
        let mut scan = ProtobufItems::default();
        bytes.iter().filter(|byte| scan.scan(**byte)).count()
    }

    #[test]
    fn the_items_of_a_list_are_counted() {
        let metadata = field(1, &field(2, &[2; 200]));
        let one = field(2, &field(2, &field(2, b"x")));
        let other_fields = [&[3 << 3, 0xff, 1][..], &[4 << 3 | 1; 9], &[5 << 3 | 5; 5]].concat();
        for number in [0, 1, 1_000] {
            let fields = [&metadata[..], &one.repeat(number), &other_fields, &field(2, b"")].concat();
            assert_eq!(items(&message(b"ConfigMapList", &fields)), number + 1);
        }
    }

    #[test]
    fn no_other_message_has_items() {
        let fields = field(2, b"x").repeat(1_000);
        let list = message(b"ConfigMapList", &fields);
        assert_eq!(items(&list), 1_000);
        assert_eq!(items(&list[1..]), 0);
        assert_eq!(items(&message(b"ConfigMap", &fields)), 0);
        assert_eq!(items(&[MAGIC, &field(2, &fields)].concat()), 0);
    }

    proptest! {
        #[test]
        fn any_bytes_are_scanned(fields in vec(any::<u8>(), 0..200)) {
            let before = message(b"ConfigMapList", b"");
            let beginning = &before[..before.len() - 7];
            prop_assert!(items(&[beginning, &[0x12, 0xff, 0xff, 3], &fields].concat()) <= fields.len());
            prop_assert!(items(&fields) <= fields.len());
        }
    }
}
