//! A server that responds to no request of the set-up or the clean-up.

use std::time::Duration;

use tokio::time::Instant;

use super::Population;

/// How long a server that restarts may be silent, and how often the clean-up looks whether it is.
const RESTART: Duration = Duration::from_secs(20);
const BETWEEN_LOOKS: Duration = Duration::from_millis(500);

impl Population {
    /// Waits until the server has not responded for the timeout of a request and the time of a restart, and a request has
    /// failed meanwhile. A server that throttles responds.
    pub(crate) async fn silence(&self) {
        let (mut responses, mut since) = (self.fixtures.responses(), Instant::now());
        loop {
            tokio::time::sleep(BETWEEN_LOOKS).await;
            let now = self.fixtures.responses();
            if now > responses {
                (responses, since) = (now, Instant::now());
            } else if self.fixtures.has_failed_since_response() && since.elapsed() >= self.within + RESTART {
                return;
            }
        }
    }

    /// Ends after this time if the server has responded to nothing by then, and else never.
    pub(crate) async fn silence_for(&self, limit: Duration) {
        let responses = self.fixtures.responses();
        tokio::time::sleep(limit).await;
        if self.fixtures.responses() > responses {
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use harness::{Access, Client, Flags, Request};

    use super::*;
    use crate::template::Template;
    use crate::workload::Workload;

    /// A population on an address where nothing listens.
    async fn without_server() -> Population {
        let access = Access::load(Flags::at("http://127.0.0.1:1").into()).await.unwrap();
        let sender = (Client::new(access, Duration::from_secs(5)), Duration::from_secs(5));
        let workload = Workload::named("crud-mix").unwrap();
        Population::new(sender, "r", &workload, Template::config_map())
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_is_silent_once_a_request_has_had_no_response() {
        let population = without_server().await;
        let hour = Duration::from_hours(1);
        assert!(tokio::time::timeout(hour, population.silence()).await.is_err());
        assert!(population.fixtures.send(Request::get("/version")).await.is_err());
        assert!(tokio::time::timeout(hour, population.silence()).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn a_silent_server_has_the_timeout_of_a_request_and_the_time_of_a_restart() {
        let population = without_server().await;
        let failing = Box::pin(async {
            tokio::time::sleep(population.within).await;
            assert!(population.fixtures.send(Request::get("/version")).await.is_err());
        });
        let both = async { tokio::join!(population.silence(), failing) };
        let limit = population.within + RESTART + 2 * BETWEEN_LOOKS;
        assert!(tokio::time::timeout(limit, both).await.is_ok());
        let for_less = population.silence_for(Duration::from_secs(1));
        assert!(tokio::time::timeout(Duration::from_secs(2), for_less).await.is_ok());
    }
}
