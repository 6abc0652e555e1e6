//! A proxy in front of the reference: a test replaces some requests or responses.

use std::io::Write;
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use super::http::{self, Message};
use super::{Listener, Reference};

/// What becomes of a request.
pub(crate) enum Reply {
    /// Forwards the request.
    Pass,
    /// Forwards another request instead.
    Instead(Message),
    /// Responds with these bytes.
    Bytes(Vec<u8>),
    /// These bytes, so often.
    Repeat(Vec<u8>, usize),
    /// These bytes, and then these pieces, by their number, for as long as the other side reads.
    Flood(Vec<u8>, fn(usize) -> Vec<u8>),
    /// The reference answers, and this changes the answer.
    Edited(fn(Message) -> Message),
    /// These bytes, and then nothing more on a connection that stays open.
    Open(Vec<u8>),
    /// Never responds.
    Hold,
}

/// A test that waits for longer waits for nothing.
const HANGS: Duration = Duration::from_mins(2);

/// Stands before a reference server.
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

    /// From now on everything is passed on.
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
        Reply::Open(bytes) => {
            let sent = stream.write_all(&bytes);
            let _ = Message::read(&mut stream);
            sent
        }
        Reply::Hold => {
            // Until the other side gives up.
            let _ = Message::read(&mut stream);
            Ok(())
        }
    };
    // The other side may have had enough.
    drop(sent);
}
