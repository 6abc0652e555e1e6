//! Suggestions for unknown names.

use std::cmp::Reverse;

/// The maximum number of suggestions.
const MOST: usize = 5;

/// The item with this name, of a kind that `kube-assay list` prints.
pub(crate) fn find<T>(
    kind: &str,
    wanted: &str,
    things: impl Iterator<Item = T>,
    name: impl Fn(&T) -> &'static str,
) -> Result<T, String> {
    let mut things: Vec<T> = things.collect();
    if let Some(at) = things.iter().position(|thing| name(thing) == wanted) {
        return Ok(things.swap_remove(at));
    }
    let all = format!("`kube-assay list {kind}s` shows all");
    Err(format!("there is no {kind} {wanted:?}; {}", suggest(wanted, things.iter().map(name), &all)))
}

/// Names that resemble an unknown one, or else the command that lists all names.
pub(crate) fn suggest<'a>(wrong: &str, known: impl Iterator<Item = &'a str>, all: &str) -> String {
    let known: Vec<&str> = known.collect();
    let mut near: Vec<&str> = known.iter().copied().filter(|known| near(wrong, known)).collect();
    if near.is_empty() {
        near = by_prefix(wrong, &known);
    }
    // A user who stops in the middle of a name wants those that begin alike.
    near.sort_by_key(|known| Reverse(shared_beginning(wrong, known)));
    near.dedup();
    near.truncate(MOST);
    match near.as_slice() {
        [] => all.to_owned(),
        near => format!("did you mean {}?", near.join(" or ")),
    }
}

/// The number of letters that two names begin with.
fn shared_beginning(one: &str, other: &str) -> usize {
    one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count()
}

/// The names that share the most words with the beginning of an unknown one.
fn by_prefix<'a>(wrong: &str, known: &[&'a str]) -> Vec<&'a str> {
    let mut prefix = wrong;
    while let Some((shorter, _)) = prefix.rsplit_once('-') {
        prefix = shorter;
        let sharing = known.iter().copied().filter(|known| known.starts_with(&format!("{prefix}-")));
        let sharing: Vec<&str> = sharing.collect();
        if !sharing.is_empty() {
            return sharing;
        }
    }
    Vec::new()
}

/// Whether a name contains another one, or differs from it in a few letters or in one word.
fn near(wrong: &str, known: &str) -> bool {
    let words: Vec<&str> = wrong.split('-').collect();
    let there = words.iter().filter(|word| known.split('-').any(|other| other == **word)).count();
    let letters = 1 + wrong.len() / 8;
    (wrong.len() > 2 && known.contains(wrong))
        || there + 1 >= words.len().max(3)
        || (wrong.len().abs_diff(known.len()) <= letters && distance(wrong, known) <= letters)
}

/// The number of changed, added or omitted letters.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (above, letter) in one.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], above + 1);
        for (at, same) in other.iter().map(|known| *known == letter).enumerate() {
            let changed = diagonal + usize::from(!same);
            diagonal = row[at + 1];
            row[at + 1] = changed.min(row[at] + 1).min(diagonal + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistyped_id_finds_its_neighbours() {
        assert!(near("rv-list-exact-nolimit-nonzro", "rv-list-exact-nolimit-nonzero"));
        assert!(near("exact", "rv-list-exact-nolimit-nonzero"));
        assert!(near("helth", "health"));
        assert!(!near("nonsense", "rv-is-string"));
        assert!(!near("", "health"));
    }

    #[test]
    fn the_beginning_of_a_name_is_enough() {
        let known = ["gone-rv-list", "rv-list-exact", "rv-watch-any", "health"];
        let suggested = |wrong| suggest(wrong, known.into_iter(), "all");
        assert_eq!(suggested("rv-list"), "did you mean rv-list-exact or gone-rv-list?");
        assert_eq!(suggested("rv-nonsense-of-mine"), "did you mean rv-list-exact or rv-watch-any?");
        assert_eq!(suggested("nonsense-rv"), "all");
    }

    #[test]
    fn a_distance_counts_letters() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
