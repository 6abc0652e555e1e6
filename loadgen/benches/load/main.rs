//! What load costs to make, beside ordinary clients: `cargo bench -p loadgen`, or `cargo bench -p loadgen -- get` for
//! those of one name.
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark prints what it finds, and ends where it cannot go on"
)]

mod fanout;
mod get;
mod idle;
mod list;
mod merge;
mod omission;
mod stage;

fn main() {
    stage::begin(&[fanout::BENCH, get::BENCH, idle::BENCH, list::BENCH, merge::BENCH, omission::BENCH]);
}
