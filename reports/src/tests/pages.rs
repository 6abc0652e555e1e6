//! `report.html`: whole, harmless, small, and alone in the world.

use model::{Outcome, Verdict};
use proptest::prelude::*;

use super::markup::{Element, digest_of, parse};
use crate::Format;
use crate::escape::{clip, escape};
use crate::html::SCRIPT;
use crate::tests::example::{Example, clause, everything, failed, skipped, transcript};
use crate::tests::{hostile, record, rendered};

/// Every clause, as the filter knows it.
pub(super) fn clauses(elements: &[Element]) -> Vec<&Element> {
    elements.iter().filter(|element| element.is("clause")).collect()
}

#[test]
fn the_page_reads_well() {
    let page = rendered(Format::Html, &everything());
    let (_, body) = page.split_once("<body>\n").unwrap();
    let (body, _) = body.split_once("<script>").unwrap();
    insta::assert_snapshot!(body);
}

#[test]
fn the_page_loads_nothing() {
    let page = rendered(Format::Html, &everything());
    parse(&page);
    for foreign in ["src=", "@import", "url(", "<link", "http://", "javascript:", "fetch(", "XMLHttpRequest"]
    {
        assert!(!page.contains(foreign), "{foreign}");
    }
}

#[test]
fn a_browser_knows_the_script_by_its_digest() {
    let actual = digest_of(&SCRIPT);
    assert_eq!(actual, SCRIPT.digest, "the script has changed: put this digest beside it");
    let page = rendered(Format::Html, &everything());
    assert!(page.contains(&format!("script-src 'sha256-{actual}'")));
    assert!(page.contains(&format!("<script>{}</script>", SCRIPT.text)));
}

#[test]
fn only_an_address_of_the_web_is_a_link() {
    for (upstream, leads) in
        [("https://kubernetes.io/x", true), ("javascript:alert(1)", false), ("KEP-3157", false)]
    {
        let mut broken = clause("watch", "w", "must", "s");
        broken.upstream = upstream.to_owned();
        let mut run = Example::new(vec![broken]);
        run.start(1);
        run.add("w", 1, Outcome::Passed);
        run.end(&[]);
        let elements = parse(&rendered(Format::Html, &run.events));
        assert_eq!(elements.iter().any(|one| one.attribute("href") == upstream), leads, "{upstream}");
        assert!(leads || elements[0].text.contains(upstream));
    }
}

#[test]
fn what_failed_for_two_clauses_is_explained_once() {
    let mut run = Example::new(["a", "b"].map(|id| clause("watch", id, "must", "s")).to_vec());
    run.start(1);
    let both = run.add("a", 1, failed("one event", "two events"));
    both.clauses = vec!["a".into(), "b".into()];
    run.end(&[]);
    let page = rendered(Format::Html, &run.events);
    let (causes, clauses) = page.split_once("<section id=\"clauses\"").unwrap();
    assert!(causes.contains("two events") && causes.contains("<a href=\"#b\">b</a>"));
    assert_eq!(
        (clauses.matches("two events").count(), clauses.matches("Explained with <a href=\"#a\">").count()),
        (1, 1)
    );
}

#[test]
fn many_causes_are_folded_away_and_all_there() {
    let words: Vec<String> =
        ('a'..='z').map(|letter| format!("a response of {letter}{letter}{letter}")).collect();
    let clauses = ('a'..='z').map(|letter| clause("watch", &format!("w-{letter}"), "must", "s"));
    let mut run = Example::new(clauses.collect());
    run.start(words.len());
    for (letter, word) in ('a'..='z').zip(&words) {
        let test_error = model::TestError::new("send", word);
        run.add(&format!("w-{letter}"), 1, model::Outcome::Errored { test_error });
    }
    run.end(&[]);
    let elements = parse(&rendered(Format::Html, &run.events));
    let rest = elements.iter().position(|one| one.is("rest")).unwrap();
    let causes: Vec<&Element> = elements.iter().filter(|one| one.is("cause")).collect();
    let folded = causes.iter().filter(|one| one.parent == Some(rest)).count();
    assert_eq!((causes.len(), folded), (26, 11));
}

