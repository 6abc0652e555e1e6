//! Parses a threshold; an error shows a valid spelling.

use std::str::FromStr;

use super::expression::Threshold;
use super::metric::{Comparison, Metric, Statistic, Unit};
use super::selector::{Selector, Verbs};
use crate::load::key::{DurationKind, Scope};

/// The text is not a threshold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a threshold: {why}")]
pub struct NotAThreshold {
    text: String,
    why: String,
}

/// The advice without a better one.
const EXAMPLE: &str = "write for example 'p99<500ms for LIST configmaps', 'errors<1%' or 'delivered=100%'";

impl TryFrom<String> for Threshold {
    type Error = NotAThreshold;

    fn try_from(text: String) -> Result<Self, NotAThreshold> {
        text.parse()
    }
}

impl FromStr for Threshold {
    type Err = NotAThreshold;

    fn from_str(text: &str) -> Result<Self, NotAThreshold> {
        parse(text.trim()).map_err(|why| NotAThreshold { text: text.to_owned(), why })
    }
}

fn parse(text: &str) -> Result<Threshold, String> {
    let (measure, about) = match text.split_once(" for ") {
        Some((measure, about)) => (measure, Some(about)),
        None => (text, None),
    };
    let (left, sign, right) = split_at_sign(measure)?;
    let metric = parse_metric(left)?;
    let (limit, rest) = first_word(right);
    if rest == "for" {
        return Err(format!("nothing follows 'for': write '{left}{sign}{limit}'"));
    }
    if !rest.is_empty() {
        return Err(format!("write '{left}{sign}{limit} for {rest}'"));
    }
    let limit = read_limit(metric, left, limit)?;
    let selector = about.map_or(Ok(Selector::default()), parse_selector)?;
    reject_contradictions(metric, sign, &selector)?;
    Ok(Threshold { metric, comparison: sign, limit, selector })
}

/// Splits at the first comparison sign.
fn split_at_sign(measure: &str) -> Result<(&str, Comparison, &str), String> {
    let Some(at) = measure.find(['<', '>', '=']) else {
        let (left, limit) = measure.rsplit_once(' ').unwrap_or((measure, "500ms"));
        return Err(match parse_metric(left) {
            Ok(known) => format!("it compares nothing: write '{left}{}{limit}'", usual_comparison(known)),
            Err(_) => EXAMPLE.to_owned(),
        });
    };
    let (left, right) = measure.split_at(at);
    let sign = Comparison::SIGNS.iter().find(|(sign, _)| right.starts_with(sign));
    let (sign, comparison) = sign.ok_or(EXAMPLE)?;
    // `==` and `=<` are common slips.
    if right[sign.len()..].starts_with(['<', '>', '=']) {
        return Err("write one of <, <=, =, >= and >".to_owned());
    }
    Ok((left.trim(), *comparison, right[sign.len()..].trim()))
}

fn usual_comparison(metric: Metric) -> Comparison {
    if metric.wants_more() { Comparison::AtLeast } else { Comparison::Less }
}

fn first_word(text: &str) -> (&str, &str) {
    text.split_once(' ').map_or((text, ""), |(word, rest)| (word, rest.trim()))
}

fn parse_metric(text: &str) -> Result<Metric, String> {
    let (first, rest) = first_word(text);
    if let Some((_, metric)) = Metric::WORDS.iter().find(|(word, _)| *word == first) {
        return if rest.is_empty() { Ok(*metric) } else { Err(format!("write '{first}' without '{rest}'")) };
    }
    if first == Metric::GENERATOR_LAG && !rest.is_empty() {
        return Ok(Metric::GeneratorLag(parse_statistic(rest)?));
    }
    match DurationKind::ALL.into_iter().find(|kind| kind.word() == first) {
        None if first == Metric::GENERATOR_LAG => {
            Err(format!("the percentile is missing: write '{first} p99<10ms'"))
        }
        Some(_) if rest.is_empty() => Err(format!("the percentile is missing: write '{first} p99<1s'")),
        Some(kind) => Ok(Metric::Time(kind, parse_statistic(rest)?)),
        None if rest.is_empty() => Ok(Metric::Time(DurationKind::Latency, parse_statistic(first)?)),
        None => Err(unknown(first)),
    }
}

