//! A shell script that repeats a failed scenario in a fresh namespace: creates, acts, shows the response, removes.

mod cleanup;
mod play;
mod word;

use std::fmt::Write as _;

use model::{ApiPath, Outcome, RecordedRequest, RequiredHttp, RunStarted, ScenarioFinished, quote};

use crate::escape::one_line;
use play::{Play, Repetition, Request};
use word::{Variable, Words};

/// A script, and the actions of the scenario that it does not repeat.
#[derive(Debug)]
pub struct Script {
    /// The text of the script.
    pub text: String,
    /// Such as `the hook compact ran`.
    pub not_repeated: Vec<String>,
}

/// The script of a failed scenario; `None` if the run has not recorded its requests.
pub fn script(started: &RunStarted, finished: &ScenarioFinished) -> Option<Script> {
    if let Some(sequence) =
        finished.evidence.last().map(|last| &last.curl).filter(|text| text.starts_with('#'))
    {
        // A random sequence has a script of its own, which is shorter.
        return Some(Script { text: format!("{sequence}\n"), not_repeated: Vec::new() });
    }
    let plays = play::plays(&finished.steps);
    let telling = play::telling(&plays, finished)?;
    let mut text = head(started, finished);
    let mut words = Words::new(&started.run);
    cleanup::write(&mut text, &plays, &words);
    for play in &plays {
        match play {
            Play::Action(action) => _ = writeln!(text, "\n# not repeated: {}", one_line(action)),
            Play::Request(request) => write_request(&mut text, &mut words, started, request),
        }
    }
    write_end(&mut text, finished, telling, &plays);
    let not_repeated = plays.iter().filter_map(|play| match play {
        Play::Action(action) => Some((*action).to_owned()),
        Play::Request(_) => None,
    });
    Some(Script { text, not_repeated: not_repeated.collect() })
}

fn head(started: &RunStarted, finished: &ScenarioFinished) -> String {
    let curl = &started.curl;
    let (program, credential) = (curl.program(), curl.credential());
    let mut text = format!(
        "#!/bin/sh\n# Repeats the scenario {} of run {} on {}, in a namespace of its own.\n",
        one_line(finished.scenario.as_str()),
        one_line(&started.run),
        one_line(&curl.address)
    );
    text.push_str("# shellcheck disable=SC2016 # The texts of a server may contain dollar signs.\n");
    text.push_str("# It needs curl and the tools of POSIX. SERVER=URL names another server.\n");
    for (number, address) in (1..).zip(&curl.replicas) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "REPLICA{number}=${{REPLICA{number}:-{}}}", quote(address));
    }
    for variable in ["TOKEN", "CA", "CERT", "KEY"] {
        if program.contains(&format!("${variable}")) || credential.contains(&format!("${variable}")) {
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                ": \"${{{variable}:?the environment must have it, see the credentials of the run}}\""
            );
        }
    }
    let url = match &curl.server_name {
        None => r#""$(url "$t")""#,
        Some(name) => {
            text.push_str(&include_str!("script/server_name.sh").replace("@NAME@", &quote(name)));
            r#"--connect-to "::$(endpoint "$t")" "$(by_name "$t")""#
        }
    };
    let functions = include_str!("script/functions.sh").replace("@ADDRESS@", &quote(&curl.address));
    let functions = functions.replace("@CURL@", &program).replace("@CREDENTIAL@", &credential);
    text.push_str(&functions.replace("@URL@", url));
    text
}

/// The values of earlier responses, and the request.
fn write_request<'a>(text: &mut String, words: &mut Words<'a>, started: &RunStarted, request: &Request<'a>) {
    let recorded = request.recorded;
    let title = format!("{} {}", recorded.method, recorded.path());
    let _ = writeln!(text, "\n# {}. {}", request.number, one_line(&title));
    let target = match recorded.server {
        0 => words.target(&recorded.target),
        server => format!("\"$REPLICA{server}\"{}", words.target(&recorded.target)),
    };
    let body = recorded.body.as_ref().map(|body| words.body(body));
    for Variable { name, response, place } in words.take_new_variables() {
        let _ = writeln!(text, "{name}=$(value {response} {place}) || end_early {response}");
    }
    let identity = if recorded.anonymous { "anonymous" } else { "own" };
    let mut call = if recorded.stream {
        format!("open {} {identity} {target}", request.number)
    } else {
        format!("send {} {identity} {} {target}", request.number, recorded.method)
    };
    call.push_str(&options(recorded, words, started.curl.address.starts_with("https:")));
    if let Some(body) = body {
        call = format!("B={body}; {call} --data-binary @-");
    }
    let _ = writeln!(text, "{}", repeated(&call, &request.repetition));
    let (kind, response) = (kind(recorded), response(recorded));
    let _ = writeln!(text, "compare {} {kind} {}", request.number, quote(&response));
    words.add(request.number, &request.values);
}

