mod rare_spellings;

use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use data_encoding::{BASE32, BASE32_NOPAD, BASE32HEX, BASE32HEX_NOPAD};
use proptest::prelude::*;

use super::*;

fn knowing(secret: &str) -> Redactor {
    let redactor = Redactor::default();
    redactor.learn(secret);
    redactor
}

/// All characters in hexadecimal digits, each behind this.
fn digits(text: &str, before: &str) -> String {
    of_bytes(text, |byte| format!("{before}{byte:02x}"))
}

fn of_bytes(text: &str, written: impl Fn(u8) -> String) -> String {
    text.bytes().map(written).collect::<Vec<_>>().concat()
}

/// All characters by their numbers.
fn numbered(text: &str, number: impl Fn(u16) -> String) -> String {
    text.encode_utf16().map(number).collect()
}

/// Everything that stands for the whole text and nothing else.
fn spellings(text: &str) -> Vec<String> {
    let html = |number: fn(u32) -> String| text.chars().map(|char| number(char.into())).collect::<String>();
    let quoted = serde_json::Value::from(text).to_string();
    let percent = digits(text, "%");
    vec![
        text.to_owned(),
        quoted[1..quoted.len() - 1].to_owned(),
        quoted[1..quoted.len() - 1].replace('/', r"\/"),
        form_urlencoded::byte_serialize(text.as_bytes()).collect(),
        percent.to_uppercase(),
        percent.replace('%', "%25"),
        numbered(text, |unit| format!("\\u{unit:04x}")),
        numbered(text, |unit| format!("\\u{unit:04X}")),
        numbered(text, |unit| format!("\\\\u{unit:04x}")),
        digits(text, "=").to_uppercase(),
        html(|number| format!("&#{number};")),
        html(|number| format!("&#x{number:X};")),
        html(|number| format!("&amp;#{number:05};")),
        text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;"),
        digits(text, ""),
        digits(text, "").to_uppercase(),
        digits(text, ":")[1..].to_owned(),
        digits(&STANDARD.encode(text).replace('=', ""), "%"),
        percent,
    ]
}

#[test]
fn a_token_is_hidden_with_and_without_its_scheme() {
    let redactor = Redactor::default();
    redactor.learn_header("Bearer s3cr3t-token");
    assert_eq!(redactor.redact("you sent s3cr3t-token"), "you sent [redacted]");
    assert_eq!(redactor.redact("Bearer s3cr3t-token"), "Bearer [redacted]");
}

#[test]
fn a_token_is_hidden_without_the_blanks_at_its_ends() {
    assert_eq!(knowing(" s3cr3t \n").redact("you sent <s3cr3t>"), "you sent <[redacted]>");
    let redactor = Redactor::default();
    redactor.learn_header("Bearer s3cr3t ");
    let test_error = TestError::new("use s3cr3t", "it is s3cr3t").hint("not s3cr3t");
    let hidden = TestError::new("use [redacted]", "it is [redacted]").hint("not [redacted]");
    assert_eq!(redactor.redact_test_error(test_error), hidden);
}

#[test]
fn a_token_is_hidden_in_utf16_and_in_numbers() {
    let token = "s3cr3t-token";
    let redactor = knowing(token);
    let [big, little] = [u16::to_be_bytes, u16::to_le_bytes]
        .map(|bytes| token.encode_utf16().flat_map(bytes).collect::<Vec<u8>>());
    for bytes in [&big, &little] {
        let text: String = bytes.iter().copied().map(char::from).collect();
        let hex = digits(&text, "");
        let json = serde_json::Value::from(&*text).to_string();
        for written in [text, hex, json, STANDARD.encode(bytes)] {
            let redacted = redactor.redact(&written);
            let rest = redacted.replacen("[redacted]", "", 1);
            assert!(rest.len() <= 8 && redacted.len() > rest.len(), "{written:?}: {redacted:?}");
        }
    }
    let decimal = format!("{:?}", token.as_bytes());
    let prefixed = format!("{:#04x?}", token.as_bytes()).replace(['\n', ' '], "").replace(",]", "]");
    let unicode = format!("[{}]", of_bytes(token, |byte| format!("U+{byte:04X} ")).trim_end());
    for numbers in [decimal.replace(' ', ""), decimal, prefixed.replace(',', ", "), prefixed, unicode] {
        assert_eq!(redactor.redact(&numbers), "[[redacted]]");
    }
}

