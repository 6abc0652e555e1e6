//! The access to a target as one kubeconfig without files, for processes on other machines.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use model::TestError;
use serde_json::{Map, Value, json};

use crate::access::Access;

impl Access {
    /// The text of a kubeconfig with address, trust and credentials as of now. It contains secrets.
    ///
    /// A token that a file or a plugin renews stays as it is now.
    pub async fn portable_kubeconfig(&self) -> Result<String, TestError> {
        let user = self.portable_user().await?;
        let named = |kind: &str, content: Value| json!([{ "name": "target", kind: content }]);
        let context = json!({ "cluster": "target", "user": "target" });
        let kubeconfig = json!({
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": named("cluster", self.portable_cluster()),
            "users": named("user", Value::Object(user)),
            "contexts": named("context", context),
            "current-context": "target",
        });
        Ok(kubeconfig.to_string())
    }

    fn portable_cluster(&self) -> Value {
        let config = self.config();
        let mut cluster = json!({ "server": self.address() });
        if let Some(name) = &config.tls_server_name {
            cluster["tls-server-name"] = name.as_str().into();
        }
        if config.accept_invalid_certs {
            cluster["insecure-skip-tls-verify"] = true.into();
        } else if let Some(authority) =
            config.root_cert.as_ref().filter(|certificates| !certificates.is_empty())
        {
            let pem: String = authority.iter().map(|certificate| pem(certificate)).collect();
            cluster["certificate-authority-data"] = STANDARD.encode(pem).into();
        }
        cluster
    }

    async fn portable_user(&self) -> Result<Map<String, Value>, TestError> {
        let written = serde_json::to_value(&self.config().auth_info).unwrap_or_default();
        let kept = |name: &str| {
            let is_kept = name.starts_with("as") || ["username", "password"].contains(&name);
            is_kept || ["client-certificate-data", "client-key-data"].contains(&name)
        };
        let fields = written.as_object().cloned().unwrap_or_default();
        let mut user: Map<String, Value> =
            fields.into_iter().filter(|(name, value)| kept(name) && !value.is_null()).collect();
        let headers = self.headers(&model::Identity::Own).await?;
        let mut authorization = headers.iter().filter(|(name, _)| name == http::header::AUTHORIZATION);
        let token = authorization.find_map(|(_, value)| value.to_str().ok()?.strip_prefix("Bearer "));
        if let Some(token) = token {
            user.insert("token".to_owned(), token.into());
        }
        if let Some((certificate, key)) = self.issued_identity() {
            user.insert("client-certificate-data".to_owned(), STANDARD.encode(certificate).into());
            user.insert("client-key-data".to_owned(), STANDARD.encode(key).into());
        }
        Ok(user)
    }
}

/// A certificate in PEM.
fn pem(certificate: &[u8]) -> String {
    let text = STANDARD.encode(certificate);
    let lines: Vec<&str> =
        text.as_bytes().chunks(64).filter_map(|line| std::str::from_utf8(line).ok()).collect();
    format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kubeconfig::Flags;

    async fn again(flags: Flags) -> Value {
        let access = Access::load(flags.into()).await.unwrap();
        serde_json::from_str(&access.portable_kubeconfig().await.unwrap()).unwrap()
    }

    #[tokio::test]
    async fn a_token_and_an_address_are_portable() {
        let flags = Flags {
            server: "https://127.0.0.1:6443".to_owned(),
            token: Some("secret-of-mine".to_owned()),
            insecure_skip_tls_verify: true,
            ..Flags::default()
        };
        let kubeconfig = again(flags).await;
        assert_eq!(kubeconfig["clusters"][0]["cluster"]["server"], "https://127.0.0.1:6443");
        assert_eq!(kubeconfig["clusters"][0]["cluster"]["insecure-skip-tls-verify"], true);
        assert_eq!(kubeconfig["users"][0]["user"], json!({ "token": "secret-of-mine" }));
    }

    #[test]
    fn a_certificate_is_written_in_lines() {
        let text = pem(&[7; 100]);
        assert!(
            text.lines().all(|line| line.len() <= 64) && text.starts_with("-----BEGIN CERTIFICATE-----\n")
        );
    }
}
