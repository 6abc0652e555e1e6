//! The names of built-in versions.

use super::listed::{self, groups};
use crate::openapi;
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    table(NAMES, Kinds::Own, names).into_iter().map(Row::read_only).collect()
}

/// Which names a clause concerns, and the form that they must have.
#[derive(Clone, Copy)]
struct Rule {
    concerns: fn(&str) -> bool,
    form: Form,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Alpha,
    Beta,
    Stable,
    Any,
}

#[rustfmt::skip]
const NAMES: &[(&str, Rule)] = &[
    ("discovery-stability-by-version-name", Rule { concerns: |_| true,                        form: Form::Any }),
    ("discovery-alpha-name",                Rule { concerns: |name| name.contains("alpha"),   form: Form::Alpha }),
    ("discovery-beta-name",                 Rule { concerns: |name| name.contains("beta"),    form: Form::Beta }),
    ("discovery-stable-name",               Rule { concerns: |name| !name.contains("alpha") && !name.contains("beta"), form: Form::Stable }),
];

/// The form of a version's name; `None` for `v1.0`, `v1-rc1` and the like.
fn form(version: &str) -> Option<Form> {
    let number =
        |text: &str| !text.is_empty() && !text.starts_with('0') && text.bytes().all(|b| b.is_ascii_digit());
    let rest = version.strip_prefix('v')?;
    for (word, form) in [("alpha", Form::Alpha), ("beta", Form::Beta)] {
        if rest.split_once(word).is_some_and(|(major, minor)| number(major) && number(minor)) {
            return Some(form);
        }
    }
    number(rest).then_some(Form::Stable)
}

/// The names of all built-in versions have the form of one of the three tracks.
pub(crate) async fn expect_tracks(cx: Context) -> Checked {
    names(cx, Rule { concerns: |_| true, form: Form::Any }).await
}

async fn names(cx: Context, rule: Rule) -> Checked {
    let versions = built_in(&cx).await?;
    let concerned: Vec<_> = versions.iter().filter(|(_, _, version)| (rule.concerns)(version)).collect();
    if concerned.is_empty() {
        cx.note(format!("none of the {} built-in versions has a name of this form", versions.len()));
    }
    for (listed, group, version) in concerned {
        let actual = form(version);
        let right = actual == Some(rule.form) || (rule.form == Form::Any && actual.is_some());
        let expected = match rule.form {
            Form::Alpha => "v1alpha1",
            Form::Beta => "v1beta1",
            Form::Stable => "v1",
            Form::Any => "v1, v1beta1 or v1alpha1",
        };
        let group = if group.is_empty() { "the core group" } else { group };
        listed.expect(right, format!("a version of {group} with a name like {expected}"), version)?;
    }
    Ok(())
}

/// The built-in versions: the document that lists each, its group and its name.
pub(crate) async fn built_in(cx: &Context) -> Result<Vec<(Arc<Exchange>, String, String)>, Halt> {
    let scope = listed::Scope::new(cx, None).await?;
    let custom = openapi::custom_groups(cx).await?;
    let named = cx.send(Request::get("/apis")).await?;
    let mut versions = Vec::new();
    if cx.target_info().serves("") {
        let core = cx.send(Request::get("/api")).await?;
        let names = core.json().into_iter().flat_map(|json| listed::each(json, "versions"));
        let names: Vec<_> = names.filter_map(Value::as_str).map(str::to_owned).collect();
        versions.extend(names.into_iter().map(|name| (core.clone(), String::new(), name)));
    }
    for group in groups(&named) {
        let name = listed::text(group, "name");
        if openapi::is_of_the_project(name) && !custom.contains(name) {
            let own = listed::versions(group).filter(|version| scope.includes(name, version));
            versions.extend(own.map(|version| (named.clone(), name.to_owned(), version.to_owned())));
        }
    }
    Halt::skip_unless(!versions.is_empty(), "this server serves no built-in group")?;
    Ok(versions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_has_the_form_of_its_stability() {
        for (version, expected) in [
            ("v1", Some(Form::Stable)),
            ("v12", Some(Form::Stable)),
            ("v2beta3", Some(Form::Beta)),
            ("v1alpha1", Some(Form::Alpha)),
        ] {
            assert_eq!(form(version), expected, "{version}");
        }
        for version in
            ["", "v", "v0", "1", "v1.0", "v1-rc1", "v1beta", "vbeta1", "1alpha1", "v1-alpha1", "v1beta01"]
        {
            assert_eq!(form(version), None, "{version}");
        }
    }
}