fn parse_statistic(word: &str) -> Result<Statistic, String> {
    if word == "max" {
        return Ok(Statistic::Max);
    }
    if word == "mean" || word == "avg" {
        return Err("a mean hides what is slow: write p50, p99 or max".to_owned());
    }
    let percent: f64 = match word.strip_prefix('p').map(str::parse) {
        Some(Ok(percent)) => percent,
        _ => return Err(unknown(word)),
    };
    match percent {
        percent if percent > 0.0 && percent <= 100.0 => Ok(Statistic::Percentile(percent)),
        percent if percent > 100.0 && percent < 100_000.0 => {
            Err(format!("percentiles go to 100: write p{}.{}", &word[1..3], &word[3..]))
        }
        _ => Err("percentiles go from above 0 to 100: write p50, p99 or p99.9".to_owned()),
    }
}

fn unknown(word: &str) -> String {
    let words: Vec<&str> = Metric::WORDS.iter().map(|(word, _)| *word).collect();
    let kinds = DurationKind::ALL.into_iter().map(DurationKind::word);
    let kinds: Vec<&str> = kinds.chain([Metric::GENERATOR_LAG]).collect();
    format!(
        "unknown metric {word:?}; write a percentile such as p99 (alone or after {}), max, {}",
        kinds.join(", "),
        words.join(", ")
    )
}

fn read_limit(metric: Metric, left: &str, text: &str) -> Result<f64, String> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    let number: f64 = digits.parse().map_err(|_| format!("{text:?} is not a number: {EXAMPLE}"))?;
    let sign = usual_comparison(metric);
    match (metric.unit(), unit) {
        (Unit::Time, "us" | "µs") | (Unit::Count, "") | (Unit::PerSecond, "/s") => Ok(number),
        (Unit::Time, "ms") => Ok(number * 1e3),
        (Unit::Time, "s") => Ok(number * 1e6),
        (Unit::Time, "m") => Ok(number * 60e6),
        (Unit::Time, "") => {
            Err(format!("{text} has no unit: write '{left}{sign}{text}ms' or '{left}{sign}{text}s'"))
        }
        (Unit::Time, _) => Err(format!("{unit:?} is not a unit of time: use us, ms, s or m")),
        (Unit::Share, "%") if number <= 100.0 => Ok(number / 100.0),
        (Unit::Share, "%") => Err("a share is at most 100%".to_owned()),
        // One is all of it where more is better, and otherwise one percent.
        (Unit::Share, _) if number < 1.0 || (metric.wants_more() && number <= 1.0) => {
            Err(format!("write a share in percent: '{left}{sign}{}%'", number * 100.0))
        }
        (Unit::Share, _) => Err(format!("write a share in percent: '{left}{sign}{number}%'")),
        (Unit::Count, _) => Err(format!("it is a count: write '{left}={digits}'")),
        (Unit::PerSecond, _) => Err(format!("write a rate per second: '{left}{sign}{digits}/s'")),
    }
}

/// `LIST configmaps namespace rv=0`: the verb first, the scope by its word, resource and variant by their order.
fn parse_selector(text: &str) -> Result<Selector, String> {
    let mut words = text.split_whitespace();
    let verb = words.next().ok_or("write a verb, such as 'for LIST configmaps'")?;
    let verbs =
        Verbs::named(verb).ok_or_else(|| format!("{verb:?} is not a verb; write one of {}", Verbs::all()))?;
    let mut selector = Selector { verbs: Some(verbs), ..Selector::default() };
    for word in words {
        let scope = Scope::ALL.into_iter().find(|scope| scope.word() == word);
        match scope {
            Some(_) if selector.scope.is_none() => selector.scope = scope,
            None if selector.resource.is_none() => selector.resource = Some(word.to_owned()),
            None if selector.variant.is_none() => selector.variant = Some(word.to_owned()),
            _ => {
                return Err(format!(
                    "{word:?} is one word too many: write 'for {verb} RESOURCE SCOPE VARIANT'"
                ));
            }
        }
    }
    Ok(selector)
}

