//! Memory of 10,000 idle watches over TLS, and how long opening and closing them takes; beside the same number held by
//! an ordinary HTTP client, one client for each connection's worth of watches.

use std::sync::Arc;
use std::time::{Duration, Instant};

use loadgen::generator;
use loadgen::stamp::Stamps;
use serde_json::{Value, json};

use crate::stage::{self, Bench};

const WATCHES: usize = 10_000;

pub(crate) const BENCH: Bench =
    Bench { name: "idle", whole, sides: &[("watches", ours), ("reqwest-watches", reqwest_side)] };

fn whole() {
    let server = stage::Server::start(&["tls"]);
    let url = server.url.clone();
    let (a, b) = stage::alternate(
        stage::pairs(3),
        || stage::side("watches", &[&url]),
        || stage::side("reqwest-watches", &[&url]),
    );
    let both = (a.as_slice(), b.as_slice());
    stage::compare("10,000 idle watches, whole process", both, "memory", "MB");
    stage::compare("each, growth", both, "each", "kB");
    stage::compare("open after", both, "opened", "s");
    stage::compare("closed after", both, "closed", "s");
    stage::compare("watches", both, "open", "");
}

fn ours(arguments: &[String]) -> Value {
    stage::runtime().block_on(async {
        let endpoint = stage::endpoint(&arguments[0]).await;
        let before = generator::memory().unwrap_or(0);
        let (interval_reports, _receiver) = tokio::sync::mpsc::unbounded_channel();
        let began = Instant::now();
        let watch_pool = stage::watch_pool(WATCHES, 1_000)
            .launch(&endpoint, &Arc::new(Stamps::new(0, 1)), &interval_reports)
            .unwrap();
        let open = watch_pool.all_open(Duration::from_secs(30)).await;
        let opened = began.elapsed().as_secs_f64();
        tokio::time::sleep(Duration::from_secs(1)).await;
        let after = generator::memory().unwrap_or(0);
        let closing = Instant::now();
        let account = watch_pool.stop().await.unwrap();
        json!({
            "open": open, "opened": opened, "closed": closing.elapsed().as_secs_f64(),
            "memory": stage::megabytes(generator::peak_memory()),
            "each": (after - before) as f64 / 1e3 / WATCHES as f64,
            "connections": account.watches.connections,
        })
    })
}

fn reqwest_side(arguments: &[String]) -> Value {
    let url = format!("{}/api/v1/pods?watch=1&resourceVersion=1", arguments[0]);
    stage::runtime().block_on(async {
        let before = generator::memory().unwrap_or(0);
        let began = Instant::now();
        let mut tasks = tokio::task::JoinSet::new();
        let (opened, mut count) = tokio::sync::mpsc::unbounded_channel();
        for _ in 0..WATCHES / 100 {
            let client = reqwest::Client::builder().danger_accept_invalid_certs(true).build().unwrap();
            for _ in 0..100 {
                let (client, url, opened) = (client.clone(), url.clone(), opened.clone());
                tasks.spawn(async move {
                    let mut response = client.get(url).send().await.unwrap();
                    let _ = opened.send(());
                    while let Ok(Some(_)) = response.chunk().await {}
                });
            }
        }
        let mut open = 0;
        while open < WATCHES && count.recv().await.is_some() {
            open += 1;
        }
        let opened = began.elapsed().as_secs_f64();
        tokio::time::sleep(Duration::from_secs(1)).await;
        let after = generator::memory().unwrap_or(0);
        let closing = Instant::now();
        tasks.shutdown().await;
        json!({
            "open": open, "opened": opened, "closed": closing.elapsed().as_secs_f64(),
            "memory": stage::megabytes(generator::peak_memory()),
            "each": (after - before) as f64 / 1e3 / WATCHES as f64,
        })
    })
}
