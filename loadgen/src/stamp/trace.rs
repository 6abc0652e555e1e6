//! What a stamp tells the other workers of a run beside its number: their processes know no instant of the write.

/// The part of a stamp for other workers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trace {
    /// The index of the object.
    pub object: u32,
    /// The writer's write before this one to the same object, if any.
    pub before: Option<u32>,
    /// When it was sent, in microseconds since 1970 on the writer's clock.
    pub sent: u64,
    /// How much later than intended it was sent, in microseconds; `None` during the warm-up: not measured.
    pub late: Option<u32>,
}

impl Trace {
    /// The text behind the number: `.OBJECT.BEFORE.SENT.LATE`, with `-` for none.
    pub(super) fn text(self) -> String {
        let or_none =
            |number: Option<u32>| number.map_or_else(|| "-".to_owned(), |number| number.to_string());
        format!(".{}.{}.{}.{}", self.object, or_none(self.before), self.sent, or_none(self.late))
    }

    /// Reads it from the text of a stamp; `None` if the run has one worker.
    pub(crate) fn read(stamp: &[u8]) -> Option<Self> {
        let mut parts = std::str::from_utf8(stamp).ok()?.split('.').skip(2);
        let (object, before) = (parts.next()?, parts.next()?);
        let (sent, late) = (parts.next()?, parts.next()?);
        if parts.next().is_some() {
            return None;
        }
        let (object, sent) = (object.parse().ok()?, sent.parse().ok()?);
        Some(Self { object, before: optional(before)?, sent, late: optional(late)? })
    }
}

/// `Some(None)` for `-`, and `None` for what is no number.
#[expect(clippy::option_option, reason = "the two differ")]
fn optional(text: &str) -> Option<Option<u32>> {
    if text == "-" { Some(None) } else { text.parse().ok().map(Some) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_trace_is_read_back(object: u32, before: Option<u32>, sent: u64, late: Option<u32>) {
            let trace = Trace { object, before, sent, late };
            prop_assert_eq!(Trace::read(format!("3.17{}", trace.text()).as_bytes()), Some(trace));
        }

        #[test]
        fn any_text_is_read_or_refused(text: Vec<u8>) {
            let _ = Trace::read(&text);
        }
    }

    #[test]
    fn the_stamp_of_the_only_worker_has_no_trace() {
        for text in ["0.7", "", "0.7.1.1.2", "0.7.1.1.2.3.4", "0.7.1.x.2.3", "0.7.1.5000000000.2.3"] {
            assert_eq!(Trace::read(text.as_bytes()), None, "{text}");
        }
    }
}
