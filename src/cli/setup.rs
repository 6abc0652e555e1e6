//! The command line of what is done once, after installing: completions and manual pages.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// `kube-assay completions`
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell that is to complete; kubectl for `kubectl assay`, in any shell
    #[arg(value_name = "SHELL")]
    pub(crate) completer: Completer,
}

/// Who can complete our commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Completer {
    /// For ~/.local/share/bash-completion/completions/kube-assay
    Bash,
    /// For ~/.config/elvish/rc.elv
    Elvish,
    /// For ~/.config/fish/completions/kube-assay.fish
    Fish,
    /// For $PROFILE
    #[value(name = "powershell")]
    PowerShell,
    /// For a file _kube-assay in a folder of $fpath
    Zsh,
    /// For an executable kubectl_complete-assay in a folder of $PATH, beside kubectl-assay
    Kubectl,
}

/// `kube-assay man`
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The command whose page to print, such as `run`; kube-assay's own if none is given
    #[arg(value_name = "COMMAND")]
    pub(crate) page: Option<String>,
    /// Write the pages of all commands into this directory, such as ~/.local/share/man/man1
    #[arg(short, long, value_name = "DIR", conflicts_with = "page")]
    pub(crate) output: Option<PathBuf>,
}