/// The method, or `stream` or `list`: their versions also depend on writes of others.
fn kind(recorded: &RecordedRequest) -> &str {
    let lists = || ApiPath::read(recorded.path()).is_some_and(|path| path.name.is_none());
    match recorded.method.as_str() {
        _ if recorded.stream => "stream",
        "GET" if lists() => "list",
        method => method,
    }
}

/// The recorded response in short, as the function `compare` prints one.
fn response(recorded: &RecordedRequest) -> String {
    let status = recorded.status.map_or_else(|| "none".to_owned(), |status| status.to_string());
    let version = recorded.version.as_ref().filter(|_| kind(recorded) != "list");
    let version = version.map(|version| format!(" resourceVersion {}", one_line(version)));
    format!("{status}{}", version.unwrap_or_default())
}

/// Headers and version of HTTP. curl adds no header of its own.
fn options(recorded: &RecordedRequest, words: &Words, encrypted: bool) -> String {
    let mut options = String::new();
    for (name, value) in &recorded.headers {
        let _ = write!(options, " -H {}", words.plain(&format!("{name}: {value}")));
    }
    let has = |name: &str| recorded.headers.iter().any(|(known, _)| known.eq_ignore_ascii_case(name));
    if !has("accept") {
        options.push_str(" -H 'Accept:'");
    }
    if recorded.body.is_some() && !has("content-type") {
        options.push_str(" -H 'Content-Type:'");
    }
    options.push_str(match (recorded.http, encrypted) {
        (None, _) => "",
        (Some(RequiredHttp::Http1), _) => " --http1.1",
        (Some(RequiredHttp::Bare), _) => " --http1.1 -H 'User-Agent:'",
        (Some(RequiredHttp::Http2), true) => " --http2",
        (Some(RequiredHttp::Http2), false) => " --http2-prior-knowledge",
    });
    options
}

fn repeated(call: &str, repetition: &Repetition) -> String {
    match repetition {
        Repetition::Once => call.to_owned(),
        Repetition::Until(status) => {
            format!(
                "w=0; until {call}; [ \"$X\" = {status} ] || [ $w -ge 50 ]; do w=$((w + 1)); sleep 0.2; done"
            )
        }
        Repetition::Times(times) => {
            format!("w=0; while [ $w -lt {times} ]; do {call}; w=$((w + 1)); sleep 0.2; done")
        }
    }
}

/// The telling response, beside the expected and the recorded behaviour.
fn write_end(text: &mut String, finished: &ScenarioFinished, telling: usize, plays: &[Play]) {
    let streams = plays.iter().filter_map(|play| match play {
        Play::Request(request) if request.recorded.stream => Some(request.number),
        _ => None,
    });
    let streams: Vec<usize> = streams.collect();
    text.push_str(if streams.is_empty() { "\n" } else { "\nsettle\n" });
    if let Outcome::Failed { failure } = &finished.outcome {
        let line = |label: &str, value: &str| {
            // The words of a server stay between quotes.
            format!("printf '%s\\n' {}\n", quote(&format!("{label}{}", one_line(value))))
        };
        text.push_str("echo\n");
        text.push_str(&line("expected: ", &failure.expected));
        text.push_str(&line("recorded: ", &failure.actual));
    }
    // Writing to a string cannot fail.
    if streams.contains(&telling) {
        let _ = writeln!(text, "state {telling}");
    }
    let _ = writeln!(text, "echo 'response {telling}, now:'\nshow {telling}");
}
