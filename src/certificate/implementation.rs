//! `implementation.yaml`: what the signer says about the server.

use std::path::Path;

use harness::{parse_yaml, read_input_text};
use reports::certificate::Implementation;

/// Reads the file; refuses one with an empty field.
pub(crate) fn read(path: &Path) -> Result<Implementation, String> {
    let failed = |why: &dyn std::fmt::Display| {
        format!(
            "failed to read the implementation {}: {why}; hint: give organization, project, url, version and contact, as \
             docs/certify.md shows",
            path.display()
        )
    };
    let text = read_input_text(path).map_err(|why| failed(&why))?;
    let implementation: Implementation = parse_yaml(&text).map_err(|why| failed(&why))?;
    let Implementation { organization, project, url, version, contact } = &implementation;
    for (name, value) in
        [("organization", organization), ("project", project), ("url", url), ("version", version)]
    {
        if value.trim().is_empty() {
            return Err(failed(&format!("{name} is empty")));
        }
    }
    if contact.iter().all(|contact| contact.trim().is_empty()) {
        return Err(failed(&"contact is empty"));
    }
    Ok(implementation)
}
