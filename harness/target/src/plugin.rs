//! A credential plugin of a kubeconfig, run with a bound on its time and on its output.

use std::collections::HashMap;
use std::io::{self, IsTerminal as _};
use std::process::Stdio;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use http::HeaderValue;
use jiff::fmt::temporal::Pieces;
use jiff::{SignedDuration, Timestamp};
use kube_client::config::{ExecConfig, ExecInteractiveMode};
use model::TestError;
use serde::Deserialize;
use tokio::io::AsyncReadExt as _;
use tokio::process::{Child, Command};
use tokio::sync::Mutex;

use crate::child_process::wait_reading;
use crate::credential::bearer;
use crate::kubeconfig::in_words;
use crate::process_group::ProcessGroup;

/// How long a plugin may take that can ask nobody, and one that can.
const WITHIN: Duration = Duration::from_mins(1);
const WITHIN_OF_A_PERSON: Duration = Duration::from_mins(3);

/// How much a plugin may print, in bytes: no credential is as long.
const LONGEST: u64 = 1 << 20;

/// The plugin runs again this long before its credential expires, but never in the first half of its time: it would run
/// for each request.
const EARLY: SignedDuration = SignedDuration::from_mins(1);

/// How long a credential in the place of a refused one is kept although the server refuses it as well: the plugin would run
/// for each request.
const KEPT_FOR: Duration = Duration::from_mins(1);

const BY_HAND: &str = "run it by hand to see why";

/// A plugin, and what it gave last.
pub(crate) struct Plugin {
    exec: ExecConfig,
    interactive: bool,
    within: Duration,
    issued: Mutex<Option<Issued>>,
    identity: std::sync::Mutex<Option<ClientIdentity>>,
    issued_certificates: AtomicU64,
}

/// A client certificate and its key, in PEM.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct ClientIdentity {
    pub(crate) certificate: String,
    pub(crate) key: String,
}

/// The header of a token, for as long as it holds.
struct Issued {
    header: Option<HeaderValue>,
    /// `None` if it always holds.
    until: Option<Instant>,
    /// Whether the server refused it.
    is_refused: bool,
    /// Until when it is kept whatever the server says, as it is in the place of a refused one.
    kept_until: Option<Instant>,
}

impl Issued {
    fn holds(&self) -> bool {
        !self.is_refused && self.until.is_none_or(|until| Instant::now() < until)
    }

    /// Keeps it for a time although the server refuses it.
    fn keep(&mut self) {
        self.is_refused = false;
        self.kept_until = Instant::now().checked_add(KEPT_FOR);
    }
}

