//! The command line of the setup commands: completions and manual pages.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// `kube-assay completions`
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// Shell to complete in; `kubectl` completes `kubectl assay` in any shell
    #[arg(value_name = "SHELL")]
    pub(crate) completer: Completer,
}

/// The programs that can complete commands of kube-assay.
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
    /// Command whose page to print, for example `run` [default: the page of kube-assay itself]
    #[arg(value_name = "COMMAND")]
    pub(crate) page: Option<String>,
    /// Write the pages of all commands into this directory, for example ~/.local/share/man/man1
    #[arg(long, value_name = "DIR", conflicts_with = "page")]
    pub(crate) output_dir: Option<PathBuf>,
}
