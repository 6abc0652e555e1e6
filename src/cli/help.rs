//! The end of the help: examples, and the exit codes.

use clap::{Arg, Command};

use super::candidates::with_candidates;
use super::target::with_variable;

/// Below the program's own help.
pub(super) const OF_ALL: &str = "\
Examples:
  kube-assay run
      Test the embedded reference server, as an example
  kube-assay run --server URL --certificate-authority ca.crt --token-file token
      Test a server of your own
  kube-assay run --kubeconfig ~/.kube/config --context kind-kind
      Test a server with the settings of a kubeconfig
  kube-assay explain rv-list-exact-nolimit-nonzero
      Explain one clause

Exit codes:
  0  no clause failed, no clause is inconclusive
  1  a clause failed, a run missed a threshold or regressed
  2  wrong usage, or a template that does not fit
  3  inconclusive: no response, refused credentials, interrupted";

/// Below the help of `run`.
pub(super) const OF_RUN: &str = "\
Examples:
  kube-assay run --server URL --certificate-authority ca.crt --token-file token
      Run all scenarios, and write the reports into assay-report
  kube-assay run --kubeconfig ~/.kube/config --area watch --area bookmarks
      Run the scenarios of two areas
  kube-assay run --kubeconfig ~/.kube/config --clause rv-get-zero-any
      Run one scenario again, by the id that a failure shows

TIME is a number with a unit: 250ms, 90s, 15m or 1h, at most 168h.

A run changes only objects that it created, and removes them in the end, also
after Ctrl-C.

Exit codes:
  0  no clause failed, no clause is inconclusive
  1  a clause failed or is flaky, or a known failure is stale
  2  wrong usage, or a template that does not fit
  3  inconclusive: no response, refused credentials, inconclusive clauses,
     stopped early";

/// Below the help of `load-worker`.
const OF_LOAD_WORKER: &str = "\
Examples:
  kube-assay load crud-mix --workers 2 --rendezvous /mnt --kubeconfig target
      Coordinate a run of two workers, which you start
  kube-assay load-worker --index 0 --of 2 --rendezvous /mnt --kubeconfig target
      Start the first of them, on any machine with that folder

Exit codes:
  0  the coordinator has the results of this worker
  2  wrong usage
  3  the coordinator is lost, or has no result of this worker";

/// Below the help of `clean`.
const OF_CLEAN: &str = "\
Examples:
  kube-assay clean --dry-run --kubeconfig ~/.kube/config
      Print what all runs left on a server
  kube-assay clean --run k3f9x2 --kubeconfig ~/.kube/config
      Remove the objects of one run

An object belongs to a run if it has the label kube-assay/run, or if its type is
of an API group such as k3f9x2.kube-assay.dev. An object without the label that
has a name such as assay-k3f9x2-17-a belongs to run k3f9x2 if you give --run, or
if another object of that run is found. The objects of a run that has not ended
are removed as well.

Exit codes:
  0  nothing is left
  2  wrong usage
  3  an object is still there, or a type could not be listed";

/// Below the help of `removals`.
const OF_REMOVALS: &str = "\
Examples:
  kube-assay removals --from 1.30 --to 1.37
      List the APIs that are removed between two minors
  kube-assay removals --to 1.37 -f manifests/
      Search manifests for APIs that 1.37 does not serve
  helm template CHART | kube-assay removals -f -
      Search the manifests of a chart
  kube-assay removals --to 1.37 --kubeconfig ~/.kube/config
      Search the objects of a server, also for what kubectl applied

The command changes nothing. An API that a server lists and no object shows to be
in use does not count as a use.

Exit codes:
  0  no use of a removed API
  1  a removed API is in use
  2  wrong usage
  3  no use was found, and a file, a document or a type could not be read";

/// Below the help of `certify`.
const OF_CERTIFY: &str = "\
Exit codes:
  0  the certificate is written
  1  refused: the run was partial, stopped early or had known failures, a must
     clause failed, or the replay differs from the record
  2  wrong usage, or a file cannot be read
  3  the certificate cannot be written";

/// Below the help of `verify`.
const OF_VERIFY: &str = "\
Exit codes:
  0  signature, requirement set, evidence and every verdict agree
  1  one of them does not
  2  wrong usage, or a file cannot be read
  3  the rest agrees, and without --evidence no verdict was checked";

/// The command line under the name that the user calls it by.
pub(super) fn under(command: Command, name: &'static str) -> Command {
    let below = |text: &str| text.replace("kube-assay", name);
    let command = command.name(name).bin_name(name).after_long_help(below(OF_ALL));
    let command = command.mut_subcommands(|command| command.mut_args(with_candidates));
    // In their places: one that is changed by its name becomes the last.
    command.mut_subcommands(|command| match command.get_name() {
        "run" => command.mut_args(with_variable).after_long_help(below(OF_RUN)),
        "load" => command.mut_args(with_variable),
        "load-worker" => {
            command.mut_args(with_variable).mut_args(required_target).after_long_help(below(OF_LOAD_WORKER))
        }
        "certify" => command.after_long_help(OF_CERTIFY),
        "verify" => command.after_long_help(OF_VERIFY),
        "clean" => command.mut_args(with_variable).mut_args(required_target).after_long_help(below(OF_CLEAN)),
        "removals" => {
            command.mut_args(with_variable).mut_args(optional_target).after_long_help(below(OF_REMOVALS))
        }
        _ => command,
    })
}

/// The heading of the target, without the embedded server.
fn required_target(arg: Arg) -> Arg {
    target_heading(arg, "Target (required)")
}

fn optional_target(arg: Arg) -> Arg {
    target_heading(arg, "Target (none if none is given)")
}

fn target_heading(arg: Arg, instead: &'static str) -> Arg {
    match arg.get_help_heading() {
        Some(heading) if heading.starts_with("Target") => arg.help_heading(instead),
        _ => arg,
    }
}

#[cfg(test)]
mod tests {
    use clap::Command;

    use crate::cli::Cli;

    /// The width of the narrowest terminals that are in use.
    const WIDTH: usize = 80;

    fn check(command: &mut Command) {
        let name = command.get_bin_name().unwrap_or_default().replace(' ', "-");
        let (short, long) = (command.render_help().to_string(), command.render_long_help().to_string());
        for line in short.lines().chain(long.lines()) {
            assert!(line.chars().count() <= WIDTH, "{line}");
        }
        insta::assert_snapshot!(name, long);
        command.get_subcommands_mut().filter(|command| command.get_name() != "help").for_each(check);
    }

    #[test]
    fn every_command_has_a_help_that_is_readable_at_80_columns() {
        let mut command = Cli::called("kube-assay").term_width(WIDTH);
        command.build();
        check(&mut command);
    }
}
