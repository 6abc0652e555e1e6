//! Fault edits: changes of a request or its response.

use bytes::Bytes;
use flate2::Compression;
use http::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use http::request::Parts;
use http::{Method, StatusCode};
use serde_json::Value;

/// One change of a request or its response. JSON values are JSON text.
#[derive(Debug, Clone, Copy)]
pub enum Edit {
    /// Removes a query parameter.
    DropParameter(&'static str),
    /// Sets a query parameter.
    SetParameter(&'static str, &'static str),
    /// Changes a present query parameter by a function; `None` removes it.
    EditParameter(&'static str, fn(&str) -> Option<String>),
    /// Renames a query parameter.
    RenameParameter(&'static str, &'static str),
    /// Removes a request header.
    DropRequestHeader(&'static str),
    /// Sets a request header.
    SetRequestHeader(&'static str, &'static str),
    /// Changes the method.
    SetMethod(&'static str),
    /// Replaces a text in the path.
    ReplaceInPath(&'static str, &'static str),
    /// Sets a field of the request body.
    SetInRequest(&'static str, &'static str),
    /// Removes a field of the request body.
    RemoveFromRequest(&'static str),
    /// Changes the request by a function.
    EditRequest(fn(&mut Parts, &mut Bytes)),
    /// Rejects the request with a Status (code, reason, message); it does not reach the server.
    Reject(u16, &'static str, &'static str),
    /// Responds with a text (status, media type, body); the request does not reach the server.
    Respond(u16, &'static str, &'static str),
    /// Sends the request again after each of these delays in milliseconds; the client does not see it.
    Resend(&'static [u64]),
    /// Sends these requests in order instead; the client gets the last response.
    Several(fn(&Parts, &Bytes) -> Vec<(Parts, Bytes)>),
    /// Delays the response by milliseconds.
    Delay(u64),
    /// Replaces the response by the previous one to the same method and path.
    AsBefore,
    /// Changes the status of the response.
    Status(u16),
    /// Sets a response header.
    Header(&'static str, &'static str),
    /// Removes a response header.
    WithoutHeader(&'static str),
    /// Replaces the response by a Status (code, reason, message), after the server has processed the request.
    Fail(u16, &'static str, &'static str),
    /// Replaces the response body by a text.
    Text(&'static str),
    /// Replaces a text in the response body.
    ReplaceText(&'static str, &'static str),
    /// Changes the text of the response body by a function.
    EditText(fn(&RequestFacts, &str) -> String),
    /// Changes the bytes of the response body by a function.
    EditBytes(fn(&Bytes) -> Bytes),
    /// Compresses the response body, or each chunk of a stream, and sets the headers for it.
    Gzip,
    /// Sets a field (by JSON pointer) of the response body.
    Set(&'static str, &'static str),
    /// Removes a field of the response body.
    Remove(&'static str),
    /// Changes the JSON of the response body by a function.
    EditJson(fn(&mut Value)),
    /// Changes the JSON of the response body by a function of the request.
    EditResponse(fn(&RequestFacts, &mut Value)),
    /// Applies another JSON edit to each item of a list, or each row of a table.
    EachItem(&'static Edit),
    /// Changes the items of a list as a whole.
    EditItems(Items),
    /// Changes the events of a watch.
    Events(Event),
    /// Splits the response or stream into small chunks.
    SmallChunks,
}

/// A change of a list's items.
#[derive(Debug, Clone, Copy)]
pub enum Items {
    /// Keeps the first items, up to this number.
    Truncate(usize),
    /// Reverses the order.
    Reverse,
    /// Removes the first.
    DropFirst,
    /// Removes the last.
    DropLast,
    /// Repeats the first at the end.
    DuplicateFirst,
    /// Replaces the items by null.
    Null,
    /// Changes the items by a function.
    Edit(fn(&mut Vec<Value>)),
}

/// A change of a watch's events. An empty type stands for all types.
#[derive(Debug, Clone, Copy)]
pub enum Event {
    /// Removes events of a type.
    Drop(&'static str),
    /// Sends events of a type twice.
    Duplicate(&'static str),
    /// Changes events of one type to another.
    Retype(&'static str, &'static str),
    /// Swaps each two consecutive events.
    Swap,
    /// Inserts a line (JSON text) before the first event.
    First(&'static str),
    /// Ends the stream after this number of events.
    EndAfter(usize),
    /// Removes this number of events from the start.
    Skip(usize),
    /// Removes events from one position to another; the first event has number 1.
    Lose(usize, usize),
    /// Keeps the stream open at its end.
    Linger,
    /// Delays events of a type by milliseconds.
    Delay(&'static str, u64),
    /// Applies a JSON edit to the objects of events of a type.
    Edit(&'static str, &'static Edit),
    /// Changes or removes an event by a function.
    Line(fn(Value) -> Option<Value>),
    /// Replaces an event by any number of events, by a function with memory. The memory starts as null.
    Recall(fn(&mut Value, Value) -> Vec<Value>),
    /// Serializes events by a function.
    Text(fn(&Value) -> String),
}

use super::condition::RequestFacts;
use super::request::{json_body, parameters, set_header, set_uri};
use crate::gzip;

impl Edit {
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

    /// The requests that `Several` sends instead of one.
    pub(super) fn several(&self, parts: &Parts, body: &Bytes) -> Vec<(Parts, Bytes)> {
        match self {
            Self::Several(split) => split(parts, body),
            _ => Vec::new(),
        }
    }

    pub(super) fn head(&self, status: &mut StatusCode, headers: &mut HeaderMap) {
        match self {
            Self::Status(code) | Self::Fail(code, ..) => {
                *status = StatusCode::from_u16(*code).unwrap_or(*status);
            }
            Self::Header(name, value) => set_header(headers, name, value),
            Self::WithoutHeader(name) => {
                headers.remove(*name);
            }
            Self::Gzip => gzip::mark(headers),
            _ => {}
        }
        if matches!(self, Self::Fail(..)) {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
    }

    pub(super) fn body(&self, facts: &RequestFacts, body: Bytes) -> Bytes {
        match self {
            Self::Text(text) => Bytes::from_static(text.as_bytes()),
            Self::Fail(code, reason, message) => {
                let status = crate::failure::Failure::made_up(*code, reason, message).status();
                Bytes::from(format!("{status}\n"))
            }
            Self::ReplaceText(from, to) => as_text(body, |text| text.replace(from, to)),
            Self::EditText(edit) => as_text(body, |text| edit(facts, text)),
            Self::EditBytes(edit) => edit(&body),
            Self::Gzip => gzip::member(&body, Compression::fast()),
            Self::EditResponse(edit) => as_json(body, |json| edit(facts, json)),
            Self::Set(..) | Self::Remove(_) | Self::EditJson(_) | Self::EachItem(_) | Self::EditItems(_) => {
                as_json(body, |json| self.json(json))
            }
            _ => body,
        }
    }

    pub(super) fn json(&self, json: &mut Value) {
        match self {
            Self::Set(pointer, value) => set(json, pointer, value),
            Self::Remove(pointer) => remove(json, pointer),
            Self::EditJson(edit) => edit(json),
            Self::EachItem(edit) => {
                for list in ["items", "rows"] {
                    let items = json.get_mut(list).and_then(Value::as_array_mut);
                    items.into_iter().flatten().for_each(|item| edit.json(item));
                }
            }
            Self::EditItems(items) => items.apply(json),
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

/// Edits a body that is text. Bytes of another form, for instance Protobuf, remain.
fn as_text(body: Bytes, edit: impl FnOnce(&str) -> String) -> Bytes {
    match std::str::from_utf8(&body) {
        Ok(text) => Bytes::from(edit(text)),
        Err(_) => body,
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

/// Sets the field at a pointer, and creates missing objects on its path.
fn set(json: &mut Value, pointer: &str, value: &str) {
    let value = serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.to_owned()));
    if let Some(target) = json.pointer_mut(pointer) {
        *target = value;
        return;
    }
    let mut target = json;
    for name in pointer.split('/').skip(1) {
        if !(target.is_object() || target.is_null()) {
            return;
        }
        target = &mut target[name.replace("~1", "/").replace("~0", "~")];
    }
    *target = value;
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
