//! The head of the page: the conclusion, the run, and the verdicts of each area and level.

use form_urlencoded::Serializer;
use model::{Clause, Invocation, Level, RunStarted, TargetInfo, Verdict};

use super::markup::{attribute, html, term};
use super::name;
use crate::cases::areas as names;
use crate::command_line;
use crate::conclusion;
use crate::leftovers::{self, LISTED};
use crate::record::Record;
use crate::verdict_style::{VerdictStyle, most_urgent_first};
use crate::warnings;
use crate::words::{duration, plural, thousands};

/// The conclusion, the number of clauses with each verdict, and the facts of the run.
pub(super) fn head(record: &Record) -> String {
    let conclusion = record.tally.conclusion();
    let (class, word) = (conclusion::ink(conclusion).class(), conclusion.word());
    let server = record.server();
    format!(
        "<a class=\"skip\" href=\"#clauses\">Skip to the clauses</a>\n<header>\n<h1>{}</h1>\n\
         <p class=\"verdict {class}\">{word}: {}</p>\n<p class=\"counts\">{}</p>\n{}<dl>\n{}</dl>\n{}{}</header>\n",
        html(&server),
        html(&conclusion::reason(record)),
        counts(record.tally.verdicts(), &[]),
        warnings(record),
        facts(record),
        stale(record),
        leftovers(record),
    )
}

/// The addresses of the replicas; nothing without one.
fn replicas(target: &TargetInfo) -> String {
    if target.replicas.is_empty() { String::new() } else { term("replicas", &target.replicas.join(", ")) }
}

fn facts(record: &Record) -> String {
    let Some(started) = record.tally.started() else { return String::new() };
    let RunStarted { tool, run, seed, strict, target, invocation, .. } = started;
    let scenarios = format!(
        "{} of {} ran, {}",
        thousands(record.tally.executed()),
        plural(record.tally.scenarios().len(), "scenario"),
        plural(record.exchanges(), "exchange")
    );
    [
        term("server", &format!("{} {}", target.address, target.release)),
        replicas(target),
        term("scenarios", &scenarios),
        term("began", &record.began().to_string()),
        term("took", &duration(record.elapsed())),
        term("run", &format!("{run}{}", if *strict { ", strict" } else { "" })),
        term("seed", &seed.to_string()),
        term("by", &format!("{tool} {}", invocation.tool_commit)),
        invoked(invocation),
    ]
    .concat()
}

/// The user's options; empty where a recording has none.
fn invoked(invocation: &Invocation) -> String {
    let terms = [
        ("flags", invocation.flags.join(" ")),
        ("profile", invocation.profile.clone()),
        ("features declared", invocation.features.join(", ")),
        ("features declared absent", invocation.no_features.join(", ")),
        ("left out", invocation.skip.join(", ")),
        ("known failures", invocation.known_failures_digest.clone().unwrap_or_default()),
        ("catalogue", invocation.catalogue_digest.clone()),
    ];
    terms.iter().filter(|(_, value)| !value.is_empty()).map(|(name, value)| term(name, value)).collect()
}

fn warnings(record: &Record) -> String {
    let paragraph = |warning: &String| format!("<p class=\"yellow\">Warning: {}</p>\n", html(warning));
    warnings::of(record).iter().map(paragraph).collect()
}

/// The objects that the run left or kept on the server, and the command that removes them.
fn leftovers(record: &Record) -> String {
    let lists = leftovers::lists(record);
    let items: String = lists.iter().map(|(_, title, paths)| list(title, paths)).collect();
    let command = command_line::clean(record).filter(|_| !lists.is_empty());
    let command = command
        .map(|command| format!("<li>{} <code>{}</code></li>\n", leftovers::advice(record), html(&command)));
    section("On the server", &format!("{items}{}", command.unwrap_or_default()))
}

/// Objects under a title; most of many are in a fold, so that the rest of the page stays in reach.
fn list(title: &str, paths: &[String]) -> String {
    let item = |path: &String| format!("<li>{title}: <code>{}</code></li>\n", html(path));
    let (listed, folded) = paths.split_at(paths.len().min(LISTED));
    let folded = (!folded.is_empty()).then(|| {
        let more = thousands(folded.len());
        let items: String = folded.iter().map(item).collect();
        format!(
            "<li class=\"rest\"><details><summary>and {more} more</summary>\n<ul>\n{items}</ul></details></li>\n"
        )
    });
    listed.iter().map(item).chain(folded).collect()
}

