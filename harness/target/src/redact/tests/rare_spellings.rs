//! Spellings that few programs write.

use super::*;

const TOKEN: &str = "s3cr3t-token";

/// A token of whole blocks, and some text before it, so that it begins at each place of a block.
const LONG_TOKEN: &str = "s3cr3t-token_of.24-bytes";

/// The bytes of the token, written so and joined.
fn joined(written: impl Fn(u8) -> String, separator: &str) -> String {
    TOKEN.bytes().map(written).collect::<Vec<_>>().join(separator)
}

#[test]
fn a_token_in_digits_of_other_bases_is_hidden() {
    let redactor = knowing(TOKEN);
    for separator in ["", " ", ", ", ".", "-", "\n", "_"] {
        for text in [
            joined(|byte| format!("{byte:02x}"), separator),
            joined(|byte| format!("{byte:03}"), separator),
            joined(|byte| format!("{byte:03o}"), separator),
            joined(|byte| format!("{byte:08b}"), separator),
            joined(|byte| format!("{byte:07b}"), separator),
            joined(|byte| format!("{byte:o}"), separator),
            joined(|byte| format!("{byte:#o}"), separator),
            joined(|byte| format!("{byte:#b}"), separator),
        ] {
            assert_eq!(redactor.redact(&format!("({text})")), "([redacted])", "{text}");
        }
    }
}

