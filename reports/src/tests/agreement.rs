//! All reports of a run count the same.

use proptest::prelude::*;
use serde_json::Value;

use crate::causes::{Cause, Causes};
use crate::tap::EXPECTED;
use crate::tests::example::{Example, clause, failed};
use crate::tests::markup::{Element, parse};
use crate::tests::{github, hostile, junit, pages, record, rendered, shown, tap};
use crate::verdict_style::VerdictStyle;
use crate::{Format, Look, Options, Verbosity, table};
use model::{Conclusion, ScenarioFinished, Verdict};

fn total_row(results: &str) -> Vec<usize> {
    let row = results.lines().find(|line| line.starts_with("total ")).unwrap_or("total 0 0 0 0");
    row.split_whitespace().skip(1).map(|cell| cell.parse().unwrap_or(0)).collect()
}

/// The cells of a table's row in Markdown, without its name.
fn cells(row: &str) -> Vec<String> {
    row.rsplit(" | ").map(|cell| cell.trim_matches(['|', ' ']).to_owned()).collect()
}

/// The cells of a page's row.
fn texts(elements: &[Element], row: usize) -> Vec<&str> {
    let of_row = elements.iter().filter(|one| one.parent == Some(row) && one.name == "td");
    of_row.map(|one| one.text.as_str()).collect()
}