#[test]
fn a_token_in_characters_that_look_the_same_is_hidden() {
    let redactor = knowing("s3cr3t-token");
    let wide: String =
        "s3cr3t-token".chars().filter_map(|char| char::from_u32(char as u32 + 0xfee0)).collect();
    assert_eq!(redactor.redact(&format!("é {wide} é")), "é [redacted] é");
    for unseen in ["\u{ad}", "\u{200b}", "\u{2060}", "\u{feff}"] {
        assert_eq!(
            redactor.redact(&format!("({})", "s3cr3t-token".replace('-', &format!("-{unseen}")))),
            "([redacted])"
        );
    }
    // A cut may leave a part of one.
    assert_eq!(redactor.redact("s3cr3t-tok\u{ff45}…"), "[redacted]…");
}

#[test]
fn a_password_that_is_read_in_latin1_is_hidden() {
    let password = "pässwörter";
    let redactor = knowing(password);
    let latin1: String = password.bytes().map(char::from).collect();
    for written in [
        latin1.clone(),
        digits(password, r"\x"),
        of_bytes(password, |byte| format!("&#{byte};")),
        of_bytes(password, |byte| format!(r"\u{byte:04x}")),
        of_bytes(password, |byte| format!(r"\{byte:03o}")),
    ] {
        assert_eq!(redactor.redact(&format!("sent: {written}!")), "sent: [redacted]!", "{written}");
    }
}

#[test]
fn a_token_in_capitals_is_hidden() {
    assert_eq!(knowing("s3cr3t-token").redact("(S3CR3T-TOKEN)"), "([redacted])");
    assert_eq!(knowing("S3CR3T-token").redact("s3cr3t-TOKEN"), "[redacted]");
    assert_eq!(knowing("pässwörter").redact("PÄSSWÖRTER"), "[redacted]");
    assert_eq!(knowing("s3cr3t-token").redact("(s 3 c r 3 t - t o k e n)"), "([redacted])");
}

#[test]
fn the_end_of_a_token_is_hidden_with_as_much_of_it_as_is_there() {
    let token = "abcdefghij.klmnopqrst-uvwxyz0123";
    let redactor = knowing(token);
    assert_eq!(redactor.redact("token …hij.klmnopqrst-uvwxyz0123"), "token …[redacted]");
    assert_eq!(redactor.redact("of qrst-uvwxyz0123 it"), "of qrst-uvwxyz0123 it");
    assert_eq!(redactor.redact(&STANDARD.encode(&token[16..])), "[redacted]==");
    assert_eq!(redactor.redact(&digits(&token[16..], "")), "[redacted]");
    let twice = format!("{token}{}", &token[10..]);
    assert_eq!(redactor.redact(&twice), "[redacted]");
    assert_eq!(redactor.redact(&format!("é{}", &token[8..])), "é[redacted]");
}

#[test]
fn any_long_part_of_a_token_is_hidden() {
    let token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ0ZXN0ZXIifQ.c2lnbmF0dXJlLW9mLTMyLWJ5dGVz_-x";
    let redactor = knowing(token);
    for part in [&token[1..], &token[7..38], &token[40..71], &token[..token.len() - 1]] {
        assert_eq!(redactor.redact(&format!("a {part}, b")), "a [redacted], b");
        for written in
            [STANDARD.encode(part), digits(part, ""), digits(part, "%"), format!("{:?}", part.as_bytes())]
        {
            let rest = redactor.redact(&written).replacen("[redacted]", "", 1).len();
            let most = written.len() * 2 * 15 / part.len() + 4;
            assert!(rest <= most && rest < written.len(), "{written}: {}", redactor.redact(&written));
        }
    }
    let lines = format!("{}\n{}", &token[..30], &token[30..]);
    assert_eq!(redactor.redact(&lines), "[redacted]");
    assert_eq!(redactor.redact("eyJhbGciOiJIUzI1NiJ9, and no more"), "eyJhbGciOiJIUzI1NiJ9, and no more");
}

