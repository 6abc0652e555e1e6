//! A credential plugin of a kubeconfig, run with a bound on its time and on its output.

use std::collections::HashMap;
use std::io::{self, IsTerminal as _};
use std::process::Stdio;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use http::HeaderValue;
use jiff::{SignedDuration, Timestamp};
use kube_client::config::{ExecConfig, ExecInteractiveMode};
use model::TestError;
use serde::Deserialize;
use tokio::io::AsyncReadExt as _;
use tokio::process::{Child, Command};
use tokio::sync::Mutex;

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

    /// The header of its token; `None` if it gave only a certificate. Runs it where it was not run yet, or its token
    /// is about to expire.
    pub(crate) async fn header(&self) -> Result<Option<HeaderValue>, TestError> {
        let mut issued = self.issued.lock().await;
        if let Some(known) =
            issued.as_ref().filter(|known| known.until.is_none_or(|until| Instant::now() < until))
        {
            return Ok(known.header.clone());
        }
        let fresh = self.run().await.map_err(|Refusal { cause, hint }| {
            let name = self.exec.command.as_deref().unwrap_or_default();
            TestError::new(format!("get a credential from the credential plugin {name}"), cause).hint(hint)
        })?;
        let header = fresh.header.clone();
        *issued = Some(fresh);
        Ok(header)
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
        Ok(Issued { header: header.map_err(unusable)?, until })
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

/// All that it prints, once it has ended well.
async fn output(child: &mut Child) -> Result<Vec<u8>, Refusal> {
    let mut printed = Vec::new();
    let unread =
        |why: io::Error| Refusal::by_hand(format!("what it prints cannot be read: {}", in_words(&why)));
    if let Some(out) = child.stdout.take() {
        out.take(LONGEST + 1).read_to_end(&mut printed).await.map_err(unread)?;
    }
    if printed.len() as u64 > LONGEST {
        return Err(Refusal::by_hand(format!("it printed more than {} MB", LONGEST >> 20)));
    }
    let status = child.wait().await.map_err(unread)?;
    if status.success() { Ok(printed) } else { Err(Refusal::by_hand(format!("it ended with {status}"))) }
}

/// Until when a credential holds that expires at this time of the wall clock.
fn until(expires: &str) -> Result<Instant, Refusal> {
    let expires: Timestamp =
        expires.parse().map_err(|_| Refusal::by_hand("its expirationTimestamp is no time"))?;
    #[expect(
        clippy::disallowed_methods,
        reason = "it expires by the wall clock; nothing that is recorded is"
    )]
    let left = expires.duration_since(Timestamp::now());
    // One that outlives the clock of the process always holds.
    let until = Instant::now().checked_add(used_for(left));
    Ok(until.unwrap_or_else(|| Instant::now() + Duration::from_hours(24)))
}

