//! Escaping, wrapping, and the layout of bodies.

use proptest::prelude::*;

use crate::body;
use crate::escape::{clip, command, escape};
use crate::page::{fit, wrap};
use crate::words::{duration, plural};

#[test]
fn what_a_server_sends_cannot_steer_a_terminal() {
    assert_eq!(
        escape("a\u{1b}[31m\r\tb\u{202e}\u{0}\u{fffe}\nc"),
        "a\\u{1b}[31m\\r\\tb\\u{202e}\\u{0}\\u{fffe}\nc"
    );
    assert_eq!(escape("čeština 日本 🦀"), "čeština 日本 🦀");
}

#[test]
fn a_copied_command_still_sends_the_same_bytes() {
    assert_eq!(command("curl 'a\u{1b}b\u{202e}'"), r"curl 'a'$'\x1b''b'$'\U0000202e'''");
}

#[test]
fn json_is_broken_only_where_it_does_not_fit() {
    let body =
        r#"{"kind":"Status","details":{"causes":[{"field":"spec, {x}","message":"a \" b"}]},"code":422}"#;
    insta::assert_snapshot!(body::lines(body, 60, 15).join("\n"), @r#"
    {
      "kind": "Status",
      "details": {
        "causes": [{"field":"spec, {x}","message":"a \" b"}]
      },
      "code": 422
    }
    "#);
}

#[test]
fn a_body_is_cut_to_the_limit() {
    let lines = body::lines(&"{}\n".repeat(40), 60, 15);
    assert_eq!((lines.len(), lines[14].as_str()), (15, "… 26 lines more"));
}

#[test]
fn numbers_are_read_by_people() {
    assert_eq!(plural(1_234_567, "exchange"), "1,234,567 exchanges");
    assert_eq!(plural(1, "clause"), "1 clause");
    let shown = [7, 1_259, 12_300, 200_000].map(|ms| duration(std::time::Duration::from_millis(ms)));
    assert_eq!(shown, ["7 ms", "1.25 s", "12.3 s", "3 min 20 s"]);
}

proptest! {
    #[test]
    fn layout_changes_nothing_but_space(text in r#"[\[{][\[\]{}:,"\\ a-é]{0,200}"#, width in 5_usize..60) {
        let kept = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        prop_assert_eq!(kept(&body::lines(&text, width, 10_000).join("\n")), kept(&text));
    }

    #[test]
    fn wrapping_keeps_every_word_and_the_width(text in "[ a-d日\n]{0,200}", width in 4_usize..30) {
        let lines = wrap(&text, width);
        let kept = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        prop_assert_eq!(kept(&lines.join("")), kept(&text));
        for line in lines {
            prop_assert!(unicode_width::UnicodeWidthStr::width(line.as_str()) <= width);
        }
    }

    #[test]
    fn what_is_fitted_fits(text in "[ a-d日]{0,40}", width in 1_usize..30) {
        prop_assert!(unicode_width::UnicodeWidthStr::width(fit(&text, width).as_str()) <= width);
    }

    #[test]
    fn escaping_twice_changes_nothing(text in any::<String>(), limit in 0_usize..20) {
        let once = escape(&text).into_owned();
        prop_assert_eq!(escape(&once), once.as_str());
        prop_assert!(clip(&text, limit).starts_with(&text.chars().take(limit).collect::<String>()));
    }
}
