//! `kube-assay completions`: what a shell must know to complete our commands and flags.

use clap_complete::Shell;

use crate::called::NAME;
use crate::cli::{Cli, Completer, CompletionsArgs};
use crate::exit::Exit;
use crate::output::say;

/// kubectl runs a program of a certain name, with the words so far, and reads the proposals.
const FOR_KUBECTL: &str = include_str!("completions/kubectl.bash");

/// Prints the script.
pub(crate) fn completions(args: &CompletionsArgs) -> Exit {
    say(&script(args.completer));
    Exit::Passed
}

fn script(completer: Completer) -> String {
    let shell = match completer {
        Completer::Bash => Shell::Bash,
        Completer::Elvish => Shell::Elvish,
        Completer::Fish => Shell::Fish,
        Completer::PowerShell => Shell::PowerShell,
        Completer::Zsh => Shell::Zsh,
        Completer::Kubectl => return FOR_KUBECTL.to_owned(),
    };
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::called(NAME), NAME, &mut script);
    // In bash, a name with a hyphen is spelled in two ways, and nothing below a command is ever completed:
    // https://github.com/clap-rs/clap/issues/6421
    String::from_utf8_lossy(&script).replace("kube__subcmd__assay", "kube__assay")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum;

    #[test]
    fn every_shell_is_told_every_command() {
        let all = Completer::value_variants().iter();
        for completer in all.filter(|completer| **completer != Completer::Kubectl) {
            let script = script(*completer);
            for command in Cli::called(NAME).get_subcommands() {
                assert!(script.contains(command.get_name()), "{completer:?} does not know {command}");
            }
        }
    }
}
