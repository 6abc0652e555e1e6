//! The errors and matches here are those of Go 1.26.

use regex::Regex;

use super::*;

fn message(pattern: &str) -> String {
    translate(pattern).unwrap_err().to_string()
}

#[test]
fn patterns_have_the_errors_of_go() {
    let errors = [
        ("(", "missing closing ): `(`"),
        ("a)b", "unexpected ): `a)b`"),
        ("[z-a]", "invalid character class range: `z-a`"),
        ("[a--b]", "invalid character class range: `a--`"),
        ("[[:foo:]]", "invalid character class range: `[:foo:]`"),
        ("[[:alpha:]", "missing closing ]: `[[:alpha:]`"),
        ("[a", "missing closing ]: `[a`"),
        (r"[a-\d]", r"invalid escape sequence: `\d`"),
        (r"[\b]", r"invalid escape sequence: `\b`"),
        ("a**", "invalid nested repetition operator: `**`"),
        ("a*??", "invalid nested repetition operator: `*??`"),
        ("a{2}?{3}", "invalid nested repetition operator: `{2}?{3}`"),
        ("*", "missing argument to repetition operator: `*`"),
        ("a|*?", "missing argument to repetition operator: `*?`"),
        ("(*)", "missing argument to repetition operator: `*`"),
        ("{2}", "missing argument to repetition operator: `{2}`"),
        (r"\Q\E*", "missing argument to repetition operator: `*`"),
        ("a{1001}", "invalid repeat count: `{1001}`"),
        ("a{2,1}", "invalid repeat count: `{2,1}`"),
        ("a{99999999999}", "invalid repeat count: `{99999999999}`"),
        ("(a{100}){100}", "invalid repeat count: `{100}`"),
        ("(?=x)", "invalid or unsupported Perl syntax: `(?=`"),
        ("(?P=n)", "invalid or unsupported Perl syntax: `(?P`"),
        ("(?i-)", "invalid or unsupported Perl syntax: `(?i-)`"),
        ("(?x)a", "invalid or unsupported Perl syntax: `(?x`"),
        ("(?", "invalid or unsupported Perl syntax: `(?`"),
        ("(?<n", "invalid named capture: `(?<n`"),
        ("(?P<a b>x)", "invalid named capture: `(?P<a b>`"),
        (r"\", "trailing backslash at end of expression: ``"),
        (r"\1", r"invalid escape sequence: `\1`"),
        (r"\Z", r"invalid escape sequence: `\Z`"),
        (r"\C", r"invalid escape sequence: `\C`"),
        (r"\é", r"invalid escape sequence: `\é`"),
        (r"\x{110000}", r"invalid escape sequence: `\x{110000`"),
        (r"\xZZ", r"invalid escape sequence: `\xZZ`"),
        (r"\pX", r"invalid character class range: `\pX`"),
        (r"[\p{Foo", r"invalid character class range: `\p{Foo`"),
        (r"\p{Latn}", r"invalid character class range: `\p{Latn}`"),
    ];
    for (pattern, error) in errors {
        assert_eq!(message(pattern), format!("error parsing regexp: {error}"), "{pattern}");
    }
}

#[test]
fn patterns_match_as_in_go() {
    let matches = [
        (r"^\d$", "5", true),
        (r"^\d$", "٣", false),
        (r"^\D$", "٣", true),
        (r"^[\w-]$", "é", false),
        (r"^\W$", "é", true),
        (r"^\s$", "\u{a0}", false),
        (r"^\s$", "\u{b}", false),
        (r"^[[:space:]]$", "\u{b}", true),
        (r"a\b", "aé", true),
        (r"a\Bé", "aé", false),
        (r"^(?i)\w$", "\u{17f}", true),
        (r"^(?i)\W$", "\u{17f}", false),
        ("^.$", "é", true),
        ("^.$", "\n", false),
        ("(?s)^.$", "\n", true),
        ("^a$", "a\n", false),
        ("(?m)^a$", "a\nb", true),
        (r"a\z", "a\n", false),
        ("^(?i:a)b$", "Ab", true),
        ("^(?i:a)b$", "AB", false),
        ("^((?i)a)b$", "AB", false),
        ("^(?i)a(?-i)b$", "AB", false),
        ("^(?i)[^k]$", "\u{212a}", false),
        ("^(?<n>x)(?P<n>y)$", "xy", true),
        (r"^\Qa.b\E+$", "a.bb", true),
        (r"^\Qa.b\E+$", "axb", false),
        ("^a{,2}$", "a{,2}", true),
        ("^a{01}$", "a{01}", true),
        (r"^\b{start}$", "{start}", false),
        ("^a(?i)*$", "aaa", true),
        ("^a*(?i)?$", "aa", true),
        ("^(a{100}){10}$", "a", false),
        ("^(a{100}){0}$", "", true),
        ("^*a$", "a", true),
        (r"^\12\x41\x{42}\_\<$", "\nAB_<", true),
        ("^[[a]$", "[", true),
        ("^[a&&b]$", "&", true),
        ("^[a~~b]$", "~", true),
        ("^[]a]$", "]", true),
        ("^[^]a]$", "]", false),
        ("^[a-]$", "-", true),
        (r"^[\d-z]$", "-", true),
        (r"^[^\x00-\x{10FFFF}]$", "a", false),
        (r"^[\x{D800}-\x{E000}]$", "\u{e000}", true),
        (r"^\x{D800}$", "\u{fffe}", false),
        (r"^[^\x{D800}]$", "a", true),
        (r"^\pL\p{Greek}\P{^Lu}$", "aαA", true),
        (r"^\P{Cs}$", "a", true),
        ("", "a", true),
        ("^a||b$", "x", true),
        ("^()*$", "", true),
    ];
    for (pattern, text, is_match) in matches {
        let translated = translate(pattern).unwrap_or_else(|error| panic!("{pattern}: {error}"));
        let regex = Regex::new(&translated).unwrap_or_else(|error| panic!("{pattern}: {error}"));
        assert_eq!(regex.is_match(text), is_match, "{pattern} on {text:?}, as {translated}");
    }
}

#[test]
fn repetitions_are_lazy_as_in_go() {
    let found = |pattern| {
        let regex = Regex::new(&translate(pattern).unwrap()).unwrap();
        regex.find("aaa").unwrap().as_str().to_owned()
    };
    assert_eq!(found("a+"), "aaa");
    assert_eq!(found("a+?"), "a");
    assert_eq!(found("(?U)a+"), "a");
    assert_eq!(found("(?U)a+?"), "aaa");
    assert_eq!(found("a?(?i)?"), "a");
}
