//! The interval log of `HdrHistogram`: every second of every series, for the tools that read such logs.
//!
//! Values are microseconds. `StartTime` and `BaseTime` are the same: with only one of them, readers guess.

use std::io::{self, Write};
use std::time::{Duration, SystemTime};

use hdrhistogram::serialization::V2DeflateSerializer;
use hdrhistogram::serialization::interval_log::{IntervalLogWriter, IntervalLogWriterBuilder, Tag};
use model::load::{Histogram, LoadRun, PhaseName, SeriesKey};

use crate::escape::one_line;
use crate::words::milliseconds;

/// A log under construction.
type Log<'a, 'b, W> = IntervalLogWriter<'a, 'b, W, V2DeflateSerializer>;

/// Writes the log: by seconds as far as the run holds them, or else each series as one long interval.
pub fn write_interval_log(run: &LoadRun, mut out: &mut dyn Write) -> io::Result<()> {
    let began = SystemTime::from(run.began);
    let mut serializer = V2DeflateSerializer::new();
    let mut log = IntervalLogWriterBuilder::new()
        // A comment must not become a line of its own.
        .add_comment(&format!(
            "[{}, run {}, values in microseconds]",
            one_line(&run.tool),
            one_line(&run.run)
        ))
        .with_start_time(began)
        .with_base_time(began)
        .begin_log_with(&mut out, &mut serializer)?;
    let seconds = run.intervals.iter().flat_map(|interval| {
        interval.series_intervals.iter().map(move |series_interval| (interval, series_interval))
    });
    let mut written = false;
    for (interval, series_interval) in seconds {
        let Some(values) = series_interval.interval.as_deref().and_then(|text| Histogram::decode(text).ok())
        else {
            continue;
        };
        let from = interval.at_ms.saturating_sub(interval.length_ms);
        write(&mut log, &series_interval.series, &values, from, interval.length_ms)?;
        written = true;
    }
    if !written {
        whole(run, &mut log)?;
    }
    drop(log);
    out.flush()
}

fn whole<W: Write>(run: &LoadRun, log: &mut Log<'_, '_, W>) -> io::Result<()> {
    let measured = run.phases.iter().find(|phase| phase.name == PhaseName::Measure);
    let from = measured.map_or(0, |phase| phase.from_ms);
    let length = milliseconds(run.measured());
    let mut series = run.series.iter().filter(|series| !series.histogram.is_empty());
    series.try_for_each(|series| write(log, &series.key, &series.histogram, from, length))
}

fn write<W: Write>(
    log: &mut Log<'_, '_, W>,
    key: &SeriesKey,
    values: &Histogram,
    from_ms: u64,
    length_ms: u64,
) -> io::Result<()> {
    let tag = tag(key);
    let (from, length) = (Duration::from_millis(from_ms), Duration::from_millis(length_ms));
    let written = log.write_histogram(values.inner(), from, length, Tag::new(&tag));
    written.map_err(|why| io::Error::other(why.to_string()))
}

/// The name of a series as a tag, which allows no commas or spaces.
fn tag(key: &SeriesKey) -> String {
    let text = key.to_string().replace(' ', ":");
    text.chars().map(|c| if c == ',' || c.is_whitespace() || c.is_control() { '_' } else { c }).collect()
}
