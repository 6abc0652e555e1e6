//! The first look at a target: is it there, is it a Kubernetes API server, may we use it, and what does it say of itself?

use serde_json::Value;

use crate::client::Client;
use crate::context::retry_after;
use crate::exchange::Exchange;
use crate::outcome::Obstacle;
use crate::request::Request;
use crate::target::Survey;
use crate::version::Version;

/// The most that a server may take to say who it is: it becomes many times as much once it is parsed.
const LONGEST: usize = 2 << 20;

/// How often a server is asked again that says that it is too busy.
const TOO_MANY_REQUESTS_AT_MOST: usize = 5;

/// How much of a strange answer is shown, in characters.
const SHOWN: usize = 80;

impl Survey {
    /// Asks the server. Every way in which this can fail ends in one sentence that says what to do.
    pub async fn take(client: &Client) -> Result<Self, Obstacle> {
        let version = ask(client, "/version").await?;
        let core = ask(client, "/api/v1").await?;
        let groups = ask(client, "/apis").await?;
        if core.status() == 403 && groups.status() == 403 {
            return Err(unusable(client, &groups, "use credentials that may read /api and /apis"));
        }
        let said = |text: &str| client.redactor().redact(text);
        let release = version.json().and_then(|json| json["gitVersion"].as_str()).unwrap_or_default();
        Ok(Self {
            address: client.address(),
            version: version.json().and_then(minor),
            release: said(release),
            groups: group_names(&core, &groups).iter().map(|name| said(name)).collect(),
        })
    }
}

async fn ask(client: &Client, path: &str) -> Result<Exchange, Obstacle> {
    let request = Request::get(path);
    let mut answer = look(client, &request).await?;
    for _ in 0..TOO_MANY_REQUESTS_AT_MOST {
        let Some(wait) = retry_after(&answer) else { break };
        tokio::time::sleep(wait).await;
        answer = look(client, &request).await?;
    }
    match refusal(&answer) {
        Some(advice) => Err(unusable(client, &answer, advice)),
        None => Ok(answer),
    }
}

async fn look(client: &Client, request: &Request) -> Result<Exchange, Obstacle> {
    let (response, timing) = client.send(request, "kube-assay survey").await?;
    Ok(Exchange::new(0, request.clone(), response, timing))
}

/// What to do about an answer that is none of a Kubernetes API server; `None` if it is one.
fn refusal(answer: &Exchange) -> Option<&'static str> {
    const ELSEWHERE: &str = "no Kubernetes API server answers like this: is it the right address?";
    if answer.response.body.len() > LONGEST {
        return Some(ELSEWHERE);
    }
    match answer.status() {
        400 if answer.text().contains("HTTP request to an HTTPS server") => {
            Some("the server speaks TLS there: use https://")
        }
        401 => Some("the server does not accept the credentials: check token or certificate"),
        200 if answer.json().is_some_and(|json| discovers(&answer.request.path, json)) => None,
        403 if answer.json().is_some_and(Value::is_object) => None,
        // A server need not say its version, nor serve the core group.
        404 if answer.request.path != "/apis" => None,
        300..=399 => Some("redirects are not followed: name the server's own address"),
        429 | 500..=599 => Some("is the server up and well? try again later"),
        _ => Some(ELSEWHERE),
    }
}

/// Whether this is what a Kubernetes API server has at a path.
fn discovers(path: &str, json: &Value) -> bool {
    match path {
        "/api/v1" => json["resources"].is_array(),
        "/apis" => json["groups"].is_array(),
        _ => json.is_object() && json["kind"] != "Status",
    }
}

fn unusable(client: &Client, answer: &Exchange, advice: &str) -> Obstacle {
    let attempted = format!("use {} as a Kubernetes API server", client.address());
    let why = format!("GET {} was answered with {}", answer.request.path, shown(answer));
    Obstacle::new(attempted, client.redactor().redact(&why)).advise(advice)
}

/// An answer on one line: the beginning of what is not Kubernetes' own.
fn shown(answer: &Exchange) -> String {
    if let Some(to) = answer.header("location").filter(|_| (300..400).contains(&answer.status())) {
        return format!("{}, a redirect to {to}", answer.status());
    }
    if answer.response.body.len() > LONGEST {
        return format!("{} and {} bytes", answer.status(), answer.response.body.len());
    }
    if answer.json().is_some_and(|json| json["kind"] == "Status") {
        return answer.brief();
    }
    let text = answer.text();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut = if text.chars().count() > SHOWN { "…" } else { "" };
    let beginning: String = text.chars().take(SHOWN).collect();
    match answer.header("content-type") {
        _ if beginning.is_empty() => format!("{} and nothing else", answer.status()),
        Some(media_type) => format!("{} and {media_type}: {beginning}{cut}", answer.status()),
        None => format!("{} and: {beginning}{cut}", answer.status()),
    }
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
