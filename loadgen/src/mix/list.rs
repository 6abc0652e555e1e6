//! Lists: the requests of each form, in pages where the form has them, and whether a list has all objects.

mod walk;

use std::collections::BTreeSet;
use std::time::Instant;

use http::header::{ACCEPT, HeaderValue};

use self::walk::Walk;
use super::MixSummary;
use super::created_objects::CreatedObjects;
use crate::broken_rules::{BrokenRules, Rule};
use crate::population::{MOST_EMPTY_PAGES, Place, Settled, name, object_of, objects_in};
use crate::requests::{Outcome, Reading, Room};
use crate::scan::{COUNT_TWICE_ONE_IN, ListedObject, repeated};
use crate::template::{PART, is_labelled};
use crate::wire::Call;
use crate::workload::Way;

/// The number of objects in a page.
const PAGE: usize = 500;

/// The other forms of a list: the kind, and the media type that asks for it.
type Form = (&'static str, &'static str);
const TABLE: Form = ("Table", "application/json;as=Table;g=meta.k8s.io;v=v1");
const METADATA: Form =
    ("PartialObjectMetadataList", "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1");

/// The number of objects that others may create in a namespace of the run, such as `kube-root-ca.crt`.
const MOST_FOREIGN: u64 = 100;

/// The lists of a workload.
pub(super) struct Lists {
    /// Each place's list in pages.
    walks: Vec<Option<Walk>>,
    /// The number of objects of the population in all places.
    population: usize,
    /// Whether the number of objects is constant.
    constant: bool,
    /// The number of objects that have existed in a place, at most.
    existed: u64,
    /// The number of objects of the population in each place that the selector selects.
    selected: Vec<u64>,
    /// The forms of which one list was sent.
    sent: Vec<Way>,
    /// Whether the quick count of a list was wrong: the server varies the order of fields, for example.
    is_misread: bool,
    turn: usize,
}

/// A list to be sent.
pub(super) struct List {
    pub(super) call: Call,
    pub(super) place: usize,
    pub(super) reading: Reading,
    /// Whether it has the most recent state: a cache may be older, and so is a later page.
    pub(super) is_most_recent: bool,
    /// When its first page was read, if this is a later one.
    pub(super) began: Option<Instant>,
}

impl Lists {
    pub(super) fn new(settled: &Settled, constant: bool) -> Self {
        let (places, objects) = (settled.places.len(), settled.objects);
        let selected =
            |place| objects_in(place, places, objects).filter(|object| is_labelled(*object)).count() as u64;
        Self {
            walks: vec![None; places],
            population: objects,
            constant,
            existed: 0,
            selected: (0..places).map(selected).collect(),
            sent: Vec::new(),
            is_misread: false,
            turn: 0,
        }
    }

    /// Whether the number of objects is constant.
    pub(super) fn is_constant(&self) -> bool {
        self.constant
    }

    /// Sets the number of objects that have existed in all places.
    pub(super) fn existed(&mut self, objects: usize) {
        self.existed = objects.div_ceil(self.walks.len().max(1)) as u64;
    }

