//! Connections that the server closes, with GOAWAY or without a word: which requests are sent again.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use http::Method;
use model::{Protocol, Request, TestError};
use target::{Access, Client, Flags};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// An empty SETTINGS frame.
const SETTINGS: [u8; 9] = [0, 0, 0, 4, 0, 0, 0, 0, 0];

/// The type of a HEADERS frame.
const HEADERS: u8 = 1;

/// The length of what a client sends before its first frame.
const PREFACE: usize = 24;

/// GOAWAY without an error, and with this last stream.
fn goaway(last: u8) -> [u8; 17] {
    [0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, last, 0, 0, 0, 0]
}

/// Reads the first request of a connection, and closes it: with GOAWAY, whose last stream is this one.
async fn close(mut socket: TcpStream, last: u8) -> io::Result<()> {
    socket.write_all(&SETTINGS).await?;
    socket.read_exact(&mut [0; PREFACE]).await?;
    loop {
        let mut head = [0; 9];
        socket.read_exact(&mut head).await?;
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
        socket.read_exact(&mut vec![0; length as usize]).await?;
        if head[3] == HEADERS {
            return socket.write_all(&goaway(last)).await;
        }
    }
}

/// Responds to every request.
async fn respond(socket: TcpStream) -> Result<(), h2::Error> {
    let mut connection = h2::server::handshake(socket).await?;
    while let Some(accepted) = connection.accept().await {
        accepted?.1.send_response(http::Response::new(()), true)?;
    }
    Ok(())
}

/// A client of a server that closes this number of connections, each with this last stream; and its number of connections.
async fn client_of_closing(closed: usize, last: u8) -> (Client, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let client = client_of(&listener).await;
    let connections = Arc::new(AtomicUsize::new(0));
    let counter = connections.clone();
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            if counter.fetch_add(1, Ordering::SeqCst) < closed {
                tokio::spawn(close(socket, last));
            } else {
                tokio::spawn(respond(socket));
            }
        }
    });
    (client, connections)
}

async fn client_of(listener: &TcpListener) -> Client {
    let address = listener.local_addr().expect("a bound port");
    let flags = Flags { token: Some("t".into()), ..Flags::at(format!("http://{address}")) };
    let access = Access::load(flags.into()).await.expect("access by token");
    Client::new(access, Duration::from_secs(20))
}

async fn send(client: &Client, method: Method) -> Result<u16, TestError> {
    let request = Request { method, ..Request::get("/") }.protocol(Protocol::Http2);
    client.send(&request, "test").await.map(|(response, _)| response.status)
}

#[tokio::test]
async fn a_request_that_the_server_did_not_take_is_sent_again() {
    for method in [Method::GET, Method::POST, Method::DELETE] {
        let (client, connections) = client_of_closing(5, 0).await;
        assert_eq!(send(&client, method).await.unwrap(), 200);
        assert_eq!(connections.load(Ordering::SeqCst), 6);
    }
}

#[tokio::test]
async fn a_server_that_takes_no_request_is_given_up() {
    let (client, _) = client_of_closing(usize::MAX, 0).await;
    let test_error = send(&client, Method::GET).await.unwrap_err();
    assert_eq!(test_error.cause, "it closed the connection (GOAWAY) before it took the request");
    assert!(test_error.hint.contains("--goaway-chance"), "{}", test_error.hint);
}

#[tokio::test]
async fn a_request_that_the_server_took_is_not_sent_again() {
    for method in [Method::GET, Method::POST, Method::DELETE] {
        let (client, connections) = client_of_closing(1, 1).await;
        send(&client, method).await.unwrap_err();
        assert_eq!(connections.load(Ordering::SeqCst), 1);
    }
}

/// Responds to one request with HTTP/1.1, and closes the connection when the next one arrives.
async fn respond_once(mut socket: TcpStream) -> io::Result<()> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(socket.read_u8().await?);
    }
    socket.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await?;
    socket.read_u8().await.map(drop)
}

#[tokio::test]
async fn a_read_on_a_connection_that_has_ended_is_sent_again_and_each_later_write_has_a_new_one() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let client = client_of(&listener).await;
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            tokio::spawn(respond_once(socket));
        }
    });
    let send = async |method| {
        let request = Request { method, ..Request::get("/") };
        client.send(&request, "test").await.map(|(response, _)| response.status)
    };
    assert_eq!(send(Method::GET).await.unwrap(), 200);
    // The server may have carried it out.
    send(Method::POST).await.unwrap_err();
    for method in [Method::POST, Method::GET, Method::GET, Method::POST, Method::DELETE] {
        assert_eq!(send(method).await.unwrap(), 200);
    }
}