#[test]
fn a_token_with_other_separators_is_hidden() {
    let redactor = knowing("s3cr3t-token_of.24-bytes");
    for written in ["s3cr3t-token-of-24-bytes", "S3CR3T_TOKEN_OF_24_BYTES", "s3cr3t.token.of.24.bytes"] {
        assert_eq!(redactor.redact(&format!("x-{written}-y")), "x-[redacted]-y", "{written}");
    }
}

#[test]
fn a_password_is_hidden_alone_and_with_its_user() {
    let redactor = Redactor::default();
    redactor.learn_header(&format!("Basic {}", STANDARD.encode("admin:pass:word")));
    assert_eq!(redactor.redact("YWRtaW46cGFzczp3b3Jk and pass:word"), "[redacted] and [redacted]");
    assert_eq!(redactor.redact("admin:pass%3aword"), "[redacted]");
    let short = Redactor::default();
    short.learn_header(&format!("Basic {}", STANDARD.encode("admin:pw")));
    assert_eq!(short.redact("admin:pw, pw"), "[redacted], pw");
}

#[test]
fn a_key_is_hidden_whole_and_without_its_frame() {
    let pem = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIAAR\nIjNEVWZ3iJmqu8zd7v8B\n-----END PRIVATE KEY-----\n";
    for learned in [pem.to_owned(), STANDARD.encode(pem)] {
        let redactor = Redactor::default();
        redactor.learn_key(&learned);
        assert_eq!(
            redactor.redact(&format!("{{\"key\":{}}}", serde_json::Value::from(pem))),
            r#"{"key":"[redacted]"}"#
        );
        assert_eq!(redactor.redact(&format!("key: {}", STANDARD.encode(pem))), "key: [redacted]==");
        assert_eq!(redactor.redact("MC4CAQAwBQYDK2VwBCIEIAARIjNEVWZ3iJmqu8zd7v8B!"), "[redacted]!");
        let twice = STANDARD.encode(format!("{{\"client-key-data\":\"{}\"}}", STANDARD.encode(pem)));
        let shown = redactor.redact(&twice).replacen("[redacted]", "", 1);
        assert!(shown.len() < 50, "{shown}");
    }
}

#[test]
fn a_token_is_hidden_however_it_is_written() {
    let secret = r#"a"b\c+d/e <f>&g"#;
    let redactor = knowing(secret);
    for spelling in spellings(secret) {
        assert_eq!(redactor.redact(&format!("sent: {spelling}!")), "sent: [redacted]!", "{spelling}");
    }
    assert_eq!(redactor.redact(r"a&quot;b%5c\u0063%2b&#100;\/e+%3Cf\u003e&amp;g"), "[redacted]");
}

#[test]
fn a_token_is_hidden_in_base64_of_a_longer_text() {
    let redactor = knowing("s3cr3t-token");
    // Characters that hold a part of the secret go as well.
    for (text, hidden) in [
        ("s3cr3t-token", "[redacted]"),
        ("a:s3cr3t-token", "YT[redacted]"),
        ("Bearer s3cr3t-token", "QmVhcmVyI[redacted]"),
        ("me:s3cr3t-token:you", "bWU6[redacted]OnlvdQ"),
    ] {
        for base64 in [STANDARD, URL_SAFE] {
            assert_eq!(redactor.redact(&base64.encode(text)).trim_end_matches('='), hidden, "{text}");
        }
    }
    let twice = STANDARD.encode(STANDARD.encode("Bearer s3cr3t-token"));
    assert!(redactor.redact(&twice).len() < twice.len(), "{twice}");
    let lines = STANDARD.encode("s3cr3t-token").replace('3', "3\n  ");
    assert_eq!(redactor.redact(&lines), "[redacted]");
}