    /// The next list of this form.
    pub(super) fn next(
        &mut self,
        settled: &Settled,
        way: Way,
        created: &CreatedObjects,
        random: &mut fastrand::Rng,
    ) -> Option<List> {
        self.turn = (self.turn + 1) % settled.places.len();
        let (place, mut form, mut is_most_recent) = (self.turn, None, true);
        let mut sought = some_object(settled, created, (place, way), random).map(name);
        let (mut thorough, mut room) = (random.u32(0..COUNT_TWICE_ONE_IN) == 0, Room::UNKNOWN);
        // The first one is counted for sure: a server that always adds objects is found at once.
        if !self.sent.contains(&way) {
            self.sent.push(way);
            thorough = true;
        }
        thorough |= self.is_misread;
        let (mut earlier, mut began) = (thorough.then(BTreeSet::new), None);
        let query = match way {
            Way::Cached => {
                // It may be older than the population.
                (sought, is_most_recent) = (None, false);
                "?resourceVersion=0".to_owned()
            }
            Way::Paged => match self.walks[place].take() {
                Some(walk) => {
                    (earlier, began) = (walk.earlier, Some(walk.began));
                    thorough |= earlier.is_some() || walk.room.expected == 0;
                    (sought, room, is_most_recent) = (walk.sought, walk.room, false);
                    next_page(&walk.token)
                }
                None => format!("?limit={PAGE}"),
            },
            Way::Selector => format!("?labelSelector={}", PART.replace('/', "%2F")),
            Way::Table => {
                form = Some(TABLE);
                String::new()
            }
            Way::Metadata => {
                form = Some(METADATA);
                String::new()
            }
            _ => String::new(),
        };
        let mut call = Call::get(format!("{}{query}", settled.places[place].path).parse().ok()?);
        if let Some((_, accept)) = form {
            call.headers.insert(ACCEPT, HeaderValue::from_static(accept));
        }
        let kind = form.map(|(kind, _)| kind);
        let earlier = earlier.filter(|_| way == Way::Paged);
        let reading = Reading::Items { kind, thorough, sought, room, earlier };
        Some(List { call, place, reading, is_most_recent, began })
    }

    /// Checks a complete list.
    pub(super) fn done(
        &mut self,
        (way, place): (Way, usize),
        (reading, began, outcome): (Reading, Option<Instant>, &Outcome),
        settled: &Settled,
        mix_summary: &mut MixSummary,
    ) {
        if !outcome.is_complete() {
            return;
        }
        mix_summary.checked += u64::from(outcome.misread.is_some());
        mix_summary.misread += u64::from(outcome.misread == Some(true));
        self.is_misread |= outcome.misread == Some(true);
        if let Some(name) = lacked(&reading, outcome, self.population) {
            let (path, variant) = (&settled.places[place].path, way.variant());
            let example =
                || format!("{path} ({variant}) lacks {name}, whose creation was acknowledged before");
            mix_summary.broken_rules.count(Rule::ListShort, example);
        }
        if way == Way::Paged {
            let expected = settled.places[place].objects as u64;
            let whole = Room { expected, most: self.existed.saturating_add(MOST_EMPTY_PAGES as u64) };
            let listed = outcome.listed.as_deref();
            if let Some(name) = listed.and_then(|listed| on_two_pages(&reading, listed)) {
                let path = &settled.places[place].path;
                mix_summary.broken_rules.count(Rule::Repeated, || format!("{path} has {name} on two pages"));
            }
            let page = outcome.page.as_ref();
            let is_last = began.is_some() && page.is_some_and(|page| page.goes_on.is_none());
            let found = listed.filter(|_| is_last).and_then(|last| self.found_on_all_pages(&reading, last));
            if let Some(found) = found.filter(|found| *found < expected) {
                let path = &settled.places[place].path;
                let example =
                    || format!("{path} (paged) has {found} of at least {expected} objects on all its pages");
                mix_summary.broken_rules.count(Rule::ListShort, example);
            }
            let walk = page.and_then(|page| Walk::behind(page, (reading, listed), whole));
            let walk = walk.map(|walk| Walk { began: began.unwrap_or(walk.began), ..walk });
            Walk::replace(&mut self.walks[place], walk);
        }
        if outcome.page.is_some() {
            let is_whole = way != Way::Paged || is_whole_list(began, outcome);
            let settled = (place, &settled.places[place], is_whole);
            self.compare(way, settled, outcome, &mut mix_summary.broken_rules);
        }
    }

    /// The number of objects of the population on the pages up to the last one; `None` if some were not read.
    fn found_on_all_pages(&self, reading: &Reading, last: &[ListedObject]) -> Option<u64> {
        let Reading::Items { earlier: Some(earlier), .. } = reading else { return None };
        let names: BTreeSet<&str> =
            earlier.iter().map(|name| &**name).chain(last.iter().map(|one| &*one.name)).collect();
        let objects = names.into_iter().filter_map(|name| object_of(name.as_bytes()));
        Some(objects.filter(|object| (*object as usize) < self.population).count() as u64)
    }

