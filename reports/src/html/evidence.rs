//! The outcome of a scenario: expected, actual, and the exchanges.

use std::time::Duration;

use model::{ClauseId, Level, ScenarioFinished, Transcript};

use super::detail::Detail;
use super::markup::{attribute, html, term};
use super::{name, word};
use crate::command_line;
use crate::escape::{clip, command, escape};
use crate::failure::{Message, fields};
use crate::focus::Focus;
use crate::record::Record;
use crate::words::{duration, plural, thousands};

/// The number of columns beyond which JSON is broken into lines.
const WIDTH: usize = 90;

/// All about a scenario.
pub(super) fn scenario(record: &Record, finished: &ScenarioFinished, level: Level, detail: Detail) -> String {
    let first = finished.evidence.len().saturating_sub(detail.exchanges);
    let telling = finished.evidence.len().saturating_sub(1);
    let exchanges = finished.evidence.iter().enumerate().skip(first);
    let focus = Focus::of(finished);
    let exchanges: String =
        exchanges.map(|(at, transcript)| exchange(transcript, at == telling, &focus, detail)).collect();
    let again = again(record, finished, detail);
    format!("{}{}{exchanges}{again}", title(finished, level), terms(finished, detail))
}

/// The commands that run a failed scenario again, and that repeat it by its script.
pub(super) fn again(record: &Record, finished: &ScenarioFinished, detail: Detail) -> String {
    let commands = [command_line::run_again(record, finished), command_line::script(record, finished)];
    commands.iter().flatten().map(|again| copyable(&command(again), detail)).collect()
}

/// Expected, actual and notes.
pub(super) fn terms(finished: &ScenarioFinished, detail: Detail) -> String {
    let notes = finished.notes.iter().map(|note| term("note", &clip(&escape(note), detail.text)));
    let terms = fields(finished).into_iter().map(|(label, ink, text)| {
        format!("<dt>{label}</dt><dd class=\"{}\">{}</dd>\n", ink.class(), detail.html(&text))
    });
    let terms: String = terms.chain(notes).collect();
    if terms.is_empty() { terms } else { format!("<dl>\n{terms}</dl>\n") }
}

/// A scenario that another clause explains.
pub(super) fn elsewhere(finished: &ScenarioFinished, level: Level, explained: &ClauseId) -> String {
    let id = name(explained.as_str());
    format!(
        "{}<p class=\"note\">Explained with <a href=\"#{}\">{}</a>.</p>\n",
        title(finished, level),
        attribute(&id),
        html(&id)
    )
}

fn title(finished: &ScenarioFinished, level: Level) -> String {
    format!(
        "<p class=\"scenario\">{} {} <span class=\"dim\">{}, {}</span></p>\n",
        word(finished.verdict(level)),
        html(&name(finished.scenario.as_str())),
        duration(finished.elapsed),
        plural(finished.exchanges, "exchange")
    )
}

/// Request, response and time; the exchange of the failure is open.
pub(super) fn exchange(transcript: &Transcript, telling: bool, focus: &Focus, detail: Detail) -> String {
    let (request, response) = (Message::of(&transcript.request), Message::of(&transcript.response));
    format!(
        "<details class=\"exchange\"{}>\n<summary>{} <span class=\"dim\">→</span> {} <span class=\"dim\">{}</span></summary>\n\
         {}{}{}</details>\n",
        if telling { " open=\"open\"" } else { "" },
        detail.html(request.first),
        detail.html(response.first),
        duration(Duration::from_millis(transcript.elapsed_ms)),
        if detail.heads { message("request", &request, focus, detail) } else { String::new() },
        message("response", &response, focus, detail),
        curl(&transcript.curl, detail)
    )
}

fn message(label: &str, message: &Message, focus: &Focus, detail: Detail) -> String {
    let headers = if detail.heads { clip(message.headers, detail.text) } else { "".into() };
    let body = focus.body(message.body);
    let body = if detail.lines > 0 { clip(&body, detail.text) } else { "".into() };
    let body = focus.lines(&escape(&body), WIDTH, detail.lines).join("\n");
    let parts = [headers.as_ref(), body.as_str()];
    let shown = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n");
    if shown.is_empty() {
        return String::new();
    }
    format!("<h4>{label}</h4>\n<pre>{}</pre>\n", html(&shown))
}

/// The command that sends a request again: complete, or absent.
fn curl(text: &str, detail: Detail) -> String {
    let command = command(text);
    let length = command.chars().count();
    if length > detail.command {
        let length = thousands(length);
        return format!(
            "<p class=\"note\">The command that repeats the request has {length} characters: see events.jsonl.</p>\n"
        );
    }
    copyable(&command, detail)
}

/// A command to copy; nothing if it is too long.
fn copyable(command: &str, detail: Detail) -> String {
    if command.chars().count() > detail.command {
        return String::new();
    }
    format!("<pre class=\"again\">{}</pre>\n<button class=\"copy\">Copy</button>\n", html(command))
}
