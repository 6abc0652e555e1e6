//! The number of measured starts of each worker, which everyone who knows the workload and the seed can compute.

use super::assignment::Assignment;
use crate::requests::RequestTiming;
use crate::share::Share;
use crate::workload::Workload;

/// The number of starts without a pause: other tasks need their turn.
const AT_ONCE: u64 = 10_000;

/// The number of measured starts of each worker; none in a closed loop, which has no schedule.
pub(crate) async fn measured_starts(workload: &Workload, seed: u64, workers: usize) -> Option<Vec<u64>> {
    let requests = workload.requests.as_ref().filter(|requests| requests.closed.is_none())?;
    let timing = RequestTiming::of(workload, requests);
    let mut assignment = Assignment::new(Share { index: 0, of: workers }, seed);
    let mut counts = vec![0; workers];
    for (number, at) in (0..).zip(timing.pace.plan(timing.length)) {
        let (worker, _) = assignment.assign(number, &requests.operations);
        if at >= timing.warm_up
            && let Some(count) = counts.get_mut(worker)
        {
            *count += 1;
        }
        if number % AT_ONCE == 0 {
            tokio::task::yield_now().await;
        }
    }
    Some(counts)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::workload::Time;

    #[tokio::test]
    async fn all_measured_starts_belong_to_one_of_the_workers() {
        let mut workload = Workload::named("crud-mix").unwrap();
        (workload.warm_up, workload.duration) = (Time(Duration::from_secs(1)), Time(Duration::from_secs(10)));
        workload.requests.as_mut().unwrap().rate = 100.0;
        assert_eq!(measured_starts(&workload, 7, 1).await, Some(vec![1_000]));
        let shares = measured_starts(&workload, 7, 3).await.unwrap();
        assert_eq!((shares.len(), shares.iter().sum::<u64>()), (3, 1_000));
        assert!(shares.iter().all(|share| share.abs_diff(333) < 50), "{shares:?}");
        workload.requests.as_mut().unwrap().closed = Some(3);
        assert_eq!(measured_starts(&workload, 7, 3).await, None);
    }
}
