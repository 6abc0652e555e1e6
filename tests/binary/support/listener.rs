//! A port with a test's own handler for every connection.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// A listener for the lifetime of the test.
pub(crate) struct Listener {
    address: SocketAddr,
    visitors: Arc<AtomicUsize>,
}

impl Listener {
    /// Handles every connection in a thread of its own.
    pub(crate) fn start(treat: impl Fn(TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (address, visitors) = (listener.local_addr().unwrap(), Arc::new(AtomicUsize::new(0)));
        let (treat, counted) = (Arc::new(treat), visitors.clone());
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                counted.fetch_add(1, Ordering::SeqCst);
                let treat = treat.clone();
                thread::spawn(move || treat(stream));
            }
        });
        Self { address, visitors }
    }

    /// Host and port.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// The number of connections so far.
    pub(crate) fn visitors(&self) -> usize {
        self.visitors.load(Ordering::SeqCst)
    }
}

/// A port without a listener.
pub(crate) fn deserted() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}
