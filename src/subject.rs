//! `--subject` and `--template`: the resource under test, named by the user.

use std::path::Path;

use harness::{SubjectSpec, Template, read_input_text};
use serde_json::Value;

use crate::cli::SubjectArgs;
use crate::output::remark;

/// The subject with its template; `None` if the command line names none.
pub(crate) fn subject(args: &SubjectArgs) -> Result<Option<SubjectSpec>, String> {
    let (Some(given), Some(path)) = (&args.subject, &args.template) else { return Ok(None) };
    let template =
        read(path).map_err(|why| format!("the template {} cannot be used: {why}", path.display()))?;
    if !template.is_marked() {
        remark("the template marks no field with $VALUE: an annotation of each object is changed instead");
    }
    Ok(Some(SubjectSpec { template, ..given.clone() }))
}

fn read(path: &Path) -> Result<Template, String> {
    let text = read_input_text(path).map_err(|why| why.to_string())?;
    let manifest: Value = serde_saphyr::from_str(&text).map_err(|why| first_line(&why.to_string()))?;
    Template::try_from(manifest).map_err(|why| why.to_string())
}

/// The parser's error, without its excerpt of the file.
fn first_line(why: &str) -> String {
    why.lines().next().unwrap_or("it is no YAML").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(text: &str) -> Result<Template, String> {
        let manifest: Value = serde_saphyr::from_str(text).map_err(|why| why.to_string())?;
        Template::try_from(manifest).map_err(|why| why.to_string())
    }

    #[test]
    fn a_template_is_yaml_or_json() {
        let yaml = "apiVersion: example.com/v1\nkind: Widget\nspec:\n  size: 3\n  title: $VALUE\n";
        assert!(template(yaml).unwrap().is_marked());
        assert!(template(r#"{ "spec": { "title": "$VALUE" } }"#).unwrap().is_marked());
        assert!(!template("spec: { size: 3 }").unwrap().is_marked());
        assert!(template("just a text").is_err());
    }
}
