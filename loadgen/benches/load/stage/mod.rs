//! What the benchmarks share: each side of a comparison is a process of its own, so that its processor time and its
//! memory are its own, and so is the server. Sides take turns, and the ratio of two that stand beside each other counts.

pub(crate) mod clock;
pub(crate) mod gets;
pub(crate) mod object;
pub(crate) mod server;

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use harness::load::Scope;
use harness::{Access, Flags};
use loadgen::generator;
use loadgen::scan::Collection;
use loadgen::watch_pool::{ReadRate, Route, WatchPool};
use loadgen::wire::{Call, ConnectionPool, Endpoint, Limits, Plain};
use serde_json::{Value, json};

/// One side, as a process.
pub(crate) type Side = fn(&[String]) -> Value;

/// A benchmark, and the sides that it starts.
pub(crate) struct Bench {
    pub(crate) name: &'static str,
    pub(crate) whole: fn(),
    /// By names that no other benchmark has for its own.
    pub(crate) sides: &'static [(&'static str, Side)],
}

/// Runs as a side if we were started as one, or else the benchmarks that are named, or all.
pub(crate) fn begin(benches: &[Bench]) {
    raise_file_limit();
    // goose's HTTP client requires a process-wide provider.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, name, rest @ ..] = arguments.as_slice()
        && flag == "--side"
    {
        return as_side(benches, name, rest);
    }
    let named = |bench: &&Bench| arguments.iter().any(|argument| argument == bench.name);
    let all = !benches.iter().any(|bench| named(&bench));
    for bench in benches.iter().filter(|bench| all || named(bench)) {
        println!("{}", bench.name);
        (bench.whole)();
    }
}

fn as_side(benches: &[Bench], name: &str, arguments: &[String]) {
    if name == "server" {
        return server::serve(arguments);
    }
    let mut sides = benches.iter().flat_map(|bench| bench.sides);
    let side = sides.find(|(known, _)| *known == name).expect("a side of a benchmark").1;
    println!("{}", side(arguments));
}

/// A server in a process of its own, until it is dropped.
pub(crate) struct Server {
    child: Child,
    pub(crate) url: String,
}

impl Server {
    /// Starts one: `tls` or `plain`, and what else it is to do.
    pub(crate) fn start(arguments: &[&str]) -> Self {
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

/// Runs one side and returns its report, with its processor time and memory.
pub(crate) fn side(name: &str, arguments: &[&str]) -> Value {
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
pub(crate) fn pairs(usual: usize) -> usize {
    std::env::var("PAIRS").ok().and_then(|pairs| pairs.parse().ok()).unwrap_or(usual)
}

/// Runs both sides in turn (A B, B A, ...) and returns the reports of each.
pub(crate) fn alternate(
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
pub(crate) fn compare(what: &str, (a, b): (&[Value], &[Value]), field: &str, unit: &str) -> f64 {
    let ratios: Vec<f64> = a.iter().zip(b).map(|(a, b)| number(b, field) / number(a, field)).collect();
    let (a, b) = (middle(a, field), middle(b, field));
    let (least, most) =
        (ratios.iter().copied().fold(f64::MAX, f64::min), ratios.iter().copied().fold(0.0, f64::max));
    let ratio = median(ratios.into_iter());
    println!(
        "{what:<34} ours {a:>10.2} {unit:<6} other {b:>10.2} {unit:<6} ratio {ratio:>7.2} ({least:.2}..{most:.2})"
    );
    ratio
}

fn number(report: &Value, field: &str) -> f64 {
    report[field].as_f64().unwrap_or(f64::NAN)
}

/// The median of a number over several reports.
pub(crate) fn middle(reports: &[Value], field: &str) -> f64 {
    median(reports.iter().map(|report| number(report, field)))
}

pub(crate) fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The server at this address; its certificate is not looked at.
pub(crate) async fn endpoint(url: &str) -> Endpoint {
    let flags = Flags { insecure_skip_tls_verify: true, ..Flags::at(url) };
    let access = Access::load(flags.into()).await.unwrap();
    Endpoint::new(access, "kube-assay/bench", Plain::One).unwrap()
}

/// The server's measurements, in milliseconds by the names of quantiles.
pub(crate) async fn truth(endpoint: &Endpoint) -> Value {
    let permit = ConnectionPool::new(endpoint.clone(), Limits::connections(1)).permit().await.unwrap();
    let mut response = permit.send(&Call::get("/truth".parse().unwrap())).await.unwrap();
    let mut body = Vec::new();
    while let Some(piece) = response.body.next().await.unwrap() {
        body.extend_from_slice(&piece);
    }
    serde_json::from_slice(&body).unwrap()
}

/// The cost of the process from here on.
pub(crate) struct Meter(Option<Duration>);

impl Meter {
    pub(crate) fn start() -> Self {
        Self(generator::cpu())
    }

    /// Microseconds of processor time.
    pub(crate) fn cpu(&self) -> f64 {
        generator::cpu()
            .zip(self.0)
            .map_or(f64::NAN, |(now, then)| now.saturating_sub(then).as_secs_f64() * 1e6)
    }
}

/// Microseconds of processor time that all children took that have ended.
pub(crate) fn cpu_of_children() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    // Behind the name, which is in parentheses: cutime and cstime are the 14th and 15th.
    let fields = stat.rsplit(')').next().unwrap().split_whitespace().skip(13).take(2);
    let ticks: f64 = fields.map(|field| field.parse::<f64>().unwrap()).sum();
    ticks / rustix::param::clock_ticks_per_second() as f64 * 1e6
}

/// Megabytes.
pub(crate) fn megabytes(bytes: Option<u64>) -> Value {
    json!(bytes.map(|bytes| bytes as f64 / 1e6))
}

/// Ten thousand connections are as many files.
fn raise_file_limit() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
}

/// A thread for many tasks, as a side has it.
pub(crate) fn runtime() -> tokio::runtime::LocalRuntime {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_all().build_local(tokio::runtime::LocalOptions::default()).unwrap()
}

/// Watches of all that is in one namespace, on one thread, as many on a connection as the server lets.
pub(crate) fn watch_pool(watches: usize, check_one_in: u64) -> WatchPool {
    let [api_version, kind, namespace] = ["v1", "Pod", "load"].map(str::to_owned);
    let pods = Collection { api_version, kind, namespace };
    WatchPool {
        watches,
        routes: [Route::new("/api/v1/namespaces/load/pods", pods, "1")].into(),
        resource: "pods".to_owned(),
        scope: Scope::Namespace,
        variant: String::new(),
        threads: 1,
        limits: Limits::connections(1_000),
        opening: 1e6,
        within: Duration::from_secs(20),
        read_rate: ReadRate::Healthy,
        measured: None,
        check_one_in,
    }
}
