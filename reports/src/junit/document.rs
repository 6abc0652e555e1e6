//! The elements of the document, in an order and with attributes that the published schemas accept.
//!
//! They are the schema of Jenkins (`junit-10.xsd`) and the one of Apache Ant (`JUnit.xsd`). Neither knows the properties
//! of a test case, and Ant's has neither totals nor the output of a test case: readers accept all three.

use std::borrow::Cow;
use std::io::{self, Write};
use std::time::Duration;

use jiff::Timestamp;
use quick_xml::Writer;
use quick_xml::events::{BytesCData, BytesDecl, Event};

use crate::cases::CaseResult;

/// The name of a property, and its value.
pub(crate) type Property = (Cow<'static, str>, String);

/// All test cases of one area.
#[derive(Debug)]
pub(crate) struct TestSuite {
    pub(crate) name: String,
    /// Host and port of the server.
    pub(crate) host: String,
    pub(crate) began: Timestamp,
    pub(crate) properties: Vec<Property>,
    pub(crate) cases: Vec<TestCase>,
}

/// One test case. All of its texts are harmless already.
#[derive(Debug)]
pub(crate) struct TestCase {
    pub(crate) name: String,
    pub(crate) elapsed: Duration,
    pub(crate) result: CaseResult,
    /// The verdict in one word; only a failure and an error show it.
    pub(crate) word: &'static str,
    /// Why it is so, on one line.
    pub(crate) message: String,
    /// The explanation: the content of the result, or the output of a success.
    pub(crate) text: String,
    pub(crate) properties: Vec<Property>,
}

/// Tests, failures, errors and skipped tests, and the time of all.
#[derive(Debug, Default, Clone, Copy)]
struct Totals {
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
    time: Duration,
}

impl Totals {
    fn of<'a>(cases: impl Iterator<Item = &'a TestCase>) -> Self {
        cases.fold(Self::default(), |sum, case| Self {
            tests: sum.tests + 1,
            failures: sum.failures + usize::from(case.result == CaseResult::Failure),
            errors: sum.errors + usize::from(case.result == CaseResult::Error),
            skipped: sum.skipped + usize::from(case.result == CaseResult::Skipped),
            time: sum.time.saturating_add(whole_milliseconds(case.elapsed)),
        })
    }

    /// The attributes that every schema knows.
    fn attributes(self) -> Vec<Attribute> {
        vec![
            ("tests", self.tests.to_string()),
            ("failures", self.failures.to_string()),
            ("errors", self.errors.to_string()),
            ("time", seconds(self.time)),
        ]
    }
}

/// The name of an attribute, and its value.
type Attribute = (&'static str, String);

/// Writes the whole document.
pub(crate) fn write(name: &str, suites: &[TestSuite], out: &mut dyn Write) -> io::Result<()> {
    let mut writer = Writer::new(out);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("utf-8"), None)))?;
    let mut attributes = vec![("name", name.to_owned())];
    attributes.extend(Totals::of(suites.iter().flat_map(|suite| &suite.cases)).attributes());
    element(&mut writer, "testsuites", &attributes, |inside| {
        suites.iter().enumerate().try_for_each(|(id, suite)| testsuite(inside, id, suite))
    })?;
    writeln!(writer.into_inner())
}

fn testsuite<W: Write>(writer: &mut Writer<W>, id: usize, suite: &TestSuite) -> io::Result<()> {
    let class = format!("kube-assay.{}", suite.name);
    let totals = Totals::of(suite.cases.iter());
    let mut attributes = vec![
        ("id", id.to_string()),
        ("name", present(&suite.name, "unknown")),
        ("package", class.clone()),
        ("timestamp", instant(suite.began)),
        ("hostname", present(&suite.host, "localhost")),
        ("skipped", totals.skipped.to_string()),
    ];
    attributes.extend(totals.attributes());
    element(writer, "testsuite", &attributes, |inside| {
        properties(inside, &suite.properties)?;
        suite.cases.iter().try_for_each(|case| testcase(inside, &class, case))?;
        ["system-out", "system-err"].iter().try_for_each(|name| empty(inside, name))
    })
}

fn testcase<W: Write>(writer: &mut Writer<W>, class: &str, case: &TestCase) -> io::Result<()> {
    let attributes =
        [("name", case.name.clone()), ("classname", class.to_owned()), ("time", seconds(case.elapsed))];
    let about = [("type", case.word.to_owned()), ("message", case.message.clone())];
    element(writer, "testcase", &attributes, |inside| {
        if !case.properties.is_empty() {
            properties(inside, &case.properties)?;
        }
        match case.result {
            CaseResult::Success if case.text.is_empty() => Ok(()),
            CaseResult::Success => text(inside, "system-out", &[], &case.text),
            CaseResult::Failure => text(inside, "failure", &about, &case.text),
            CaseResult::Error => text(inside, "error", &about, &case.text),
            CaseResult::Skipped => text(inside, "skipped", &about[1..], &case.text),
        }
    })
}

fn properties<W: Write>(writer: &mut Writer<W>, properties: &[Property]) -> io::Result<()> {
    element(writer, "properties", &[], |inside| {
        properties.iter().try_for_each(|(name, value)| {
            let attributes = [("name", name.as_ref()), ("value", value.as_str())];
            inside.create_element("property").with_attributes(attributes).write_empty().map(drop)
        })
    })
}

fn element<W: Write>(
    writer: &mut Writer<W>,
    name: &str,
    attributes: &[Attribute],
    content: impl FnOnce(&mut Writer<W>) -> io::Result<()>,
) -> io::Result<()> {
    let attributes = attributes.iter().map(|(name, value)| (*name, value.as_str()));
    writer.create_element(name).with_attributes(attributes).write_inner_content(content).map(drop)
}

fn empty<W: Write>(writer: &mut Writer<W>, name: &str) -> io::Result<()> {
    writer.create_element(name).write_empty().map(drop)
}

/// An element with text. The only sequence that ends a CDATA section is divided between two of them.
fn text<W: Write>(
    writer: &mut Writer<W>,
    name: &str,
    attributes: &[Attribute],
    text: &str,
) -> io::Result<()> {
    element(writer, name, attributes, |inside| {
        BytesCData::escaped(text).try_for_each(|part| inside.write_event(Event::CData(part)))
    })
}

/// The schemas demand at least one character.
fn present(name: &str, otherwise: &str) -> String {
    if name.trim().is_empty() { otherwise.to_owned() } else { name.to_owned() }
}

/// A recording has no smaller unit, and its reports have the same bytes.
fn whole_milliseconds(elapsed: Duration) -> Duration {
    Duration::new(elapsed.as_secs(), elapsed.subsec_millis() * 1_000_000)
}

/// In seconds, with as many decimals as the strictest schema allows.
fn seconds(elapsed: Duration) -> String {
    format!("{}.{:03}", elapsed.as_secs(), elapsed.subsec_millis())
}

/// The first and the last second that the schemas know.
const YEARS: (i64, i64) = (-62_135_596_800, 253_402_207_200);

/// In UTC: the schemas forbid a time zone and fractions of a second.
fn instant(at: Timestamp) -> String {
    let second = at.as_second().clamp(YEARS.0, YEARS.1);
    Timestamp::from_second(second).unwrap_or_default().strftime("%Y-%m-%dT%H:%M:%S").to_string()
}
