//! The page for people: whole, harmless, small, and alone in the world.

use model::load::{LoadRun, Workload};

use super::example::{calm, key, stormy};
use crate::load::html::SCRIPT;
use crate::load::write_html;
use crate::tests::markup::{digest_of, parse};

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
        let ours = format!("<script>{}</script>", SCRIPT.text);
        assert_eq!(page.matches(&ours).count(), 1);
        let rest = page.replace(&ours, "");
        for foreign in ["src=", "@import", "url(", "<script", "<link", "http://", "javascript:"] {
            assert!(!rest.contains(foreign), "{foreign}");
        }
        // The address of the server is text.
        assert_eq!(page.matches("https://").count(), 1);
        assert!(page.len() < 300_000, "{}", page.len());
    }
}

#[test]
fn a_browser_knows_the_script_by_its_digest() {
    assert_eq!(digest_of(&SCRIPT), SCRIPT.digest, "the script has changed: put this digest beside it");
}

#[test]
fn the_head_names_seed_settings_and_host() {
    let page = page(&calm());
    let head = &page[..page.find("<h2>").unwrap()];
    for text in ["seed 7", "connections 10, duration 60s", "2 processors of Example CPU at 2.5 GHz, 17.2 GB"]
    {
        assert!(head.contains(text), "{text}");
    }
}

#[test]
fn the_servers_own_metrics_stand_beside_ours_or_a_reason() {
    let page_of_calm = page(&calm());
    for text in [
        "<td>PATCH configmaps resource</td><td>1,210</td><td>3.35 ms</td><td>≤ 5.00 ms</td><td>≤ 25.0 ms</td><td>1,200</td>",
        "0.84 processors used",
        "readOnly requests in flight from 8 to 11",
        "<td>≤ 10</td>",
    ] {
        assert!(page_of_calm.contains(text), "{text}");
    }
    let page_of_stormy = page(&stormy());
    assert!(page_of_stormy.contains("unknown: the server returned 403 for /metrics"));
    assert!(!page_of_stormy.contains("requests to etcd"));
}

#[test]
fn every_axis_has_a_title_and_every_chart_has_values() {
    let page = page(&calm());
    let charts = page.matches("<svg ").count();
    assert_eq!(page.matches("class=\"axis\"").count(), 2 * charts);
    for svg in page.split("<svg ").skip(1) {
        let svg = &svg[..svg.find("</svg>").unwrap()];
        assert!(svg.contains("data-v=") || svg.contains("data-buckets="), "{svg}");
    }
    for title in
        ["errors by status and reason", "429 Too Many Requests", "bytes per second", "409 Conflict, legal"]
    {
        assert!(page.contains(title), "{title}");
    }
}

#[test]
fn a_chart_of_nothing_is_not_drawn() {
    let mut run = calm();
    for interval in &mut run.intervals {
        (interval.events, interval.pending, interval.cpu) = (0, 0, 0);
        for one in &mut interval.series_intervals {
            (one.bytes, one.conflicts) = (0, 0);
            one.error_classes.clear();
        }
    }
    let titles = [
        "<h3>errors by status and reason",
        "<h3>bytes of responses",
        "<h3>events of all watches",
        "<h3>deliveries that were pending",
        "<h3>processors that the generator used",
    ];
    let (with, without) = (page(&calm()), page(&run));
    assert!(titles.iter().all(|title| with.contains(title) && !without.contains(title)));
    run.intervals.truncate(1);
    assert!(!page(&run).contains("<h2>Over time") && !page(&run).contains("<h2>Heat maps"));
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
        digest: bad.to_owned(),
    };
    run.labels = [(bad.to_owned(), bad.to_owned())].into();
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
    run.host.cpu = bad.to_owned();
    run.no_server_metrics = Some(bad.to_owned());
    let page = page(&run).replace(&format!("<script>{}</script>", SCRIPT.text), "");
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
