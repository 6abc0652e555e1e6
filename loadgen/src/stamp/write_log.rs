//! The writes of one worker for the others: which of them the server acknowledged, and when.
//!
//! A worker publishes its log after its last response. The watches of the others then know what they lack.

use std::io::{Read as _, Write as _};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use harness::stream::Settled;
use serde::{Deserialize, Serialize};

/// The number of writes whose instants are in a log: the last ones. About 300 kB.
const DETAILED: u32 = 1 << 16;

/// The maximum length of the content of a log, in bytes.
const LONGEST: u64 = 64 << 20;

/// The maximum length of two numbers, and of the three numbers of a write, in bytes.
const HEADER: u64 = 20;
const LONGEST_WRITE: u64 = 30;

/// The writes of one worker, packed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WriteLog {
    /// The number of writes.
    pub(crate) issued: u32,
    /// The number of the first measured one.
    pub(crate) measured_from: u32,
    /// Their outcomes and instants: deflated, in base64.
    content: String,
}

/// One write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LoggedWrite {
    /// Microseconds since 1970 on the writer's clock.
    pub(crate) sent: u64,
    /// Likewise.
    pub(crate) settled: Settled,
}

/// The reason why a log cannot be that of a right worker.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadLog {
    /// The content is no log.
    #[error("it is damaged")]
    Damaged,
    /// It has more writes than the workload.
    #[error("it has {0} writes, and the workload has at most {1}")]
    TooLong(u32, u32),
}

impl WriteLog {
    /// Packs writes. Without the instants of the first ones, if there are very many: those were acknowledged before
    /// the latest of their acknowledgements.
    pub(crate) fn pack(measured_from: u32, writes: &[LoggedWrite]) -> Self {
        let issued = u32::try_from(writes.len()).unwrap_or(u32::MAX);
        let (early, late) = writes.split_at(issued.saturating_sub(DETAILED) as usize);
        let mut bytes = Vec::new();
        put(&mut bytes, early.len() as u64);
        put(&mut bytes, early.iter().filter_map(|write| instant(write.settled)).max().unwrap_or(0));
        for run in early.chunk_by(|one, next| kind(one.settled) == kind(next.settled)) {
            put(&mut bytes, kind(run[0].settled));
            put(&mut bytes, run.len() as u64);
        }
        let mut last = 0;
        for write in late {
            put(&mut bytes, zigzag(write.sent, last));
            put(&mut bytes, kind(write.settled));
            if let Some(at) = instant(write.settled) {
                put(&mut bytes, zigzag(at, write.sent));
            }
            last = write.sent;
        }
        let mut packed = ZlibEncoder::new(Vec::new(), Compression::default());
        // Writing to memory cannot fail.
        let _ = packed.write_all(&bytes);
        Self { issued, measured_from, content: STANDARD.encode(packed.finish().unwrap_or_default()) }
    }

    /// All writes, in order, of a log with at most this number of them.
    pub(crate) fn unpack(&self, most: u32) -> Result<Vec<LoggedWrite>, BadLog> {
        let mut writes = Vec::new();
        self.read(most, |write, times| writes.extend(std::iter::repeat_n(write, times as usize)))?;
        Ok(writes)
    }

    /// Whether the log can be unpacked.
    pub(crate) fn check(&self, most: u32) -> Result<(), BadLog> {
        self.read(most, |_, _| {})
    }

    /// Reads the writes, each with the number of its repetitions.
    fn read(&self, most: u32, take_write: impl FnMut(LoggedWrite, u32)) -> Result<(), BadLog> {
        if self.issued > most {
            return Err(BadLog::TooLong(self.issued, most));
        }
        let bytes = self.inflate().ok_or(BadLog::Damaged)?;
        let mut rest = bytes.as_slice();
        self.read_writes(&mut rest, take_write).ok_or(BadLog::Damaged)?;
        if rest.is_empty() { Ok(()) } else { Err(BadLog::Damaged) }
    }

