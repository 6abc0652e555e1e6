//! The curl command that sends a request again, with the trust and the credential that the run used.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::body_text::is_binary;
use crate::request::{Identity, Request};
use crate::server_name::{host_and_port, url_by_name};

/// The length of the longest body in a command, in bytes; a longer or a binary one is in a file.
const LONGEST_BODY: usize = 8 << 10;

/// How curl reaches the target. It never holds a credential: the reader fills in `$TOKEN`, and `$CA`, `$CERT` and
/// `$KEY` where the kubeconfig embeds the data.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Curl {
    /// Scheme, host and port.
    pub address: String,
    /// The same of each replica.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replicas: Vec<String>,
    /// The name in the certificate of each server, if it is not the host of its address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_name: Option<String>,
    /// The certificates that curl trusts.
    pub trust: Trust,
    /// Client certificate and key, as shell words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_certificate: Option<(String, String)>,
    /// Whether requests of the target's own identity carry a bearer token.
    pub bearer: bool,
}

/// Which certificates curl accepts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trust {
    /// Those of the system; on plain HTTP none.
    #[default]
    System,
    /// Those of a PEM bundle, as a shell word.
    Bundle(String),
    /// Any: the user switched verification off.
    Any,
}

impl Curl {
    /// The program and the options that every request shares: `curl --cacert 'ca.crt' -sS`.
    pub fn program(&self) -> String {
        match &self.trust {
            Trust::System => "curl -sS".to_owned(),
            Trust::Bundle(bundle) => format!("curl --cacert {bundle} -sS"),
            Trust::Any => "curl -ksS".to_owned(),
        }
    }

    /// The options that present the target's own credential: empty, or with a leading blank.
    pub fn credential(&self) -> String {
        let mut options = String::new();
        if let Some((certificate, key)) = &self.client_certificate {
            // Writing to a string cannot fail.
            let _ = write!(options, " --cert {certificate} --key {key}");
        }
        if self.bearer {
            // The double quotes let the shell expand the token.
            options.push_str(r#" -H "Authorization: Bearer $TOKEN""#);
        }
        options
    }

    /// Scheme, host and port of a server: 0 is the target, others are its replicas.
    pub fn address_of(&self, server: u8) -> &str {
        let replica = usize::from(server).checked_sub(1).and_then(|at| self.replicas.get(at));
        replica.unwrap_or(&self.address)
    }

    /// The option that connects to a server whose certificate has another name: empty, or with a leading blank.
    pub fn connect_to(&self, server: u8) -> String {
        if self.server_name.is_none() {
            return String::new();
        }
        format!(" --connect-to {}", quote(&format!("::{}", host_and_port(self.address_of(server)))))
    }

    /// The URL by which curl calls a server.
    pub fn url_of(&self, server: u8) -> String {
        let address = self.address_of(server);
        match &self.server_name {
            Some(name) => url_by_name(address, name),
            None => address.to_owned(),
        }
    }

    /// The command that sends a request again.
    pub fn command(&self, request: &Request) -> String {
        let method = if request.method == http::Method::HEAD {
            "-I".to_owned()
        } else {
            format!("-X {}", request.method)
        };
        let server = request.connection.server;
        let url = quote(&format!("{}{}", self.url_of(server), request.path_and_query()));
        let credential = match &request.connection.identity {
            Identity::Own => self.credential(),
            Identity::Anonymous => String::new(),
            Identity::Bearer(token) => format!(" -H {}", quote(&format!("Authorization: Bearer {token}"))),
        };
        let mut command = format!("{}{} {method} {url}{credential}", self.program(), self.connect_to(server));
        for (name, value) in &request.headers {
            let _ = write!(command, " -H {}", quote(&format!("{name}: {value}")));
        }
        match &request.body {
            Some(body) if body.len() > LONGEST_BODY || is_binary(body) => {
                let _ = write!(command, " --data-binary @body # a body of {} bytes", body.len());
            }
            Some(body) => {
                let _ = write!(command, " --data-binary {}", quote(&String::from_utf8_lossy(body)));
            }
            None => {}
        }
        command
    }
}

/// Quotes a word for a shell, in single quotes.
pub fn quote(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curl(trust: Trust) -> Curl {
        Curl { address: "https://h".to_owned(), trust, bearer: true, ..Curl::default() }
    }

    #[test]
    fn curl_survives_quotes_in_the_body() {
        let request = Request::post("/x", &serde_json::json!({"a": "it's"}));
        let command = curl(Trust::System).command(&request);
        assert!(command.contains(r#"--data-binary '{"a":"it'\''s"}'"#), "{command}");
        assert!(command.contains("$TOKEN"));
    }

    #[test]
    fn no_binary_byte_is_part_of_a_command() {
        let request = Request::post("/x", &serde_json::json!({}));
        let command =
            curl(Trust::System).command(&Request { body: Some(b"k8s\0".as_slice().into()), ..request });
        assert!(command.ends_with(" --data-binary @body # a body of 4 bytes"), "{command}");
    }

    #[test]
    fn curl_verifies_certificates_unless_the_user_forbids_it() {
        let command = |trust| curl(trust).command(&Request::get("/x"));
        assert!(command(Trust::System).starts_with("curl -sS -X GET"));
        assert!(
            command(Trust::Bundle(quote("my ca.crt"))).starts_with("curl --cacert 'my ca.crt' -sS -X GET")
        );
        assert!(command(Trust::Any).starts_with("curl -ksS -X GET"));
    }

    #[test]
    fn a_request_through_a_replica_has_its_address() {
        let replicas = vec!["https://other".to_owned()];
        let curl = Curl { replicas, ..curl(Trust::System) };
        assert!(curl.command(&Request::get("/x")).contains("'https://h/x'"));
        assert!(curl.command(&Request::get("/x").through(1)).contains("'https://other/x'"));
    }

    #[test]
    fn a_server_with_another_name_is_called_by_it_and_connected_to_by_its_address() {
        let curl = Curl {
            address: "https://10.0.0.1:6443".to_owned(),
            replicas: vec!["https://10.0.0.2:6443".to_owned()],
            server_name: Some("api.example".to_owned()),
            ..curl(Trust::System)
        };
        let command = curl.command(&Request::get("/x").through(1));
        let called = "curl -sS --connect-to '::10.0.0.2:6443' -X GET 'https://api.example:6443/x'";
        assert!(command.starts_with(called), "{command}");
    }

    #[test]
    fn a_client_certificate_replaces_the_token() {
        let client_certificate = Some((quote("c.crt"), quote("c.key")));
        let by_certificate = Curl { client_certificate, bearer: false, ..curl(Trust::System) };
        let own = by_certificate.command(&Request::get("/x"));
        assert!(own.contains(" --cert 'c.crt' --key 'c.key'") && !own.contains("TOKEN"), "{own}");
        let anonymous = Request::get("/x").identity(Identity::Anonymous);
        assert!(!by_certificate.command(&anonymous).contains("--cert "));
    }
}