    /// Compares a list with the objects that are there, and those that can be there.
    fn compare(
        &self,
        way: Way,
        (place, Place { path, objects, .. }, is_whole): (usize, &Place, bool),
        outcome: &Outcome,
        broken_rules: &mut BrokenRules,
    ) {
        let (variant, items, objects) = (way.variant(), outcome.items, *objects as u64);
        let there = if way == Way::Selector { self.selected[place] } else { objects };
        // A list from the cache may be older than the population.
        let whole = way != Way::Cached && is_whole;
        // Nobody deletes an object of the population.
        let population = |one: &&ListedObject| one.object().is_some_and(|object| object < self.population);
        let listed = outcome.listed.as_ref();
        let own = listed.map(|listed| listed.iter().filter(population).count() as u64);
        let is_counted = self.constant && (outcome.misread.is_some() || !self.is_misread);
        let found = own.or(is_counted.then_some(items)).filter(|found| whole && *found < there);
        if let Some(found) = found {
            let example = || format!("{path} ({variant}) has {found} of at least {there} objects");
            broken_rules.count(Rule::ListShort, example);
        }
        // The quick count is not certain.
        if outcome.misread.is_none() {
            return;
        }
        let existed = self.existed;
        // Nobody but the run uses its label.
        let selected = there.saturating_add(existed.saturating_sub(objects));
        if way == Way::Selector && items > selected {
            let example =
                || format!("{path} ({variant}) has {items} items: at most {selected} objects match");
            broken_rules.count(Rule::Unselected, example);
        } else if items > existed.saturating_add(MOST_FOREIGN) {
            let example =
                || format!("{path} ({variant}) has {items} items: at most {existed} objects existed");
            broken_rules.count(Rule::Repeated, example);
        } else if let Some(name) = outcome.listed.as_deref().and_then(repeated) {
            broken_rules.count(Rule::Repeated, || format!("{path} ({variant}) has {name} more than once"));
        }
    }
}

/// An object that a list of this form must have: of the population, or created before.
fn some_object(
    settled: &Settled,
    created: &CreatedObjects,
    (place, way): (usize, Way),
    random: &mut fastrand::Rng,
) -> Option<usize> {
    let is_selector = way == Way::Selector;
    let of_population = settled.some_object(place, is_selector, random);
    let prefers_created = random.bool();
    let created = created.first_in(place).filter(|object| !is_selector || is_labelled(*object));
    created.filter(|_| prefers_created).or(of_population)
}

/// Whether a page is a whole list.
fn is_whole_list(began: Option<Instant>, outcome: &Outcome) -> bool {
    began.is_none() && outcome.page.as_ref().is_some_and(|page| page.goes_on.is_none())
}

/// The created object that a list and its pages lack.
fn lacked<'a>(reading: &'a Reading, outcome: &Outcome, population: usize) -> Option<&'a str> {
    let Reading::Items { sought: Some(name), .. } = reading else { return None };
    let page = outcome.page.as_ref().filter(|page| page.lacks_sought && page.goes_on.is_none())?;
    let is_created = object_of(name.as_bytes()).is_some_and(|object| object as usize >= population);
    (is_created && page.version.is_some()).then_some(name)
}

/// The name of an object on a page that an earlier page has.
fn on_two_pages<'a>(reading: &Reading, listed: &'a [ListedObject]) -> Option<&'a str> {
    let Reading::Items { earlier: Some(earlier), .. } = reading else { return None };
    listed.iter().find(|one| earlier.contains(&one.name)).map(|one| &*one.name)
}

