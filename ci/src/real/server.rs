//! One real server: etcd and kube-apiserver on loopback, with the flags of envtest.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::assets::Assets;
use super::credentials::Credentials;
use super::interrupt::Interrupt;
use super::process::Process;
use super::wire;
use crate::task_error::TaskError;

/// The timeout for readiness, on a busy machine.
const READY_TIMEOUT: Duration = Duration::from_mins(2);

/// A real server. Dropping it kills the processes and removes the folder.
#[derive(Debug)]
pub(crate) struct RealServer {
    /// The URL for clients.
    pub(crate) url: String,
    /// The version, for example `v1.36.2`.
    pub(crate) version: String,
    pub(crate) credentials: Credentials,
    /// A kubeconfig for the administrator.
    pub(crate) kubeconfig: PathBuf,
    /// The client URL of etcd.
    pub(crate) etcd_url: String,
    // Fields are dropped in this order: the server, its store, their folder.
    apiserver: Process,
    etcd: Process,
    _folder: TempDir,
}

impl RealServer {
    /// Starts a server with further flags and its logs in the folder `logs`, and waits until it is ready.
    pub(crate) fn start(
        assets: &Assets,
        flags: &[String],
        logs: &Path,
        interrupt: &Interrupt,
    ) -> Result<Self, TaskError> {
        let folder = tempfile::Builder::new().prefix("kube-assay-real-").tempdir();
        let folder = folder.map_err(TaskError::failed_to("create a temporary folder"))?;
        fs::create_dir_all(logs).map_err(TaskError::failed_to(format!("create {}", logs.display())))?;
        let credentials = Credentials::create(folder.path())?;
        let [client, peer, secure] = free_ports().map_err(TaskError::failed_to("find free ports"))?;
        let (etcd_url, url) = (format!("http://{client}"), format!("https://{secure}"));
        let etcd = etcd_command(assets, folder.path(), &etcd_url, &format!("http://{peer}"));
        let etcd = Process::start(etcd, "etcd", &logs.join("etcd.log"))?;
        let apiserver = apiserver_command(assets, folder.path(), &credentials, &etcd_url, secure, flags);
        let apiserver = Process::start(apiserver, "kube-apiserver", &logs.join("kube-apiserver.log"))?;
        let kubeconfig = folder.path().join("kubeconfig");
        fs::write(&kubeconfig, credentials.kubeconfig(&url))
            .map_err(TaskError::failed_to("write a kubeconfig"))?;
        let version = String::new();
        let mut server =
            Self { url, version, credentials, kubeconfig, etcd_url, apiserver, etcd, _folder: folder };
        server.version = server.wait_until_ready(secure, interrupt)?;
        Ok(server)
    }

    /// The process id of etcd, for hooks that stop it.
    pub(crate) fn etcd_id(&self) -> u32 {
        self.etcd.id()
    }

    /// An error if one of the processes has ended.
    pub(crate) fn check_running(&mut self) -> Result<(), TaskError> {
        self.etcd.check_running()?;
        self.apiserver.check_running()
    }

    fn wait_until_ready(&mut self, address: SocketAddr, interrupt: &Interrupt) -> Result<String, TaskError> {
        let start = Instant::now();
        loop {
            let response = wire::get(address, "/readyz", &self.credentials);
            if response.as_ref().is_ok_and(|response| response.code == 200) {
                return version(&wire::get(address, "/version", &self.credentials)?.body);
            }
            interrupt.check()?;
            self.check_running()?;
            if start.elapsed() > READY_TIMEOUT {
                let last =
                    response.map_or_else(|task_error| task_error.to_string(), |response| response.body);
                let seconds = READY_TIMEOUT.as_secs();
                let sentence =
                    format!("kube-apiserver is not ready after {seconds} s, the last response: {last}");
                return Err(TaskError::new(sentence));
            }
            thread::sleep(Duration::from_millis(200));
        }
    }
}

/// Binds all ports before it releases any, so that they differ.
fn free_ports() -> std::io::Result<[SocketAddr; 3]> {
    let bind = || TcpListener::bind((Ipv4Addr::LOCALHOST, 0));
    let listeners = [bind()?, bind()?, bind()?];
    let [client, peer, secure] = listeners.each_ref().map(TcpListener::local_addr);
    Ok([client?, peer?, secure?])
}

fn etcd_command(assets: &Assets, folder: &Path, client: &str, peer: &str) -> Command {
    let mut command = Command::new(&assets.etcd);
    command.arg("--data-dir").arg(folder.join("etcd"));
    command.args(["--listen-client-urls", client, "--advertise-client-urls", client]);
    // Not advertised to peers: a cluster of one has none, and etcd's defaults for those flags agree.
    command.args(["--listen-peer-urls", peer]);
    // The data need not survive a power failure.
    command.arg("--unsafe-no-fsync");
    command
}

fn apiserver_command(
    assets: &Assets,
    folder: &Path,
    credentials: &Credentials,
    etcd: &str,
    secure: SocketAddr,
    flags: &[String],
) -> Command {
    let flag = |name: &str, path: &Path| format!("--{name}={}", path.display());
    let mut command = Command::new(&assets.apiserver);
    command.args([format!("--etcd-servers={etcd}"), format!("--secure-port={}", secure.port())]);
    command.args(["--bind-address=127.0.0.1", "--advertise-address=127.0.0.1"]);
    // Nobody uses the Service `kubernetes`, and since 1.37 its endpoints may not be loopback addresses.
    command.arg("--endpoint-reconciler-type=none");
    command.args(["--authorization-mode=RBAC", "--service-cluster-ip-range=10.0.0.0/24"]);
    // Without a controller there are no service accounts, and pods would wait for theirs.
    command.arg("--disable-admission-plugins=ServiceAccount");
    command.arg("--service-account-issuer=https://kubernetes.default.svc");
    command.arg(flag("service-account-key-file", &credentials.verifying_file));
    command.arg(flag("service-account-signing-key-file", &credentials.signing_file));
    command.arg(flag("token-auth-file", &credentials.tokens_file));
    command.arg(flag("tls-cert-file", &credentials.certificate_file));
    command.arg(flag("tls-private-key-file", &credentials.key_file));
    command.arg(flag("cert-dir", &folder.join("certificates")));
    command.args(flags);
    command
}

fn version(body: &str) -> Result<String, TaskError> {
    let json: serde_json::Value =
        serde_json::from_str(body).map_err(TaskError::failed_to("read the server's version"))?;
    Ok(json["gitVersion"].as_str().unwrap_or("of unknown version").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_ports_differ() {
        let [a, b, c] = free_ports().expect("loopback");

        assert!(a != b && b != c && a != c);
        assert!(a.ip().is_loopback());
    }

    #[test]
    fn the_version_is_that_of_the_response() {
        assert_eq!(version("{\"gitVersion\":\"v1.36.2\"}").expect("JSON"), "v1.36.2");
        assert!(version("not found").is_err());
    }
}
