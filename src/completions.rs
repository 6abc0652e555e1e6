//! `kube-assay completions`: what a shell must know to complete our commands and flags.

use clap_complete::Shell as Generator;

use crate::called::NAME;
use crate::cli::{Cli, CompletionsArgs, Shell};
use crate::exit::Exit;
use crate::output::say;

/// kubectl runs a program of a certain name, with the words so far, and reads the proposals.
const FOR_KUBECTL: &str = include_str!("completions/kubectl.bash");

/// Prints the script.
pub(crate) fn completions(args: &CompletionsArgs) -> Exit {
    say(&script(args.shell));
    Exit::Upheld
}

fn script(shell: Shell) -> String {
    let generator = match shell {
        Shell::Bash => Generator::Bash,
        Shell::Elvish => Generator::Elvish,
        Shell::Fish => Generator::Fish,
        Shell::PowerShell => Generator::PowerShell,
        Shell::Zsh => Generator::Zsh,
        Shell::Kubectl => return FOR_KUBECTL.to_owned(),
    };
    let mut script = Vec::new();
    clap_complete::generate(generator, &mut Cli::called(NAME), NAME, &mut script);
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
        for shell in Shell::value_variants().iter().filter(|shell| **shell != Shell::Kubectl) {
            let script = script(*shell);
            for command in Cli::called(NAME).get_subcommands() {
                assert!(script.contains(command.get_name()), "{shell:?} does not know {command}");
            }
        }
    }
}
