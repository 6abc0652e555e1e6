//! `kube-assay completions`: scripts that complete commands, flags and names in a shell.
//!
//! A script asks the program itself: it calls it with the unfinished command line and with [`VARIABLE`].

use std::env;

use clap_complete::CompleteEnv;
use clap_complete::env::{Bash, Elvish, EnvCompleter, Fish, Powershell, Zsh};

use crate::called::NAME;
use crate::cli::{Cli, Completer, CompletionsArgs};
use crate::exit::Exit;
use crate::output::{complain, say};

/// Names the shell that asks for proposals.
const VARIABLE: &str = "KUBE_ASSAY_COMPLETE";

/// The program that kubectl runs with the words so far; kubectl reads its proposals.
const FOR_KUBECTL: &str = include_str!("completions/kubectl.sh");

/// zsh loads a file of `$fpath` at the first completion, and expects its proposals.
const AT_FIRST_CALL: &str = r#"[ "$funcstack[1]" != "_kube-assay" ] || _clap_dynamic_completer_kube_assay "$@"
"#;

/// Prints the script.
pub(crate) fn completions(args: &CompletionsArgs) -> Exit {
    say(&script(args.completer));
    Exit::Passed
}

/// Prints proposals for an unfinished command line; `None` if no shell asks for them.
pub(crate) fn complete() -> Option<Exit> {
    let folder = env::current_dir().ok();
    let engine = CompleteEnv::with_factory(|| Cli::called(NAME)).var(VARIABLE);
    match engine.try_complete(env::args_os(), folder.as_deref()) {
        Ok(false) => None,
        Ok(true) => Some(Exit::Passed),
        Err(why) => {
            let why = why.to_string();
            complain(format_args!("failed to complete: {}", why.trim_start_matches("error: ")));
            Some(Exit::Usage)
        }
    }
}

fn script(completer: Completer) -> String {
    let shell: &dyn EnvCompleter = match completer {
        Completer::Bash => &Bash,
        Completer::Elvish => &Elvish,
        Completer::Fish => &Fish,
        Completer::PowerShell => &Powershell,
        Completer::Zsh => &Zsh,
        Completer::Kubectl => return FOR_KUBECTL.to_owned(),
    };
    let mut script = Vec::new();
    // Nothing fails to write into memory.
    let _ = shell.write_registration(VARIABLE, NAME, NAME, NAME, &mut script);
    let mut script = String::from_utf8_lossy(&script).into_owned();
    if completer == Completer::Zsh {
        script.push_str(AT_FIRST_CALL);
    }
    script
}
