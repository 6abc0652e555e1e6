//! A server that sends connections away (GOAWAY). It writes the frames itself: a library refuses no stream.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use harness::load::{DurationKind, Series, Watches};
use harness::{Access, Flags};
use loadgen::stamp::Stamps;
use loadgen::watch_pool::WatchPool;
use loadgen::wire::{Endpoint, Limits, Plain};
use loadgen::{Aggregator, IntervalReport};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

use super::{LONG, watch_pool};

const PREFACE: usize = 24;
const HEADERS: u8 = 1;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const GOAWAY: u8 = 7;
const ACK: u8 = 1;
const END_HEADERS: u8 = 4;

/// `:status: 200` in the static table of HPACK.
const OK: [u8; 1] = [0x88];

/// What a server does with each connection that has a request.
#[derive(Debug, Clone, Copy)]
enum Away {
    /// Sends the first connections away before it processes a request, and serves all later ones.
    Unprocessed {
        /// The number of these connections.
        first: usize,
    },
    /// Sends every connection away after the response to its first request, whose stream goes on.
    AfterOne,
}

/// Serves watches without events; returns the address.
async fn serve(away: Away) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let with_requests = Arc::new(AtomicUsize::new(0));
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            tokio::spawn(connection(socket, away, with_requests.clone()));
        }
    });
    url
}

async fn connection(mut socket: TcpStream, away: Away, with_requests: Arc<AtomicUsize>) -> io::Result<()> {
    socket.read_exact(&mut [0; PREFACE]).await?;
    send(&mut socket, (SETTINGS, 0, 0), &[]).await?;
    let (mut number, mut last) = (None, 0);
    loop {
        let mut head = [0; 9];
        socket.read_exact(&mut head).await?;
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
        let mut payload = vec![0; length as usize];
        socket.read_exact(&mut payload).await?;
        let (kind, flags) = (head[3], head[4]);
        let stream = u32::from_be_bytes([head[5], head[6], head[7], head[8]]);
        match kind {
            SETTINGS | PING if flags & ACK == 0 => {
                let echo: &[u8] = if kind == PING { payload.as_slice() } else { &[] };
                send(&mut socket, (kind, ACK, 0), echo).await?;
            }
            HEADERS => {
                let number = *number.get_or_insert_with(|| with_requests.fetch_add(1, Ordering::SeqCst));
                let (serves, goes) = match away {
                    Away::Unprocessed { first } => (number >= first, number < first),
                    Away::AfterOne => (last == 0, true),
                };
                if serves {
                    last = stream;
                    send(&mut socket, (HEADERS, END_HEADERS, stream), &OK).await?;
                }
                if goes {
                    // The last stream that is processed, and NO_ERROR.
                    let rest = [last.to_be_bytes(), [0; 4]].concat();
                    send(&mut socket, (GOAWAY, 0, 0), &rest).await?;
                }
            }
            _ => {}
        }
    }
}

/// Sends a frame: its type, its flags, its stream, and the payload.
async fn send(
    socket: &mut TcpStream,
    (kind, flags, stream): (u8, u8, u32),
    payload: &[u8],
) -> io::Result<()> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    let head = length[1..].iter().copied().chain([kind, flags]).chain(stream.to_be_bytes());
    let frame: Vec<u8> = head.chain(payload.iter().copied()).collect();
    socket.write_all(&frame).await
}

/// Opens this number of watches; returns their counts, and the numbers of attempts and failures.
async fn open(watches: usize, away: Away) -> (Watches, [u64; 2]) {
    let flags = Flags { token: Some("token".to_owned()), ..Flags::at(serve(away).await) };
    let access = Access::load(flags.into()).await.unwrap();
    let endpoint = Endpoint::new(access, "kube-assay/test", Plain::Two).unwrap();
    let (sender, mut interval_reports) = mpsc::unbounded_channel::<IntervalReport>();
    let limits = Limits::connections(100);
    let pool = WatchPool { watches, threads: 1, limits, ..watch_pool("1", "ConfigMap") };
    let pool = pool.launch(&endpoint, &Arc::new(Stamps::new(0, 3)), &sender).unwrap();
    assert_eq!(pool.all_open(LONG).await, watches as u64);
    let account = pool.stop().await.unwrap();
    let mut aggregator = Aggregator::default();
    while let Ok(interval_report) = interval_reports.try_recv() {
        aggregator.take(interval_report);
    }
    let series = aggregator.into_series();
    let is_latency =
        |series: &&Series| series.key.verb == "WATCH" && series.key.kind == DurationKind::Latency;
    let latency = series.iter().find(is_latency).unwrap();
    (account.watches, [latency.count, latency.failed()])
}

#[tokio::test]
async fn a_watch_that_is_sent_away_three_times_is_no_failure() {
    let (watches, attempts) = open(1, Away::Unprocessed { first: 3 }).await;
    assert_eq!(attempts, [1, 0]);
    assert_eq!((watches.opened, watches.ended()), (1, 0));
    // It was not opened over the others.
    assert_eq!(watches.connections, 1);
}

#[tokio::test]
async fn connections_that_are_sent_away_and_carry_watches_count() {
    let (watches, attempts) = open(2, Away::AfterOne).await;
    assert_eq!(attempts, [2, 0]);
    assert_eq!((watches.open, watches.connections), (2, 2));
}
