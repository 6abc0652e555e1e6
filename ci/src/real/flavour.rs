//! The ways in which a right server can differ, and how kube-assay is run against each.

use super::server::RealServer;
use crate::task_error::TaskError;
use crate::workspace::Workspace;

/// A way to start the server, and the runs against it.
#[derive(Debug)]
pub(crate) struct Flavour {
    /// How it is asked for.
    pub(crate) name: &'static str,
    /// What kube-apiserver is told beyond the necessary.
    pub(crate) flags: &'static [&'static str],
    /// What kube-assay is told, run by run.
    pub(crate) runs: &'static [&'static [&'static str]],
    /// Whether kube-assay may do to the server what only an operator can.
    pub(crate) hooks: bool,
}

/// Every flavour that `cargo ci real` goes through.
pub(crate) const FLAVOURS: &[Flavour] = &[
    Flavour {
        name: "default",
        flags: &[],
        runs: &[&[], &["--parallel", "1"], &["--parallel", "16"]],
        hooks: false,
    },
    Flavour { name: "no-watch-cache", flags: &["--watch-cache=false"], runs: &[&[]], hooks: false },
    Flavour {
        name: "no-watch-list",
        flags: &["--feature-gates=WatchList=false"],
        runs: &[&[]],
        hooks: false,
    },
    Flavour {
        name: "compaction",
        flags: &["--etcd-compaction-interval=10s"],
        runs: &[&["--wait-for-compaction", "90s"]],
        hooks: false,
    },
    // Apart from the others: while the store is broken, every scenario is.
    Flavour { name: "hooks", flags: &[], runs: &[&[]], hooks: true },
];

impl Flavour {
    /// The flavour of a name.
    pub(crate) fn named(name: &str) -> Result<&'static Self, TaskError> {
        FLAVOURS.iter().find(|flavour| flavour.name == name).ok_or_else(|| {
            let names: Vec<&str> = FLAVOURS.iter().map(|flavour| flavour.name).collect();
            TaskError::new(format!("there is no flavour `{name}`, only {}", names.join(", ")))
        })
    }

    /// The flavour's flags for kube-apiserver, and then those that somebody asked for: the last one counts.
    pub(crate) fn flags_and(&self, further: &[String]) -> Vec<String> {
        self.flags.iter().map(ToString::to_string).chain(further.iter().cloned()).collect()
    }
}

/// What an operator can do to a server, as kube-assay's options: commands for `sh -c`.
pub(crate) fn hooks(workspace: &Workspace, server: &RealServer) -> Vec<String> {
    let own = workspace.binary("ci");
    let etcd = server.etcd_id();
    let compact = format!("'{}' compact --etcd {}", own.display(), server.etcd_url);
    let hooks = [
        format!("compact={compact}"),
        format!("break-store=kill -STOP {etcd}"),
        format!("mend-store=kill -CONT {etcd}"),
    ];
    hooks.into_iter().flat_map(|hook| ["--hook".to_string(), hook]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flavour_is_found_by_its_name_and_runs_at_least_once() {
        for flavour in FLAVOURS {
            assert_eq!(Flavour::named(flavour.name).expect("it exists").name, flavour.name);
            assert!(!flavour.runs.is_empty(), "{}", flavour.name);
        }
    }

    #[test]
    fn an_unknown_flavour_is_answered_with_those_that_exist() {
        let task_error = Flavour::named("vanilla").expect_err("there is none");

        assert!(
            task_error
                .to_string()
                .ends_with("only default, no-watch-cache, no-watch-list, compaction, hooks"),
            "{task_error}"
        );
    }
}