fn next_page(token: &str) -> String {
    let token: String = form_urlencoded::byte_serialize(token.as_bytes()).collect();
    format!("?limit={PAGE}&continue={token}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::requests::Page;
    use crate::template::Template;

    fn settled(objects: usize) -> Settled {
        let text = |text: &str| text.to_owned();
        let place = Place { namespace: text("n"), path: text("/n"), version: text("1"), objects };
        let template = Template::config_map();
        Settled { run: text("r"), template, objects, newest: 1, versions: None, places: vec![place] }
    }

    /// The rules that a list breaks whose items were counted twice. Of 30 objects 3 match; 2 more were created.
    fn broken(way: Way, items: u64, names: &[&str]) -> Vec<String> {
        let (settled, mut broken_rules) = (settled(30), BrokenRules::default());
        let mut lists = Lists::new(&settled, true);
        lists.existed(32);
        let named = |name: &&str| ListedObject { name: (*name).to_owned(), ..ListedObject::default() };
        let listed = (!names.is_empty()).then(|| names.iter().map(named).collect());
        let misread = Some(false);
        let outcome = Outcome { items, misread, listed, ..Outcome::default() };
        lists.compare(way, (0, &settled.places[0], true), &outcome, &mut broken_rules);
        broken_rules.breaches().map(|breach| breach.rule).collect()
    }

    #[test]
    fn a_list_has_the_objects_that_it_asks_for() {
        for (way, items, expected) in [
            (Way::Plain, 29, "list-short"),
            (Way::Plain, 30, ""),
            (Way::Plain, 132, ""),
            (Way::Plain, 133, "repeated"),
            (Way::Selector, 2, "list-short"),
            (Way::Selector, 3, ""),
            (Way::Selector, 5, ""),
            (Way::Selector, 6, "unselected"),
            (Way::Cached, 0, ""),
        ] {
            assert_eq!(broken(way, items, &[]).concat(), expected, "{way:?} {items}");
        }
        assert_eq!(broken(Way::Cached, 31, &["o7", "o7"]), ["repeated"]);
    }

    #[test]
    fn a_list_whose_pages_are_read_is_read_to_its_end_also_if_others_overlap() {
        let (settled, mut random) = (settled(30), fastrand::Rng::with_seed(7));
        let (mut lists, created) = (Lists::new(&settled, true), CreatedObjects::new(1));
        let done = |lists: &mut Lists, is_read: bool, token: Option<&str>| {
            let (room, earlier) = (Room::UNKNOWN, is_read.then(BTreeSet::new));
            let reading = Reading::Items { kind: None, thorough: is_read, sought: None, room, earlier };
            let page = Page { goes_on: token.map(str::to_owned), ..Page::default() };
            let outcome = Outcome {
                status: Some(http::StatusCode::OK),
                page: Some(page),
                listed: is_read.then(Vec::new),
                ..Outcome::default()
            };
            let list = (reading, None, &outcome);
            lists.done((Way::Paged, 0), list, &settled, &mut MixSummary::default());
        };
        let mut next = |lists: &mut Lists| {
            lists.next(&settled, Way::Paged, &created, &mut random).unwrap().call.path.to_string()
        };
        done(&mut lists, true, Some("read"));
        done(&mut lists, false, Some("other"));
        done(&mut lists, false, None);
        assert!(next(&mut lists).ends_with("&continue=read"));
        done(&mut lists, false, Some("other"));
        done(&mut lists, true, Some("read"));
        assert!(next(&mut lists).ends_with("&continue=read"));
        assert!(!next(&mut lists).contains("continue="));
    }

    #[test]
    fn a_cache_and_a_later_page_may_be_older_than_the_last_write() {
        let (settled, mut random) = (settled(30), fastrand::Rng::with_seed(7));
        let mut lists = Lists::new(&settled, true);
        let walk = Walk {
            token: "more".to_owned(),
            began: Instant::now(),
            room: Room::UNKNOWN,
            sought: None,
            earlier: None,
        };
        for (way, walk, expected) in [
            (Way::Plain, None, true),
            (Way::Consistent, None, true),
            (Way::Selector, None, true),
            (Way::Table, None, true),
            (Way::Metadata, None, true),
            (Way::Cached, None, false),
            (Way::Paged, None, true),
            (Way::Paged, Some(walk), false),
        ] {
            lists.walks[0] = walk;
            let created = CreatedObjects::new(1);
            let list = lists.next(&settled, way, &created, &mut random).unwrap();
            assert_eq!(list.is_most_recent, expected, "{}", list.call.path);
        }
    }
}