#[test]
fn what_is_flaky_fails_a_run_also_beside_a_broken_should() {
    let mut run = Example::new(vec![clause("watch", "w", "should", "s")]);
    run.start(2);
    run.add("w", 1, failed("a", "b"));
    let repetitions = serde_json::from_str(r#"{"passed":1,"failed":1,"errored":0,"skipped":0}"#).unwrap();
    run.add("w/custom-resource", 1, failed("a", "b")).repetitions = Some(repetitions);
    run.end(&[]);
    let record = record(&run.events);
    assert_eq!((record.tally.counts().flaky, record.tally.conclusion()), (1, Conclusion::Nonconformant));
    assert_eq!(github::count(&github::findings(&rendered(Format::Annotations, &run.events)), "error"), 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_terminal_counts_as_the_tally_does(events in hostile::run()) {
        let counts = record(&events).tally.counts();
        let options = Options { results: Look { width: 300, colour: false }, ..Options::default() };
        let shown = total_row(&shown(&events, options).1);
        let verdicts = Verdict::ALL.into_iter().filter(|verdict| !verdict.rare() || counts.of(*verdict) > 0);
        prop_assert_eq!(shown, verdicts.map(|verdict| counts.of(verdict)).collect::<Vec<_>>());
    }

    #[test]
    fn nothing_reaches_the_terminal_but_text(events in hostile::run(), width in 20_usize..150) {
        let look = Look { width, colour: false };
        for verbosity in [Verbosity::Quiet, Verbosity::Normal, Verbosity::Verbose] {
            let options = Options { verbosity, interactive: false, progress: look, results: look };
            let (progress, results) = shown(&events, options);
            for text in [&progress, &results] {
                let harmless = |c: char| c == '\n' || !c.is_control() && c != '\u{202e}';
                prop_assert!(text.chars().all(harmless), "{text:?}");
            }
            let (line, _) = shown(&events, Options { interactive: true, ..options });
            prop_assert!(!line.replace("\r\u{1b}[2K", "").chars().any(|c| c != '\n' && c.is_control()), "{line:?}");
        }
    }

    #[test]
    fn the_summary_counts_as_the_tally_does(events in hostile::run()) {
        let tally = record(&events).tally;
        let summary: Value = serde_json::from_str(&rendered(Format::Summary, &events)).unwrap();
        let counts = tally.counts();
        for verdict in Verdict::ALL {
            let name = verdict.word().replace(' ', "_");
            let sum = |rows: &Value| {
                rows.as_array().unwrap().iter().map(|row| row["counts"][&name].as_u64().unwrap()).sum::<u64>()
            };
            let count = counts.of(verdict) as u64;
            prop_assert_eq!(&summary["counts"][&name], count);
            prop_assert_eq!((sum(&summary["areas"]), sum(&summary["levels"])), (count, count));
        }
        let verdicts = summary["clauses"].as_array().unwrap().iter().filter(|clause| clause["observable"] == true);
        prop_assert_eq!(verdicts.count(), counts.total());
        prop_assert_eq!(&summary["conclusion"], &tally.conclusion().word().replace(' ', "_"));
    }

    #[test]
    fn junit_fails_exactly_if_the_run_does(events in hostile::run()) {
        let record = record(&events);
        let cases = junit::parse(&rendered(Format::Junit, &events));
        let count = |came: &str| cases.iter().filter(|case| case.came == came).count();
        let scenarios = record.tally.scenarios();
        let scenarios_with = |verdict: Verdict| scenarios.clone().filter(|one| record.verdict_of(one) == verdict).count();
        let warned = if record.strict() { scenarios_with(Verdict::Warning) } else { 0 };
        let stale = record.tally.stale().len();
        prop_assert_eq!(count("failure"), scenarios_with(Verdict::Failed) + scenarios_with(Verdict::Flaky) + warned + stale);
        let of_the_run = usize::from(!crate::conclusion::run_warnings(&record).is_empty());
        prop_assert_eq!(count("error"), scenarios_with(Verdict::Inconclusive) + of_the_run);
        let unasked = record.tally.verdicts().filter(|(one, _)| record.tally.scenarios_of(&one.id).next().is_none());
        prop_assert_eq!(cases.len(), scenarios.len() + unasked.count() + of_the_run + stale);
        match record.tally.conclusion() {
            Conclusion::Nonconformant => prop_assert!(count("failure") > 0),
            Conclusion::Inconclusive => prop_assert!(count("failure") == 0 && count("error") > 0),
            Conclusion::KnownFailures | Conclusion::Incomplete | Conclusion::Conformant => prop_assert!(count("failure") == 0 && of_the_run == 0),
        }
    }

    #[test]
    fn the_page_counts_as_the_summary_does(events in hostile::run()) {
        let summary: Value = serde_json::from_str(&rendered(Format::Summary, &events)).unwrap();
        let elements = parse(&rendered(Format::Html, &events));
        let shown = pages::clauses(&elements);
        for verdict in Verdict::ALL {
            let count = shown.iter().filter(|one| one.attribute("data-verdict") == verdict.word()).count();
            prop_assert_eq!(&summary["counts"][verdict.word().replace(' ', "_")], count);
            for level in summary["levels"].as_array().unwrap() {
                let of_level = |one: &&&Element| level["level"] == one.attribute("data-level");
                let of_mark = shown.iter().filter(|one| one.attribute("data-verdict") == verdict.word());
                prop_assert_eq!(&level["counts"][verdict.word().replace(' ', "_")], of_mark.filter(of_level).count());
            }
        }
        let stale = elements.iter().filter(|one| one.is("stale")).count();
        prop_assert_eq!(stale, record(&events).tally.stale().len());
        let verdict = elements.iter().find(|one| one.is("verdict")).unwrap();
        let conclusion = format!("{}: ", summary["conclusion"].as_str().unwrap().replace('_', " "));
        prop_assert!(verdict.text.starts_with(&conclusion), "{}", verdict.text);
    }

    #[test]
    fn tap_tells_of_what_junit_tells(events in hostile::run()) {
        let cases = junit::parse(&rendered(Format::Junit, &events));
        let tests = tap::parse(&rendered(Format::Tap, &events));
        prop_assert_eq!(tests.len(), cases.len());
        for (test, case) in tests.iter().zip(&cases) {
            prop_assert_eq!(test.name.trim(), case.name.trim());
            let came = match (test.ok, test.directive.as_str()) {
                (true, "SKIP") | (false, EXPECTED) => "skipped",
                (true, "") => "",
                (false, "") if test.fields["verdict"] == Verdict::Inconclusive.word() => "error",
                (false, "") => "failure",
                other => panic!("{other:?}"),
            };
            prop_assert_eq!(came, &case.came);
            let known = test.fields.get("verdict").is_some_and(|word| *word == Verdict::KnownFailure.word());
            prop_assert_eq!(test.directive == EXPECTED, known);
        }
    }

    #[test]
    fn github_gets_every_failure_of_the_run(events in hostile::run()) {
        let record = record(&events);
        let causes = Causes::of(&record);
        let of = |wanted: fn(Verdict, bool) -> bool| {
            let shown = causes.all().iter().filter(|cause| !cause.outweighed(&record));
            shown.filter(|cause| wanted(cause.verdict, record.strict())).count()
        };
        let findings = github::findings(&rendered(Format::Annotations, &events));
        let broken = of(Verdict::fails) + record.tally.stale().len();
        let of_the_run = crate::conclusion::run_warnings(&record).len() + of(|verdict, _| verdict == Verdict::Inconclusive);
        prop_assert_eq!(github::count(&findings, "error"), broken + of_the_run);
        let warned = of(|verdict, strict| verdict == Verdict::Warning && !strict);
        prop_assert_eq!(github::count(&findings, "warning"), warned);
        let fails = matches!(record.tally.conclusion(), Conclusion::Nonconformant | Conclusion::Inconclusive);
        prop_assert_eq!(broken + of_the_run > 0, fails);
    }

    #[test]
    fn every_failing_scenario_is_of_one_cause(events in hostile::run()) {
        let record = record(&events);
        let causes = Causes::of(&record);
        let failing: Vec<&ScenarioFinished> =
            record.tally.scenarios().filter(|one| crate::causes::fails(&record, one)).collect();
        for finished in &failing {
            let holds = |cause: &&Cause| cause.scenarios.iter().any(|one| std::ptr::eq(*one, *finished));
            prop_assert_eq!(causes.all().iter().filter(holds).count(), 1);
            let cause = causes.cause_of(finished).unwrap();
            for clause in record.clauses_of(finished) {
                prop_assert!(cause.clauses.iter().any(|one| one.id == clause.id));
            }
        }
        let held: usize = causes.all().iter().map(|cause| cause.scenarios.len()).sum();
        prop_assert_eq!(held, failing.len());
        for (verdict, clause) in record.tally.verdicts().map(|(clause, verdict)| (verdict, clause)) {
            let has_cause = causes.all().iter().any(|cause| cause.clauses.iter().any(|one| one.id == clause.id));
            prop_assert!(has_cause || matches!(verdict, Verdict::Passed | Verdict::KnownFailure | Verdict::Skipped), "{verdict:?}");
        }
    }

    #[test]
    fn all_reports_tell_of_the_same_causes(events in hostile::run()) {
        let record = record(&events);
        let causes = Causes::of(&record);
        let sizes: Vec<usize> = causes.all().iter().map(|cause| cause.scenarios.len()).collect();
        let of_names = |names: Vec<String>| -> Vec<usize> {
            let starts = |name: &&String, cause: &Cause| name.starts_with(&format!("{}: ", cause.id));
            causes.all().iter().map(|cause| names.iter().filter(|name| starts(name, cause)).count()).collect()
        };
        let cases = junit::parse(&rendered(Format::Junit, &events));
        prop_assert_eq!(of_names(cases.into_iter().map(|case| case.cause).collect()), sizes.clone());
        let tests = tap::parse(&rendered(Format::Tap, &events));
        let named = tests.iter().filter_map(|test| Some(test.fields.get("cause")?.as_str()?.to_owned()));
        prop_assert_eq!(of_names(named.collect()), sizes.clone());
        let summary: Value = serde_json::from_str(&rendered(Format::Summary, &events)).unwrap();
        let listed = summary["causes"].as_array().unwrap();
        let lengths = |name: &str| listed.iter().map(|cause| cause[name].as_array().unwrap().len()).collect::<Vec<_>>();
        let clauses: Vec<usize> = causes.all().iter().map(|cause| cause.clauses.len()).collect();
        prop_assert_eq!((lengths("scenarios"), lengths("clauses")), (sizes, clauses.clone()));
        let elements = parse(&rendered(Format::Html, &events));
        let members = |list: usize| elements.iter().filter(|one| one.parent == Some(list) && one.name == "li").count();
        let lists = elements.iter().enumerate().filter(|(_, one)| one.is("members"));
        prop_assert_eq!(lists.map(|(at, _)| members(at)).collect::<Vec<_>>(), clauses);
        let look = Look { width: 120, colour: false };
        let results = shown(&events, Options { results: look, ..Options::default() }).1;
        let count = causes.of_faults().count();
        let headings = results.lines().filter(|line| line.starts_with("cause ") && line.contains(" of ")).count();
        let more = results.lines().find_map(|line| line.strip_suffix(" more in report.html, or with --verbose"));
        let more = more.and_then(|count| count.strip_suffix("s").unwrap_or(count).strip_suffix(" cause"));
        let more = more.map_or(0, |count| count.replace(',', "").parse::<usize>().unwrap());
        prop_assert_eq!(headings + more, if count > 1 { count } else { 0 });
    }

    #[test]
    fn the_summary_of_the_step_counts_as_the_tally_does(events in hostile::run()) {
        let record = record(&events);
        let markdown = rendered(Format::StepSummary, &events);
        let prose = github::prose(&markdown);
        let total = prose.iter().find(|line| line.starts_with("| **total** |")).unwrap();
        let counts = record.tally.counts();
        let columns = table::columns(&counts);
        let mut shown: Vec<usize> = cells(total)[..columns.len()].iter().map(|cell| cell.parse().unwrap()).collect();
        shown.reverse();
        prop_assert_eq!(shown, columns.iter().map(|verdict| counts.of(*verdict)).collect::<Vec<_>>());
        let of = |start: &str| prose.iter().filter(|line| line.starts_with(start)).count();
        let broken = Causes::of(&record).of_faults().count();
        prop_assert_eq!((of("<details>"), of("</details>")), (broken, broken));
        prop_assert_eq!((of("## "), of("- stale known failure: ")), (1, record.tally.stale().len()));
    }

    #[test]
    fn coverage_is_the_same_everywhere(events in hostile::run()) {
        let summary: Value = serde_json::from_str(&rendered(Format::Summary, &events)).unwrap();
        let markdown = rendered(Format::Coverage, &events);
        let elements = parse(&rendered(Format::Html, &events));
        let share = |share: &Value| match (share["with_scenario"].as_u64().unwrap(), share["observable"].as_u64().unwrap()) {
            (_, 0) => "–".to_owned(),
            (covered, observable) => format!("{covered} / {observable}"),
        };
        let levels: Vec<String> =
            summary["levels"].as_array().unwrap().iter().map(|level| share(&level["coverage"])).collect();
        let mut row = cells(markdown.lines().find(|line| line.starts_with("| total |")).unwrap());
        row.reverse();
        prop_assert_eq!(&row[1..4], &levels[..]);
        let last = elements.iter().rposition(|one| one.name == "tr").unwrap();
        prop_assert_eq!(&texts(&elements, last)[..], &row[1..]);
    }
}
