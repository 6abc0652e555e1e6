//! Runs the reference server until it is shut down: `cargo run -p reference --example serve -- [ADDR] [open] [FAULT…]`.
#![allow(clippy::print_stdout, reason = "an example prints its address")]
#![allow(clippy::disallowed_methods, reason = "an example is a program with arguments")]

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let addr = arguments.next().map_or(Ok(reference::Options::default().addr), |addr| addr.parse())?;
    let named: Vec<String> = arguments.collect();
    let faults = reference::faults().filter(|fault| named.iter().any(|name| name == fault.name)).collect();
    // kubectl sends no credentials over plain HTTP.
    let open = named.iter().any(|name| name == "open");
    let mut server =
        reference::Server::start(reference::Options { addr, faults, open, ..Default::default() }).await?;
    println!("{} with bearer token {}", server.url(), server.admin_token());
    server.stopped().await;
    Ok(())
}
