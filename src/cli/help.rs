//! What stands below the help: examples, and the exit codes.

use clap::Command;

/// Below the program's own help.
pub(super) const OF_ALL: &str = "\
Examples:
  kube-assay run
      Ask the embedded reference server, to see what a run looks like
  kube-assay run --server URL --certificate-authority ca.crt --token-file token
      Ask a server of your own
  kube-assay run --kubeconfig ~/.kube/config --context kind-kind
      The same, reached as kubectl reaches it
  kube-assay explain rv-list-exact-nolimit-nonzero
      Explain one rule

Exit codes:
  0  nothing is violated, nothing undetermined
  1  a rule is violated, a threshold missed, something worse than allowed
  2  wrong usage, or a template that does not fit
  3  it could not be found out: no answer, refused credentials, interrupted";

/// Below the help of `run`.
pub(super) const OF_RUN: &str = "\
Examples:
  kube-assay run --server URL --certificate-authority ca.crt --token-file token
      Ask all that any server can be asked; the reports go into assay-report
  kube-assay run --kubeconfig ~/.kube/config --area watch --area bookmarks
      Ask about two areas
  kube-assay run --kubeconfig ~/.kube/config --clause rv-get-zero-any
      Ask one question again: by the id that is printed with a failure

Everything happens in namespaces and custom resources of the run's own. It
removes them, also after Ctrl-C.

Exit codes:
  0  nothing is violated, nothing undetermined
  1  a rule is violated
  2  wrong usage, or a template that does not fit
  3  it could not be found out: no answer, refused credentials, undetermined
     rules, interrupted";

/// The command line under the name that the user calls it by.
pub(super) fn under(command: Command, name: &'static str) -> Command {
    let below = |text: &str| text.replace("kube-assay", name);
    let command = command.name(name).bin_name(name).after_long_help(below(OF_ALL));
    // In their places: one that is changed by its name becomes the last.
    command.mut_subcommands(|command| match command.get_name() {
        "run" => command.after_long_help(below(OF_RUN)),
        _ => command,
    })
}
