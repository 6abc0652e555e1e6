//! Names on the command line that are those of embedded data, or of the user's TOML files.

use std::path::Path;

use harness::read_input_text;

use crate::suggest::suggest;

/// The length of the longest file, in bytes: its tables take sixty times as much memory.
const LONGEST: usize = 1 << 20;

/// The text of the file with this name, where the program has no `kind` of the name itself, but those that are `known`.
pub(crate) fn toml_text(
    name: &str,
    kind: &str,
    known: impl Iterator<Item = String>,
) -> Result<String, String> {
    if Path::new(name).extension().is_none_or(|extension| extension != "toml") {
        let known: Vec<String> = known.collect();
        let all = format!("hint: give one of {}, or a .toml file", known.join(", "));
        let similar = suggest(name, known.iter().map(String::as_str), &all);
        return Err(format!("there is no {kind} {name:?}; {similar}"));
    }
    read_toml(Path::new(name))
}

/// The text of a TOML file.
pub(crate) fn read_toml(path: &Path) -> Result<String, String> {
    let shown = path.display();
    let text = read_input_text(path).map_err(|why| format!("failed to read {shown}: {why}"))?;
    if text.len() > LONGEST {
        return Err(format!("{shown} cannot be used: it is longer than a megabyte"));
    }
    Ok(text)
}
