//! The syntax of flag values: durations, percentages, hooks.

use std::time::Duration;

/// The maximum duration.
const LONGEST: Duration = Duration::from_hours(7 * 24);

/// The maximum length of a label's value.
const MOST_OF_A_RUN_ID: usize = 63;

/// `90`, `90s`, `15m`, `1h` or `250ms`.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let number: u64 = number.parse().map_err(|_| format!("{text:?} is not a time such as 90s or 15m"))?;
    let time = match unit {
        "ms" => Duration::from_millis(number),
        "" | "s" => Duration::from_secs(number),
        "m" => Duration::from_secs(number.saturating_mul(60)),
        "h" => Duration::from_secs(number.saturating_mul(3600)),
        _ => return Err(format!("{unit:?} is not a unit of time: use ms, s, m or h")),
    };
    match time {
        Duration::ZERO => Err("give a time of more than nothing".to_owned()),
        time if time > LONGEST => Err("give at most 168h, a week".to_owned()),
        time => Ok(time),
    }
}

/// A duration in which any right server can send an event.
pub(super) fn event_timeout(text: &str) -> Result<Duration, String> {
    let time = duration(text)?;
    let hint = "give at least 1s: an event that takes longer counts as missing, which fails its clause";
    if time < Duration::from_secs(1) { Err(hint.to_owned()) } else { Ok(time) }
}

/// `10%`, as 0.1.
pub(super) fn percent(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').ok_or_else(|| format!("give a share in percent, such as {text}%"))?;
    match number.parse::<f64>() {
        Ok(percent) if (0.0..=1_000.0).contains(&percent) => Ok(percent / 100.0),
        _ => Err("give a share from 0% to 1000%".to_owned()),
    }
}

/// `NAME=CMD`; the name must be that of a hook that scenarios use.
pub(super) fn hook(text: &str) -> Result<(String, String), String> {
    let known = harness::Hooks::NAMES.join(", ");
    match text.split_once('=') {
        Some((name, command)) if command.trim().is_empty() && harness::Hooks::NAMES.contains(&name) => {
            Err(format!("the hook {name} has no command; hint: give {name}=CMD, or leave it out"))
        }
        Some((name, command)) if harness::Hooks::NAMES.contains(&name) => {
            Ok((name.to_owned(), command.to_owned()))
        }
        Some((name, _)) => Err(format!("there is no hook {name:?}; hint: give one of {known}")),
        None => Err(format!("give NAME=CMD, with one of the names {known}")),
    }
}

/// The ID of a run, which is the value of a label.
pub(super) fn run_id(text: &str) -> Result<String, String> {
    let is_part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    if (1..=MOST_OF_A_RUN_ID).contains(&text.len()) && text.bytes().all(is_part) {
        return Ok(text.to_owned());
    }
    Err("a run has an ID of lower-case letters and digits, such as k3x9q2; hint: the output of the run \
         and the label kube-assay/run have it"
        .to_owned())
}

/// `NAME=VALUE`.
pub(super) fn label(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("give NAME=VALUE".to_owned()),
    }
}