    fn inflate(&self) -> Option<Vec<u8>> {
        let packed = STANDARD.decode(&self.content).ok()?;
        let longest = LONGEST.min(HEADER + u64::from(self.issued) * LONGEST_WRITE);
        let mut bytes = Vec::new();
        ZlibDecoder::new(&*packed).take(longest).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    fn read_writes(&self, rest: &mut &[u8], mut take_write: impl FnMut(LoggedWrite, u32)) -> Option<()> {
        let (early, latest) = (u32::try_from(take(rest)?).ok()?, take(rest)?);
        let late = self.issued.checked_sub(early)?;
        let mut missing = early;
        while missing > 0 {
            let settled = settled(take(rest)?, Some(latest))?;
            let length = u32::try_from(take(rest)?).unwrap_or(u32::MAX).clamp(1, missing);
            take_write(LoggedWrite { sent: 0, settled }, length);
            missing -= length;
        }
        let mut last = 0;
        for _ in 0..late {
            let sent = unzigzag(take(rest)?, last);
            let kind = take(rest)?;
            let at = if kind == ACKNOWLEDGED { Some(unzigzag(take(rest)?, sent)) } else { None };
            take_write(LoggedWrite { sent, settled: settled(kind, at)? }, 1);
            last = sent;
        }
        Some(())
    }
}

const OPEN: u64 = 0;
const ACKNOWLEDGED: u64 = 1;
const FAILED: u64 = 2;
const UNKNOWN: u64 = 3;

fn kind(settled: Settled) -> u64 {
    match settled {
        Settled::Open => OPEN,
        Settled::Acknowledged(_) => ACKNOWLEDGED,
        Settled::Failed => FAILED,
        Settled::Unknown => UNKNOWN,
    }
}

fn settled(kind: u64, at: Option<u64>) -> Option<Settled> {
    match kind {
        OPEN => Some(Settled::Open),
        ACKNOWLEDGED => at.map(Settled::Acknowledged),
        FAILED => Some(Settled::Failed),
        UNKNOWN => Some(Settled::Unknown),
        _ => None,
    }
}

fn instant(settled: Settled) -> Option<u64> {
    if let Settled::Acknowledged(at) = settled { Some(at) } else { None }
}

/// The difference to an earlier number, small for small differences of either sign.
fn zigzag(value: u64, base: u64) -> u64 {
    let difference = value.wrapping_sub(base).cast_signed();
    ((difference << 1) ^ (difference >> 63)).cast_unsigned()
}

fn unzigzag(coded: u64, base: u64) -> u64 {
    let difference = (coded >> 1).cast_signed() ^ -((coded & 1).cast_signed());
    base.wrapping_add(difference.cast_unsigned())
}

/// Seven bits per byte, the lowest first, as in Protobuf.
fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
}

fn take(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (byte, behind) = rest.split_first()?;
        *rest = behind;
        number |= u64::from(byte & 0x7F).checked_shl(shift)?;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn write() -> impl Strategy<Value = LoggedWrite> {
        let settled = prop_oneof![
            Just(Settled::Open),
            any::<u64>().prop_map(Settled::Acknowledged),
            Just(Settled::Failed),
            Just(Settled::Unknown),
        ];
        (any::<u64>(), settled).prop_map(|(sent, settled)| LoggedWrite { sent, settled })
    }

    proptest! {
        #[test]
        fn a_log_is_read_back(writes in prop::collection::vec(write(), 0..200), measured_from: u32) {
            let log = WriteLog::pack(measured_from, &writes);
            prop_assert_eq!((log.measured_from, log.unpack(200).unwrap()), (measured_from, writes));
        }

        #[test]
        fn any_content_is_read_or_refused(bytes: Vec<u8>, issued in 0..1_000u32, raw: bool) {
            let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
            packed.write_all(&bytes).unwrap();
            let content = STANDARD.encode(if raw { bytes } else { packed.finish().unwrap() });
            let log = WriteLog { issued, measured_from: 0, content };
            let unpacked = log.unpack(1_000);
            prop_assert_eq!(log.check(1_000), unpacked.map(|writes| assert_eq!(writes.len(), issued as usize)));
        }
    }

    #[test]
    fn a_long_log_keeps_outcomes_and_forgets_early_instants() {
        let at = |number: u64| 1_700_000_000_000_000 + number * 20_000;
        let write = |number: u64| LoggedWrite {
            sent: at(number),
            settled: if number.is_multiple_of(1_000) {
                Settled::Failed
            } else {
                Settled::Acknowledged(at(number) + 3_000)
            },
        };
        let writes: Vec<LoggedWrite> = (0..200_000).map(write).collect();
        let log = WriteLog::pack(50, &writes);
        assert!(log.content.len() < 700_000, "{}", log.content.len());
        let again = log.unpack(200_000).unwrap();
        let early = writes.len() - DETAILED as usize;
        assert_eq!(again[early..], writes[early..]);
        assert!(
            again[..early].iter().zip(&writes).all(|(one, other)| kind(one.settled) == kind(other.settled))
        );
        let latest = instant(writes[early - 1].settled).unwrap();
        assert_eq!(again[1], LoggedWrite { sent: 0, settled: Settled::Acknowledged(latest) });
    }

    /// Ten bytes can say that four billion writes follow, and a few hundred kilobytes that there are as many bytes.
    #[test]
    fn a_log_is_refused_before_it_takes_memory() {
        let content = |bytes: &[u8]| {
            let mut packed = ZlibEncoder::new(Vec::new(), Compression::default());
            packed.write_all(bytes).unwrap();
            STANDARD.encode(packed.finish().unwrap())
        };
        let mut numbers = Vec::new();
        for number in [u64::from(u32::MAX), 0, OPEN, u64::from(u32::MAX)] {
            put(&mut numbers, number);
        }
        let log = WriteLog { issued: u32::MAX, measured_from: 0, content: content(&numbers) };
        assert_eq!(log.unpack(92), Err(BadLog::TooLong(u32::MAX, 92)));
        assert_eq!(log.check(u32::MAX), Ok(()));
        let log = WriteLog { issued: 92, content: content(&vec![0; 30 << 20]), ..log };
        assert_eq!(log.inflate().unwrap().len(), 20 + 92 * 30);
        assert_eq!(log.check(92), Err(BadLog::Damaged));
    }
}
