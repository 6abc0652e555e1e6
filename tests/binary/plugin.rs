//! The program under the name of a kubectl plugin, and with kubectl where it is installed.

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::support::Reference;

/// A folder with the plugin in it, as a user would install it.
struct Plugin {
    folder: TempDir,
}

impl Plugin {
    fn install() -> Self {
        let folder = TempDir::new().unwrap();
        symlink(env!("CARGO_BIN_EXE_kube-assay"), folder.path().join("kubectl-assay")).unwrap();
        Self { folder }
    }

    /// kubectl with the plugin in its path; `None`, with a message, without kubectl.
    #[expect(clippy::print_stdout, reason = "a test that cannot run prints the reason")]
    fn kubectl(&self) -> Option<Command> {
        let known = Command::new("kubectl").args(["version", "--client"]).output();
        if known.is_ok_and(|response| response.status.success()) {
            return Some(self.command("kubectl"));
        }
        println!("SKIPPED: kubectl is not installed, so no plugin was called by it");
        None
    }

    fn own(&self) -> Command {
        self.command(self.folder.path().join("kubectl-assay").to_str().unwrap())
    }

    /// With a working kubeconfig that no flag names.
    fn command(&self, program: &str) -> Command {
        let path = format!("{}:{}", self.folder.path().display(), std::env::var("PATH").unwrap());
        let kubeconfig = self.folder.path().join("kubeconfig");
        std::fs::write(&kubeconfig, "apiVersion: v1\nkind: Config\n").unwrap();
        let mut command = Command::new(program);
        command.current_dir(self.folder.path()).env("PATH", path).env("HOME", self.folder.path());
        command.env("KUBECONFIG", kubeconfig);
        command
    }

    /// Creates the program that kubectl runs for completions.
    fn install_completion(&self) {
        use std::os::unix::fs::PermissionsExt;
        let script = stdout_of(&self.own().args(["completions", "kubectl"]).output().unwrap());
        let path = self.folder.path().join("kubectl_complete-assay");
        std::fs::write(&path, script).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
}

fn stdout_of(ended: &Output) -> String {
    assert!(ended.status.success(), "{}", complained(ended));
    String::from_utf8(ended.stdout.clone()).unwrap()
}

fn complained(ended: &Output) -> String {
    String::from_utf8(ended.stderr.clone()).unwrap()
}

#[test]
fn usage_help_version_and_advice_call_it_as_the_user_does() {
    let plugin = Plugin::install();
    let call = |arguments: &[&str]| plugin.own().args(arguments).output().unwrap();
    assert!(stdout_of(&call(&["--help"])).contains("Usage: kubectl assay [OPTIONS] <COMMAND>"));
    let help = stdout_of(&call(&["run", "--help"]));
    assert!(
        help.contains("Usage: kubectl assay run [OPTIONS]") && !help.contains("kube-assay run"),
        "{help}"
    );
    assert!(stdout_of(&call(&["--version"])).starts_with("kubectl assay "));
    let wrong = call(&["explain", "zzz"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(complained(&wrong).contains("`kubectl assay list clauses` shows all"), "{}", complained(&wrong));
}

#[test]
fn without_a_target_it_runs_nothing() {
    let plugin = Plugin::install();
    for command in [&["run"][..], &["load", "crud-mix"]] {
        let ended = plugin.own().args(command).output().unwrap();
        let errors = complained(&ended);
        assert_eq!(ended.status.code(), Some(2), "{errors}");
        assert!(errors.contains("no target given") && errors.contains("--kubeconfig FILE"), "{errors}");
    }
}

#[test]
fn kubectl_calls_it_and_the_kubeconfig_is_left_alone() {
    let plugin = Plugin::install();
    let (Some(mut kubectl), Some(mut again)) = (plugin.kubectl(), plugin.kubectl()) else { return };
    let run = ["assay", "run", "--clause", "rv-list-nomatch-nolimit-unset"];
    let errors = complained(&kubectl.args(run).output().unwrap());
    assert!(errors.contains("does not read your kubeconfig by itself"), "{errors}");
    let reference = Reference::right();
    let ended = again.args(run).args(["--server", &reference.url(), "--token", reference.token()]).output();
    assert!(stdout_of(&ended.unwrap()).contains("conformant"));
    assert!(Path::new(&plugin.folder.path().join("assay-report/summary.json")).exists());
}

#[test]
fn kubectl_completes_its_commands_and_flags() {
    let plugin = Plugin::install();
    plugin.install_completion();
    let complete = |words: &[&str]| -> Option<Vec<String>> {
        let ended = plugin.kubectl()?.args(["__complete", "assay"]).args(words).output().unwrap();
        let word = |line: &str| line.split('\t').next().unwrap_or_default().to_owned();
        Some(stdout_of(&ended).lines().map(word).collect())
    };
    let Some(commands) = complete(&["re"]) else { return };
    assert_eq!(commands, ["report", "replay", "removals", ":0"]);
    assert_eq!(complete(&["run", "--level", "m"]).unwrap(), ["must", "may", ":0"]);
    assert_eq!(complete(&["run", "--kubec"]).unwrap(), ["--kubeconfig", ":0"]);
    assert_eq!(complete(&["run", "--no-such"]).unwrap(), [":0"]);
}
