//! The scripts of the GitHub Action and of the container image, run with bash and sh.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::support::{Reference, until};

/// A clause that a run tests within milliseconds; its fault has the same name.
const CLAUSE: &str = "health-200-means-healthy";

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("ci/packaging").join(name)
}

/// A runner of GitHub Actions: a folder, and kube-assay in `$PATH`.
struct Runner(TempDir);

impl Runner {
    fn new() -> Self {
        let runner = Self(TempDir::new().unwrap());
        for file in ["output", "path", "summary", "token"] {
            fs::write(runner.path(file), "").unwrap();
        }
        runner
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// A step of the action, in an environment without anything else.
    fn step(&self, step: &str, variables: &[(&str, &str)]) -> Output {
        let own = Path::new(env!("CARGO_BIN_EXE_kube-assay")).parent().unwrap();
        let mut command = Command::new("bash");
        command.arg(script("action.sh")).arg(step).current_dir(self.0.path()).env_clear();
        command.env("PATH", format!("{}:{}", own.display(), std::env::var("PATH").unwrap()));
        command.env("GITHUB_ACTIONS", "true").env("GITHUB_STEP_SUMMARY", self.path("summary"));
        command.env("GITHUB_OUTPUT", self.path("output")).env("GITHUB_PATH", self.path("path"));
        command.env("RUNNER_TEMP", self.0.path()).envs(variables.iter().copied());
        command.output().unwrap()
    }

    /// Tests two clauses on the server.
    fn test(&self, server: &Reference) -> Output {
        fs::write(self.path("token"), server.token()).unwrap();
        let (url, token) = (server.url(), self.path("token"));
        let clauses = format!("{CLAUSE}\n\nhealth-three-endpoints\n");
        self.step(
            "run",
            &[
                ("INPUT_SERVER", &url),
                ("INPUT_TOKEN_FILE", token.to_str().unwrap()),
                ("INPUT_CLAUSE", &clauses),
                ("INPUT_SKIP", "health-three-endpoints"),
                ("INPUT_ARGS", "--seed=7\n--quiet"),
            ],
        )
    }

    /// A release of one archive, whose checksum file has this digest.
    fn release(&self, digest: Option<&str>) -> Output {
        let target = format!("{}-unknown-linux-musl", std::env::consts::ARCH);
        let name = format!("kube-assay-1.2.3-{target}");
        let assets = self.path("owner/repository/releases/download/v1.2.3");
        fs::create_dir_all(assets.join(&name)).unwrap();
        program(&assets.join(&name).join("kube-assay"), "echo kube-assay 1.2.3");
        let pack = format!("tar -czf {name}.tar.gz {name} && sha256sum {name}.tar.gz > SHA256SUMS");
        assert!(Command::new("sh").args(["-c", &pack]).current_dir(&assets).status().unwrap().success());
        if let Some(digest) = digest {
            fs::write(assets.join("SHA256SUMS"), format!("{digest}  {name}.tar.gz\n")).unwrap();
        }
        let url = format!("file://{}", self.0.path().display());
        self.step(
            "install",
            &[("ACTION_PATH", "/runner/_actions/owner/repository/v1.2.3"), ("GITHUB_SERVER_URL", &url)],
        )
    }
}

fn program(path: &Path, line: &str) {
    fs::write(path, format!("#!/bin/sh\n{line}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn the_action_tests_a_server_and_sets_its_outputs() {
    let runner = Runner::new();

    let step = runner.test(&Reference::right());

    assert_eq!(step.status.code(), Some(0), "{}{}", text(&step.stdout), text(&step.stderr));
    assert_eq!(runner.read("output"), "exit-code=0\nconclusion=conformant\nreport=assay-report\n");
    let summary: serde_json::Value = serde_json::from_str(&runner.read("assay-report/summary.json")).unwrap();
    assert_eq!(summary["run"]["seed"], 7);
    assert_eq!(summary["counts"]["passed"], 1, "the input `skip` leaves the other clause out");
}

#[test]
fn the_action_fails_with_the_run_and_annotates_the_commit() {
    let runner = Runner::new();

    let step = runner.test(&Reference::wrong(&[CLAUSE]));

    assert_eq!(step.status.code(), Some(1), "{}", text(&step.stderr));
    assert_eq!(runner.read("output"), "exit-code=1\nconclusion=nonconformant\nreport=assay-report\n");
    assert!(text(&step.stdout).contains("::error"), "{}", text(&step.stdout));
    assert!(runner.read("summary").contains(CLAUSE));
}

#[test]
fn the_action_without_a_server_is_an_error() {
    let runner = Runner::new();

    let step = runner.step("run", &[("INPUT_PROFILE", "basic")]);

    assert_eq!(step.status.code(), Some(2));
    assert_eq!(text(&step.stdout), "::error::no server is named: set the input kubeconfig or server\n");
    assert!(!runner.path("assay-report").exists());
}

#[test]
#[cfg(target_os = "linux")]
fn the_action_installs_the_release_of_its_tag() {
    let runner = Runner::new();

    let step = runner.release(None);

    assert!(step.status.success(), "{}", text(&step.stderr));
    assert_eq!(text(&step.stdout), "kube-assay 1.2.3\n");
    assert!(Path::new(runner.read("path").trim()).join("kube-assay").is_file());
}

#[test]
#[cfg(target_os = "linux")]
fn the_action_refuses_an_archive_with_another_digest() {
    let runner = Runner::new();

    let step = runner.release(Some(&"0".repeat(64)));

    assert_eq!(step.status.code(), Some(2), "{}", text(&step.stdout));
    assert!(text(&step.stdout).contains("SHA256SUMS has another digest"), "{}", text(&step.stdout));
    assert_eq!(runner.read("path"), "");
}

/// The script of the image in a folder. A program before kube-assay names the server that `--in-cluster` would find.
fn pod(folder: &Path, server: &Reference, flags: &[&str]) -> Command {
    let own = env!("CARGO_BIN_EXE_kube-assay");
    let target = format!("--server {} --token {}", server.url(), server.token());
    program(
        &folder.join("kube-assay"),
        &format!("[ \"$2\" = --in-cluster ] && shift 2 && exec {own} run {target} \"$@\""),
    );
    let mut command = Command::new("sh");
    command.arg(script("pod.sh")).arg(folder.join("results")).args(flags);
    command.env("PATH", format!("{}:{}", folder.display(), std::env::var("PATH").unwrap()));
    command
}

/// The file names in the archive that the file `done` names.
fn collected(folder: &Path) -> String {
    let done = fs::read_to_string(folder.join("results/done")).unwrap();
    let listing = Command::new("tar").args(["-tzf", done.trim()]).output().unwrap();
    assert!(listing.status.success());
    text(&listing.stdout)
}

#[test]
fn a_pod_leaves_its_reports_and_exits_as_the_run() {
    for (server, code) in [(Reference::right(), 0), (Reference::wrong(&[CLAUSE]), 1)] {
        let folder = TempDir::new().unwrap();

        let ended = pod(folder.path(), &server, &["--clause", CLAUSE]).output().unwrap();

        assert_eq!(ended.status.code(), Some(code), "{}", text(&ended.stderr));
        assert!(collected(folder.path()).contains("assay-report/junit.xml"));
    }
}

#[test]
fn a_pod_whose_run_cannot_begin_ends_as_well() {
    let folder = TempDir::new().unwrap();

    let ended = pod(folder.path(), &Reference::right(), &["--area", "nothing"]).output().unwrap();

    assert_eq!(ended.status.code(), Some(2));
    assert_eq!(collected(folder.path()), "assay-report/\n");
}

#[test]
fn a_pod_that_is_deleted_removes_what_it_created() {
    let (folder, server) = (TempDir::new().unwrap(), Reference::right());
    let mut running =
        pod(folder.path(), &server, &["--profile", "full"]).stdout(Stdio::null()).spawn().unwrap();
    until(|| !server.left_behind().is_empty());

    let sent = Command::new("kill").args(["-s", "TERM", &running.id().to_string()]).status();

    assert!(sent.unwrap().success());
    assert_eq!(running.wait().unwrap().code(), Some(3));
    assert_eq!(server.left_behind(), [""; 0]);
    assert!(collected(folder.path()).contains("assay-report/events.jsonl"));
}
