//! A minimal HTTP/1.1 for tests: one request per connection.

use std::io::{self, Read, Write};
use std::net::TcpStream;

use serde_json::Value;

/// A request or a response as received.
#[derive(Debug, Clone, Default)]
pub(crate) struct Message {
    /// Request line or status line.
    pub(crate) first: String,
    /// The other lines of the head.
    pub(crate) headers: Vec<String>,
    pub(crate) body: Vec<u8>,
}

impl Message {
    /// Reads a message; `None` if the connection has closed.
    pub(crate) fn read(from: &mut impl Read) -> Option<Self> {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            from.read_exact(&mut byte).ok()?;
            head.push(byte[0]);
        }
        let head = String::from_utf8(head).ok()?;
        let mut lines = head.trim_end().split("\r\n").map(str::to_owned);
        let mut message = Self { first: lines.next()?, headers: lines.collect(), body: Vec::new() };
        let length = message.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        message.body = vec![0; length];
        from.read_exact(&mut message.body).ok()?;
        Some(message)
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        // A blank after the colon is optional.
        let mut headers = self.headers.iter().filter_map(|line| line.split_once(':'));
        headers.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    }

    /// The method and the path without its query.
    pub(crate) fn target(&self) -> (&str, &str) {
        let mut words = self.first.split(' ');
        let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        (method, path.split('?').next().unwrap_or_default())
    }

    /// The bytes, with `connection: close`.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.bytes_with("close")
    }

    /// The bytes, with this in the header `connection`.
    pub(crate) fn bytes_with(&self, connection: &str) -> Vec<u8> {
        let kept = self.headers.iter().filter(|line| !line.to_lowercase().starts_with("connection:"));
        let head: Vec<&str> = [self.first.as_str()].into_iter().chain(kept.map(String::as_str)).collect();
        let mut bytes = format!("{}\r\nconnection: {connection}\r\n\r\n", head.join("\r\n")).into_bytes();
        bytes.extend_from_slice(&self.body);
        bytes
    }
}

/// A message with another body, if that is JSON.
pub(crate) fn edited(message: Message, edit: impl FnOnce(&mut Value)) -> Message {
    let Ok(mut body) = serde_json::from_slice(&message.body) else { return message };
    edit(&mut body);
    with_body(message, body.to_string().into_bytes())
}

/// A message with another body.
pub(crate) fn with_body(message: Message, body: Vec<u8>) -> Message {
    let kept = message.headers.iter().filter(|line| !line.to_lowercase().starts_with("content-length:"));
    let length = format!("content-length: {}", body.len());
    Message { headers: kept.cloned().chain([length]).collect(), body, ..message }
}

/// A list with other items; a body without items stays.
pub(crate) fn with_items(message: Message, change: impl FnOnce(&mut Vec<Value>)) -> Message {
    edited(message, |list| {
        if let Some(items) = list.get_mut("items").and_then(Value::as_array_mut) {
            change(items);
        }
    })
}

/// A list with each item changed.
pub(crate) fn each_item(list: Message, change: impl FnMut(&mut Value)) -> Message {
    with_items(list, |items| items.iter_mut().for_each(change))
}

/// A 429 with this Retry-After.
pub(crate) fn too_many_requests(retry_after: &str) -> Vec<u8> {
    let head = format!("HTTP/1.1 429 Too Many Requests\r\nretry-after: {retry_after}\r\n");
    format!("{head}content-length: 0\r\nconnection: close\r\n\r\n").into_bytes()
}

/// A response with this status and body.
pub(crate) fn response(status: &str, content_type: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: {content_type}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    )
    .into_bytes()
}

/// Sends a request to an address and returns the whole response.
pub(crate) fn exchange(address: &str, request: &Message) -> io::Result<Vec<u8>> {
    let mut response = Vec::new();
    relay(address, request, &mut response)?;
    Ok(response)
}

/// Sends a request to an address and passes the response on as it arrives.
pub(crate) fn relay(address: &str, request: &Message, to: &mut impl Write) -> io::Result<()> {
    let mut stream = TcpStream::connect(address)?;
    stream.write_all(&request.bytes())?;
    io::copy(&mut stream, to).map(drop)
}
