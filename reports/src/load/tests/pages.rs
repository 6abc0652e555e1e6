//! The page for people: whole, harmless, small, and alone in the world.

use model::load::{LoadRun, Workload};

use super::example::{calm, key, stormy};
use crate::load::write_html;
use crate::tests::markup::parse;

fn page(run: &LoadRun) -> String {
    let mut bytes = Vec::new();
    write_html(run, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn the_page_is_whole_and_needs_nothing_else() {
    for run in [calm(), stormy()] {
        let page = page(&run);
        parse(&page);
        for foreign in ["src=", "@import", "url(", "<script", "<link", "http://", "javascript:"] {
            assert!(!page.contains(foreign), "{foreign}");
        }
        // The address of the server is text.
        assert_eq!(page.matches("https://").count(), 1);
        assert!(page.len() < 300_000, "{}", page.len());
    }
}

#[test]
fn figures_warnings_and_verdicts_stand_in_it() {
    let page = page(&stormy());
    for text in [
        "&gt; 3.80 s",
        "href=\"#warning",
        "id=\"warning1\"",
        "busy with something else",
        "the generator used",
        "3 times: expected every event",
        "class=\"missed\">missed",
        "The run is partial",
        "429 × 30",
        "/api/v1/namespaces/kube-assay-k7f3",
    ] {
        assert!(page.contains(text), "{text}");
    }
}

#[test]
fn nothing_from_outside_becomes_markup() {
    let bad = "</style><script>alert(1)</script>\"'><img src=x onerror=y>\u{202e}\u{0}";
    let mut run = stormy();
    run.workload = Workload {
        name: bad.to_owned(),
        models: bad.to_owned(),
        pace: bad.to_owned(),
        population: bad.to_owned(),
        settings: [(bad.to_owned(), bad.to_owned())].into(),
    };
    (run.tool, run.run, run.partial) = (bad.to_owned(), bad.to_owned(), Some(bad.to_owned()));
    (run.target.address, run.target.release) = (bad.to_owned(), bad.to_owned());
    run.breaches[0].rule = bad.to_owned();
    run.breaches[0].actual = bad.to_owned();
    run.breaches[0].evidence = vec![bad.to_owned()];
    run.warnings[0].says = bad.to_owned();
    run.leftovers = vec![bad.to_owned()];
    run.series[0].key.resource = bad.to_owned();
    run.series[4].key.variant = bad.to_owned();
    run.intervals[0].series_intervals[0].series.verb = bad.to_owned();
    run.thresholds[0].about =
        Some(model::load::SeriesKey { verb: bad.to_owned(), ..run.series[1].key.clone() });
    run.thresholds[0].preset = Some(bad.to_owned());
    let page = page(&run);
    parse(&page);
    assert!(
        !page.contains("<script")
            && !page.contains("<img")
            && !page.contains('\u{202e}')
            && !page.contains('\0')
    );
    assert_eq!(page.matches("</style>").count(), 1);
}

#[test]
fn an_hour_of_twenty_series_stays_below_a_megabyte() {
    let mut run = calm();
    let pattern = run.series[0].clone();
    run.series = (0..20)
        .map(|number| {
            let mut series = pattern.clone();
            series.key = key("GET", series.key.scope, series.key.kind, &format!("v{number}"));
            series
        })
        .collect();
    let second = run.intervals[0].clone();
    run.intervals = (1..=3_600)
        .map(|at| {
            let mut interval = second.clone();
            interval.at_ms = at * 1_000;
            interval.series_intervals = run
                .series
                .iter()
                .map(|series| {
                    let mut series_interval = second.series_intervals[0].clone();
                    (series_interval.series, series_interval.p99) =
                        (series.key.clone(), series_interval.p99 + at * 7919 % 5_000);
                    series_interval
                })
                .collect();
            interval
        })
        .collect();
    let page = page(&run);
    assert!(page.len() < 1_000_000, "{}", page.len());
}

#[test]
fn a_run_without_results_has_a_page() {
    let began = jiff::Timestamp::UNIX_EPOCH;
    let run = LoadRun::new("kube-assay 0", "r", Workload::default(), model::TargetInfo::default(), began);
    parse(&page(&run));
}

/// For looking at: writes the pages into the folder that the variable names.
#[test]
fn the_pages_can_be_looked_at() {
    #[expect(clippy::disallowed_methods, reason = "an environment variable names the folder")]
    let Some(folder) = std::env::var_os("LOOK_AT") else { return };
    for (name, run) in [("calm.html", calm()), ("stormy.html", stormy())] {
        std::fs::write(std::path::Path::new(&folder).join(name), page(&run)).unwrap();
    }
}
