//! Watch stream edits: changes of each event, line by line.

use std::collections::VecDeque;
use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use bytes::{Bytes, BytesMut};
use futures::StreamExt;
use futures::stream::unfold;
use serde_json::Value;

use super::edit::{Edit, Event};
use super::effect::Effects;

/// The body of a watch with edited events.
pub(super) fn changed(body: Body, edits: Vec<&'static Edit>, effects: Option<Effects>) -> Body {
    let events = edits.into_iter().filter_map(|edit| match edit {
        Edit::Events(event) => Some(event),
        _ => None,
    });
    let stream = Stream {
        body: body.into_data_stream(),
        unread: BytesMut::new(),
        waiting: VecDeque::new(),
        edits: events.map(|event| (event, 0)).collect(),
        memory: Value::Null,
        held: None,
        ended: false,
        effects,
    };
    Body::from_stream(unfold(stream, async |mut stream| {
        let line = stream.next().await?;
        Some((Ok::<_, std::convert::Infallible>(line), stream))
    }))
}

struct Stream {
    body: BodyDataStream,
    unread: BytesMut,
    waiting: VecDeque<Value>,
    /// Each edit with the number of its events so far.
    edits: Vec<(&'static Event, usize)>,
    /// The memory of [`Event::Recall`].
    memory: Value,
    /// An event for [`Event::Swap`].
    held: Option<Value>,
    ended: bool,
    effects: Option<Effects>,
}

impl Stream {
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if let Some(event) = self.waiting.pop_front() {
                let delay = self.delay(&event);
                self.note(!delay.is_zero());
                tokio::time::sleep(delay).await;
                return Some(self.text(&event));
            }
            if self.ended {
                if self.edits.iter().any(|(edit, _)| matches!(edit, Event::Linger)) {
                    self.note(true);
                    std::future::pending::<()>().await;
                }
                return self.held.take().map(|event| self.text(&event));
            }
            match self.read().await {
                Some(event) => self.edit_event(event),
                None => self.ended = true,
            }
        }
    }

    /// The next event of the original stream.
    async fn read(&mut self) -> Option<Value> {
        loop {
            if let Some(end) = self.unread.iter().position(|byte| *byte == b'\n') {
                let line = self.unread.split_to(end + 1);
                return serde_json::from_slice(&line).ok();
            }
            let chunk = self.body.next().await?.ok()?;
            self.unread.extend_from_slice(&chunk);
        }
    }

    fn edit_event(&mut self, event: Value) {
        let before = self.effects.is_some().then(|| [event.clone()]);
        let mut events = vec![event];
        for (edit, number) in &mut self.edits {
            let before = std::mem::take(&mut events);
            for event in before {
                *number += 1;
                events.extend(match edit {
                    Event::Recall(recall) => recall(&mut self.memory, event),
                    _ => apply_edit(edit, *number, event, &mut self.held, &mut self.ended),
                });
            }
        }
        self.note(before.is_some_and(|before| events != before));
        self.waiting.extend(events);
    }

    fn note(&self, changed: bool) {
        self.effects.iter().for_each(|effects| effects.note(changed));
    }

    /// The serialized event.
    fn text(&self, event: &Value) -> Bytes {
        let custom = self.edits.iter().find_map(|(edit, _)| match edit {
            Event::Text(write) => Some(write(event)),
            _ => None,
        });
        self.note(custom.is_some());
        Bytes::from(custom.unwrap_or_else(|| format!("{event}\n")))
    }

    fn delay(&self, event: &Value) -> Duration {
        let delays = self.edits.iter().filter_map(|(edit, _)| match edit {
            Event::Delay(kind, milliseconds) if has_type(event, kind) => {
                Some(Duration::from_millis(*milliseconds))
            }
            _ => None,
        });
        delays.sum()
    }
}

/// The events that replace one event.
fn apply_edit(
    edit: &Event,
    number: usize,
    event: Value,
    held: &mut Option<Value>,
    ended: &mut bool,
) -> Vec<Value> {
    match edit {
        Event::Drop(kind) if has_type(&event, kind) => Vec::new(),
        Event::Duplicate(kind) if has_type(&event, kind) => vec![event.clone(), event],
        Event::First(line) if number == 1 => vec![serde_json::from_str(line).unwrap_or_default(), event],
        Event::Skip(count) if number <= *count => Vec::new(),
        Event::Lose(first, last) if (*first..=*last).contains(&number) => Vec::new(),
        Event::EndAfter(count) => {
            *ended = number >= *count;
            if number > *count { Vec::new() } else { vec![event] }
        }
        Event::Swap => {
            let Some(first) = held.take() else {
                *held = Some(event);
                return Vec::new();
            };
            vec![event, first]
        }
        Event::Line(edit) => edit(event).into_iter().collect(),
        other => vec![rewrite_event(other, event)],
    }
}

/// An event that remains one event.
fn rewrite_event(edit: &Event, mut event: Value) -> Value {
    match edit {
        Event::Retype(from, to) if has_type(&event, from) => event["type"] = (*to).into(),
        Event::Edit(kind, edit) if has_type(&event, kind) => {
            event.get_mut("object").into_iter().for_each(|object| edit.json(object));
        }
        _ => {}
    }
    event
}

fn has_type(event: &Value, kind: &str) -> bool {
    kind.is_empty() || event["type"] == kind
}
