//! Every clause with its verdict, the gravest first, and the form that finds some of them.

use std::collections::HashMap;

use model::{Clause, ClauseId, Level, ScenarioFinished, Verdict};

use super::detail::Detail;
use super::evidence;
use super::markup::{attribute, html, term};
use super::{name, word};
use crate::cases::areas;
use crate::escape::{clip, escape};
use crate::record::Record;
use crate::verdict_style::most_urgent_first;
use crate::words::{plural, thousands};

/// The maximum number of failed clauses that are open from the start.
const OPEN: usize = 10;

/// The form and the clauses.
pub(super) fn list(record: &Record, detail: Detail) -> String {
    let verdicts = most_urgent_first();
    let groups: Vec<(Verdict, Vec<&Clause>)> = verdicts
        .into_iter()
        .map(|verdict| (verdict, record.with_verdict(verdict)))
        .filter(|(_, clauses)| !clauses.is_empty())
        .collect();
    let broken = record.tally.verdicts().filter(|(clause, _)| is_broken(record, clause)).count();
    let mut writer = Writer { record, detail, open: broken <= OPEN, shown_at: HashMap::new(), length: 0 };
    let shown: String = groups.iter().map(|(verdict, clauses)| writer.group(*verdict, clauses)).collect();
    let shortened = if detail.shortened() {
        "<p class=\"note\">Exchanges are shortened, so that this page stays small; events.jsonl holds all of them.</p>\n"
    } else {
        ""
    };
    format!(
        "<section id=\"clauses\" aria-labelledby=\"clauses-name\">\n\
         <h2 id=\"clauses-name\" tabindex=\"-1\">Clauses</h2>\n{}{shortened}{shown}</section>\n",
        form(record, &groups)
    )
}

/// Hidden until there is a script that can do something about it.
fn form(record: &Record, groups: &[(Verdict, Vec<&Clause>)]) -> String {
    let all: Vec<&Clause> = groups.iter().flat_map(|(_, clauses)| clauses).copied().collect();
    let options = areas(record).into_iter().filter(|area| all.iter().any(|clause| clause.area == *area));
    let options = options.map(|area| {
        let (value, shown) = (attribute(&name(area)), html(&name(area)));
        format!("<option value=\"{value}\">{shown}</option>")
    });
    let levels = Level::ALL.into_iter().filter_map(|level| {
        let count = all.iter().filter(|clause| clause.level == level).count();
        (count > 0).then(|| choice("level", level.as_str(), &html(level.as_str()), count))
    });
    let verdicts = groups
        .iter()
        .map(|(verdict, clauses)| choice("verdict", verdict.word(), &word(*verdict), clauses.len()));
    format!(
        "<form id=\"filter\" role=\"search\" hidden=\"hidden\">\n\
         <label class=\"text\">Text <input type=\"search\" name=\"text\" autocomplete=\"off\" spellcheck=\"false\"/></label>\n\
         <label class=\"text\">Area <select name=\"area\"><option value=\"\">all</option>{}</select></label>\n\
         <fieldset><legend>Level</legend>{}</fieldset>\n<fieldset><legend>Verdict</legend>{}</fieldset>\n\
         <p><button type=\"reset\">Show all</button> <button type=\"button\" id=\"unfold\">Open</button> \
         <button type=\"button\" id=\"fold\">Close</button> <span id=\"shown\" role=\"status\">{}</span></p>\n</form>\n",
        options.collect::<String>(),
        levels.collect::<String>(),
        verdicts.collect::<String>(),
        plural(all.len(), "clause")
    )
}

fn choice(of: &str, value: &str, shown: &str, count: usize) -> String {
    format!(
        "<label><input type=\"checkbox\" name=\"{of}\" value=\"{}\"/> {shown} <span class=\"dim\">{}</span></label> ",
        attribute(value),
        thousands(count)
    )
}

fn is_broken(record: &Record, clause: &Clause) -> bool {
    record.tally.scenarios_of(&clause.id).any(ScenarioFinished::is_unsuccessful)
}

struct Writer<'a> {
    record: &'a Record,
    detail: Detail,
    /// Whether there are few enough failures to open them.
    open: bool,
    /// With which clause a scenario was explained; two of one name, as in a damaged recording, are two.
    shown_at: HashMap<*const ScenarioFinished, &'a ClauseId>,
    /// The length of the clauses so far, in bytes.
    length: usize,
}