/// Rejects contradictions, such as a limit on the wrong side: every run would pass it.
fn reject_contradictions(metric: Metric, sign: Comparison, selector: &Selector) -> Result<(), String> {
    let less = matches!(sign, Comparison::Less | Comparison::AtMost);
    let equal = sign == Comparison::Equal;
    if !metric.is_of_series() && *selector != Selector::default() {
        return Err(format!("{metric} is counted for the run as a whole: write it without 'for {selector}'"));
    }
    match (metric.wants_more(), metric.unit()) {
        (_, Unit::Time | Unit::PerSecond) if equal => {
            Err(format!("no measurement is exact: write {}", usual_comparison(metric)))
        }
        (true, _) if less => Err(format!("more of it is better: write {metric}>=…")),
        (false, _) if !less && !equal => Err(format!("less of it is better: write {metric}<…")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_read_and_written_the_same() {
        for text in [
            "p99<500ms for LIST configmaps",
            "p99.9<1s for PATCH",
            "p50<=250us for GET pods/status resource",
            "max<30s for LIST pods cluster paged",
            "lag-sent p99<1s",
            "lag-acknowledged p99.99<1.5s for WATCH configmaps namespace healthy",
            "service p99<=1s for writes",
            "errors<1%",
            "errors<=0.1% for requests",
            "delivered=100%",
            "delivered>=99.99%",
            "rate>=1000/s for GET",
            "lost=0",
            "ended<=3",
            "dropped=0%",
            "late<1%",
            "send-error p99<=10ms",
            "generator-cpu<=50%",
            "generator-lag p99.9<10ms",
        ] {
            let threshold: Threshold = text.parse().unwrap();
            assert_eq!(threshold.to_string(), text);
            assert_eq!(threshold.to_string().parse(), Ok(threshold));
        }
    }

    #[test]
    fn spaces_case_and_other_names_do_not_matter() {
        let same = |one: &str, other: &str| assert_eq!(one.parse::<Threshold>(), other.parse(), "{one}");
        same(" p99 < 1s ", "p99<1s");
        same("p99 < 1s for create configmaps", "p99<1s for POST configmaps");
        same("p99<1s for update cluster pods", "p99<1s for PUT pods cluster");
        same("synced p99<60s for WATCHLIST", "synced p99<1m for WATCH");
        same("p99<1000ms", "p99<1s");
        same("p99<500µs", "p99<500us");
    }

    #[test]
    fn an_error_shows_a_valid_spelling() {
        for (text, instead) in [
            ("p99<500", "write 'p99<500ms' or 'p99<500s'"),
            ("p99 500ms", "write 'p99<500ms'"),
            ("p99<500ms for", "nothing follows 'for'"),
            ("p99", "write 'p99<500ms'"),
            ("p999<1s", "write p99.9"),
            ("p0<1s", "write p50, p99 or p99.9"),
            ("latency<1s", "write 'latency p99<1s'"),
            ("mean<1s", "write p50, p99 or max"),
            ("errors<0.01", "'errors<1%'"),
            ("errors<1", "'errors<1%'"),
            ("errors<101%", "at most 100%"),
            ("delivered=1", "'delivered>=100%'"),
            ("delivered<100%", "write delivered>=…"),
            ("p99>1s", "write p99<…"),
            ("p99=1s", "write <"),
            ("p99<1s LIST configmaps", "write 'p99<1s for LIST configmaps'"),
            ("p99<1s for LISTEN", "write one of GET, LIST"),
            ("p99<1s for ", "EXAMPLE"),
            ("p99<1s for GET pods a b", "one word too many"),
            ("lost=0%", "write 'lost=0'"),
            ("rate>=10", "'rate>=10/s'"),
            ("lost=0 for WATCH", "without 'for WATCH'"),
            ("speed<1s", "unknown metric \"speed\""),
            ("generator-lag<1s", "write 'generator-lag p99<10ms'"),
            ("generator-cpu<=50% for GET", "without 'for GET'"),
            ("p99==1s", "write one of <, <=, =, >= and >"),
            ("p99<3h", "use us, ms, s or m"),
            ("p99<fast", "is not a number"),
            ("", "write for example"),
            ("<", "unknown metric"),
        ] {
            let error = text.parse::<Threshold>().unwrap_err().to_string();
            let instead = if instead == "EXAMPLE" { "write" } else { instead };
            assert!(error.contains(instead) && error.contains("is not a threshold"), "{text}: {error}");
        }
    }
}
