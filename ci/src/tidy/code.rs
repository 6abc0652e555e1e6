//! The code of a Rust file: comments, literals and unit tests become spaces, lines keep their numbers.
//!
//! It is not a parser: it distinguishes only the use of a word from its mention.

/// The text with comments, strings and characters replaced by spaces.
pub(crate) fn without_prose(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (length, is_code) = match prose_length(rest) {
            Some(length) => (length, false),
            None if is_word(first) => (word_length(rest), true),
            None => (first.len_utf8(), true),
        };
        let (piece, after) = rest.split_at(length);
        if is_code {
            code.push_str(piece);
        } else {
            blank_into(&mut code, piece);
        }
        rest = after;
    }
    code
}

/// The code without items under `#[cfg(test)]`. It expects code without prose, so that braces match.
pub(crate) fn without_tests(code: &str) -> String {
    const MARK: &str = "#[cfg(test)]";
    let mut product = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(start) = rest.find(MARK) {
        let (before, marked) = rest.split_at(start);
        let (tests, after) = marked.split_at(item_length(marked));
        product.push_str(before);
        blank_into(&mut product, tests);
        rest = after;
    }
    product.push_str(rest);
    product
}

/// Whether a line contains a whole word. `joins` are the characters that continue a word; a word that ends in another
/// character may be followed by any text.
pub(crate) fn contains_word(line: &str, word: &str, joins: fn(char) -> bool) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let (before, behind) = (&line[..at], &line[at + word.len()..]);
        !(before.ends_with(joins) || word.ends_with(joins) && behind.starts_with(joins))
    })
}

/// Whether a character can be part of an identifier.
pub(crate) fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

fn blank_into(code: &mut String, piece: &str) {
    code.extend(piece.chars().map(|character| if character == '\n' { '\n' } else { ' ' }));
}

/// The length of a comment or literal at the start.
fn prose_length(rest: &str) -> Option<usize> {
    if rest.starts_with("//") {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return Some(block_comment_length(rest));
    }
    if rest.starts_with('"') {
        return Some(quoted_length(rest, '"'));
    }
    if rest.starts_with('\'') {
        return character_length(rest);
    }
    raw_string_length(rest)
}

fn block_comment_length(rest: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < rest.len() {
        let remaining = &rest[at..];
        if remaining.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if remaining.starts_with("*/") {
            depth -= 1;
            at += 2;
        } else {
            at += remaining.chars().next().map_or(1, char::len_utf8);
        }
        if depth == 0 {
            return at;
        }
    }
    rest.len()
}

fn quoted_length(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, character) in rest.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if character == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// The length of a character literal; a lifetime is none.
fn character_length(rest: &str) -> Option<usize> {
    let mut after = rest.chars().skip(1);
    let (first, second) = (after.next()?, after.next()?);
    (first == '\\' || second == '\'').then(|| quoted_length(rest, '\''))
}

/// The length of `r"…"`, `br#"…"#` and similar. Words are read whole, so a word that ends in `r` never gets here.
fn raw_string_length(rest: &str) -> Option<usize> {
    let prefix = ["r", "br", "cr"]
        .into_iter()
        .find(|prefix| word_length(rest) == prefix.len() && rest.starts_with(prefix))?;
    let after = &rest[prefix.len()..];
    let hashes = after.len() - after.trim_start_matches('#').len();
    let body = after[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let length = body.find(&end).map_or(body.len(), |at| at + end.len());
    Some(prefix.len() + hashes + 1 + length)
}

fn word_length(rest: &str) -> usize {
    rest.find(|character| !is_word(character)).unwrap_or(rest.len())
}

/// The length of an item, up to its closing brace, or to its semicolon if it has no body.
fn item_length(code: &str) -> usize {
    let mut depth = 0_usize;
    for (at, character) in code.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth <= 1 => return at + 1,
            '}' => depth -= 1,
            ';' if depth == 0 => return at + 1,
            _ => {}
        }
    }
    code.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_become_spaces() {
        let text =
            "a(); // goose\n/* goose /* goose */ goose */ b(\"goose \\\" goose\");\nc('\"', 'x');\nd();\n";

        let code = without_prose(text);

        assert!(!code.contains("goose"), "{code}");
        let lines: Vec<&str> = code.lines().map(str::trim).collect();
        assert_eq!(lines.len(), 4);
        assert!(lines[0] == "a();" && lines[1].starts_with("b(") && lines[3] == "d();", "{code}");
    }

    #[test]
    fn raw_strings_end_with_their_hashes() {
        let code = without_prose("let a = r#\"one \" goose\"#; let b = br\"goose\"; for_r; r#type");

        assert!(!code.contains("goose"), "{code}");
        assert!(code.contains("for_r; r#type"), "{code}");
    }

    #[test]
    fn a_lifetime_is_not_the_start_of_a_character() {
        let code = without_prose("fn f<'a>(x: &'a str) { goose('\\'', x) }");

        assert!(code.contains("&'a str) { goose("), "{code}");
    }

    #[test]
    fn unit_tests_are_removed() {
        let code = "fn a() {}\n#[cfg(test)]\nmod tests {\n fn b() { sleep(); }\n}\nfn c() {}\n";

        let product = without_tests(code);

        assert!(!product.contains("sleep"), "{product}");
        assert!(product.contains("fn a() {}") && product.contains("fn c() {}"), "{product}");
        assert_eq!(product.lines().count(), code.lines().count());
    }

    #[test]
    fn a_test_module_in_another_file_removes_only_its_line() {
        let product = without_tests("#[cfg(test)]\nmod tests;\nfn kept() {}\n");

        assert!(product.contains("fn kept() {}") && !product.contains("mod tests"), "{product}");
    }
}
