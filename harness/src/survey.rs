//! The first look at a target: is it there, is it a Kubernetes API server, may we use it, and what does it say of itself?

use std::time::Duration;

use serde_json::Value;

use crate::client::Client;
use crate::exchange::Exchange;
use crate::outcome::Obstacle;
use crate::request::Request;
use crate::target::Survey;
use crate::version::Version;

/// How long a server may take to say who it is.
const WITHIN: Duration = Duration::from_secs(15);

impl Survey {
    /// Asks the server. Every way in which this can fail ends in one sentence that says what to do.
    pub async fn take(client: &Client) -> Result<Self, Obstacle> {
        let version = ask(client, "/version").await?;
        let core = ask(client, "/api/v1").await?;
        let groups = ask(client, "/apis").await?;
        for answer in [&version, &core, &groups] {
            refuse_unusable(client, answer)?;
        }
        if core.status() == 403 && groups.status() == 403 {
            return Err(unusable(client, &groups, "use credentials that may read /api and /apis"));
        }
        Ok(Self {
            address: client.address(),
            version: version.json().and_then(minor),
            release: version
                .json()
                .and_then(|json| json["gitVersion"].as_str())
                .unwrap_or_default()
                .to_owned(),
            groups: group_names(&core, &groups),
            decimal_versions: None,
        })
    }
}

async fn ask(client: &Client, path: &str) -> Result<Exchange, Obstacle> {
    let request = Request::get(path).within(WITHIN);
    match client.send(&request, "kube-assay survey").await {
        Ok((response, timing)) => Ok(Exchange::new(0, request, response, timing)),
        Err(obstacle) => {
            let advice = advice(client, &obstacle.why);
            Err(obstacle.advise(advice))
        }
    }
}

/// What to do about a connection that does not work.
fn advice(client: &Client, why: &str) -> &'static str {
    let why = why.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| why.contains(word));
    if says(&["unknownissuer", "certificate", "caused by other"]) {
        "give --certificate-authority FILE (or --insecure-skip-tls-verify on a server of your own)"
    } else if client.encrypted() && says(&["invalidcontenttype", "corrupt", "invalid message"]) {
        "the server does not seem to speak TLS there: try http://"
    } else if says(&["no complete answer"]) {
        "the server takes the connection but does not answer: is it the right port, is it overloaded?"
    } else if says(&["longer than"]) {
        "this is not how a Kubernetes API server answers: is it the right address?"
    } else {
        "is the server running, and are address and port right?"
    }
}

fn refuse_unusable(client: &Client, answer: &Exchange) -> Result<(), Obstacle> {
    let to_tls = answer.status() == 400 && answer.text().contains("HTTP request to an HTTPS server");
    if to_tls {
        return Err(unusable(client, answer, "the server speaks TLS there: use https://"));
    }
    if answer.status() == 401 {
        return Err(unusable(
            client,
            answer,
            "the server does not accept the credentials: check the token or certificate",
        ));
    }
    let speaks = matches!(answer.status(), 200 | 403) && answer.json().is_some_and(Value::is_object);
    let lacks = answer.status() == 404;
    if speaks || (lacks && answer.request.path == "/version") {
        return Ok(());
    }
    Err(unusable(client, answer, "this does not seem to be a Kubernetes API server: check the address"))
}

fn unusable(client: &Client, answer: &Exchange, advice: &str) -> Obstacle {
    let attempted = format!("use {} as a Kubernetes API server", client.address());
    let why = format!("GET {} was answered with {}", answer.request.path, answer.brief());
    Obstacle::new(attempted, client.redactor().redact(&why)).advise(advice)
}

fn minor(version: &Value) -> Option<Version> {
    let said = format!("{}.{}", version["major"].as_str()?, version["minor"].as_str()?);
    let release = || {
        version["gitVersion"]
            .as_str()?
            .trim_start_matches('v')
            .splitn(3, '.')
            .take(2)
            .collect::<Vec<_>>()
            .join(".")
            .parse()
            .ok()
    };
    said.parse().ok().or_else(release).filter(|version: &Version| version.major > 0)
}

fn group_names(core: &Exchange, groups: &Exchange) -> Vec<String> {
    let named = groups.json().and_then(|json| json["groups"].as_array()).into_iter().flatten();
    let named = named.filter_map(|group| group["name"].as_str().map(str::to_owned));
    core.succeeded().then(String::new).into_iter().chain(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_minor_is_taken_from_where_it_is() {
        assert_eq!(minor(&json!({"major": "1", "minor": "30+"})), Some(Version { major: 1, minor: 30 }));
        assert_eq!(
            minor(&json!({"major": "", "minor": "", "gitVersion": "v1.33.4-eks"})),
            Some(Version { major: 1, minor: 33 })
        );
        assert_eq!(minor(&json!({"major": "", "minor": "", "gitVersion": "v0.0.0-master"})), None);
        assert_eq!(minor(&json!({})), None);
    }
}
