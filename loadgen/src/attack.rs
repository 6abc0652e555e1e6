//! goose, which drives a run: it starts the users, lets them tick, and stops them when their time is over or the run is
//! stopped.
//!
//! Each of its users has one task: a part of the engine. The user begins the task, ticks until its time is over or it is
//! told to stop, and ends the task. It only ticks, because between two ticks goose looks whether a user is to stop.
//! Streams and requests are the engine's own: goose's client, numbers, files, ports and output are all off.

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use goose::GooseAttack;
use goose::config::GooseConfiguration;
use goose::goose::{Scenario, Transaction, TransactionFunction};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::worker::Worker;

/// How often a user looks whether it is to stop.
const TICK: Duration = Duration::from_millis(250);

/// What one user has in hand.
pub(crate) trait UserTask: Send + Sync + 'static {
    /// The name that goose shows.
    fn name(&self) -> &'static str;

    /// Builds it up. The user's time begins when that is done.
    fn begin(&self) -> BoxFuture<'_, ()>;

    /// Takes it down.
    fn end(&self) -> BoxFuture<'_, ()>;
}

/// What the users are to do.
pub(crate) struct Attack {
    /// One user for each.
    pub(crate) user_tasks: Vec<Arc<dyn UserTask>>,
    /// How long each user is there once it has begun.
    pub(crate) length: Duration,
    /// How long it may take until it has.
    pub(crate) ramp: Duration,
    /// Cancelled when all are to stop before that; and by goose, when it has ended.
    pub(crate) over: CancellationToken,
}

/// What a user knows of its own time.
#[derive(Clone)]
struct Time {
    began: Instant,
    ticks: u32,
    ended: bool,
}

/// Leaves Ctrl-C to the program. To be called before the program itself begins to listen for it.
pub fn leave_interrupts_alone() {
    // Who comes second is refused, and goose takes that calmly.
    let _ = ctrlc::set_handler(|| {});
    // What it says of itself is for nobody.
    let _ = log::set_logger(&Silence);
}

struct Silence;

impl log::Log for Silence {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        false
    }

    fn log(&self, _: &log::Record<'_>) {}

    fn flush(&self) {}
}

impl Attack {
    /// Starts the users, on a thread of its own.
    pub(crate) fn start(self) -> std::io::Result<Worker<Result<(), String>>> {
        leave_interrupts_alone();
        Worker::start("shell", move || async move {
            let over = self.over.clone();
            let ended = Box::pin(self.execute()).await;
            over.cancel();
            ended
        })
    }

    async fn execute(self) -> Result<(), String> {
        let mut attack =
            GooseAttack::initialize_with_config(self.configuration()).map_err(|why| why.to_string())?;
        for task in &self.user_tasks {
            attack = attack.register_scenario(scenario(task, self.length, &self.over));
        }
        Box::pin(attack.execute()).await.map(drop).map_err(|why| why.to_string())
    }

    fn configuration(&self) -> GooseConfiguration {
        let mut configuration = GooseConfiguration::default();
        // Nobody asks it anything: this is what it wants to know of a server, and of that server's certificates.
        configuration.host = Some("http://load.invalid".to_owned());
        configuration.accept_invalid_certs = true;
        configuration.users = Some(self.user_tasks.len());
        // All at once: each user task has a ramp of its own.
        configuration.increase_rate = Some("1000".to_owned());
        // Counted from when users start, and not from when they have begun: a bound, should all else fail.
        configuration.run_time = Some(format!("{}s", (self.ramp + self.length).as_secs() + 1));
        configuration.quiet = 1;
        (configuration.no_metrics, configuration.no_print_metrics) = (true, true);
        configuration.no_telnet = true;
        configuration
    }
}

/// A user that begins its task, ticks, and ends the task.
fn scenario(task: &Arc<dyn UserTask>, length: Duration, over: &CancellationToken) -> Scenario {
    Scenario::new(task.name())
        .register_transaction(Transaction::new(beginning(task.clone())).set_on_start())
        .register_transaction(Transaction::new(tick(task.clone(), length, over.clone())))
        .register_transaction(Transaction::new(ending(task.clone())).set_on_stop())
}

fn beginning(task: Arc<dyn UserTask>) -> TransactionFunction {
    Arc::new(move |user| {
        let task = task.clone();
        Box::pin(async move {
            task.begin().await;
            user.set_session_data(Time { began: Instant::now(), ticks: 0, ended: false });
            Ok(())
        })
    })
}

fn tick(task: Arc<dyn UserTask>, length: Duration, over: CancellationToken) -> TransactionFunction {
    Arc::new(move |user| {
        let (task, over) = (task.clone(), over.clone());
        Box::pin(async move {
            let Some(time) = user.get_session_data_mut::<Time>() else { return Ok(()) };
            if time.ended {
                tokio::time::sleep(TICK).await;
                return Ok(());
            }
            time.ticks += 1;
            let last = TICK * time.ticks >= length;
            tokio::time::sleep_until(time.began + if last { length } else { TICK * time.ticks }).await;
            if last || over.is_cancelled() {
                goose::trigger_killswitch("the run is over");
            }
            if last {
                time.ended = true;
                task.end().await;
            }
            Ok(())
        })
    })
}

fn ending(task: Arc<dyn UserTask>) -> TransactionFunction {
    Arc::new(move |user| {
        let task = task.clone();
        Box::pin(async move {
            if !user.get_session_data::<Time>().is_some_and(|time| time.ended) {
                task.end().await;
            }
            Ok(())
        })
    })
}