impl<'a> Writer<'a> {
    fn group(&mut self, verdict: Verdict, clauses: &[&'a Clause]) -> String {
        let items = self.clauses(verdict, clauses);
        let calm = !clauses.iter().any(|clause| is_broken(self.record, clause));
        format!(
            "<section class=\"group{}\">\n<h3>{} <span class=\"count\">{}</span></h3>\n{items}{}</section>\n",
            if calm || verdict == Verdict::NotSupported { " calm" } else { "" },
            word(verdict),
            thousands(clauses.len()),
            more_on_screen(clauses.len())
        )
    }

    /// The clauses, up to the one that makes the page too large: nobody gets to see that page.
    fn clauses(&mut self, verdict: Verdict, clauses: &[&'a Clause]) -> String {
        let mut items = String::new();
        for clause in clauses {
            if self.detail.is_too_large(self.length) {
                break;
            }
            let item = self.clause(verdict, clause);
            self.length += item.len();
            items.push_str(&item);
        }
        items
    }

    fn clause(&mut self, verdict: Verdict, clause: &'a Clause) -> String {
        let broken = is_broken(self.record, clause);
        let id = name(clause.id.as_str());
        let about = [
            Some(format!("{} · {}", clause.level, name(&clause.area))),
            clause.since.as_ref().map(|since| format!("since {since}")),
            (!clause.feature.is_empty()).then(|| name(&clause.feature)),
        ];
        let about = about.into_iter().flatten().collect::<Vec<_>>().join(" · ");
        let why = self.record.reason(clause).map_or(String::new(), |why| {
            format!(" <span class=\"dim\">{}: {}</span>", Verdict::Skipped.word(), self.detail.html(why))
        });
        let (area_name, id_name) = (attribute(&name(&clause.area)), attribute(&id));
        format!(
            "<details class=\"clause{}\" id=\"{id_name}\" data-area=\"{area_name}\" data-level=\"{}\" \
             data-verdict=\"{}\"{}>\n\
             <summary>{} <b>{}</b> <span class=\"dim\">{}</span> \
             <a class=\"permalink\" href=\"#{id_name}\" aria-label=\"Link to {id_name}\">#</a>\
             <br/>{}{why}</summary>\n{}{}{}</details>\n",
            if broken { " broken" } else { "" },
            clause.level,
            verdict.word(),
            if broken && self.open { " open=\"open\"" } else { "" },
            word(verdict),
            html(&id),
            html(&about),
            self.detail.html(&clause.statement),
            source(clause),
            self.facts(clause),
            self.scenarios(clause)
        )
    }

    /// What `kube-assay explain` says about a clause, beyond its statement and its source.
    fn facts(&self, clause: &Clause) -> String {
        let facts = [
            ("observe", &clause.observe),
            ("fault", &clause.fault),
            ("verified", &clause.verified),
            ("seen", &clause.saw),
            ("note", &clause.note),
        ];
        let terms = facts.map(|(label, fact)| term(label, &clip(&escape(fact), self.detail.text))).concat();
        if terms.is_empty() { terms } else { format!("<dl class=\"facts\">\n{terms}</dl>\n") }
    }

    fn scenarios(&mut self, clause: &'a Clause) -> String {
        let mut shown = String::new();
        for finished in self.record.tally.scenarios_of(&clause.id) {
            let explained = if finished.is_unsuccessful() {
                *self.shown_at.entry(std::ptr::from_ref(finished)).or_insert(&clause.id)
            } else {
                &clause.id
            };
            let level = clause.level;
            shown.push_str(&if explained == &clause.id {
                evidence::scenario(self.record, finished, level, self.detail)
            } else {
                evidence::elsewhere(finished, level, explained)
            });
        }
        shown
    }
}

/// On paper, a group ends after this number of clauses: `report.css` hides the others.
const PRINTED: usize = 40;

/// A line for paper about the clauses that only the screen shows.
fn more_on_screen(clauses: usize) -> String {
    if clauses <= PRINTED {
        return String::new();
    }
    let more = plural(clauses - PRINTED, "more clause");
    format!("<p class=\"paper note\">{more} in report.html</p>\n")
}

/// The link to the published rule. Only a web address becomes a link.
fn source(clause: &Clause) -> String {
    let upstream = &clause.upstream;
    if upstream.is_empty() {
        String::new()
    } else if upstream.starts_with("https://") {
        format!(
            "<p><a href=\"{}\" rel=\"noreferrer\">the published rule</a></p>\n",
            attribute(&name(upstream))
        )
    } else {
        format!("<p>{}</p>\n", html(&name(upstream)))
    }
}
