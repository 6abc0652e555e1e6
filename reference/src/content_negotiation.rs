//! Content negotiation: parsing of the Accept header and choice of the representation.

use http::HeaderMap;
use http::header::ACCEPT;

use crate::failure::Failure;

/// The media types of resource responses.
const ACCEPTED: &str = "application/json";

/// The representation of objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Representation {
    /// The object itself.
    Object,
    /// Metadata only, under a version of `meta.k8s.io`.
    Metadata(&'static str),
    /// As rows of a table, under a version of `meta.k8s.io`.
    Table(&'static str),
}

/// One media range of an Accept header.
pub(crate) struct Range<'a> {
    /// `type/subtype`.
    pub(crate) media: &'a str,
    parameters: Vec<(&'a str, &'a str)>,
}

impl<'a> Range<'a> {
    /// The value of a parameter; empty if there is none.
    pub(crate) fn parameter(&self, name: &str) -> &'a str {
        self.parameters.iter().find(|(key, _)| *key == name).map_or("", |(_, value)| value)
    }

    fn quality(&self) -> f32 {
        self.parameter("q").parse().unwrap_or(1.0)
    }

    /// Whether the range includes JSON.
    pub(crate) fn covers_json(&self) -> bool {
        matches!(self.media, "application/json" | "application/*" | "*/*")
    }
}

/// The media ranges of a request, by descending quality.
pub(crate) fn ranges(headers: &HeaderMap) -> Vec<Range<'_>> {
    let texts = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let mut ranges: Vec<_> = texts
        .flat_map(|text| text.split(','))
        .filter(|text| !text.trim().is_empty())
        .map(|text| {
            let mut parts = text.split(';').map(str::trim);
            let media = parts.next().unwrap_or_default();
            Range { media, parameters: parts.filter_map(|part| part.split_once('=')).collect() }
        })
        .collect();
    ranges.sort_by(|one, other| other.quality().total_cmp(&one.quality()));
    ranges
}

/// The representation for a resource request.
pub(crate) fn negotiate(headers: &HeaderMap) -> Result<Representation, Failure> {
    let ranges = ranges(headers);
    if ranges.is_empty() {
        return Ok(Representation::Object);
    }
    ranges.iter().find_map(supported).ok_or_else(|| Failure::not_acceptable(ACCEPTED))
}

/// Fails unless the request accepts the object itself, for types without other representations.
pub(crate) fn require_object(headers: &HeaderMap) -> Result<(), Failure> {
    if accepts_object(headers) { Ok(()) } else { Err(Failure::not_acceptable(ACCEPTED)) }
}

/// Whether the request accepts JSON without another representation.
pub(crate) fn accepts_object(headers: &HeaderMap) -> bool {
    let ranges = ranges(headers);
    ranges.is_empty() || ranges.iter().any(|range| supported(range) == Some(Representation::Object))
}

fn supported(range: &Range<'_>) -> Option<Representation> {
    if !range.covers_json() {
        return None;
    }
    let version = match range.parameter("v") {
        "v1" => "v1",
        "v1beta1" => "v1beta1",
        _ => "",
    };
    match (range.parameter("as"), range.parameter("g"), version) {
        ("", _, _) => Some(Representation::Object),
        ("Table", "meta.k8s.io", "v1" | "v1beta1") => Some(Representation::Table(version)),
        ("PartialObjectMetadata" | "PartialObjectMetadataList", "meta.k8s.io", "v1" | "v1beta1") => {
            Some(Representation::Metadata(version))
        }
        _ => None,
    }
}
