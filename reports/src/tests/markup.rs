//! Pages, read back by a parser that forgives nothing.

use std::collections::HashMap;

use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use quick_xml::events::{BytesStart, Event as Xml};
use quick_xml::{Reader, XmlVersion};

use crate::html::Script;

/// An element of a page.
#[derive(Debug, Default)]
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) attributes: HashMap<String, String>,
    /// All text in it, also in what is inside of it.
    pub(crate) text: String,
    /// The position of the element around it.
    pub(crate) parent: Option<usize>,
}

impl Element {
    pub(crate) fn attribute(&self, name: &str) -> &str {
        self.attributes.get(name).map_or("", String::as_str)
    }

    /// Whether it has this class among others.
    pub(crate) fn is(&self, class: &str) -> bool {
        self.attribute("class").split(' ').any(|known| known == class)
    }
}

/// The digest of a script, as a browser computes it.
pub(crate) fn digest_of(script: &Script) -> String {
    STANDARD.encode(digest(&SHA256, script.text.as_bytes()))
}

/// Whatever a page may consist of. Anything else has come from a server.
const NAMES: &str = "html head meta title body a header main section footer h1 h2 h3 h4 p dl dt dd ul ol li b i span br \
     strong code pre div table thead tbody tr th td caption form label input select option fieldset legend button \
     details summary figure figcaption svg path rect text";

/// Reads a page without its style and its script.
pub(crate) fn parse(page: &str) -> Vec<Element> {
    assert!(page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"), "{page:.100}");
    let page = without(&without(page, "style"), "script");
    let mut reader = Reader::from_str(&page);
    let (mut elements, mut open): (Vec<Element>, Vec<usize>) = (Vec::new(), Vec::new());
    loop {
        match reader.read_event().unwrap_or_else(|why| panic!("{why} in {page}")) {
            Xml::Eof => break,
            Xml::DocType(_) => {}
            Xml::Start(tag) => {
                elements.push(element(&tag, open.last().copied()));
                open.push(elements.len() - 1);
            }
            Xml::Empty(tag) => elements.push(element(&tag, open.last().copied())),
            Xml::End(_) => drop(open.pop()),
            Xml::Text(text) => add(&mut elements, &open, &text.decode().unwrap()),
            Xml::GeneralRef(name) => add(&mut elements, &open, character(&name.decode().unwrap())),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(open, [0; 0]);
    elements
}

fn add(elements: &mut [Element], open: &[usize], text: &str) {
    for at in open {
        elements[*at].text.push_str(text);
    }
}

fn character(name: &str) -> &'static str {
    match name {
        "lt" => "<",
        "gt" => ">",
        "amp" => "&",
        other => panic!("&{other};"),
    }
}

fn element(tag: &BytesStart, parent: Option<usize>) -> Element {
    let name = String::from_utf8(tag.name().as_ref().to_vec()).unwrap();
    assert!(NAMES.split_whitespace().any(|known| known == name), "<{name}>");
    let attributes = tag.attributes().map(|attribute| {
        let attribute = attribute.unwrap();
        let key = String::from_utf8(attribute.key.as_ref().to_vec()).unwrap();
        assert!(!key.starts_with("on") && key != "src", "{key}");
        (key, attribute.normalized_value(XmlVersion::Explicit1_0).unwrap().into_owned())
    });
    let attributes: HashMap<String, String> = attributes.collect();
    let leads = attributes.get("href");
    assert!(leads.is_none_or(|to| to.starts_with('#') || to.starts_with("https://")), "{leads:?}");
    Element { name, attributes, parent, ..Element::default() }
}

/// The page without the one element of that name, if it has it.
fn without(page: &str, name: &str) -> String {
    let (start, end) = (format!("<{name}>"), format!("</{name}>"));
    assert!(page.matches(&start).count() <= 1 && page.matches(&end).count() <= 1, "{name}");
    match (page.find(&start), page.find(&end)) {
        (Some(from), Some(to)) => [&page[..from], &page[to + end.len()..]].concat(),
        _ => page.to_owned(),
    }
}
