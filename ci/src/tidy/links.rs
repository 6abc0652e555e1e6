//! Links between the pages of the repository.

use super::Finding;
use super::tree::Tree;

/// The invariant.
pub(crate) const SENTENCE: &str =
    "every link of a page to a file of the repository, and to a heading in it, has a target";

/// Finds broken links.
pub(crate) fn find(tree: &Tree) -> Vec<Finding> {
    let pages = tree.files().filter(|(path, _)| is_page(path));
    pages.flat_map(|(path, file)| broken(tree, path, &file.text)).collect()
}

fn broken(tree: &Tree, path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, line) in prose(text) {
        for target in targets(line).filter(|target| !exists(tree, path, target)) {
            findings.push(Finding::at(path, number + 1, format!("the link to {target} is broken")));
        }
    }
    findings
}

fn is_page(path: &str) -> bool {
    path.strip_suffix(".md").is_some()
}

/// The lines outside of code blocks, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut code = false;
    text.lines().enumerate().filter(move |(_, line)| {
        let fence = line.trim_start().starts_with("```");
        code ^= fence;
        !code && !fence
    })
}

/// The targets of links. An escaped bracket ends no link text.
fn targets(line: &str) -> impl Iterator<Item = &str> {
    let ends = line.match_indices("](").filter(|(at, _)| !line[..*at].ends_with('\\'));
    ends.filter_map(|(at, end)| line[at + end.len()..].split_once(')')).map(|(target, _)| target)
}

fn exists(tree: &Tree, from: &str, target: &str) -> bool {
    if target.contains("://") {
        return true;
    }
    let (file, heading) = target.split_once('#').unwrap_or((target, ""));
    let path = if file.is_empty() { from.to_owned() } else { beside(from, file) };
    let folder = format!("{path}/");
    match tree.text(&path) {
        Some(text) if is_page(&path) => heading.is_empty() || headings(text).any(|known| known == heading),
        Some(_) => heading.is_empty(),
        None => tree.files().any(|(known, _)| known.starts_with(&folder)),
    }
}

/// The path of a file relative to another file.
fn beside(from: &str, file: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in file.split('/').filter(|part| !part.is_empty() && *part != ".") {
        if part == ".." {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    parts.join("/")
}

/// The anchors of headings on GitHub and GitLab.
fn headings(text: &str) -> impl Iterator<Item = String> {
    let lines = prose(text).filter(|(_, line)| line.starts_with('#'));
    lines.map(|(_, line)| {
        let heading = line.trim_start_matches('#').trim().to_lowercase();
        let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let files = [("docs/a.md", text), ("docs/areas/gone.md", "# gone\n### gone-a\n"), ("LICENSE", "")];
        find(&Tree::of(&files)).iter().map(Finding::to_string).collect()
    }

    #[test]
    fn links_with_a_target_pass() {
        let text =
            "# What is it?\n[a](areas/gone.md#gone-a), [b](../LICENSE), [c](areas), [d](#what-is-it)\n";
        assert_eq!(found(text), [""; 0]);
        assert_eq!(found("[e](https://example.com/#x)\n```\n[not](one)\n```\n\\[a\\](b)"), [""; 0]);
    }

    #[test]
    fn broken_links_are_found() {
        assert_eq!(found("\n[a](areas/go.md)\n"), ["docs/a.md:2: the link to areas/go.md is broken"]);
        assert_eq!(found("[a](areas/gone.md#gone-b) and [b](#c)\n").len(), 2);
        assert_eq!(found("[a](gone.md)\n").len(), 1);
    }
}
