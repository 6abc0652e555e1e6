//! Content negotiation: parsing of the Accept header and choice of the representation.

use http::HeaderMap;
use http::header::ACCEPT;

use crate::failure::Failure;
use crate::{cbor, protobuf};

/// The media type of documents.
const ACCEPTED: &str = "application/json";

/// The encoding of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    Json,
    Yaml,
    Protobuf,
    Cbor,
}

/// The representation of objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Representation {
    /// The object itself.
    Object,
    /// Metadata of an object only, under a version of `meta.k8s.io`.
    Metadata(&'static str),
    /// Metadata of a list and its objects only, under a version of `meta.k8s.io`.
    MetadataList(&'static str),
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

    /// The encoding that a client of this range gets, if the server has one.
    fn encoding(&self) -> Option<Encoding> {
        match self.media {
            "application/json" | "application/*" | "*/*" => Some(Encoding::Json),
            "application/yaml" => Some(Encoding::Yaml),
            protobuf::MEDIA_TYPE => Some(Encoding::Protobuf),
            cbor::MEDIA_TYPE => Some(Encoding::Cbor),
            _ => None,
        }
    }

    fn representation(&self) -> Option<Representation> {
        let version = match self.parameter("v") {
            "v1" => "v1",
            "v1beta1" => "v1beta1",
            _ => "",
        };
        match (self.parameter("as"), self.parameter("g"), version) {
            ("", _, _) => Some(Representation::Object),
            (_, _, "") => None,
            ("Table", "meta.k8s.io", _) => Some(Representation::Table(version)),
            ("PartialObjectMetadata", "meta.k8s.io", _) => Some(Representation::Metadata(version)),
            ("PartialObjectMetadataList", "meta.k8s.io", _) => Some(Representation::MetadataList(version)),
            _ => None,
        }
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

/// What a response can be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Offer {
    /// Whether Protobuf can hold the objects themselves.
    pub(crate) protobuf: bool,
    /// Whether the response is a watch, which YAML has no form for.
    pub(crate) streams: bool,
}

impl Offer {
    fn choice(self, range: &Range<'_>) -> Option<Choice> {
        let (encoding, representation) = (range.encoding()?, range.representation()?);
        let possible = match (encoding, representation) {
            (Encoding::Yaml, _) => !self.streams,
            (Encoding::Protobuf, Representation::Object) => self.protobuf,
            (Encoding::Protobuf, Representation::Table(_)) => false,
            _ => true,
        };
        let drops_managers = range.parameter("drop") == "metadata.managedFields";
        possible.then_some(Choice { encoding, representation, drops_managers })
    }

    fn media_types(self) -> &'static str {
        if self.streams {
            "application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch, application/cbor-seq"
        } else {
            "application/json, application/yaml, application/vnd.kubernetes.protobuf, application/cbor"
        }
    }
}

/// What a request and an offer have in common.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Choice {
    pub(crate) encoding: Encoding,
    pub(crate) representation: Representation,
    /// Whether objects have no managedFields.
    pub(crate) drops_managers: bool,
}

/// The encoding and the representation for a resource request.
pub(crate) fn negotiate(headers: &HeaderMap, offer: Offer) -> Result<Choice, Failure> {
    let ranges = ranges(headers);
    if ranges.is_empty() {
        let (encoding, representation) = (Encoding::Json, Representation::Object);
        return Ok(Choice { encoding, representation, drops_managers: false });
    }
    let choice = ranges.iter().find_map(|range| offer.choice(range));
    choice.ok_or_else(|| Failure::not_acceptable(offer.media_types()))
}

/// The encoding of an error: the first that the request accepts, whatever its type offers.
pub(crate) fn encoding_of_errors(headers: &HeaderMap) -> Encoding {
    ranges(headers).iter().find_map(Range::encoding).unwrap_or(Encoding::Json)
}

/// Fails unless the request accepts the object itself, for types without other representations.
pub(crate) fn require_object(headers: &HeaderMap) -> Result<(), Failure> {
    if accepts_object(headers) { Ok(()) } else { Err(Failure::not_acceptable(ACCEPTED)) }
}

/// Whether the request accepts JSON without another representation.
pub(crate) fn accepts_object(headers: &HeaderMap) -> bool {
    let is_object = |range: &Range<'_>| {
        range.encoding() == Some(Encoding::Json) && range.representation() == Some(Representation::Object)
    };
    let ranges = ranges(headers);
    ranges.is_empty() || ranges.iter().any(is_object)
}