/// Why there is no credential. What a plugin printed may hold one, so none of it is shown.
struct Refusal {
    cause: String,
    hint: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ExecCredential {
    api_version: Option<String>,
    kind: Option<String>,
    status: Option<Status>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Status {
    token: Option<String>,
    client_certificate_data: Option<String>,
    client_key_data: Option<String>,
    expiration_timestamp: Option<String>,
}

impl Plugin {
    /// Runs nothing yet.
    pub(crate) fn new(exec: ExecConfig) -> Self {
        let interactive = may_ask(&exec) && io::stdin().is_terminal();
        let within = if interactive { WITHIN_OF_A_PERSON } else { WITHIN };
        let (issued, identity, issued_certificates) = Default::default();
        Self { exec, interactive, within, issued, identity, issued_certificates }
    }

    /// The header of its token; `None` if it gave only a certificate. Runs it where it was not run yet, its token is about to
    /// expire, or the server refused it. As for kubectl, a refused token is used where the plugin then fails.
    pub(crate) async fn header(&self) -> Result<Option<HeaderValue>, TestError> {
        let mut issued = self.issued.lock().await;
        if let Some(known) = issued.as_ref().filter(|known| known.holds()) {
            return Ok(known.header.clone());
        }
        let refused = issued.take().filter(|known| known.is_refused);
        let was_refused = refused.is_some();
        let mut given = match (self.run().await, refused) {
            (Ok(fresh), _) => fresh,
            (Err(_), Some(refused)) => refused,
            (Err(Refusal { cause, hint }), None) => {
                let name = self.exec.command.as_deref().unwrap_or_default();
                let action = format!("get a credential from the credential plugin {name}");
                return Err(TestError::new(action, cause).hint(hint));
            }
        };
        if was_refused {
            given.keep();
        }
        let header = given.header.clone();
        *issued = Some(given);
        Ok(header)
    }

    /// Notes that the server refused its credential (401): the next request runs it again.
    pub(crate) fn refused(&self) {
        // While it runs, another credential is about to come.
        let Ok(mut issued) = self.issued.try_lock() else { return };
        if let Some(known) = issued.as_mut() {
            known.is_refused = known.kept_until.is_none_or(|kept_until| Instant::now() > kept_until);
        }
    }

    /// The certificate that it gave last, if it did.
    pub(crate) fn identity(&self) -> Option<ClientIdentity> {
        self.identity.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How many certificates it gave, each unlike the one before.
    pub(crate) fn issued_certificates(&self) -> u64 {
        self.issued_certificates.load(Ordering::Acquire)
    }

    /// Keeps what it gave; counts it only then, so that nobody takes an earlier one for the newest.
    fn renew(&self, given: Option<ClientIdentity>) {
        let mut identity = self.identity.lock().unwrap_or_else(PoisonError::into_inner);
        if *identity != given {
            *identity = given;
            self.issued_certificates.fetch_add(1, Ordering::Release);
        }
    }

    async fn run(&self) -> Result<Issued, Refusal> {
        let command = self.exec.command.as_deref().filter(|command| !command.is_empty());
        let command = command.ok_or_else(|| Refusal::new("it names no command", "correct the kubeconfig"))?;
        if self.exec.interactive_mode == Some(ExecInteractiveMode::Always) && !self.interactive {
            let cause = "it talks to a person (interactiveMode: Always), and standard input is no terminal";
            return Err(Refusal::new(cause, "run kube-assay in a terminal"));
        }
        let mut child = self.command(command).spawn().map_err(|why| self.not_started(&why))?;
        // Given up, it is killed, with what it has started.
        let group = ProcessGroup(child.id().filter(|_| !self.interactive));
        let Ok(printed) = tokio::time::timeout(self.within, output(&mut child)).await else {
            let cause = format!("it did not end within {} s", self.within.as_secs_f32());
            return Err(Refusal::new(cause, "run it by hand to see what it waits for"));
        };
        group.leave();
        self.read(&printed?)
    }

    fn command(&self, command: &str) -> Command {
        let mut info = serde_json::json!({
            "apiVersion": self.exec.api_version,
            "kind": "ExecCredential",
            "spec": { "interactive": self.interactive },
        });
        if let Some(cluster) = &self.exec.cluster {
            info["spec"]["cluster"] = serde_json::json!(cluster);
        }
        let mut command = Command::new(command);
        command.args(self.exec.args.iter().flatten());
        command.envs(self.exec.env.iter().flatten().filter_map(variable));
        command.env("KUBERNETES_EXEC_INFO", info.to_string());
        for name in self.exec.drop_env.iter().flatten() {
            command.env_remove(name);
        }
        command.stdin(if self.interactive { Stdio::inherit() } else { Stdio::null() });
        command.stderr(if may_ask(&self.exec) { Stdio::inherit() } else { Stdio::null() });
        command.stdout(Stdio::piped()).kill_on_drop(true);
        // One that asks a person needs the terminal, which a group of its own would not have.
        #[cfg(unix)]
        if !self.interactive {
            std::os::unix::process::CommandExt::process_group(command.as_std_mut(), 0);
        }
        command
    }

    fn not_started(&self, error: &io::Error) -> Refusal {
        let install = self.exec.install_hint.clone();
        let hint = install.unwrap_or_else(|| "is it installed, and in the PATH?".to_owned());
        Refusal { cause: format!("it could not be started: {}", in_words(error)), hint }
    }

    /// Finds the credential in what was printed, which is JSON or YAML.
    fn read(&self, printed: &[u8]) -> Result<Issued, Refusal> {
        let credential: Option<ExecCredential> = serde_json::from_slice(printed)
            .ok()
            .or_else(|| std::str::from_utf8(printed).ok().and_then(|text| serde_saphyr::from_str(text).ok()));
        let credential = credential.ok_or_else(|| Refusal::by_hand("it did not print an ExecCredential"))?;
        self.check_version(&credential)?;
        let status = credential.status.ok_or_else(|| Refusal::by_hand("it printed no credential"))?;
        let until = status.expiration_timestamp.as_deref().map(until).transpose()?;
        let token = unless_empty(status.token);
        let identity = identity(status.client_certificate_data, status.client_key_data)?;
        if identity.is_none() && token.is_none() {
            return Err(Refusal::by_hand("it printed no credential"));
        }
        self.renew(identity);
        let header = token.map(|token| bearer(&token)).transpose();
        let unusable = |_| Refusal::by_hand("its token holds characters that no HTTP header can carry");
        let (header, is_refused, kept_until) = (header.map_err(unusable)?, false, None);
        Ok(Issued { header, until, is_refused, kept_until })
    }

    /// Expects the version that the kubeconfig names.
    fn check_version(&self, credential: &ExecCredential) -> Result<(), Refusal> {
        let is_credential = credential.kind.as_deref() == Some("ExecCredential");
        if is_credential && credential.api_version == self.exec.api_version {
            return Ok(());
        }
        let named = self.exec.api_version.as_deref().unwrap_or_default();
        let cause = format!("it did not print an ExecCredential of {named}");
        Err(Refusal::new(cause, "does the kubeconfig name the apiVersion that the plugin speaks?"))
    }
}

impl Refusal {
    fn new(cause: impl Into<String>, hint: &str) -> Self {
        Self { cause: cause.into(), hint: hint.to_owned() }
    }

    fn by_hand(cause: impl Into<String>) -> Self {
        Self::new(cause, BY_HAND)
    }
}

/// Whether a plugin may talk to a person.
fn may_ask(exec: &ExecConfig) -> bool {
    exec.interactive_mode != Some(ExecInteractiveMode::Never)
}

fn unless_empty(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.is_empty())
}

/// A certificate and its key, or neither.
fn identity(certificate: Option<String>, key: Option<String>) -> Result<Option<ClientIdentity>, Refusal> {
    let cause = match (unless_empty(certificate), unless_empty(key)) {
        (Some(certificate), Some(key)) => return Ok(Some(ClientIdentity { certificate, key })),
        (None, None) => return Ok(None),
        (Some(_), None) => "it printed clientCertificateData without clientKeyData",
        (None, Some(_)) => "it printed clientKeyData without clientCertificateData",
    };
    Err(Refusal::new(cause, "correct the plugin: it must print both or neither"))
}

/// A variable as a kubeconfig writes it: `{name: A, value: b}`.
fn variable(written: &HashMap<String, String>) -> Option<(&String, &String)> {
    written.get("name").zip(written.get("value"))
}

/// All that it has printed when it ends well. Processes that it leaves in the background are not waited for.
async fn output(child: &mut Child) -> Result<Vec<u8>, Refusal> {
    let mut printed = Vec::new();
    let unread =
        |why: io::Error| Refusal::by_hand(format!("what it prints cannot be read: {}", in_words(&why)));
    let stdout = child.stdout.take();
    let reading = async {
        if let Some(out) = stdout {
            out.take(LONGEST + 1).read_to_end(&mut printed).await.map_err(unread)?;
        }
        if printed.len() as u64 > LONGEST {
            return Err(Refusal::by_hand(format!("it printed more than {} MB", LONGEST >> 20)));
        }
        Ok(())
    };
    let status = wait_reading(child, reading).await?.map_err(unread)?;
    if status.success() { Ok(printed) } else { Err(Refusal::by_hand(format!("it ended with {status}"))) }
}

/// Until when a credential holds that expires at this time of the wall clock.
fn until(expires: &str) -> Result<Instant, Refusal> {
    let expires = expires.parse::<Timestamp>().ok().or_else(|| latest(expires));
    let expires = expires.ok_or_else(|| Refusal::by_hand("its expirationTimestamp is no time"))?;
    #[expect(
        clippy::disallowed_methods,
        reason = "it expires by the wall clock; nothing that is recorded is"
    )]
    let left = expires.duration_since(Timestamp::now());
    // One that outlives the clock of the process always holds.
    let until = Instant::now().checked_add(used_for(left));
    Ok(until.unwrap_or_else(|| Instant::now() + Duration::from_hours(24)))
}

/// The last timestamp, for a time behind it: `9999-12-31T23:59:59Z` stands for never.
fn latest(time: &str) -> Option<Timestamp> {
    let pieces = Pieces::parse(time).ok()?;
    let is_last_year = pieces.date().year() == 9999 && pieces.time().is_some() && pieces.offset().is_some();
    is_last_year.then_some(Timestamp::MAX)
}

/// How long a credential is used that expires after this time.
fn used_for(left: SignedDuration) -> Duration {
    Duration::try_from(left - EARLY.min(left / 2)).unwrap_or_default()
}

#[cfg(test)]
mod tests;
