//! `report.html` in a browser: its content, its controls, and the console.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::browser::Browser;
use crate::support::{Ended, Proxy, Reference, kube_assay, until};

/// A run with passed, failed and skipped clauses.
fn recorded() -> Ended {
    let reference = Reference::right();
    let proxy = Proxy::deaf(&reference, "resourceVersionMatch=Exact");
    let server = ["run", "--server", &proxy.url(), "--token", reference.token()];
    let chosen = ["--clause", "rv-list-*", "--clause", "health-*"];
    kube_assay(&server).with(&chosen).end().ended_with(1)
}

fn page(run: &Ended) -> PathBuf {
    run.reports().join("report.html")
}

/// How many clauses can be seen.
fn seen(browser: &Browser) -> u64 {
    browser
        .value("[...document.querySelectorAll('.clause')].filter(one => one.checkVisibility()).length")
        .as_u64()
        .unwrap()
}

fn status(browser: &Browser) -> String {
    browser.value("document.getElementById('shown').textContent").as_str().unwrap().to_owned()
}

/// Writes a screenshot to the folder that an environment variable names.
fn keep(name: &str, bytes: &[u8]) {
    if let Some(folder) = std::env::var_os("LOOK_AT") {
        std::fs::write(Path::new(&folder).join(name), bytes).unwrap();
    }
}

#[test]
fn a_reader_finds_what_failed() {
    let Some(browser) = Browser::find() else { return };
    let run = recorded();
    let summary: Value = serde_json::from_str(&run.report("summary.json")).unwrap();
    let count = |verdict: &str| summary["counts"][verdict].as_u64().unwrap();
    browser.open(&page(&run));
    assert_eq!((seen(&browser), status(&browser)), (count("total"), format!("{} clauses", count("total"))));

    browser.click("#filter input[value=failed]");
    let some = format!("{} of {} clauses", count("failed"), count("total"));
    until(|| status(&browser) == some);
    assert_eq!(seen(&browser), count("failed"));
    until(|| browser.value("location.hash") == "#verdict=failed");

    browser.click("#filter button[type=reset]");
    until(|| seen(&browser) == count("total"));
    browser.click("#areas a[href='#area=health']");
    let health = summary["areas"].as_array().unwrap().iter().find(|area| area["area"] == "health").unwrap();
    let health = health["counts"]["total"].as_u64().unwrap();
    until(|| status(&browser) == format!("{health} of {} clauses", count("total")));
    assert_eq!(seen(&browser), health);

    browser.click(".counts a[href='#verdict=failed']");
    until(|| status(&browser) == some);
    assert_eq!(seen(&browser), count("failed"));
    let broken = browser.value("document.querySelector('.clause.broken').id").as_str().unwrap().to_owned();
    browser.click("#filter button[type=reset]");
    until(|| seen(&browser) == count("total"));
    browser.press("#filter input[type=search]", &broken.to_uppercase());
    until(|| (1..count("total")).contains(&seen(&browser)));
    browser.press("#filter input[type=search]", " and-nothing-else");
    until(|| status(&browser) == format!("0 of {} clauses", count("total")));
    assert_eq!(seen(&browser), 0);
    assert_eq!(browser.console(), [""; 0]);
}

#[test]
fn a_failure_is_opened_read_and_copied() {
    let Some(browser) = Browser::find() else { return };
    let run = recorded();
    browser.open(&page(&run));
    browser.click("#fold");
    let broken = browser.value("document.querySelector('.broken').id").as_str().unwrap().to_owned();
    assert_eq!(browser.value("document.querySelector('.broken').open"), false);
    // With the keyboard, without a mouse.
    browser.press(".broken summary", "\u{e007}");
    assert_eq!(browser.value("document.querySelector('.broken').open"), true);
    let text = browser.value("document.querySelector('.broken').innerText").as_str().unwrap().to_owned();
    for word in ["expected", "actual", "request", "response", "GET /api/v1/", "curl -sS -X GET"] {
        assert!(text.contains(word), "no {word:?} in {text}");
    }
    browser.click(".broken .exchange[open] .copy");
    let button = || browser.value("document.querySelector('.broken .exchange[open] .copy').textContent");
    until(|| button() != "Copy");
    let copied = button();
    assert!(copied == "Copied" || copied == "Selected", "{copied}");
    browser.open(&PathBuf::from(format!("{}#{broken}", page(&run).display())));
    let target = format!("document.getElementById('{broken}')");
    assert_eq!(browser.value(&format!("{target}.open")), true);
    let top = browser.value(&format!("{target}.getBoundingClientRect().top / innerHeight"));
    assert!((0.0..1.0).contains(&top.as_f64().unwrap()), "{top}");
    assert_eq!(browser.value("performance.getEntriesByType('resource').length"), 0);
    assert_eq!(browser.console(), [""; 0]);
}

