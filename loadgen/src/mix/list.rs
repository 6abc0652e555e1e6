//! Lists: the requests of each form, in pages where the form has them, and whether a list has all objects.

use http::header::{ACCEPT, HeaderValue};

use super::MixSummary;
use crate::population::Settled;
use crate::requests::Outcome;
use crate::template::PART;
use crate::wire::Call;
use crate::workload::Way;

/// The number of objects in a page.
const PAGE: usize = 500;

const TABLE: &str = "application/json;as=Table;g=meta.k8s.io;v=v1";
const METADATA: &str = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

/// The maximum number of examples of errors.
const EVIDENCE: usize = 5;

/// The lists of a workload.
pub(super) struct Lists {
    /// The continue token of each place's list in pages.
    walks: Vec<Option<String>>,
    /// Whether the number of objects is constant.
    constant: bool,
    turn: usize,
}

impl Lists {
    pub(super) fn new(places: usize, constant: bool) -> Self {
        Self { walks: vec![None; places], constant, turn: 0 }
    }

    /// The next list of this form, its place, and whether it surely has an object.
    pub(super) fn next(&mut self, settled: &Settled, way: Way) -> Option<(Call, usize, bool)> {
        self.turn = (self.turn + 1) % settled.places.len();
        let (place, mut accept) = (self.turn, None);
        // A list from the cache may be older than the population; the last page may be empty.
        let whole = match way {
            Way::Cached | Way::Selector => false,
            Way::Paged => self.walks[place].is_none(),
            _ => true,
        };
        let query = match way {
            Way::Cached => "?resourceVersion=0".to_owned(),
            Way::Paged => self.page(place),
            Way::Selector => format!("?labelSelector={}", PART.replace('/', "%2F")),
            Way::Table => {
                accept = Some(TABLE);
                String::new()
            }
            Way::Metadata => {
                accept = Some(METADATA);
                String::new()
            }
            _ => String::new(),
        };
        let mut call = Call::get(format!("{}{query}", settled.places[place].path).parse().ok()?);
        if let Some(accept) = accept {
            call.headers.insert(ACCEPT, HeaderValue::from_static(accept));
        }
        Some((call, place, whole && settled.places[place].objects > 0))
    }

    fn page(&mut self, place: usize) -> String {
        let Some(goes_on) = self.walks[place].take() else { return format!("?limit={PAGE}") };
        let token: String = form_urlencoded::byte_serialize(goes_on.as_bytes()).collect();
        format!("?limit={PAGE}&continue={token}")
    }

    /// Checks a complete list.
    pub(super) fn done(
        &mut self,
        (way, place): (Way, usize),
        outcome: &Outcome,
        settled: &Settled,
        mix_summary: &mut MixSummary,
    ) {
        if !outcome.is_complete() {
            return;
        }
        mix_summary.checked += u64::from(outcome.misread.is_some());
        mix_summary.misread += u64::from(outcome.misread == Some(true));
        let goes_on = outcome.page.as_ref().and_then(|page| page.goes_on.clone());
        if way == Way::Paged {
            self.walks[place] = goes_on;
        }
        // A list from the cache may be older than the population.
        let whole = matches!(way, Way::Plain | Way::Consistent | Way::Metadata);
        let there = settled.places[place].objects as u64;
        if self.constant && whole && outcome.page.is_some() && outcome.items < there {
            mix_summary.short += 1;
            if mix_summary.evidence.len() < EVIDENCE {
                let (path, variant) = (&settled.places[place].path, way.variant());
                let example = format!("{path} ({variant}) has {} of at least {there} objects", outcome.items);
                mix_summary.evidence.push(example);
            }
        }
    }
}
