//! What the benchmarks share: each side of a comparison is a process of its own, so that its processor time and its
//! memory are its own, and so is the server. Sides take turns, and the ratio of two that stand beside each other counts.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    clippy::panic,
    dead_code,
    unreachable_pub,
    clippy::cast_precision_loss,
    reason = "a benchmark may stop, and says what it found"
)]

pub mod gets;
pub mod object;
pub mod server;

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use harness::{Access, Flags, Source};
use loadgen::generator;
use loadgen::wire::{Endpoint, Plain};
use serde_json::{Value, json};

/// One side, as a process.
pub type Side = fn(&[String]) -> Value;

/// Runs as a side if we were started as one, or else as the whole.
pub fn begin(sides: &[(&str, Side)], whole: fn()) {
    raise_file_limit();
    // The other side's client asks the process for one.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let arguments: Vec<String> = std::env::args().collect();
    let place = arguments.iter().position(|argument| argument == "--side");
    let Some(name) = place.and_then(|place| arguments.get(place + 1)) else { return whole() };
    let rest = &arguments[place.unwrap_or(0) + 2..];
    if name == "server" {
        return server::serve(rest);
    }
    let side = sides.iter().find(|(known, _)| known == name).expect("a side of this benchmark").1;
    println!("{}", side(rest));
}

/// A server in a process of its own, until it is dropped.
pub struct Server {
    child: Child,
    pub url: String,
}

impl Server {
    /// Starts one: `tls` or `plain`, and what else it is to do.
    pub fn start(arguments: &[&str]) -> Self {
        let mut child = spawn("server", arguments);
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Self { child, url: line.trim().to_owned() }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs one side and returns what it reports, with its own processor time and memory.
pub fn side(name: &str, arguments: &[&str]) -> Value {
    let child = spawn(name, arguments);
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines()
        .last()
        .and_then(|line| serde_json::from_str(line).ok())
        .unwrap_or_else(|| panic!("{name}: {text}"))
}

fn spawn(name: &str, arguments: &[&str]) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.arg("--side").arg(name).args(arguments).stdout(Stdio::piped()).stdin(Stdio::null());
    command.spawn().unwrap()
}

/// How often each pair is run: `PAIRS=7 cargo bench ...`.
pub fn pairs(usual: usize) -> usize {
    std::env::var("PAIRS").ok().and_then(|pairs| pairs.parse().ok()).unwrap_or(usual)
}

/// Runs both sides in turn (A B, B A, ...) and returns the reports of each.
pub fn alternate(
    count: usize,
    mut a: impl FnMut() -> Value,
    mut b: impl FnMut() -> Value,
) -> (Vec<Value>, Vec<Value>) {
    let (mut all_a, mut all_b) = (Vec::new(), Vec::new());
    for round in 0..count {
        if round % 2 == 0 {
            all_a.push(a());
            all_b.push(b());
        } else {
            all_b.push(b());
            all_a.push(a());
        }
    }
    (all_a, all_b)
}

/// Prints both sides of a number and the median of their ratios (second over first).
pub fn compare(what: &str, (a, b): (&[Value], &[Value]), field: &str, unit: &str) -> f64 {
    let number = |report: &Value| report[field].as_f64().unwrap_or(f64::NAN);
    let ratios: Vec<f64> = a.iter().zip(b).map(|(a, b)| number(b) / number(a)).collect();
    let (a, b) = (median(a.iter().map(number)), median(b.iter().map(number)));
    let (least, most) =
        (ratios.iter().copied().fold(f64::MAX, f64::min), ratios.iter().copied().fold(0.0, f64::max));
    let ratio = median(ratios.into_iter());
    println!(
        "{what:<34} ours {a:>10.2} {unit:<6} other {b:>10.2} {unit:<6} ratio {ratio:>7.2} ({least:.2}..{most:.2})"
    );
    ratio
}

pub fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The server at this address; its certificate is not looked at.
pub async fn endpoint(url: &str) -> Endpoint {
    let flags = Flags { server: url.to_owned(), insecure_skip_tls_verify: true, ..Flags::default() };
    let access = Access::load(Source::Flags(Box::new(flags))).await.unwrap();
    Endpoint::new(access, "kube-assay/bench", Plain::One).unwrap()
}

/// What the process costs from here on.
pub struct Meter(Option<Duration>);

impl Meter {
    pub fn start() -> Self {
        Self(generator::cpu())
    }

    /// Microseconds of processor time.
    pub fn cpu(&self) -> f64 {
        generator::cpu()
            .zip(self.0)
            .map_or(f64::NAN, |(now, then)| now.saturating_sub(then).as_secs_f64() * 1e6)
    }
}

/// Megabytes.
pub fn megabytes(bytes: Option<u64>) -> Value {
    json!(bytes.map(|bytes| bytes as f64 / 1e6))
}

/// Ten thousand connections are as many files.
fn raise_file_limit() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
}

/// A thread for many tasks, as a side has it.
pub fn runtime() -> tokio::runtime::LocalRuntime {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_all().build_local(tokio::runtime::LocalOptions::default()).unwrap()
}
