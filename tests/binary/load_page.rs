//! The page of a load run in a browser: values under the pointer and the cursor, sizes, and the console.

use crate::load::loading;
use crate::support::browser::Browser;
use crate::support::{Ended, Reference};

/// A short run with requests and watches.
fn measured() -> Ended {
    let reference = Reference::right();
    let small = ["--watches", "5", "--objects", "10", "--rate", "20", "--http2", "--duration", "3s"];
    loading("watch-fanout", &reference).with(&small).end().ended_with(0)
}

/// What the first chart shows.
fn shown(browser: &Browser) -> String {
    browser.value("document.querySelector('svg + .values').textContent").as_str().unwrap().to_owned()
}

#[test]
fn a_chart_shows_its_values_to_keys_and_to_the_pointer() {
    let Some(browser) = Browser::find() else { return };
    let run = measured();
    browser.open(&run.reports().join("report.html"));
    let charts = browser.value("document.querySelectorAll('svg').length");
    assert_eq!(browser.value("document.querySelectorAll('svg[tabindex=\"0\"] + .values').length"), charts);
    assert_eq!(shown(&browser), "");
    for (key, words) in [("\u{e011}", "0 %: PATCH configmaps resource, latency "), ("\u{e014}", " %: PATCH ")]
    {
        browser.press("svg", key);
        assert!(shown(&browser).contains(words), "{key:?}: {}", shown(&browser));
    }
    browser.press("svg", "\u{e00c}");
    assert_eq!(shown(&browser), "");
    let place = "(() => { const svg = document.querySelector('svg'); const box = svg.getBoundingClientRect(); \
                 svg.dispatchEvent(new PointerEvent('pointermove', { clientX: box.right })); return true; })()";
    browser.value(place);
    assert!(shown(&browser).starts_with('9'), "{}", shown(&browser));
    assert_eq!(browser.console(), [""; 0]);
}

#[test]
fn the_page_fits_a_phone_and_a_screen_light_and_dark() {
    let Some(browser) = Browser::find() else { return };
    let run = measured();
    browser.open(&run.reports().join("report.html"));
    let mut colours = Vec::new();
    for (width, scheme) in [(390, "light"), (390, "dark"), (1440, "light"), (1440, "dark")] {
        browser.screen(width, 900, scheme);
        let wide = browser.value("document.documentElement.scrollWidth").as_u64().unwrap();
        assert!(wide <= u64::from(width), "{wide} of {width}");
        colours.push(browser.value("getComputedStyle(document.querySelector('.cell')).fill"));
    }
    assert!(colours[0] != colours[1] && colours[0] == colours[2] && colours[1] == colours[3], "{colours:?}");
    assert_eq!(browser.value("performance.getEntriesByType('resource').length"), 0);
    assert_eq!(browser.console(), [""; 0]);
}
