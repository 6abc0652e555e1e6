//! Templates of release files: `{{name}}` stands for a value.

use crate::task_error::TaskError;

/// Replaces every name. A name without a value is an error, and so is a value that the template does not use.
pub(super) fn fill(text: &str, values: &[(String, String)]) -> Result<String, TaskError> {
    let mut filled = text.to_owned();
    for (name, value) in values {
        let mark = format!("{{{{{name}}}}}");
        if !filled.contains(&mark) {
            return Err(TaskError::new(format!("failed to fill a template: it does not have {mark}")));
        }
        filled = filled.replace(&mark, value);
    }
    match filled.split_once("{{") {
        None => Ok(filled),
        Some((_, rest)) => {
            let name = rest.split("}}").next().unwrap_or_default();
            Err(TaskError::new(format!("failed to fill a template: {name} has no value")))
        }
    }
}

/// Replaces a line's image, which a checkout calls `kube-assay`, by the published one.
pub(super) fn with_image(text: &str, image: &str) -> Result<String, TaskError> {
    const LOCAL: &str = "image: kube-assay\n";
    if !text.contains(LOCAL) {
        return Err(TaskError::new("failed to name the image: the manifest has no `image: kube-assay`"));
    }
    Ok(text.replace(LOCAL, &format!("image: {image}\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(text: &str, names: &[&str]) -> Result<String, String> {
        let values: Vec<_> = names.iter().map(|name| ((*name).to_owned(), "1".to_owned())).collect();
        fill(text, &values).map_err(|task_error| task_error.to_string())
    }

    #[test]
    fn every_name_has_a_value_and_every_value_a_name() {
        assert_eq!(filled("{{a}} b {{a}}", &["a"]), Ok("1 b 1".into()));
        assert_eq!(filled("{{a}} {{b}}", &["a"]), Err("failed to fill a template: b has no value".into()));
        assert!(filled("a", &["a"]).is_err());
    }

    #[test]
    fn a_manifest_without_an_image_is_an_error() {
        let filled = with_image("- image: kube-assay\n", "there/kube-assay:1");
        assert_eq!(filled.expect("an image"), "- image: there/kube-assay:1\n");
        assert!(with_image("image: other\n", "there/kube-assay:1").is_err());
    }
}
