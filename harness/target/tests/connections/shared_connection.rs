//! Many responses over one HTTP/2 connection.

use std::time::Duration;

use bytes::Bytes;
use futures::future::try_join_all;
use model::{Protocol, Request, TestError};
use target::{Access, Client, Flags};
use tokio::net::{TcpListener, TcpStream};

/// A body that takes most of the memory for all scenarios.
const LARGE: usize = 4 << 20;

/// The memory for the responses of one scenario, in bytes.
const MEMORY: usize = 10 << 20;

/// Responds to `/openapi/large` with a large body, and to all others with a small one.
async fn respond(socket: TcpStream) -> Result<(), h2::Error> {
    let mut connection = h2::server::handshake(socket).await?;
    while let Some(accepted) = connection.accept().await {
        let (request, mut respond) = accepted?;
        let length = if request.uri().path() == "/openapi/large" { LARGE } else { 1 };
        let mut body = respond.send_response(http::Response::new(()), false)?;
        body.send_data(Bytes::from(vec![b'1'; length]), true)?;
    }
    Ok(())
}

/// A scenario holds a large response while it reads a small one.
async fn scenario(client: Client) -> Result<usize, TestError> {
    let get = |path: &str| Request::get(path).protocol(Protocol::Http2);
    let (large, _) = client.send(&get("/openapi/large"), "test").await?;
    let (small, _) = client.send(&get("/openapi/small"), "test").await?;
    Ok(large.body.len() + small.body.len())
}

/// A client of this listener.
async fn client_of(listener: &TcpListener, timeout: Duration) -> Client {
    let address = listener.local_addr().expect("a bound port");
    let flags = Flags { token: Some("t".into()), ..Flags::at(format!("http://{address}")) };
    let access = Access::load(flags.into()).await.expect("access by token");
    Client::new(access, timeout)
}

#[tokio::test]
async fn responses_that_wait_for_memory_do_not_hold_up_others() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let client = client_of(&listener, Duration::from_secs(20)).await.with_memory(MEMORY, 12);
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            tokio::spawn(respond(socket));
        }
    });

    let scenarios = (0..12).map(|_| scenario(client.with_own_memory()));
    let read = try_join_all(scenarios).await.expect("all responses");

    assert_eq!(read, [LARGE + 1; 12]);
}

#[tokio::test]
async fn a_stuck_connection_is_left() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let client = client_of(&listener, Duration::from_secs(1)).await;
    tokio::spawn(async move {
        let (stuck, _) = listener.accept().await.expect("a first connection");
        let (socket, _) = listener.accept().await.expect("another one");
        let _ = respond(socket).await;
        drop(stuck);
    });
    let request = Request::get("/").protocol(Protocol::Http2);

    client.send(&request, "test").await.expect_err("no response on the stuck connection");
    let (response, _) = client.send(&request, "test").await.expect("a response on another one");

    assert_eq!(response.status, 200);
}

/// Resets the stream of the first request, and responds to all others.
async fn reset_first(listener: TcpListener) -> Result<(), h2::Error> {
    let (socket, _) = listener.accept().await.expect("a connection");
    let mut connection = h2::server::handshake(socket).await?;
    if let Some(first) = connection.accept().await {
        first?.1.send_reset(h2::Reason::INTERNAL_ERROR);
    }
    while let Some(accepted) = connection.accept().await {
        accepted?.1.send_response(http::Response::new(()), true)?;
    }
    Ok(())
}

#[tokio::test]
async fn a_reset_stream_ends_its_own_request_alone() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let client = client_of(&listener, Duration::from_secs(20)).await;
    tokio::spawn(reset_first(listener));
    let request = Request::get("/").protocol(Protocol::Http2);

    let test_error = client.send(&request, "test").await.expect_err("a reset stream");
    let (response, _) = client.send(&request, "test").await.expect("a response on the same connection");

    assert_eq!(test_error.cause, "it reset the HTTP/2 stream of the request");
    assert_eq!(response.status, 200);
}
