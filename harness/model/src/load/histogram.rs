//! An `HdrHistogram` of microseconds with three significant digits.

use std::fmt;
use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use hdrhistogram::Counter;
use hdrhistogram::serialization::{Deserializer as Reader, Serializer as _, V2Serializer};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Three digits: no value is off by more than 0.1 %.
const DIGITS: u8 = 3;

/// The greatest value, longer than any run: only damaged files exceed it.
const LONGEST: u64 = 30 * 24 * 3600 * 1_000_000;

/// What a V2 encoding begins with if it is deflated. The serializer of the library has no level of compression, and its own one
/// makes the text an eighth longer.
const DEFLATED: u32 = 0x1c84_9314;

/// Values in microseconds, each to three significant digits. The histogram grows with its greatest value.
///
/// In JSON it is one string: `HdrHistogram`'s V2 encoding, deflated, in base64, as in an interval log.
#[derive(Clone, PartialEq)]
pub struct Histogram(hdrhistogram::Histogram<u64>);

/// The text is no histogram.
#[derive(Debug, thiserror::Error)]
#[error("{0} is not an HdrHistogram (V2, deflated, in base64)")]
pub struct NotAHistogram(String);

impl Default for Histogram {
    fn default() -> Self {
        let mut inner = hdrhistogram::Histogram::new(DIGITS).expect("three digits are legal");
        inner.auto(true);
        Self(inner)
    }
}

impl Histogram {
    /// Counts one value.
    pub fn record(&mut self, micros: u64) {
        self.record_n(micros, 1);
    }

    /// Counts one value several times.
    pub fn record_n(&mut self, micros: u64, times: u64) {
        // The histogram resizes itself: within this bound it rejects nothing.
        let _ = self.0.record_n(micros.min(LONGEST), times);
    }

    /// Adds all values of another. Both have the same buckets, so the sum is exact.
    pub fn add(&mut self, other: &Self) {
        // The histogram resizes itself: it rejects no other one within its bound.
        let _ = self.0.add(&other.0);
    }

    /// Adds all values of any other histogram of microseconds, such as a small one of an interval.
    pub fn fold<T: Counter>(&mut self, other: &hdrhistogram::Histogram<T>) {
        for step in other.iter_recorded() {
            let value = other.median_equivalent(step.value_iterated_to());
            self.record_n(value, step.count_at_value().as_u64());
        }
    }

    /// The number of values.
    pub fn len(&self) -> u64 {
        self.0.len()
    }

    /// Whether it has no value.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The least value; 0 if empty.
    pub fn min(&self) -> u64 {
        self.0.min()
    }

    /// The greatest value; 0 if empty.
    pub fn max(&self) -> u64 {
        self.0.max()
    }

    /// The mean; 0 if empty.
    pub fn mean(&self) -> f64 {
        self.0.mean()
    }

    /// The value of this rank, counted from 1 in ascending order; `None` beyond the number of values.
    pub fn of_rank(&self, rank: u64) -> Option<u64> {
        let mut below = 0;
        let mut steps = self.0.iter_recorded();
        let step = steps.find(|step| {
            below += step.count_at_value();
            below >= rank
        })?;
        Some(step.value_iterated_to().min(self.max()))
    }

    /// Every value with its count, ascending.
    pub fn recorded(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.0.iter_recorded().map(|step| (step.value_iterated_to(), step.count_at_value()))
    }

    /// The histogram of the library, for its own writers.
    pub fn inner(&self) -> &hdrhistogram::Histogram<u64> {
        &self.0
    }

    /// The string for JSON.
    pub fn encode(&self) -> String {
        let (mut plain, mut zlib) = (Vec::new(), ZlibEncoder::new(Vec::new(), Compression::best()));
        // Writing a histogram to memory cannot fail.
        let _ = V2Serializer::new().serialize(&self.0, &mut plain);
        let deflated = zlib.write_all(&plain).and_then(|()| zlib.finish()).unwrap_or_default();
        let length = u32::try_from(deflated.len()).unwrap_or_default();
        STANDARD.encode([&DEFLATED.to_be_bytes()[..], &length.to_be_bytes(), &deflated].concat())
    }

    /// Reads the string of JSON.
    pub fn decode(text: &str) -> Result<Self, NotAHistogram> {
        let reject = || NotAHistogram(text.chars().take(40).collect());
        let bytes = STANDARD.decode(text).map_err(|_| reject())?;
        let read = Reader::new().deserialize::<u64, _>(&mut bytes.as_slice()).map_err(|_| reject())?;
        Ok(Self::of(read))
    }

    /// The same values as the histogram of another program, whose buckets may be others.
    fn of(mut read: hdrhistogram::Histogram<u64>) -> Self {
        if read.sigfig() == DIGITS && read.low() == 1 && read.max() <= LONGEST {
            read.auto(true);
            return Self(read);
        }
        let mut histogram = Self::default();
        histogram.fold(&read);
        histogram
    }
}

impl fmt::Debug for Histogram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Histogram({} values, {}..={} µs)", self.len(), self.min(), self.max())
    }
}

impl Serialize for Histogram {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(&self.encode())
    }
}

impl<'de> Deserialize<'de> for Histogram {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        Self::decode(&String::deserialize(input)?).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[u64]) -> Histogram {
        let mut histogram = Histogram::default();
        for value in values {
            histogram.record(*value);
        }
        histogram
    }

    #[test]
    fn a_histogram_survives_a_round_trip() {
        for values in [&[][..], &[0], &[7, 193_000, 742_123, 61_000_000], &[u64::MAX]] {
            let histogram = of(values);
            let again = Histogram::decode(&histogram.encode()).unwrap();
            assert_eq!(again, histogram);
            assert_eq!((again.len(), again.max()), (histogram.len(), histogram.max()));
        }
    }

    #[test]
    fn any_other_text_is_an_error_without_a_panic() {
        let good = of(&[1, 2, 3]).encode();
        for text in ["", "AAAA", "no base64!", &good[..good.len() / 2], &"é".repeat(100)] {
            assert!(Histogram::decode(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_sum_is_exact_and_a_coarser_addend_stays_within_its_precision() {
        let mut sum = of(&[1_000, 2_000]);
        sum.add(&of(&[3_000, 900_000_000]));
        assert_eq!(sum, of(&[1_000, 2_000, 3_000, 900_000_000]));

        let mut coarse = hdrhistogram::Histogram::<u32>::new_with_bounds(1, 600_000_000, 2).unwrap();
        coarse.record_n(123_456, 5).unwrap();
        let mut folded = Histogram::default();
        folded.fold(&coarse);
        assert_eq!(folded.len(), 5);
        assert!(folded.max().abs_diff(123_456) < 1_235, "{folded:?}");
    }

    #[test]
    fn ranks_count_from_the_least() {
        let histogram = of(&[10, 20, 20, 30]);
        let ranks: Vec<Option<u64>> = (1..=5).map(|rank| histogram.of_rank(rank)).collect();
        assert_eq!(ranks, [Some(10), Some(20), Some(20), Some(30), None]);
    }
}