#[test]
fn the_page_fits_a_phone_a_screen_and_paper() {
    let Some(browser) = Browser::find() else { return };
    let run = recorded();
    browser.open(&page(&run));
    let mut colours = Vec::new();
    for (width, height, scheme) in
        [(360, 740, "light"), (360, 740, "dark"), (1440, 900, "light"), (1440, 900, "dark")]
    {
        browser.screen(width, height, scheme);
        assert_eq!(browser.value("innerWidth"), width);
        let wide = browser.value("document.documentElement.scrollWidth").as_u64().unwrap();
        assert!(wide <= u64::from(width), "{wide} of {width}");
        colours.push(browser.value("getComputedStyle(document.body).backgroundColor"));
        let picture = browser.picture();
        assert!(picture.starts_with(b"\x89PNG"));
        keep(&format!("page-{width}-{scheme}.png"), &picture);
    }
    assert!(colours[0] != colours[1] && colours[0] == colours[2] && colours[1] == colours[3], "{colours:?}");
    browser.click("#fold");
    let printed = browser.print();
    assert!(printed.starts_with(b"%PDF-"));
    keep("page.pdf", &printed);
    assert_eq!(browser.console(), [""; 0]);
}

#[test]
fn a_screen_reader_has_every_label() {
    let Some(browser) = Browser::find() else { return };
    let run = recorded();
    browser.open(&page(&run));
    browser.command("Accessibility.enable", &serde_json::json!({}));
    let tree = browser.command("Accessibility.getFullAXTree", &serde_json::json!({}));
    let nodes = tree["nodes"].as_array().unwrap();
    let named = |role: &str| -> Vec<&str> {
        let of_role = nodes.iter().filter(|node| node["role"]["value"] == role && node["ignored"] == false);
        of_role.map(|node| node["name"]["value"].as_str().unwrap_or_default()).collect()
    };
    for role in [
        "checkbox",
        "searchbox",
        "combobox",
        "button",
        "link",
        "heading",
        "region",
        "columnheader",
        "rowheader",
    ] {
        let names = named(role);
        assert!(!names.is_empty() && names.iter().all(|name| !name.trim().is_empty()), "{role}: {names:?}");
    }
    assert!(named("region").contains(&"Clauses") && named("status").len() == 1);
    assert_eq!(browser.console(), [""; 0]);
}

/// A run of every clause that a read-only run has, on a server with five faults.
fn everything() -> Ended {
    let faults = [
        "discovery-core-path",
        "discovery-named-group-path",
        "health-failure-is-always-verbose",
        "health-three-endpoints",
        "health-status-code-decides",
    ];
    let reference = Reference::wrong(&faults);
    let run = ["run", "--read-only", "--server", &reference.url(), "--token", reference.token()];
    kube_assay(&run).end().ended_with(1)
}

/// Presses the Tab key as a reader does, and returns what then has the focus.
fn tab(browser: &Browser) -> String {
    for kind in ["rawKeyDown", "keyUp"] {
        let key =
            serde_json::json!({ "type": kind, "key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9 });
        browser.command("Input.dispatchKeyEvent", &key);
    }
    let focus = "(() => { const one = document.activeElement; return one.name || one.className || one.id || \
                 one.tagName })()";
    browser.value(focus).as_str().unwrap().to_owned()
}

#[test]
fn the_page_of_every_clause_is_light_and_its_print_short() {
    let Some(browser) = Browser::find() else { return };
    let run = everything();
    browser.open(&page(&run));
    let number = |expression: &str| browser.value(expression).as_u64().unwrap();
    let clauses = number("document.querySelectorAll('.clause').length");
    let nodes = number("document.querySelectorAll('*').length");
    assert!(clauses > 2_000 && nodes < 40 * clauses, "{nodes} elements for {clauses} clauses");
    // The browser lays out no clause that is far from the screen.
    let deferred = "[...document.querySelectorAll('.clause')]\
                    .filter(one => getComputedStyle(one).contentVisibility === 'auto').length";
    assert_eq!(number(deferred), clauses);
    let printed = browser.print();
    let pages = regex::bytes::Regex::new(r"/Type\s*/Page[^s]").unwrap().find_iter(&printed).count();
    keep("everything.pdf", &printed);
    assert!((1..=15).contains(&pages), "{pages} pages");
    assert_eq!(browser.console(), [""; 0]);
}

#[test]
fn the_keyboard_reaches_the_filter_and_the_failures() {
    let Some(browser) = Browser::find() else { return };
    let run = recorded();
    browser.open(&page(&run));
    assert_eq!(tab(&browser), "skip");
    assert_eq!(browser.value("getComputedStyle(document.activeElement).position"), "static");
    let mut stops = Vec::new();
    while stops.last().is_none_or(|last| last != "text") && stops.len() < 200 {
        stops.push(tab(&browser));
        let outline = browser.value("getComputedStyle(document.activeElement).outlineStyle");
        assert_ne!(outline, "none", "nobody sees the focus on {stops:?}");
    }
    assert!(stops.len() < 200, "no way to the filter: {stops:?}");
    let summary = "document.activeElement.matches('.broken > summary')";
    assert!(
        (0..200).any(|_| {
            tab(&browser);
            browser.value(summary) == true
        }),
        "no way to a failure"
    );
    assert_eq!(browser.console(), [""; 0]);
}
