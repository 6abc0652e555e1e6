//! Suggestions for unknown names.

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
    let mut near: Vec<&str> = known.filter(|known| near(wrong, known)).collect();
    near.dedup();
    near.truncate(MOST);
    match near.as_slice() {
        [] => all.to_owned(),
        near => format!("did you mean {}?", near.join(" or ")),
    }
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
    fn a_distance_counts_letters() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
