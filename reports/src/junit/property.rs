//! A property of test cases, which the crate that writes the document does not know.

use std::io::{self, Write};

use quick_xml::events::Event;
use quick_xml::{Reader, Writer};

/// Writes a document again, with a property in each test case that has a value; values come in the order of the cases.
pub(super) fn write(
    xml: &[u8],
    name: &str,
    values: impl IntoIterator<Item = Option<String>>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (mut reader, mut writer, mut values) =
        (Reader::from_reader(xml), Writer::new(out), values.into_iter());
    loop {
        let event = reader.read_event().map_err(io::Error::other)?;
        let value = match &event {
            Event::Eof => return Ok(()),
            Event::Start(element) if element.name().as_ref() == b"testcase" => values.next().flatten(),
            Event::Empty(element) if element.name().as_ref() == b"testcase" => {
                // Without content it has passed, and so it has no cause.
                values.next();
                None
            }
            _ => None,
        };
        writer.write_event(event)?;
        if let Some(value) = value {
            writer.create_element("properties").write_inner_content(|inside| {
                let property = inside.create_element("property");
                property.with_attributes([("name", name), ("value", value.as_str())]).write_empty().map(drop)
            })?;
        }
    }
}