#[test]
fn a_token_is_hidden_in_base32_of_a_longer_text() {
    let redactor = knowing("s3cr3t-token");
    for (text, hidden) in [
        ("s3cr3t-token", "[redacted]"),
        ("a:s3cr3t-token", "ME5[redacted]"),
        ("Bearer s3cr3t-token:you", "IJSWC4TFOIQ[redacted]2PFXXK"),
    ] {
        assert_eq!(redactor.redact(&BASE32_NOPAD.encode(text.as_bytes())), hidden, "{text}");
        for base32 in [BASE32, BASE32HEX, BASE32HEX_NOPAD] {
            let whole = base32.encode(text.as_bytes());
            for whole in [whole.to_lowercase(), whole] {
                let hidden = redactor.redact(&whole);
                assert!(hidden.contains("[redacted]") && hidden.len() < 40, "{whole}: {hidden}");
            }
        }
    }
    let twice = BASE32.encode(STANDARD.encode("Bearer s3cr3t-token").as_bytes());
    assert!(redactor.redact(&twice).contains("[redacted]"), "{twice}");
}

/// Lines of so many characters.
fn wrapped(text: &str, width: usize, end: &str) -> String {
    let lines: Vec<&str> =
        text.as_bytes().chunks(width).filter_map(|line| str::from_utf8(line).ok()).collect();
    lines.join(end)
}

#[test]
fn a_token_is_hidden_over_several_lines() {
    let redactor = knowing("Qv7zN4xKpW1mTd9s.c5Yb8HgR-x");
    for end in ["\n", "\r\n", "\n ", "\r\n\t", " ", r"\n", r"\r\n", r"\n  ", "%0A", "&#10;"] {
        for width in [3, 8] {
            let lines = wrapped("Qv7zN4xKpW1mTd9s.c5Yb8HgR-x", width, end);
            assert_eq!(redactor.redact(&format!("({lines})")), "([redacted])", "{lines:?}");
        }
    }
    let with_plus = knowing("Qv7zN4xK+W1mTd9s");
    assert_eq!(with_plus.redact("(Qv7zN4xK\n+W1mTd9s)"), "([redacted])");
    assert_eq!(redactor.redact("Qv7zN4\nand more"), "Qv7zN4\nand more");
}

#[test]
fn a_token_in_quoted_printable_is_hidden_over_the_ends_of_lines() {
    assert_eq!(knowing("s3cr3t-token").redact("s3c=72=\r\n3t=2Dtok=\nen!"), "[redacted]!");
}

#[test]
fn a_token_that_was_cut_is_hidden() {
    let redactor = knowing("s3cr3t-token");
    for (cut, hidden) in [
        ("you sent s3cr3t-tok", "you sent [redacted]"),
        ("sent s3cr3t-tok\n… (900 bytes)", "sent [redacted]\n… (900 bytes)"),
        ("%733cr3t-tok…", "[redacted]…"),
        (r"\u0073\u0033\u0063\u0072\u0033\u0074\u002d\u0074\u006f\u006b\u00", "[redacted]"),
        ("&#x73;3cr3t-tok&#… %73…", "[redacted]… %73…"),
        ("czNjcjN0LXRva…", "czNjcjN0LXRva…"),
        ("czNjcjN0LXRva2…", "[redacted]…"),
        ("7333637233742d746f6…", "7333637233742d746f6…"),
        ("7333637233742d746f6b\n…", "[redacted]\n…"),
        ("a s3cr3ts b", "a s3cr3ts b"),
        ("a s3cr3t-tok b", "a s3cr3t-tok b"),
    ] {
        assert_eq!(redactor.redact(cut), hidden);
    }
}

#[test]
fn a_token_that_the_server_cut_is_hidden() {
    let secret = "s3cr3t-token-of-24-bytes";
    let (redactor, half) = (knowing(secret), &secret[..12]);
    for text in spellings(half) {
        assert_eq!(redactor.redact(&format!("a {text}! b")), "a [redacted]! b", "{text}");
    }
    assert_eq!(redactor.redact("a s3cr3t-token-of-24, b"), "a [redacted], b");
    // Less than half, or less than 12 bytes.
    for text in ["a s3cr3t-toke, b", "a czNjcjN0LXRva2, b"] {
        assert_eq!(redactor.redact(text), text);
    }
    let short = knowing("kubernetes1");
    assert_eq!(short.redact("kubernetes, kubernetes1"), "kubernetes, [redacted]");
    let pair = Redactor::default();
    pair.learn_header(&format!("Basic {}", STANDARD.encode("administrator:pass")));
    assert_eq!(pair.redact("administrator of administrator:pass"), "administrator of [redacted]");
}

