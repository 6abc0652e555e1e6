//! All reports of a run count the same.

use proptest::prelude::*;
use serde_json::Value;

use crate::mark::Mark;
use crate::tests::{hostile, junit, record, rendered, shown};
use crate::{Format, Look, Options, Verbosity};
use harness::Judgement;

fn total_row(results: &str) -> Vec<usize> {
    let row = results.lines().find(|line| line.starts_with("total ")).unwrap_or("total 0 0 0 0");
    row.split_whitespace().skip(1).map(|cell| cell.parse().unwrap_or(0)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_terminal_counts_as_the_tally_does(events in hostile::run()) {
        let counts = record(&events).tally.counts();
        let options = Options { results: Look { width: 300, colour: false }, ..Options::default() };
        let shown = total_row(&shown(&events, options).1);
        let marks = Mark::ALL.into_iter().filter(|mark| !mark.rare() || mark.count(&counts) > 0);
        prop_assert_eq!(shown, marks.map(|mark| mark.count(&counts)).collect::<Vec<_>>());
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
        for mark in Mark::ALL {
            let name = mark.word().replace(' ', "_");
            let sum = |rows: &Value| {
                rows.as_array().unwrap().iter().map(|row| row["counts"][&name].as_u64().unwrap()).sum::<u64>()
            };
            let count = mark.count(&counts) as u64;
            prop_assert_eq!(&summary["counts"][&name], count);
            prop_assert_eq!((sum(&summary["areas"]), sum(&summary["levels"])), (count, count));
        }
        let verdicts = summary["clauses"].as_array().unwrap().iter().filter(|clause| clause["observable"] == true);
        prop_assert_eq!(verdicts.count(), counts.total());
        prop_assert_eq!(&summary["judgement"], crate::judgement::word(tally.judgement()));
    }

    #[test]
    fn junit_fails_exactly_if_the_judgement_does(events in hostile::run()) {
        let record = record(&events);
        let cases = junit::parse(&rendered(Format::Junit, &events));
        let count = |came: &str| cases.iter().filter(|case| case.came == came).count();
        let scenarios = record.tally.scenarios();
        let marked = |mark: Mark| scenarios.iter().filter(|one| record.mark_of(one) == mark).count();
        let warned = if record.strict() { marked(Mark::Warned) } else { 0 };
        let stale = record.tally.stale().len();
        prop_assert_eq!(count("failure"), marked(Mark::Violated) + marked(Mark::Flaky) + warned + stale);
        let in_doubt = usize::from(!crate::judgement::run_in_doubt(&record).is_empty());
        prop_assert_eq!(count("error"), marked(Mark::Undetermined) + in_doubt);
        let unasked = record.tally.verdicts().filter(|(one, _)| record.tally.scenarios_of(&one.id).next().is_none());
        prop_assert_eq!(cases.len(), scenarios.len() + unasked.count() + in_doubt + stale);
        match record.tally.judgement() {
            Judgement::Violated => prop_assert!(count("failure") > 0),
            Judgement::Undetermined => prop_assert!(count("failure") == 0 && count("error") > 0),
            Judgement::Known | Judgement::Incomplete | Judgement::Conformant => prop_assert!(count("failure") == 0 && in_doubt == 0),
        }
    }
}