/// How long a credential is used that expires after this time.
fn used_for(left: SignedDuration) -> Duration {
    Duration::try_from(left - EARLY.min(left / 2)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use kube_client::config::ExecAuthCluster;

    use super::*;

    const V1: &str = "client.authentication.k8s.io/v1";

    fn plugin(script: &str) -> Plugin {
        let words = ["-c", script].map(str::to_owned).to_vec();
        let exec = serde_json::json!({
            "apiVersion": V1, "command": "sh", "args": words, "interactiveMode": "Never",
        });
        Plugin::new(serde_json::from_value(exec).unwrap())
    }

    /// A plugin that prints a credential with this status, in JSON.
    fn issuing(status: &str) -> Plugin {
        plugin(&format!(r#"echo '{{"apiVersion":"{V1}","kind":"ExecCredential","status":{status}}}'"#))
    }

    #[test]
    fn a_plugin_gets_a_cluster_only_if_the_kubeconfig_provides_it() {
        let spec = |plugin: &Plugin| {
            let command = plugin.command("sh");
            let mut variables = command.as_std().get_envs();
            let info = variables.find_map(|(name, value)| value.filter(|_| name == "KUBERNETES_EXEC_INFO"));
            let info: serde_json::Value = serde_json::from_str(info.unwrap().to_str().unwrap()).unwrap();
            info["spec"].clone()
        };
        let mut plugin = plugin("exit 0");
        assert_eq!(spec(&plugin), serde_json::json!({ "interactive": false }));
        plugin.exec.cluster = Some(ExecAuthCluster::default());
        assert!(spec(&plugin)["cluster"].is_object());
    }

    #[tokio::test]
    async fn a_plugin_that_hangs_is_given_up() {
        let hanging = Plugin { within: Duration::from_millis(100), ..plugin("exec sleep 1000") };
        let refused = hanging.header().await.unwrap_err();
        assert_eq!(refused.cause, "it did not end within 0.1 s");
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn what_a_hanging_plugin_has_started_ends_with_it() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let script = format!("(while :; do echo >> {}; sleep 0.01; done) & wait", file.path().display());
        let hanging = Plugin { within: Duration::from_millis(300), ..plugin(&script) };
        hanging.header().await.unwrap_err();
        let length = || file.as_file().metadata().unwrap().len();
        tokio::time::sleep(Duration::from_millis(100)).await;
        let before = length();
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert!(before > 0 && length() == before, "{before}");
    }

    #[tokio::test]
    async fn a_credential_is_json_or_yaml_and_asked_for_again_when_it_expires() {
        let status = "{token: \"'$$'\", expirationTimestamp: \"2000-01-01T00:00:00Z\"}";
        let yaml = format!("{{apiVersion: {V1}, kind: ExecCredential, status: {status}}}");
        let expired = plugin(&format!("echo '{yaml}'"));
        let [one, other] = [expired.header().await.unwrap(), expired.header().await.unwrap()];
        assert!(one.is_some() && one != other, "it holds the number of the process");
        let lasting = issuing(r#"{"token":"'$$'"}"#);
        assert_eq!(lasting.header().await.unwrap(), lasting.header().await.unwrap());
    }

    #[test]
    fn a_short_lived_credential_is_used_for_half_of_its_time() {
        let used = [7200, 60, 40, 0, -60].map(|left| used_for(SignedDuration::from_secs(left)).as_secs());
        assert_eq!(used, [7140, 30, 20, 0, 0]);
    }

    #[tokio::test]
    async fn a_certificate_needs_no_token_and_its_key() {
        let pair = issuing(r#"{"clientCertificateData":"c","clientKeyData":"k"}"#);
        assert_eq!(pair.header().await.unwrap(), None);
        assert!(pair.identity().is_some_and(|identity| identity.certificate == "c" && identity.key == "k"));
        let names = ["clientCertificateData", "clientKeyData"];
        for [field, missing] in [names, [names[1], names[0]]] {
            let half = issuing(&format!(r#"{{"token":"t","{field}":"c","{missing}":""}}"#));
            let refused = half.header().await.unwrap_err();
            assert_eq!(refused.cause, format!("it printed {field} without {missing}"));
        }
    }

    #[tokio::test]
    async fn a_certificate_is_renewed_when_it_expires() {
        let expired = |certificate: &str| {
            let fields = format!(r#""clientCertificateData":"{certificate}","clientKeyData":"k""#);
            issuing(&format!(r#"{{{fields},"expirationTimestamp":"2000-01-01T00:00:00Z"}}"#))
        };
        for (certificate, different) in [("'$$'", 2), ("c", 1)] {
            let plugin = expired(certificate);
            plugin.header().await.unwrap();
            let first = plugin.identity();
            plugin.header().await.unwrap();
            assert_eq!(plugin.issued_certificates(), different);
            assert_eq!(plugin.identity() == first, different == 1);
        }
    }

    #[tokio::test]
    async fn a_credential_of_another_version_than_the_kubeconfig_names_is_refused() {
        let (named, mut other) = (issuing(r#"{"token":"t"}"#), issuing(r#"{"token":"t"}"#));
        assert!(named.header().await.unwrap().is_some());
        other.exec.api_version = Some(format!("{V1}beta1"));
        let refused = other.header().await.unwrap_err();
        assert_eq!(refused.cause, format!("it did not print an ExecCredential of {V1}beta1"));
    }

    #[tokio::test]
    async fn a_plugin_that_always_talks_to_a_person_needs_a_terminal() {
        let plugin = plugin("exit 0");
        let exec = ExecConfig { interactive_mode: Some(ExecInteractiveMode::Always), ..plugin.exec };
        let refused = Plugin { exec, interactive: false, ..plugin }.header().await.unwrap_err();
        assert!(refused.cause.contains("standard input is no terminal"), "{}", refused.cause);
    }
}