#[test]
fn many_leftovers_are_folded_away_and_all_there() {
    let paths: Vec<String> = (0..3_000).map(|at| format!("/api/v1/namespaces/n{at}")).collect();
    let mut run = Example::new(vec![clause("watch", "w", "must", "s")]);
    run.start(1);
    run.add("w", 1, Outcome::Passed);
    run.end(&paths.iter().map(String::as_str).collect::<Vec<_>>());
    let page = rendered(Format::Html, &run.events);
    parse(&page);
    let (open, folded) = page.split_once("<details><summary>and 2,990 more</summary>").unwrap();
    let count = |text: &str| text.matches("<code>/api/v1/namespaces/n").count();
    assert_eq!((count(open), count(folded)), (10, 2_990));
}

#[test]
fn objects_that_the_server_is_still_removing_are_told_from_those_that_stay() {
    let mut run = Example::new(vec![clause("watch", "w", "must", "s")]);
    run.start(1);
    run.add("w", 1, Outcome::Passed);
    run.end(&["/api/v1/namespaces/a", "/api/v1/namespaces/b"]);
    let remove = "Remove the objects of this run with:";
    for (terminating, because, advice) in [
        (0, "2 objects could not be removed", remove),
        (1, "1 object could not be removed; the server is still removing 1 object", remove),
        (
            2,
            "the server is still removing 2 objects",
            "The server is still removing these objects. Look again later with:",
        ),
    ] {
        match run.events.last_mut().map(|event| &mut event.kind) {
            Some(model::EventKind::RunFinished(finished)) => finished.terminating = terminating,
            _ => unreachable!(),
        }
        let page = rendered(Format::Html, &run.events);
        assert!(page.contains(&format!("inconclusive: {because}</p>")) && page.contains(advice), "{because}");
    }
}

#[test]
fn the_conclusion_says_what_keeps_an_object() {
    let mut run = Example::new(vec![clause("watch", "w", "must", "s")]);
    run.start(1);
    run.add("w", 1, Outcome::Passed);
    run.end(&["/api/v1/namespaces/a"]);
    let why = "/api/v1/namespaces/a: its condition NamespaceFinalizersRemaining is True: b";
    match run.events.last_mut().map(|event| &mut event.kind) {
        Some(model::EventKind::RunFinished(finished)) => finished.refused_removal = Some(why.to_owned()),
        _ => unreachable!(),
    }
    let page = rendered(Format::Html, &run.events);
    assert!(page.contains(&format!("inconclusive: 1 object could not be removed ({why})</p>")), "{page}");
}

/// 2,000 scenarios, of which every so many fails after so many exchanges.
fn large(each: usize, exchanges: usize) -> Vec<model::Event> {
    let id = |number: usize| format!("rv-list-exact-nolimit-number-{number}");
    let statement =
        "A list with resourceVersionMatch=Exact and a version that has expired is refused with 410 Gone.";
    let clauses =
        (0..2_000).map(|number| clause(&format!("area-{}", number / 60), &id(number), "must", statement));
    let mut run = Example::new(clauses.collect());
    run.start(2_000);
    let items = r#"{"metadata":{"name":"a","namespace":"kube-assay-k3f9x-12","resourceVersion":"31410"}},"#
        .repeat(45);
    let request = "GET /api/v1/namespaces/kube-assay-k3f9x-12/configmaps?resourceVersion=31410&resourceVersionMatch=Exact";
    let response =
        format!("HTTP/2.0 200 OK\ncontent-type: application/json\naudit-id: 1234\n\n{{\"items\":[{items}");
    for number in 0..2_000 {
        if number % each == 0 {
            let evidence = (0..exchanges).map(|_| transcript(request, &response, 7)).collect();
            run.add(
                &id(number),
                12,
                failed("HTTP 410 with reason Expired", "200 ConfigMapList of 45 items"),
            )
            .evidence = evidence;
        } else {
            run.add(&id(number), 12, if number % 7 == 0 { skipped("no hook") } else { Outcome::Passed });
        }
    }
    run.end(&[]);
    run.events
}

