//! A request that the recorded run gave up while it waited for the writer of the record.

use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;

use super::*;
use crate::access::Access;
use crate::branch::timeout;
use crate::evidence::{Recorder, Recording};
use crate::instant::Instant;
use crate::kubeconfig::Flags;
use crate::redact::Redactor;

/// The length of each of three bodies, in bytes: one that the writer has, and two that fill its queue.
const LARGE: usize = 9 << 20;

/// Bytes that no packer makes shorter.
fn incompressible() -> Bytes {
    let next = |state: &mut u64| {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        Some(state.to_be_bytes()[0])
    };
    std::iter::repeat(()).scan(1, |state, ()| next(state)).take(LARGE).collect()
}

/// How long the scenario takes.
async fn gives_up(client: Client) -> Duration {
    let began = Instant::now();
    let late = timeout(Duration::from_millis(20), get(&client, "/late")).await;
    assert!(late.is_none(), "{late:?}");
    began.elapsed()
}

#[tokio::test]
async fn the_wait_for_the_writer_does_not_change_the_numbers_of_later_moments() {
    let (mut reader, writer) = std::io::pipe().unwrap();
    let file = File::from(OwnedFd::from(writer));
    let recorder = Recorder::create(file, Redactor::default(), reached(), Value::Null, 100 << 20).unwrap();
    let access = Access::load(Flags::at("http://127.0.0.1:1").into()).await.unwrap();
    let client = Client::new(access, LIMIT).recorded_by(recorder.clone());

    // The writer waits for the reader of the pipe.
    let large = Request { body: Some(incompressible()), ..Request::get("/large") };
    for _ in 0..3 {
        drop(Recording::begin(&recorder, &BranchId::default(), &large));
    }
    let recorded = client.scenario(1).run(gives_up(client.clone())).await;

    let reading = std::thread::spawn(move || {
        let mut file = Vec::new();
        reader.read_to_end(&mut file).map(|_| file)
    });
    recorder.finish().unwrap();
    let file = reading.join().unwrap().unwrap();
    let replaying = move || replay(Evidence::read(&file[..]).unwrap(), gives_up).0;
    assert_eq!(std::thread::spawn(replaying).join().unwrap(), recorded);
}
