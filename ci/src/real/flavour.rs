//! The variants of a conformant server, and kube-assay's runs against each.

use super::server::RealServer;
use crate::task_error::TaskError;
use crate::workspace::Workspace;

/// A set of server flags, and the runs against that server.
#[derive(Debug)]
pub(crate) struct Flavour {
    /// The name for `--flavour`.
    pub(crate) name: &'static str,
    /// The additional flags of kube-apiserver.
    pub(crate) flags: &'static [&'static str],
    /// The options of kube-assay, run by run.
    pub(crate) runs: &'static [&'static [&'static str]],
    /// The number of further kube-apiservers on the same etcd.
    pub(crate) replicas: usize,
    /// Whether kube-assay gets the hooks of an operator.
    pub(crate) hooks: bool,
    /// Whether its runs take little of the machine, so that they run beside those of the others.
    pub(crate) mostly_waits: bool,
}

/// The areas whose scenarios run hooks.
const HOOKED_AREAS: &[&str] = &["--area", "gone", "--area", "health", "--area", "status-object"];

/// The areas that list and watch; the others send nothing that a server without streaming lists treats differently.
const READING_AREAS: &[&str] = &[
    "--area",
    "bookmarks",
    "--area",
    "collections",
    "--area",
    "compression",
    "--area",
    "gone",
    "--area",
    "history",
    "--area",
    "pagination",
    "--area",
    "resource-version",
    "--area",
    "streaming-list",
    "--area",
    "streams",
    "--area",
    "watch",
];

/// Every flavour of `cargo ci real`.
pub(crate) const FLAVOURS: &[Flavour] = &[
    flavour("default", &[], &[&[]]),
    flavour("no-watch-list", &["--feature-gates=WatchList=false"], &[READING_AREAS]),
    flavour(
        "compaction",
        &["--etcd-compaction-interval=10s"],
        &[&["--wait-for-compaction", "90s", "--parallel", "16"]],
    ),
    // Separate: while the store is broken, every scenario fails. The other areas ask for no hook.
    Flavour { hooks: true, ..flavour("hooks", &[], &[HOOKED_AREAS]) },
    Flavour { hooks: true, replicas: 2, ..flavour("replicas", &[], &[&["--area", "replicas"]]) },
    // One scenario at a time takes little of the machine.
    Flavour {
        mostly_waits: true,
        ..flavour("no-watch-cache", &["--watch-cache=false"], &[&["--parallel", "1"]])
    },
];

/// A flavour without hooks, whose runs keep the machine busy.
const fn flavour(
    name: &'static str,
    flags: &'static [&'static str],
    runs: &'static [&'static [&'static str]],
) -> Flavour {
    Flavour { name, flags, runs, replicas: 0, hooks: false, mostly_waits: false }
}

impl Flavour {
    pub(crate) fn named(name: &str) -> Result<&'static Self, TaskError> {
        FLAVOURS.iter().find(|flavour| flavour.name == name).ok_or_else(|| {
            let names: Vec<&str> = FLAVOURS.iter().map(|flavour| flavour.name).collect();
            TaskError::new(format!("there is no flavour `{name}`, only {}", names.join(", ")))
        })
    }

    /// The flags of the flavour, then the further flags: the last one wins.
    pub(crate) fn flags_with(&self, further: &[String]) -> Vec<String> {
        self.flags.iter().map(ToString::to_string).chain(further.iter().cloned()).collect()
    }
}

/// The `--hook` options: commands for `sh -c`.
pub(crate) fn hooks(workspace: &Workspace, server: &RealServer) -> Vec<String> {
    let own = workspace.binary("ci");
    let etcd = server.etcd_id();
    let compact = format!("'{}' compact --etcd {}", own.display(), server.etcd_url);
    let mut hooks = vec![
        format!("compact={compact}"),
        format!("break-store=kill -STOP {etcd}"),
        format!("mend-store=kill -CONT {etcd}"),
    ];
    if let Some(replica) = server.last_replica_id() {
        hooks.push(format!("stop-replica=kill -STOP {replica}"));
        hooks.push(format!("start-replica=kill -CONT {replica}"));
    }
    hooks.into_iter().flat_map(|hook| ["--hook".to_string(), hook]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flavour_has_a_name_and_a_run() {
        for flavour in FLAVOURS {
            assert_eq!(Flavour::named(flavour.name).expect("it exists").name, flavour.name);
            assert!(!flavour.runs.is_empty(), "{}", flavour.name);
        }
    }

    #[test]
    fn an_unknown_flavour_has_an_error_with_the_known_ones() {
        let task_error = Flavour::named("vanilla").expect_err("there is none");

        assert!(
            task_error
                .to_string()
                .ends_with("only default, no-watch-list, compaction, hooks, replicas, no-watch-cache"),
            "{task_error}"
        );
    }
}
