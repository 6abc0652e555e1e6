//! Fault edits: changes of a request or its response.

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use http::request::Parts;
use http::{Method, StatusCode};
use serde_json::Value;

/// One change of a request or its response. JSON values are given as JSON text.
#[derive(Debug, Clone, Copy)]
pub enum Edit {
    /// A query parameter is dropped.
    DropParameter(&'static str),
    /// A query parameter is set.
    SetParameter(&'static str, &'static str),
    /// A query parameter that is there is changed in a way of its own; it is dropped where none is left.
    EditParameter(&'static str, fn(&str) -> Option<String>),
    /// A query parameter gets another name.
    RenameParameter(&'static str, &'static str),
    /// A request header is dropped.
    DropRequestHeader(&'static str),
    /// A request header is set.
    SetRequestHeader(&'static str, &'static str),
    /// The method is changed.
    SetMethod(&'static str),
    /// A text in the path is replaced.
    ReplaceInPath(&'static str, &'static str),
    /// A field of the request's body is set.
    SetInRequest(&'static str, &'static str),
    /// A field of the request's body is removed.
    RemoveFromRequest(&'static str),
    /// The request is changed in a way of its own.
    EditRequest(fn(&mut Parts, &mut Bytes)),
    /// The request is refused with a Status (code, reason, message) and does not reach the server.
    Refuse(u16, &'static str, &'static str),
    /// The request is answered with a text (status, media type, body) and does not reach the server.
    Instead(u16, &'static str, &'static str),
    /// The request is carried out again after each of these waits, one after the other, and nobody is told.
    Again(&'static [u64]),
    /// The request is carried out as these, one after the other, and the last of them is answered.
    Several(fn(&Parts, &Bytes) -> Vec<(Parts, Bytes)>),
    /// The response is delayed by milliseconds.
    Delay(u64),
    /// The response's status is changed.
    Status(u16),
    /// A response's header is set.
    Header(&'static str, &'static str),
    /// A response's header is dropped.
    WithoutHeader(&'static str),
    /// The response is replaced by a Status (code, reason, message), after the server has done its work.
    Fail(u16, &'static str, &'static str),
    /// The response's body is replaced by a text.
    Text(&'static str),
    /// A text in the response's body is replaced.
    ReplaceText(&'static str, &'static str),
    /// The response's body is changed as a text, in a way of its own.
    EditText(fn(&RequestFacts, &str) -> String),
    /// A field (by JSON pointer) of the response's body is set.
    Set(&'static str, &'static str),
    /// A field of the response's body is removed.
    Remove(&'static str),
    /// The response's body is changed as JSON, in a way of its own.
    EditJson(fn(&mut Value)),
    /// The response's body is changed as JSON, in the light of what was asked.
    EditAnswer(fn(&RequestFacts, &mut Value)),
    /// Each item of a list (or row of a table) is changed by another edit of JSON.
    OfItems(&'static Edit),
    /// The items of a list are changed as a whole.
    List(Items),
    /// The events of a watch are changed.
    Events(Event),
    /// The response, or the watch, comes in small pieces.
    Pieces,
}

/// A change of a list's items.
#[derive(Debug, Clone, Copy)]
pub enum Items {
    /// Only so many are left.
    Truncate(usize),
    /// They come in the opposite order.
    Reverse,
    /// The first is lost.
    DropFirst,
    /// The last is lost.
    DropLast,
    /// The first comes twice.
    DuplicateFirst,
    /// They are null instead of a list.
    Null,
    /// They are changed in a way of their own.
    Edit(fn(&mut Vec<Value>)),
}

/// A change of a watch's events. An empty type stands for all types.
#[derive(Debug, Clone, Copy)]
pub enum Event {
    /// Events of a type are lost.
    Drop(&'static str),
    /// Events of a type come twice.
    Duplicate(&'static str),
    /// Events of one type come as another.
    Retype(&'static str, &'static str),
    /// Each two events change places.
    Swap,
    /// A line (JSON text) is put in before the first event.
    First(&'static str),
    /// The stream ends after so many events.
    EndAfter(usize),
    /// So many events at the beginning are lost.
    Skip(usize),
    /// The events from one position to another are lost; the first event is number 1.
    Lose(usize, usize),
    /// The stream stays open when it should end.
    Linger,
    /// Events of a type are held back for milliseconds.
    Delay(&'static str, u64),
    /// The object of events of a type is changed by an edit of JSON.
    Edit(&'static str, &'static Edit),
    /// A line is changed in a way of its own; none is lost.
    Line(fn(Value) -> Option<Value>),
    /// An event becomes several, or none, in the light of those before it: the memory of a watch begins as null.
    Recall(fn(&mut Value, Value) -> Vec<Value>),
    /// Events are written in a way of their own.
    Text(fn(&Value) -> String),
}

use super::condition::RequestFacts;
use super::request::{json_body, parameters, set_header, set_uri};

impl Edit {
    /// Changes a request.
    pub(super) fn request(&self, parts: &mut Parts, body: &mut Bytes) {
        match self {
            Self::DropParameter(name) => parameters(parts, |all| all.retain(|(key, _)| key != name)),
            Self::SetParameter(name, value) => parameters(parts, |all| {
                all.retain(|(key, _)| key != name);
                all.push(((*name).to_owned(), (*value).to_owned()));
            }),
            Self::EditParameter(name, edit) => parameters(parts, |all| {
                all.retain_mut(|(key, value)| {
                    let edited = if key == name { edit(value) } else { return true };
                    edited.map(|edited| *value = edited).is_some()
                });
            }),
            Self::RenameParameter(old, new) => parameters(parts, |all| {
                let renamed = all.iter_mut().filter(|(key, _)| key == old);
                renamed.for_each(|(key, _)| (*new).clone_into(key));
            }),
            Self::DropRequestHeader(name) => {
                parts.headers.remove(*name);
            }
            Self::SetRequestHeader(name, value) => set_header(&mut parts.headers, name, value),
            Self::SetMethod(method) => {
                parts.method = Method::from_bytes(method.as_bytes()).unwrap_or_default();
            }
            Self::ReplaceInPath(from, to) => {
                let path = parts.uri.path().replace(from, to);
                let query = parts.uri.query().map(str::to_owned);
                set_uri(parts, &path, query.as_deref());
            }
            Self::SetInRequest(pointer, value) => json_body(parts, body, |json| set(json, pointer, value)),
            Self::RemoveFromRequest(pointer) => json_body(parts, body, |json| remove(json, pointer)),
            Self::EditRequest(edit) => edit(parts, body),
            _ => {}
        }
    }

    /// The requests that are carried out instead of one.
    pub(super) fn several(&self, parts: &Parts, body: &Bytes) -> Vec<(Parts, Bytes)> {
        match self {
            Self::Several(split) => split(parts, body),
            _ => Vec::new(),
        }
    }

    /// Changes the head of a response.
    pub(super) fn head(&self, status: &mut StatusCode, headers: &mut HeaderMap) {
        match self {
            Self::Status(code) | Self::Fail(code, ..) => {
                *status = StatusCode::from_u16(*code).unwrap_or(*status);
            }
            Self::Header(name, value) => set_header(headers, name, value),
            Self::WithoutHeader(name) => {
                headers.remove(*name);
            }
            _ => {}
        }
        if matches!(self, Self::Fail(..)) {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
    }

    /// Changes the body of a response.
    pub(super) fn body(&self, asked: &RequestFacts, body: Bytes) -> Bytes {
        let text = |body: &Bytes| String::from_utf8_lossy(body).into_owned();
        match self {
            Self::Text(text) => Bytes::from_static(text.as_bytes()),
            Self::Fail(code, reason, message) => {
                let status = crate::failure::Failure::made_up(*code, reason, message).status();
                Bytes::from(format!("{status}\n"))
            }
            Self::ReplaceText(from, to) => Bytes::from(text(&body).replace(from, to)),
            Self::EditText(edit) => Bytes::from(edit(asked, &text(&body))),
            Self::EditAnswer(edit) => as_json(body, |json| edit(asked, json)),
            Self::Set(..) | Self::Remove(_) | Self::EditJson(_) | Self::OfItems(_) | Self::List(_) => {
                as_json(body, |json| self.json(json))
            }
            _ => body,
        }
    }

    /// Changes a JSON document.
    pub(super) fn json(&self, json: &mut Value) {
        match self {
            Self::Set(pointer, value) => set(json, pointer, value),
            Self::Remove(pointer) => remove(json, pointer),
            Self::EditJson(edit) => edit(json),
            Self::OfItems(edit) => {
                for list in ["items", "rows"] {
                    let items = json.get_mut(list).and_then(Value::as_array_mut);
                    items.into_iter().flatten().for_each(|item| edit.json(item));
                }
            }
            Self::List(items) => items.apply(json),
            _ => {}
        }
    }
}

impl Items {
    fn apply(&self, json: &mut Value) {
        let Some(place) = json.get_mut("items") else { return };
        if matches!(self, Self::Null) {
            *place = Value::Null;
        }
        let Some(items) = place.as_array_mut() else { return };
        match self {
            Self::Truncate(most) => items.truncate(*most),
            Self::Reverse => items.reverse(),
            Self::DropFirst => drop(items.drain(..1.min(items.len()))),
            Self::DropLast => drop(items.pop()),
            Self::DuplicateFirst => items.extend(items.first().cloned()),
            Self::Edit(edit) => edit(items),
            Self::Null => {}
        }
    }
}

fn as_json(body: Bytes, edit: impl FnOnce(&mut Value)) -> Bytes {
    match serde_json::from_slice::<Value>(&body) {
        Ok(mut json) => {
            edit(&mut json);
            Bytes::from(format!("{json}\n"))
        }
        Err(_) => body,
    }
}

/// Sets the field at a pointer; the objects on the way are made.
fn set(json: &mut Value, pointer: &str, value: &str) {
    let value = serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.to_owned()));
    if let Some(place) = json.pointer_mut(pointer) {
        *place = value;
        return;
    }
    let mut place = json;
    for name in pointer.split('/').skip(1) {
        if !(place.is_object() || place.is_null()) {
            return;
        }
        place = &mut place[name.replace("~1", "/").replace("~0", "~")];
    }
    *place = value;
}

fn remove(json: &mut Value, pointer: &str) {
    let Some((parent, name)) = pointer.rsplit_once('/') else { return };
    let name = name.replace("~1", "/").replace("~0", "~");
    match json.pointer_mut(parent) {
        Some(Value::Object(fields)) => drop(fields.shift_remove(&name)),
        Some(Value::Array(items)) => {
            if let Some(index) = name.parse().ok().filter(|index| *index < items.len()) {
                items.remove(index);
            }
        }
        _ => {}
    }
}
