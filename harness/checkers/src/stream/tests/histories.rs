//! Random histories of a right server: no stream of them breaks a rule, and every mutation of a stream is found.

use proptest::collection::vec;
use proptest::prelude::*;

use super::{
    Event, EventObject, Findings, OF, ResourceVersion, Selector, Start, Stream, StreamRule, WatchEventType,
    WatchRequest, Write, judge,
};

/// One change of one object: its colour, or `None` for a deletion.
#[derive(Debug, Clone, Copy)]
struct Step {
    object: usize,
    colour: Option<usize>,
    acknowledged: bool,
}

const COLOURS: [&str; 3] = ["red", "blue", ""];
const NAMES: [&str; 4] = ["a", "b", "c", "d"];

/// A watch: its start and end in the history, and its selector.
#[derive(Debug, Clone)]
struct Cut {
    from: usize,
    to: usize,
    with_state: bool,
    selector: &'static str,
    /// The number of changes between two bookmarks.
    bookmarks: usize,
}

#[derive(Debug, Clone)]
enum Sent {
    Change { change: WatchEventType, object: usize, version: usize, colour: &'static str },
    Bookmark(usize, bool),
}

fn history() -> impl Strategy<Value = Vec<Step>> {
    let step = (0..NAMES.len(), prop::option::weighted(0.8, 0..COLOURS.len()), any::<bool>());
    let step = step.prop_map(|(object, colour, acknowledged)| Step { object, colour, acknowledged });
    vec(step, 10..40).prop_map(|steps| {
        // An absent object cannot be deleted.
        let mut there = [false; NAMES.len()];
        let mut happens = |step: &Step| {
            std::mem::replace(&mut there[step.object], step.colour.is_some()) || step.colour.is_some()
        };
        steps.into_iter().filter(|step| happens(step)).collect()
    })
}

fn cut() -> impl Strategy<Value = Cut> {
    let selector = prop::sample::select(vec!["", "", "colour=red", "colour!=red", "colour in (red,blue)"]);
    (any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<bool>(), selector, 1..9_usize)
        .prop_map(|(from, to, with_state, selector, bookmarks)| {
            let from = from.index(20);
            Cut { from, to: from + to.index(40), with_state, selector, bookmarks }
        })
}

/// The colour of each object after this many steps; version `n` is that of step `n`, and 0 that of the start.
fn state(steps: &[Step], at: usize) -> Vec<Option<(usize, &'static str)>> {
    let mut state = vec![None; NAMES.len()];
    for (number, step) in steps.iter().enumerate().take(at) {
        state[step.object] = step.colour.map(|colour| (number + 1, COLOURS[colour]));
    }
    state
}

fn selector(cut: &Cut) -> Selector {
    Selector::default().namespace("n").labels(cut.selector)
}

fn selects(cut: &Cut, colour: &'static str) -> bool {
    let label = |key: &str| (key == "colour" && !colour.is_empty()).then_some(colour);
    selector(cut).selects("n", "a", label) == Some(true)
}

/// The events that a right server sends.
fn serve(steps: &[Step], cut: &Cut) -> Vec<Sent> {
    let mut events = Vec::new();
    let from = cut.from.min(steps.len());
    if cut.with_state {
        for (object, event_object) in state(steps, from).into_iter().enumerate() {
            if let Some((version, colour)) = event_object.filter(|(_, colour)| selects(cut, colour)) {
                events.push(Sent::Change { change: WatchEventType::Added, object, version, colour });
            }
        }
        if cut.bookmarks.is_multiple_of(2) {
            events.push(Sent::Bookmark(from, true));
        }
    }
    for (number, step) in steps.iter().enumerate().take(cut.to).skip(from) {
        let before = state(steps, number)[step.object].map(|(_, colour)| colour);
        let was = before.is_some_and(|colour| selects(cut, colour));
        let now = step.colour.map(|colour| COLOURS[colour]);
        let is = now.is_some_and(|colour| selects(cut, colour));
        let event = match (was, is) {
            (false, true) => Some((WatchEventType::Added, now)),
            (true, true) => Some((WatchEventType::Modified, now)),
            (true, false) => Some((WatchEventType::Deleted, before)),
            (false, false) => None,
        };
        if let Some((change, colour)) = event {
            let (object, version) = (step.object, number + 1);
            events.push(Sent::Change { change, object, version, colour: colour.unwrap_or_default() });
        }
        if number.is_multiple_of(cut.bookmarks) {
            events.push(Sent::Bookmark(number + 1, false));
        }
    }
    events
}

/// The text of a version: a number, or opaque.
fn written(version: usize, opaque: bool) -> String {
    let mixed = (version as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    if opaque { format!("x{mixed:x}") } else { (version + 10).to_string() }
}

fn followed(cut: &Cut, events: &[Sent], steps: &[Step], opaque: bool) -> Stream {
    let from = cut.from.min(steps.len());
    let start =
        if cut.with_state { Start::State } else { Start::After(ResourceVersion::of(&written(from, opaque))) };
    let namespace = Some("n".to_owned());
    let mut stream =
        Stream::new(WatchRequest { namespace, selector: selector(cut), ..WatchRequest::all(OF, start) });
    for event in events {
        show(&mut stream, event, opaque);
    }
    stream
}

fn show(stream: &mut Stream, event: &Sent, opaque: bool) {
    match event {
        Sent::Bookmark(version, closes_state) => {
            let version = written(*version, opaque);
            stream.check(&Event::Bookmark { version: &version, closes_state: *closes_state, bare: true });
        }
        Sent::Change { change, object, version, colour } => {
            let label = [("colour", *colour)];
            let event_object = EventObject {
                api_version: "v1",
                kind: "ConfigMap",
                namespace: "n",
                name: NAMES[*object],
                version: &written(*version, opaque),
                labels: if colour.is_empty() { &[] } else { &label },
                digest: Some(*version as u64),
                lasting: None,
            };
            stream.check(&Event::Change(*change, event_object));
        }
    }
}

fn acknowledged(steps: &[Step], opaque: bool) -> Vec<Write> {
    let write = |(number, step): (usize, &Step)| {
        let colour = COLOURS[step.colour.filter(|_| step.acknowledged)?];
        let label = |colour: &str| ("colour".into(), colour.into());
        Some(Write {
            collection: OF.to_owned(),
            kind: "ConfigMap".to_owned(),
            key: format!("n/{}", NAMES[step.object]),
            version: ResourceVersion::of(&written(number + 1, opaque)),
            labels: (!colour.is_empty()).then(|| label(colour)).into_iter().collect(),
            digest: Some(number as u64 + 1),
            begun: 2 * number as u64,
            returned: 2 * number as u64 + 1,
        })
    };
    steps.iter().enumerate().filter_map(write).collect()
}

fn judged(steps: &[Step], streams: &[Stream], opaque: bool) -> Vec<Findings> {
    let writes = acknowledged(steps, opaque);
    judge(&writes.iter().collect::<Vec<_>>(), &streams.iter().collect::<Vec<_>>(), false)
}

/// The broken rules of a stream with mutated events, beside a complete stream.
fn judged_by_witness(steps: &[Step], cut: &Cut, events: &[Sent]) -> Vec<StreamRule> {
    let all = Cut { from: 0, to: steps.len(), with_state: false, selector: "", bookmarks: 50 };
    let streams = [followed(&all, &serve(steps, &all), steps, false), followed(cut, events, steps, false)];
    let found = judged(steps, &streams, false);
    assert_eq!(found[0].broken(), [], "the complete stream is right");
    found[1].broken()
}

fn is_change(event: &Sent) -> bool {
    matches!(event, Sent::Change { .. })
}

/// A random event that fits together with its successor.
fn pick(events: &[Sent], place: prop::sample::Index, wanted: fn(&Sent, &Sent) -> bool) -> Option<usize> {
    let places: Vec<usize> =
        (1..events.len()).map(|next| next - 1).filter(|at| wanted(&events[*at], &events[at + 1])).collect();
    (!places.is_empty()).then(|| *place.get(&places))
}

proptest! {
    #[test]
    fn a_right_server_breaks_no_rule(
        steps in history(),
        cuts in vec(cut(), 1..6),
        opaque in any::<bool>(),
    ) {
        let streams: Vec<Stream> =
            cuts.iter().map(|cut| followed(cut, &serve(&steps, cut), &steps, opaque)).collect();
        for (found, cut) in judged(&steps, &streams, opaque).iter().zip(&cuts) {
            let breaches: Vec<_> = found.broken().into_iter().map(|rule| (rule, found.breach(rule))).collect();
            prop_assert!(breaches.is_empty(), "{cut:?} received {:?}: {breaches:?}", serve(&steps, cut));
        }
    }

    #[test]
    fn a_lost_change_is_found(steps in history(), cut in cut(), place in any::<prop::sample::Index>()) {
        let cut = Cut { with_state: false, ..cut };
        let mut events = serve(&steps, &cut);
        // The last event is not known to be missing.
        let Some(place) = pick(&events, place, |event, _| is_change(event)) else { return Ok(()) };
        events.remove(place);

        let broken = judged_by_witness(&steps, &cut, &events);

        // Only the selection shows that an object has left it.
        let missed = [StreamRule::Reliable, StreamRule::Resumable, StreamRule::Filtered];
        prop_assert!(broken.iter().any(|rule| missed.contains(rule)), "{broken:?}");
    }

    #[test]
    fn a_repeated_change_is_found(steps in history(), cut in cut(), place in any::<prop::sample::Index>()) {
        let mut events = serve(&steps, &cut);
        let Some(place) = pick(&events, place, |event, _| is_change(event)) else { return Ok(()) };
        events.insert(place, events[place].clone());

        let broken = judged_by_witness(&steps, &cut, &events);

        prop_assert!(broken.contains(&StreamRule::Unique), "{broken:?}");
    }

    #[test]
    fn swapped_neighbours_are_found(
        steps in history(),
        cut in cut(),
        place in any::<prop::sample::Index>(),
    ) {
        let cut = Cut { with_state: false, ..cut };
        let mut events = serve(&steps, &cut);
        let both = |event: &Sent, next: &Sent| is_change(event) && is_change(next);
        let Some(place) = pick(&events, place, both) else { return Ok(()) };
        events.swap(place, place + 1);

        let broken = judged_by_witness(&steps, &cut, &events);

        prop_assert!(broken.contains(&StreamRule::Ordered), "{broken:?}");
    }

    #[test]
    fn a_change_after_its_bookmark_is_found(
        steps in history(),
        cut in cut(),
        place in any::<prop::sample::Index>(),
    ) {
        let mut events = serve(&steps, &cut);
        let before = |event: &Sent, next: &Sent| is_change(event) && !is_change(next);
        let Some(place) = pick(&events, place, before) else { return Ok(()) };
        events.swap(place, place + 1);

        let broken = judged_by_witness(&steps, &cut, &events);

        prop_assert!(broken.contains(&StreamRule::Bookmarkable), "{broken:?}");
    }
}