#[test]
fn secrets_that_overlap_are_hidden_together() {
    let redactor = knowing("abcdefgh");
    redactor.learn("efghijkl");
    assert_eq!(redactor.redact("<abcdefghijkl>"), "<[redacted]>");
    assert_eq!(redactor.redact("abcdefgh,efghijkl"), "[redacted],[redacted]");
    assert_eq!(redactor.redact("abcdefghabcdefgh"), "[redacted]");
}

#[test]
fn a_secret_whose_characters_look_like_escapes_is_hidden() {
    for secret in [r"\\\\\\\\", "%25%25%25", "100%41x", "&amp;&lt;", r"\u0041\u0041", "++++++", "pässwörd"]
    {
        let redactor = knowing(secret);
        for spelling in spellings(secret) {
            assert_eq!(redactor.redact(&format!("<{spelling}>")), "<[redacted]>", "{secret} as {spelling}");
        }
    }
}

proptest! {
    #[test]
    fn any_secret_is_hidden_and_nothing_else(
        secret in "[ -~]{6,40}", before in "[α-ω]{0,5}", after in "[α-ω]{0,5}", way in any::<prop::sample::Index>(),
    ) {
        let redactor = knowing(&secret);
        let ways = spellings(&secret);
        let hidden = redactor.redact(&format!("{before}{}{after}", way.get(&ways)));
        prop_assert_eq!(hidden, format!("{before}[redacted]{after}"));
    }

    #[test]
    fn any_secret_is_hidden_over_several_lines(secret in "[A-Za-z0-9._-]{6,40}", width in 2_usize..20, end in "\r?\n[ \t]{0,3}") {
        let hidden = knowing(&secret).redact(&format!("α{}ω", wrapped(&secret, width, &end)));
        prop_assert_eq!(hidden, "α[redacted]ω");
    }

    #[test]
    fn any_secret_is_hidden_in_base64(secret in "[ -~é]{6,40}", before in "[\x01-\x07]{0,5}", after in "[\x01-\x07]{0,5}") {
        let redactor = knowing(&secret);
        for base64 in [STANDARD, URL_SAFE] {
            let whole = base64.encode(format!("{before}{secret}{after}"));
            let own = 8 * before.len() / 6..(8 * (before.len() + secret.len())).div_ceil(6);
            let expected = format!("{}[redacted]{}", &whole[..own.start], &whole[own.end..]);
            prop_assert_eq!(redactor.redact(&whole), expected);
        }
    }

    #[test]
    fn any_secret_is_hidden_in_base32(secret in "[ -~é]{6,40}", before in "[\x01-\x07]{0,9}", after in "[\x01-\x07]{0,5}") {
        let redactor = knowing(&secret);
        for base32 in [BASE32_NOPAD, BASE32HEX_NOPAD] {
            let whole = base32.encode(format!("{before}{secret}{after}").as_bytes());
            let own = 8 * before.len() / 5..(8 * (before.len() + secret.len())).div_ceil(5);
            let expected = format!("{}[redacted]{}", &whole[..own.start], &whole[own.end..]);
            prop_assert_eq!(redactor.redact(&whole), expected);
        }
    }

    #[test]
    fn any_characters_of_a_secret_may_be_escaped(secret in "[ -~é]{6,40}", before in "[ -~]{0,9}", ways in prop::collection::vec(0_usize..8, 40)) {
        let escaped: String = secret.chars().zip(ways).map(|(char, way)| {
            spellings(&char.to_string()).swap_remove([0, 1, 4, 5, 6, 9, 10, 11][way])
        }).collect();
        let hidden = knowing(&secret).redact(&format!("{before}{escaped}"));
        prop_assert!(hidden.ends_with("[redacted]") && !hidden.contains(&escaped), "{}", hidden);
    }

    #[test]
    fn a_text_without_secrets_stays_as_it_is(text in any::<String>()) {
        let redactor = knowing("s3cr3t-token-that-is-in-no-text");
        prop_assert_eq!(redactor.redact(&text), text);
    }
}
