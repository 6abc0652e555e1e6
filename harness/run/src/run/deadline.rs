//! The deadline of a run: it ends the scenarios, and the clean-up comes after it.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::fixture::RUN_LABEL;
use crate::session::Session;
use crate::settings::RunDeadline;

/// How long after the deadline a run ends without a word about its clean-up.
const UNREMARKABLE: Duration = Duration::from_secs(5);

/// The advice where the server refuses the credentials of the run.
pub(super) const RENEW: &str = "renew the credentials";

/// Ends a run that takes longer than the user allows.
pub(super) async fn end_at_deadline(session: Arc<Session>) {
    if let Some(deadline) = session.settings.deadline {
        tokio::time::sleep_until(deadline.end()).await;
        session.stop_because(deadline.passed());
    }
}

/// Why a run stopped early, and how long its clean-up took if the run ended long after the deadline.
pub(super) fn with_clean_up(
    why: String,
    deadline: Option<RunDeadline>,
    ended: Instant,
    clean_up: Duration,
) -> String {
    let is_late = |deadline: &RunDeadline| ended > deadline.end() + UNREMARKABLE && clean_up > UNREMARKABLE;
    let Some(deadline) = deadline.filter(is_late) else { return why };
    let (passed, seconds) = (deadline.passed(), clean_up.as_secs());
    if why == passed {
        format!("{why}; the clean-up took {seconds} s")
    } else {
        format!("{why}; {passed} during the clean-up, which took {seconds} s")
    }
}

/// Why a run stopped early, and that the server responded to no request of its clean-up, if there were some.
pub(super) fn with_silence(why: String, requests: Option<usize>) -> String {
    let Some(requests) = requests else { return why };
    format!("{why}; the server did not respond during the clean-up (requests without a response: {requests})")
}

/// Why a run stopped early, with the advice, if there is some, and the command that removes what may be left.
pub(super) fn with_advice(why: String, advice: Option<&str>, run: &str, has_left: bool) -> String {
    let Some(advice) = advice else { return why };
    let hint = format!("{why}; hint: {advice}");
    if !has_left {
        return hint;
    }
    format!("{hint}, then remove the objects with the label {RUN_LABEL}={run}: kube-assay clean --run {run}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_run_that_may_have_left_objects_is_followed_by_a_clean_up() {
        let why = |has_left| with_advice("401".to_owned(), Some(RENEW), "r", has_left);
        assert_eq!(why(false), "401; hint: renew the credentials");
        let remove = ", then remove the objects with the label kube-assay/run=r: kube-assay clean --run r";
        assert_eq!(why(true), why(false) + remove);
        assert_eq!(with_advice("401".to_owned(), None, "r", true), "401");
    }

    #[test]
    fn a_long_clean_up_after_the_deadline_is_named() {
        let (seconds, began) = (Duration::from_secs, Instant::now());
        let deadline = RunDeadline { limit: seconds(60), began };
        let said = |why: &str, elapsed, clean_up| {
            with_clean_up(why.to_owned(), Some(deadline), began + seconds(elapsed), seconds(clean_up))
        };
        let passed = "its deadline of 60s passed";
        assert_eq!(said(passed, 61, 1), passed);
        assert_eq!(said(passed, 93, 33), "its deadline of 60s passed; the clean-up took 33 s");
        assert_eq!(
            said("429", 93, 50),
            "429; its deadline of 60s passed during the clean-up, which took 50 s"
        );
        assert_eq!(said("429", 59, 30), "429");
        assert_eq!(with_clean_up(passed.to_owned(), None, began + seconds(93), seconds(33)), passed);
    }
}
