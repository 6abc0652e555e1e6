//! A coordinator and its workers, as separate processes on one machine.

use super::program::Running;
use super::{Ended, Program, Reference, kube_assay};

/// The processes of one run.
pub(crate) struct Workers {
    pub(crate) coordinator: Running,
    pub(crate) running: Vec<Running>,
    /// Dropped last: the folder where they meet.
    pub(crate) place: tempfile::TempDir,
}

impl Workers {
    /// A run of a workload on a reference, with this number of workers that meet in a folder.
    pub(crate) fn start(workload: &str, count: usize, reference: &Reference, flags: &[&str]) -> Self {
        Self::facing(workload, count, (&reference.url(), reference), &[flags, &["--http2"]].concat())
    }

    /// The same at another address, such as that of a proxy.
    pub(crate) fn facing(
        workload: &str,
        count: usize,
        (url, reference): (&str, &Reference),
        flags: &[&str],
    ) -> Self {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().to_str().unwrap().to_owned();
        let all = count.to_string();
        let coordinator = kube_assay(&["load", workload, "--seed", "7", "--workers", &all])
            .with(&["--rendezvous", &folder, "--server", url, "--token", reference.token()])
            .with(flags)
            .start();
        let running =
            (0..count).map(|index| worker_facing(index, count, &folder, (url, reference)).start()).collect();
        Self { coordinator, running, place }
    }

    /// The end of the coordinator, and of all workers.
    pub(crate) fn end(self) -> (Ended, Vec<Ended>) {
        let workers = self.running.into_iter().map(Running::end).collect();
        let coordinator = self.coordinator.end();
        assert_eq!(documents(&self.place), [""; 0]);
        (coordinator, workers)
    }
}

/// A worker as a pod of an Indexed Job is started: its index comes from the environment.
pub(crate) fn worker(index: usize, of: usize, place: &str, reference: &Reference) -> Program {
    worker_facing(index, of, place, (&reference.url(), reference))
}

fn worker_facing(index: usize, of: usize, place: &str, (url, reference): (&str, &Reference)) -> Program {
    kube_assay(&["load-worker", "--of", &of.to_string(), "--rendezvous", place])
        .with(&["--server", url, "--token", reference.token()])
        .env("JOB_COMPLETION_INDEX", index.to_string())
}

/// The names of the documents in a folder.
pub(crate) fn documents(place: &tempfile::TempDir) -> Vec<String> {
    let files = std::fs::read_dir(place.path()).unwrap();
    files.map(|file| file.unwrap().file_name().to_string_lossy().into_owned()).collect()
}