/// Entries that make the run fail until they are removed or changed.
fn stale(record: &Record) -> String {
    let items = record.tally.stale().iter().map(|stale| {
        format!("<li class=\"stale\">{} ({})</li>\n", html(&stale.to_string()), html(&stale.entry.why.reason))
    });
    section("Stale known failures", &items.collect::<String>())
}

fn section(name: &str, items: &str) -> String {
    if items.is_empty() { String::new() } else { format!("<h2>{name}</h2>\n<ul>\n{items}</ul>\n") }
}

/// Areas and levels, each with its verdicts; every number is a link that shows the clauses behind it.
pub(super) fn areas(record: &Record) -> String {
    let verdicts: Vec<(&Clause, Verdict)> = record.tally.verdicts().collect();
    let rows =
        names(record).into_iter().filter(|area| verdicts.iter().any(|(clause, _)| clause.area == *area));
    let rows: String = rows
        .map(|area| {
            let of_area: Vec<_> =
                verdicts.iter().copied().filter(|(clause, _)| clause.area == area).collect();
            let head = format!("<a href=\"{}\">{}</a>", link(&[("area", &name(area))]), html(&name(area)));
            row(&head, &of_area, Some(area))
        })
        .collect();
    let heads = Level::ALL.map(|level| format!("<th scope=\"col\">{level}</th>")).concat();
    format!(
        "<section id=\"areas\" aria-labelledby=\"areas-name\">\n<h2 id=\"areas-name\">Areas</h2>\n\
         <div class=\"scroll\" role=\"region\" aria-labelledby=\"areas-name\" tabindex=\"0\">\n<table>\n\
         <thead><tr><th scope=\"col\">area</th>{heads}</tr></thead>\n<tbody>\n{rows}{}</tbody>\n</table>\n</div>\n\
         </section>\n",
        row("total", &verdicts, None)
    )
}

fn row(head: &str, verdicts: &[(&Clause, Verdict)], area: Option<&str>) -> String {
    let area = area.map(name);
    let cells = Level::ALL.map(|level| {
        let of_level = verdicts.iter().copied().filter(|(clause, _)| clause.level == level);
        let mut chosen: Vec<(&str, &str)> = area.iter().map(|area| ("area", area.as_str())).collect();
        chosen.push(("level", level.as_str()));
        format!("<td>{}</td>", counts(of_level, &chosen))
    });
    format!("<tr><th scope=\"row\">{head}</th>{}</tr>\n", cells.concat())
}

/// The number of clauses with each verdict, the most urgent first, as links to those clauses.
fn counts<'a>(verdicts: impl Iterator<Item = (&'a Clause, Verdict)>, chosen: &[(&str, &str)]) -> String {
    let verdicts: Vec<Verdict> = verdicts.map(|(_, verdict)| verdict).collect();
    let link_to = |verdict: Verdict| {
        let count = verdicts.iter().filter(|known| **known == verdict).count();
        (count > 0).then(|| {
            let to = link(&[chosen, &[("verdict", verdict.word())]].concat());
            format!(
                "<a class=\"{}\" href=\"{to}\">{} {}</a>",
                verdict.ink().class(),
                thousands(count),
                verdict.word()
            )
        })
    };
    most_urgent_first().into_iter().filter_map(link_to).collect::<Vec<_>>().join(" ")
}

/// The data for the script.
fn link(chosen: &[(&str, &str)]) -> String {
    attribute(&format!("#{}", Serializer::new(String::new()).extend_pairs(chosen).finish()))
}

/// Who wrote the page.
pub(super) fn foot(record: &Record) -> String {
    let tool = record.tally.started().map_or("", |started| &started.tool);
    format!(
        "<footer>Written by {}. The verdict on a clause is the gravest of its scenarios. A test error makes a clause \
         inconclusive, never passed.</footer>\n",
        html(tool)
    )
}
