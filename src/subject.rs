//! `--subject` and `--template`: the resource under test, named by the user.

use std::path::Path;

use harness::{RunError, SubjectSpec, TargetInfo, Template, TestError, parse_yaml, read_input_text};
use serde_json::Value;

use crate::cli::SubjectArgs;
use crate::output::remark;

/// The subject with its template; `None` if the command line names none.
pub(crate) fn subject(args: &SubjectArgs) -> Result<Option<SubjectSpec>, String> {
    let (Some(given), Some(path)) = (&args.subject, &args.template) else { return Ok(None) };
    let template = read(path).and_then(|template| expect_version(given, &template).map(|()| template));
    let template =
        template.map_err(|why| format!("the template {} cannot be used: {why}", path.display()))?;
    if !template.is_marked() {
        remark("the template marks no field with $VALUE: an annotation of each object is changed instead");
    }
    Ok(Some(SubjectSpec { template, ..given.clone() }))
}

fn read(path: &Path) -> Result<Template, String> {
    let text = read_input_text(path).map_err(|why| why.to_string())?;
    template(&text)
}

fn template(text: &str) -> Result<Template, String> {
    let manifest: Value = parse_yaml(text)?;
    Template::try_from(manifest).map_err(|why| why.to_string())
}

/// Rejects a template of another version: the server would reject every object of it.
fn expect_version(subject: &SubjectSpec, template: &Template) -> Result<(), String> {
    let (version, expected) = (template.manifest()["apiVersion"].as_str(), subject.resource().api_version());
    match version.filter(|version| *version != expected) {
        None => Ok(()),
        Some(version) => Err(format!(
            "its apiVersion is {version}, and that of {} is {expected}; hint: give an object of that type",
            subject.plural
        )),
    }
}

/// Rejects a template of another kind than the server has for the subject.
pub(crate) fn expect_kind(subject: Option<&SubjectSpec>, target_info: &TargetInfo) -> Result<(), RunError> {
    let Some(subject) = subject else { return Ok(()) };
    let version = subject.resource().api_version();
    let mut types = target_info.types.iter();
    let found = types.find(|known| known.api_version == version && known.plural == subject.plural);
    match (found, subject.template.kind()) {
        (Some(found), Some(kind)) if found.kind != kind => {
            let why = format!("its kind is {kind}, and that of {} is {}", subject.plural, found.kind);
            Err(RunError::Template(
                TestError::new("use the template", why).hint("give an object of that type"),
            ))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_yaml_or_json() {
        let yaml = "apiVersion: example.com/v1\nkind: Widget\nspec:\n  size: 3\n  title: $VALUE\n";
        assert!(template(yaml).unwrap().is_marked());
        assert!(template(r#"{ "spec": { "title": "$VALUE" } }"#).unwrap().is_marked());
        assert!(!template("spec: { size: 3 }").unwrap().is_marked());
        assert!(template("just a text").is_err());
    }
}
