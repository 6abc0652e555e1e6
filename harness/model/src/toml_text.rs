//! Parses the text of TOML files; an error names the line.

use serde::de::DeserializeOwned;

/// Parses a text. `Err` reads `line 7: unknown field …`.
pub fn parse_toml<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    toml::from_str(text).map_err(|why| {
        let line = why.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
        format!("line {line}: {}", why.message())
    })
}
