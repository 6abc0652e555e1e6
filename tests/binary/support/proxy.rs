//! A proxy in front of the reference: a test replaces some requests or responses.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use super::http::{self, Message};
use super::{Listener, Reference};

/// The handling of a request.
pub(crate) enum Reply {
    /// Forwards the request.
    Pass,
    /// Forwards another request instead.
    Instead(Message),
    /// Responds with these bytes.
    Bytes(Vec<u8>),
    /// Responds with these bytes, repeated this often.
    Repeat(Vec<u8>, usize),
    /// Responds with these bytes, and then with pieces by their number, for as long as the client reads.
    Flood(Vec<u8>, fn(usize) -> Vec<u8>),
    /// Changes the response of the reference.
    Edited(fn(Message) -> Message),
    /// Forwards the request, and sends the response byte by byte with a pause after each.
    Drip(Duration),
    /// Forwards the request, and replaces the line feed behind each JSON document of the response by a blank.
    Unseparated,
    /// Responds with these bytes, and keeps the connection open.
    Open(Vec<u8>),
    /// Forwards the request, and closes the connection when the next one arrives, without a word.
    Once,
    /// Never responds.
    Hold,
}

/// A test that waits for longer fails.
const HANGS: Duration = Duration::from_mins(2);

/// A proxy in front of a reference server.
pub(crate) struct Proxy {
    listener: Listener,
    held: Mutex<mpsc::Receiver<String>>,
    released: Arc<AtomicBool>,
}

impl Proxy {
    /// `reply` decides what happens to each request.
    pub(crate) fn before(
        reference: &Reference,
        reply: impl Fn(&Message) -> Reply + Send + Sync + 'static,
    ) -> Self {
        let (holding, held) = mpsc::channel();
        let (holding, address) = (Mutex::new(holding), reference.address());
        let released = Arc::new(AtomicBool::new(false));
        let free = released.clone();
        let listener = Listener::start(move |mut stream| {
            let Some(request) = Message::read(&mut stream) else { return };
            let reply = if free.load(Ordering::SeqCst) { Reply::Pass } else { reply(&request) };
            if matches!(reply, Reply::Hold) {
                let _ = holding.lock().unwrap().send(request.first.clone());
            }
            perform(reply, &request, &address, stream);
        });
        Self { listener, held: Mutex::new(held), released }
    }

    /// Forwards each request but the first of these, by method and path, which gets a reply of its own.
    pub(crate) fn but_first(
        reference: &Reference,
        is_meant: fn(&str, &str) -> bool,
        reply: impl Fn() -> Reply + Send + Sync + 'static,
    ) -> Self {
        let has_replied = AtomicBool::new(false);
        Self::before(reference, move |request| {
            let (method, path) = request.target();
            let is_first = is_meant(method, path) && !has_replied.swap(true, Ordering::SeqCst);
            if is_first { reply() } else { Reply::Pass }
        })
    }

    /// Removes one word from every query.
    pub(crate) fn deaf(reference: &Reference, word: &'static str) -> Self {
        Self::before(reference, move |request| {
            Reply::Instead(Message { first: request.first.replace(word, ""), ..request.clone() })
        })
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.listener.address())
    }

    /// Waits until a request is held, and returns its first line.
    pub(crate) fn holds(&self) -> String {
        self.held.lock().unwrap().recv_timeout(HANGS).unwrap()
    }

    /// From now on the proxy forwards every request.
    pub(crate) fn release(&self) {
        self.released.store(true, Ordering::SeqCst);
    }
}

fn perform(reply: Reply, request: &Message, address: &str, mut stream: TcpStream) {
    let sent = match reply {
        Reply::Pass => http::relay(address, request, &mut stream),
        Reply::Instead(other) => http::relay(address, &other, &mut stream),
        Reply::Bytes(bytes) => stream.write_all(&bytes),
        Reply::Repeat(bytes, times) => (0..times).try_for_each(|_| stream.write_all(&bytes)),
        Reply::Flood(head, piece) => {
            let mut pieces = std::iter::once(head).chain((0..).map(piece));
            pieces.try_for_each(|bytes| stream.write_all(&bytes))
        }
        Reply::Edited(edit) => http::exchange(address, request).and_then(|came| {
            let answer = Message::read(&mut came.as_slice()).map(edit).unwrap_or_default();
            stream.write_all(&answer.bytes())
        }),
        Reply::Drip(pause) => http::exchange(address, request).and_then(|bytes| {
            bytes.iter().try_for_each(|byte| {
                std::thread::sleep(pause);
                stream.write_all(&[*byte])
            })
        }),
        Reply::Unseparated => http::relay(address, request, &mut Unseparated { to: &mut stream, last: 0 }),
        Reply::Open(bytes) => {
            let sent = stream.write_all(&bytes);
            let _ = Message::read(&mut stream);
            sent
        }
        Reply::Once => http::exchange(address, request).and_then(|bytes| {
            let response = Message::read(&mut bytes.as_slice()).unwrap_or_default();
            stream.write_all(&response.bytes_with("keep-alive"))?;
            stream.read_exact(&mut [0])
        }),
        Reply::Hold => {
            // Until the client closes the connection.
            let _ = Message::read(&mut stream);
            Ok(())
        }
    };
    // The client may have closed the connection.
    drop(sent);
}

/// Replaces each line feed behind a curly bracket by a blank: the length of the chunks stays.
struct Unseparated<'a> {
    to: &'a mut TcpStream,
    last: u8,
}

impl Write for Unseparated<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let blank = |byte: &u8| {
            let last = std::mem::replace(&mut self.last, *byte);
            if (last, *byte) == (b'}', b'\n') { b' ' } else { *byte }
        };
        let bytes: Vec<u8> = bytes.iter().map(blank).collect();
        self.to.write_all(&bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