#[test]
fn a_token_whose_characters_are_items_of_a_list_is_hidden() {
    let redactor = knowing(TOKEN);
    for (before, after, separator) in [
        ("'", "'", ","),
        ("'", "'", ", "),
        ("\"", "\"", ", "),
        ("\"", "\"", " + "),
        ("\"", "\"", ",\n      "),
        (r#"\""#, r#"\""#, ", "),
        ("('", "')", ""),
        (r#"[""#, r#""]"#, ","),
    ] {
        let list = joined(|byte| format!("{before}{}{after}", char::from(byte)), separator);
        assert_eq!(redactor.redact(&list), format!("{before}[redacted]{after}"), "{list}");
        let numbers = joined(|byte| format!("{before}{byte}{after}"), separator);
        assert_eq!(redactor.redact(&numbers), format!("{before}[redacted]{after}"), "{numbers}");
    }
    let calls = joined(|byte| format!("chr({byte})"), "+");
    assert_eq!(redactor.redact(&calls), "chr([redacted])");
    let object: Vec<String> =
        TOKEN.chars().enumerate().map(|(index, char)| format!("\"{index}\":\"{char}\"")).collect();
    assert_eq!(redactor.redact(&format!("{{{}}}", object.join(","))), r#"{"0":"[redacted]"}"#);
}

#[test]
fn a_token_with_a_separator_behind_each_character_is_hidden() {
    let redactor = knowing(TOKEN);
    for separator in [" ", ".", "-", "_", ",", ", ", ":", "|", "*", "\n"] {
        let apart = joined(|byte| char::from(byte).to_string(), separator);
        assert_eq!(redactor.redact(&format!("({apart})")), "([redacted])", "{apart}");
    }
}

#[test]
fn a_token_in_escapes_of_css_and_utf7_is_hidden() {
    let redactor = knowing(TOKEN);
    for text in [
        joined(|byte| format!(r"\{byte:x}"), ""),
        joined(|byte| format!(r"\{byte:x}"), " "),
        joined(|byte| format!(r"\{byte:06x}"), ""),
        joined(|byte| format!(r"\\{byte:x} "), ""),
        "s3cr3t+AC0-token".to_owned(),
        "+AHM-3cr3t&AC0-token".to_owned(),
    ] {
        assert_eq!(redactor.redact(&format!("({text})")), "([redacted])", "{text}");
    }
}

/// As Python's `base64` and `binascii` write them; base85 of `ZeroMQ` with the same values.
#[test]
fn a_token_in_base85_and_uuencode_is_hidden() {
    let redactor = knowing(LONG_TOKEN);
    for encoded in [
        r"F#.<H1NY3jDeip%?Z0O/1,LRlH$!V=+X$",
        r"b2DRdGjuI<Z);_4UvFkEGBhn>d30rSAt3",
        r"B2drDgJUi<z!&{4uVfKegbHN(D30RsaT3",
        r"@<457E\hehFDkr+DI7<o/i#78@X3',F!2\",
        r"VRJKMax-)-bZ={AZeMR^E;2MNVtI6Bb0Hx",
        r"vrjkmAX?!?Bz>@azEmr]e&2mnvTi6bB0hX",
        r#"@:F:6@raAI/TboHAStjnAhGhq/Rj!IATK"<"#,
        r"VPbPLV{$WeEp%^dWo}<@W-c-`En<0eWpg1R",
        r"vpBplv@:wEeP+]DwO$<[w?C?}eN<0EwPG1r",
        r"@:E_f1LkG]F=hTQCLqBjDe:UW1bE0^FCfM:+T",
        r"VPa!*Gh=cybS-pmYh`X<Z)PqsG%aFzbY*iPAp",
        r"vpA./gH>CYBs?PMyH}x<z!pQSg+AfZBy/IpaP",
        r":<S-C<C-T+71O:V5N7V]F+C(T+6)Y=&5S(2$ ",
        r#";87,S8W(S="UT;VME;E]O9BXR-"UB>71E<R$A"#,
        r"<86)S,V-R,W0M=&]K96Y?;V8N,C0M8GET97,A(0``",
    ] {
        for written in [encoded.to_owned(), Value::from(encoded).to_string()] {
            let redacted = redactor.redact(&written);
            // What is left has up to five bytes of each end, and what shares their blocks.
            let rest = redacted.replacen("[redacted]", "", 1);
            assert!(rest.len() < redacted.len() && rest.len() <= 20, "{written}: {redacted}");
        }
    }
}

#[test]
fn a_token_in_several_lines_of_uuencode_is_hidden() {
    let redactor = knowing("Qv7zN4xKpW1mTd9s.c5Yb8HgR-xJ2uLfE6oVrZqA3kSwBtD0yGhXnMiPCUea");
    let lines = "M478W>DXT>$MP5S%M5&0Y<RYC-5EB.$AG4BUX2C)U3&9%-F]6<EIQ03-K4W=\"\n/=$0P>4=H6&Y-:5!#565A";
    assert_eq!(redactor.redact(lines), "M[redacted]");
    assert_eq!(redactor.redact(&lines.replace('\n', r"\n")), "M[redacted]");
}

#[test]
fn a_token_as_one_number_is_hidden() {
    let redactor = knowing(LONG_TOKEN);
    for number in [
        "BW8GbR9o7bdGNyPHJWPEiD9XGxQtgK6LJ",
        "1F3kjosYVULWZCGKowpvqLrdWUcwMCdu7",
        "BPDuty2ifeVgjMQUy6z50V1ngem6WMn4H",
        "1f3KJOSyvulwzcgkOWPVQlRDwuCWmcDU7",
    ] {
        assert_eq!(redactor.redact(&format!("({number})")), "([redacted])");
    }
}

#[test]
fn a_token_backwards_or_in_rot13_is_hidden() {
    let redactor = knowing(LONG_TOKEN);
    for text in ["setyb-42.fo_nekot-t3rc3s", "f3pe3g-gbxra_bs.24-olgrf"] {
        assert_eq!(redactor.redact(&format!("({text})")), "([redacted])");
    }
}

#[test]
fn a_token_in_utf32_is_hidden() {
    let redactor = knowing(TOKEN);
    let utf32: Vec<u8> = TOKEN.chars().flat_map(|char| u32::from(char).to_be_bytes()).collect();
    let hex: String = utf32.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat();
    assert_eq!(redactor.redact(&hex), "000000[redacted]");
    assert_eq!(redactor.redact(&STANDARD.encode(&utf32)), "AAAA[redacted]");
    let text: String = utf32.iter().copied().map(char::from).collect();
    assert_eq!(redactor.redact(&text), "\0\0\0[redacted]");
}

#[test]
fn a_text_that_looks_like_a_rare_spelling_stays() {
    let redactor = knowing(LONG_TOKEN);
    for text in [
        r#"{"a":"b","c":"d","e":["f","g"],"h":1,"i":"s","j":"3","k":"c","l":"r","m":"3"}"#,
        "01110011 01110010 00000000 11111111",
        "163 162 000 377, 10.0.0.1, 00:00:00, a.b.c.d.e.f.g",
        r"\73\74\75\76\77\78 +AHM-+AHM- chr(115)+chr(116)+chr(117)+chr(118)+chr(119)+chr(120)",
    ] {
        assert_eq!(redactor.redact(text), text);
    }
}
