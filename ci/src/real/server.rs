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

/// Go's garbage collector runs rarely: it takes a sixth of the time of the servers otherwise.
const RARE_COLLECTION: [(&str, &str); 1] = [("GOGC", "300")];

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
    /// The URLs of the further servers on the same etcd.
    pub(crate) replicas: Vec<String>,
    // Fields are dropped in this order: the servers, their store, their folder.
    apiservers: Vec<Process>,
    etcd: Process,
    _folder: TempDir,
}

impl RealServer {
    /// Starts a server and so many replicas of it, with further flags and their logs in the folder `logs`, and waits until all
    /// are ready.
    pub(crate) fn start(
        assets: &Assets,
        (flags, replicas): (&[String], usize),
        logs: &Path,
        interrupt: &Interrupt,
    ) -> Result<Self, TaskError> {
        let folder = tempfile::Builder::new().prefix("kube-assay-real-").tempdir();
        let folder = folder.map_err(TaskError::failed_to("create a temporary folder"))?;
        fs::create_dir_all(logs).map_err(TaskError::failed_to(format!("create {}", logs.display())))?;
        let credentials = Credentials::create(folder.path())?;
        let ports = free_ports(3 + replicas).map_err(TaskError::failed_to("find free ports"))?;
        let (stores, servers) = ports.split_at(2);
        let (etcd_url, peer) = (format!("http://{}", stores[0]), format!("http://{}", stores[1]));
        let mut urls: Vec<_> = servers.iter().map(|address| format!("https://{address}")).collect();
        let url = urls.remove(0);
        let etcd = etcd_command(assets, folder.path(), &etcd_url, &peer);
        let etcd = Process::start(etcd, "etcd", &logs.join("etcd.log"))?;
        let start = |address: &SocketAddr| {
            let apiserver =
                apiserver_command(assets, folder.path(), &credentials, &etcd_url, *address, flags);
            let log = if *address == servers[0] { String::new() } else { format!("-{}", address.port()) };
            Process::start(apiserver, "kube-apiserver", &logs.join(format!("kube-apiserver{log}.log")))
        };
        let apiservers = servers.iter().map(start).collect::<Result<_, _>>()?;
        let kubeconfig = folder.path().join("kubeconfig");
        fs::write(&kubeconfig, credentials.kubeconfig(&url))
            .map_err(TaskError::failed_to("write a kubeconfig"))?;
        let mut server = Self {
            url,
            version: String::new(),
            credentials,
            kubeconfig,
            etcd_url,
            replicas: urls,
            apiservers,
            etcd,
            _folder: folder,
        };
        for address in servers.iter().rev() {
            server.version = server.wait_until_ready(*address, interrupt)?;
        }
        Ok(server)
    }

    /// The process id of etcd, for hooks that stop it.
    pub(crate) fn etcd_id(&self) -> u32 {
        self.etcd.id()
    }

    /// The process id of the last replica, for hooks that stop it; `None` without one.
    pub(crate) fn last_replica_id(&self) -> Option<u32> {
        self.apiservers.last().filter(|_| !self.replicas.is_empty()).map(Process::id)
    }

    /// An error if one of the processes has ended.
    pub(crate) fn check_running(&mut self) -> Result<(), TaskError> {
        self.etcd.check_running()?;
        self.apiservers.iter_mut().try_for_each(Process::check_running)
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
fn free_ports(number: usize) -> std::io::Result<Vec<SocketAddr>> {
    let bind = |_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0));
    let listeners = (0..number).map(bind).collect::<Result<Vec<_>, _>>()?;
    listeners.iter().map(TcpListener::local_addr).collect()
}

fn etcd_command(assets: &Assets, folder: &Path, client: &str, peer: &str) -> Command {
    let mut command = Command::new(&assets.etcd);
    command.arg("--data-dir").arg(folder.join("etcd"));
    command.args(["--listen-client-urls", client, "--advertise-client-urls", client]);
    // Not advertised to peers: a cluster of one has none, and etcd's defaults for those flags agree.
    command.args(["--listen-peer-urls", peer]);
    // The data need not survive a power failure.
    command.arg("--unsafe-no-fsync");
    command.envs(RARE_COLLECTION);
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
    command.arg(flag("cert-dir", &folder.join(format!("certificates-{}", secure.port()))));
    command.args(flags);
    command.envs(RARE_COLLECTION);
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
        let ports = free_ports(3).expect("loopback");

        assert!(ports[0] != ports[1] && ports[1] != ports[2] && ports[0] != ports[2]);
        assert!(ports[0].ip().is_loopback());
    }

    #[test]
    fn the_version_is_that_of_the_response() {
        assert_eq!(version("{\"gitVersion\":\"v1.36.2\"}").expect("JSON"), "v1.36.2");
        assert!(version("not found").is_err());
    }
}
