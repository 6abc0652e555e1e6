//! A list of 10,000 pods, 36 MB: counted as it passes, beside read whole and parsed.

use std::time::Instant;

use http::uri::PathAndQuery;
use loadgen::generator;
use loadgen::scan::Items;
use loadgen::wire::{Call, ConnectionPool, Limits};
use serde_json::{Value, json};

use crate::stage::{self, Bench};

const LISTS: usize = 10;

pub(crate) const BENCH: Bench = Bench {
    name: "list",
    whole,
    sides: &[("items", |url| side(url, counted)), ("value", |url| side(url, parsed))],
};

fn whole() {
    let server = stage::Server::start(&["plain", "list"]);
    let url = server.url.clone();
    let (a, b) =
        stage::alternate(stage::pairs(5), || stage::side("items", &[&url]), || stage::side("value", &[&url]));
    let both = (a.as_slice(), b.as_slice());
    stage::compare("LIST of 36 MB, whole body (median)", both, "millis", "ms");
    stage::compare("processor time of each", both, "cpu", "ms");
    stage::compare("memory, whole process", both, "memory", "MB");
    stage::compare("items", both, "items", "");
    stage::compare("first byte", both, "first", "ms");
}

fn side(arguments: &[String], read: fn(&ConnectionPool) -> Read<'_>) -> Value {
    stage::runtime().block_on(async {
        let pool = ConnectionPool::new(stage::endpoint(&arguments[0]).await, Limits::connections(1));
        let (mut times, mut first, mut items) = (Vec::new(), Vec::new(), 0);
        let meter = stage::Meter::start();
        for _ in 0..LISTS {
            let began = Instant::now();
            let (found, first_byte) = read(&pool).await;
            times.push(began.elapsed().as_secs_f64() * 1e3);
            first.push((first_byte - began).as_secs_f64() * 1e3);
            items = found;
        }
        json!({
            "millis": stage::median(times.into_iter()), "first": stage::median(first.into_iter()),
            "cpu": meter.cpu() / 1e3 / LISTS as f64, "items": items,
            "memory": stage::megabytes(generator::peak_memory()),
        })
    })
}

type Read<'a> = std::pin::Pin<Box<dyn Future<Output = (u64, Instant)> + 'a>>;

fn counted(pool: &ConnectionPool) -> Read<'_> {
    Box::pin(async {
        let permit = pool.permit().await.unwrap();
        let mut response = permit.send(&call()).await.unwrap();
        let (mut items, mut first) = (Items::new(false), None);
        while let Some(piece) = response.body.next().await.unwrap() {
            first.get_or_insert_with(Instant::now);
            items.take(&piece);
        }
        (items.count(), first.unwrap())
    })
}

fn parsed(pool: &ConnectionPool) -> Read<'_> {
    Box::pin(async {
        let permit = pool.permit().await.unwrap();
        let mut response = permit.send(&call()).await.unwrap();
        let (mut whole, mut first) = (Vec::new(), None);
        while let Some(piece) = response.body.next().await.unwrap() {
            first.get_or_insert_with(Instant::now);
            whole.extend_from_slice(&piece);
        }
        let value: Value = serde_json::from_slice(&whole).unwrap();
        (value["items"].as_array().unwrap().len() as u64, first.unwrap())
    })
}

fn call() -> Call {
    Call::get(PathAndQuery::from_static("/api/v1/pods"))
}
