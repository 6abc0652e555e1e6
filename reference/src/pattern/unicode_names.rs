//! The names of sets of Unicode characters in patterns of Go 1.26, which kube-apiserver 1.37 uses.

/// The class of no character.
pub(super) const NOTHING: &str = r"[^\x00-\x{10FFFF}]";

/// The categories, their aliases, and three sets that are no category; in lower case, without underscores.
const CATEGORIES: &str = "\
    any ascii assigned c casedletter cc cf closepunctuation cn cntrl co combiningmark connectorpunctuation control \
    cs currencysymbol dashpunctuation decimalnumber digit enclosingmark finalpunctuation format initialpunctuation l \
    lc letter letternumber lineseparator ll lm lo lowercaseletter lt lu m mark mathsymbol mc me mn modifierletter \
    modifiersymbol n nd nl no nonspacingmark number openpunctuation other otherletter othernumber otherpunctuation \
    othersymbol p paragraphseparator pc pd pe pf pi po privateuse ps punct punctuation s sc separator sk sm so \
    spaceseparator spacingmark surrogate symbol titlecaseletter unassigned uppercaseletter z zl zp zs";

/// The scripts, in the same form. Go 1.25 and 1.26 refuse those of several words by mistake; older versions accept them.
const SCRIPTS: &str = "\
    adlam ahom anatolianhieroglyphs arabic armenian avestan balinese bamum bassavah batak bengali bhaiksuki bopomofo \
    brahmi braille buginese buhid canadianaboriginal carian caucasianalbanian chakma cham cherokee chorasmian common \
    coptic cuneiform cypriot cyprominoan cyrillic deseret devanagari divesakuru dogra duployan egyptianhieroglyphs \
    elbasan elymaic ethiopic georgian glagolitic gothic grantha greek gujarati gunjalagondi gurmukhi han hangul \
    hanifirohingya hanunoo hatran hebrew hiragana imperialaramaic inherited inscriptionalpahlavi \
    inscriptionalparthian javanese kaithi kannada katakana kawi kayahli kharoshthi khitansmallscript khmer khojki \
    khudawadi lao latin lepcha limbu lineara linearb lisu lycian lydian mahajani makasar malayalam mandaic \
    manichaean marchen masaramgondi medefaidrin meeteimayek mendekikakui meroiticcursive meroitichieroglyphs miao \
    modi mongolian mro multani myanmar nabataean nagmundari nandinagari newa newtailue nko nushu \
    nyiakengpuachuehmong ogham olchiki oldhungarian olditalic oldnortharabian oldpermic oldpersian oldsogdian \
    oldsoutharabian oldturkic olduyghur oriya osage osmanya pahawhhmong palmyrene paucinhau phagspa phoenician \
    psalterpahlavi rejang runic samaritan saurashtra sharada shavian siddham signwriting sinhala sogdian sorasompeng \
    soyombo sundanese sylotinagri syriac tagalog tagbanwa taile taitham taiviet takri tamil tangsa tangut telugu \
    thaana thai tibetan tifinagh tirhuta toto ugaritic vai vithkuqi wancho warangciti yezidi yi zanabazarsquare";

/// The characters of a name such as `Lu` or `Greek`, in the syntax of Rust; `None` for an unknown name.
pub(super) fn characters(name: &str, is_negated: bool) -> Option<String> {
    let letters = name.chars().filter(|character| !matches!(character, ' ' | '_' | '-'));
    let key: String = letters.map(|letter| letter.to_ascii_lowercase()).collect();
    let is_in = |names: &str| names.split_whitespace().any(|name| name == key);
    let property = match key.as_str() {
        // Rust has no such class: no text has half a surrogate pair.
        "cs" | "surrogate" if is_negated => return Some(format!("[^{NOTHING}]")),
        "cs" | "surrogate" => return Some(NOTHING.to_owned()),
        _ if is_in(CATEGORIES) => "gc",
        _ if is_in(SCRIPTS) => "sc",
        _ => return None,
    };
    let class = if is_negated { 'P' } else { 'p' };
    Some(format!(r"\{class}{{{property}={key}}}"))
}

#[cfg(test)]
mod tests {
    use regex::Regex;

    use super::*;

    #[test]
    fn rust_knows_every_name() {
        for name in CATEGORIES.split_whitespace().chain(SCRIPTS.split_whitespace()) {
            for is_negated in [false, true] {
                let class = characters(name, is_negated).unwrap();
                Regex::new(&class).unwrap_or_else(|error| panic!("{class}: {error}"));
            }
        }
    }

    #[test]
    fn a_name_may_have_any_case_and_underscores() {
        assert_eq!(characters("Lowercase_LETTER", false).unwrap(), r"\p{gc=lowercaseletter}");
        assert_eq!(characters("greek", true).unwrap(), r"\P{sc=greek}");
        for unknown in ["", "X", "Latn", "IsLatin", "gc=L", "Lower", "any assigned"] {
            assert_eq!(characters(unknown, false), None, "{unknown}");
        }
    }
}