#[test]
fn two_thousand_scenarios_stay_below_four_megabytes() {
    for (each, exchanges) in [(100, 5), (10, 5), (1, 5)] {
        let page = rendered(Format::Html, &large(each, exchanges));
        assert!(page.len() < 4_000_000, "{each} {exchanges}: {}", page.len());
        let elements = parse(&page);
        let failing = 2_000_usize.div_ceil(each);
        let telling =
            elements.iter().filter(|one| one.is("exchange") && one.attribute("open") == "open").count();
        let commands = elements.iter().filter(|one| one.is("again")).count();
        // One more stands with their cause.
        assert_eq!((clauses(&elements).len(), telling), (2_000, failing + 1));
        assert!(commands >= failing, "{each} {exchanges}: {commands}");
        assert_eq!(
            page.contains("Exchanges are shortened"),
            (each, exchanges) != (100, 5),
            "{each} {exchanges}"
        );
    }
}

#[test]
fn text_that_is_too_long_to_read_is_cut() {
    let mut run = Example::new(vec![clause("watch", "w", "must", "s")]);
    run.start(1);
    let long = "&\u{0}".repeat(400_000);
    let finished = run.add("w", 1, failed(&long, &long));
    finished.evidence = vec![transcript(&format!("GET /{long}"), &long, 1)];
    finished.notes = vec![long.clone()];
    run.end(&[]);
    let page = rendered(Format::Html, &run.events);
    assert!(page.len() < 3_000_000, "{}", page.len());
    assert!(page.contains("characters: see events.jsonl"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_page_holds_every_clause_and_what_failed(events in hostile::run()) {
        let record = record(&events);
        let elements = parse(&rendered(Format::Html, &events));
        let shown = clauses(&elements);
        prop_assert_eq!(shown.len(), record.tally.counts().total());
        for (clause, verdict) in record.tally.verdicts() {
            let id = crate::escape::one_line(&clip(clause.id.as_str(), 200));
            let found = shown.iter().find(|one| one.attribute("id") == id);
            let found = found.unwrap_or_else(|| panic!("no {id:?}"));
            prop_assert_eq!(found.attribute("data-verdict"), verdict.word());
            prop_assert_eq!(found.attribute("data-level"), clause.level.as_str());
        }
        for finished in record.tally.scenarios() {
            let Outcome::Failed { failure } = &finished.outcome else { continue };
            if record.level_of(finished).is_some() {
                let text = clip(&escape(&failure.actual), 20_000).into_owned();
                prop_assert!(elements.iter().any(|one| one.name == "dd" && one.text == text), "{text:?}");
            }
        }
    }

    #[test]
    fn every_number_is_a_link_to_as_many_clauses(events in hostile::run()) {
        let elements = parse(&rendered(Format::Html, &events));
        let shown = clauses(&elements);
        let mut verdicts = 0;
        for link in elements.iter().filter(|one| one.attribute("href").contains("verdict=")) {
            let chosen: Vec<(String, String)> =
                form_urlencoded::parse(&link.attribute("href").as_bytes()[1..]).into_owned().collect();
            let fits = |one: &&&Element| chosen.iter().all(|(name, value)| one.attribute(&format!("data-{name}")) == value);
            let (count, word) = link.text.split_once(' ').unwrap();
            prop_assert_eq!(shown.iter().filter(fits).count(), count.parse::<usize>().unwrap());
            prop_assert!(Verdict::ALL.iter().any(|verdict| verdict.word() == word));
            verdicts += 1;
        }
        prop_assert_eq!(verdicts > 0, !shown.is_empty());
    }
}

/// For looking at: writes pages into the folder that the variable names.
#[test]
fn the_pages_can_be_looked_at() {
    #[expect(clippy::disallowed_methods, reason = "an environment variable names the folder")]
    let Some(folder) = std::env::var_os("LOOK_AT") else { return };
    for (name, events) in
        [("everything.html", everything()), ("large.html", large(10, 5)), ("worst.html", large(1, 5))]
    {
        std::fs::write(std::path::Path::new(&folder).join(name), rendered(Format::Html, &events)).unwrap();
    }
}
