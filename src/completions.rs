//! `kube-assay completions`: scripts that complete commands and flags in a shell.

use clap_complete::Shell;

use crate::called::NAME;
use crate::cli::{Cli, Completer, CompletionsArgs};
use crate::exit::Exit;
use crate::output::say;

/// The program that kubectl runs with the words so far; kubectl reads its proposals.
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
    // In bash, clap spells a name with a hyphen in two ways, and then completes nothing below a command:
    // https://github.com/clap-rs/clap/issues/6421
    String::from_utf8_lossy(&script).replace("kube__subcmd__assay", "kube__assay")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum;

    #[test]
    fn every_shell_completes_every_command() {
        let all = Completer::value_variants().iter();
        for completer in all.filter(|completer| **completer != Completer::Kubectl) {
            let script = script(*completer);
            for command in Cli::called(NAME).get_subcommands() {
                assert!(script.contains(command.get_name()), "{completer:?} does not know {command}");
            }
        }
    }
}
