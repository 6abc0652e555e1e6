//! The selection of a watch, so that a client knows its objects.

/// A selection of objects. A client cannot judge conditions other than labels, name and namespace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selector {
    needs: Vec<Need>,
    by_labels: bool,
    unclear: bool,
}

/// One condition. An absent value is in no set.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Need {
    of: Of,
    /// `None` for any value.
    values: Option<Vec<String>>,
    /// Whether the value must be in the set, or must not.
    wanted: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Of {
    Label(String),
    Name,
    Namespace,
}

impl Selector {
    /// Adds a label selector.
    pub fn labels(mut self, text: &str) -> Self {
        for requirement in split_requirements(text) {
            self.by_labels = true;
            match parse_label(requirement) {
                Some(need) => self.needs.push(need),
                None => self.unclear = true,
            }
        }
        self
    }

    /// Adds a field selector.
    pub fn fields(mut self, text: &str) -> Self {
        for requirement in split_requirements(text) {
            match parse_field(requirement) {
                Some(need) => self.needs.push(need),
                None => self.unclear = true,
            }
        }
        self
    }

    /// Adds a namespace, as a path does.
    pub fn namespace(mut self, namespace: &str) -> Self {
        self.needs.push(Need::equal(Of::Namespace, namespace, true));
        self
    }

    /// Adds a name, as a path does.
    pub fn name(mut self, name: &str) -> Self {
        self.needs.push(Need::equal(Of::Name, name, true));
        self
    }

    /// Adds a condition that a client cannot judge.
    pub fn unclear(mut self) -> Self {
        self.unclear = true;
        self
    }

    /// Whether it selects an object; `None` if that is unknown.
    pub fn selects<'a>(
        &self,
        namespace: &str,
        name: &str,
        label: impl Fn(&str) -> Option<&'a str>,
    ) -> Option<bool> {
        let holds = |need: &Need| {
            let value = match &need.of {
                Of::Label(key) => label(key),
                Of::Name => Some(name),
                Of::Namespace => Some(namespace),
            };
            let found = value.is_some_and(|value| need.has(value));
            found == need.wanted
        };
        if !self.needs.iter().all(holds) {
            return Some(false);
        }
        (!self.unclear).then_some(true)
    }

    /// Whether an existing object can enter or leave it.
    pub fn can_change(&self) -> bool {
        self.by_labels || self.unclear
    }
}

impl Need {
    fn equal(of: Of, value: &str, wanted: bool) -> Self {
        Self { of, values: Some(vec![value.to_owned()]), wanted }
    }

    fn has(&self, value: &str) -> bool {
        self.values.as_ref().is_none_or(|values| values.iter().any(|known| known == value))
    }
}

/// The parts between commas outside of parentheses.
fn split_requirements(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    let parts = text.split(move |letter| {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        letter == ',' && depth == 0
    });
    parts.map(str::trim).filter(|part| !part.is_empty())
}

fn parse_label(text: &str) -> Option<Need> {
    if let Some((of, value, wanted)) = parse_equality(text) {
        return Some(Need::equal(Of::Label(of.to_owned()), value, wanted));
    }
    if let Some(set) = text.strip_suffix(')') {
        let (left, values) = set.split_once('(')?;
        let (key, operator) = left.trim().split_once(char::is_whitespace)?;
        let wanted = match operator.trim() {
            "in" => true,
            "notin" => false,
            _ => return None,
        };
        let values = values.split(',').map(|value| value.trim().to_owned()).collect();
        return Some(Need { of: Of::Label(key.to_owned()), values: Some(values), wanted });
    }
    let (key, wanted) = text.strip_prefix('!').map_or((text, true), |key| (key.trim(), false));
    let plain = !key.is_empty() && !key.contains([' ', '<', '>', '!', '=']);
    plain.then(|| Need { of: Of::Label(key.to_owned()), values: None, wanted })
}

fn parse_field(text: &str) -> Option<Need> {
    let (field, value, wanted) = parse_equality(text)?;
    let of = match field {
        "metadata.name" => Of::Name,
        "metadata.namespace" => Of::Namespace,
        _ => return None,
    };
    (!value.contains('\\')).then(|| Need::equal(of, value, wanted))
}

/// `a=b`, `a==b` or `a!=b`.
fn parse_equality(text: &str) -> Option<(&str, &str, bool)> {
    let (left, right) = text.split_once('=')?;
    let value = right.strip_prefix('=').unwrap_or(right).trim();
    match left.strip_suffix('!') {
        Some(key) => Some((key.trim(), value, false)),
        None => Some((left.trim(), value, true)),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    fn selects(selector: &Selector, labels: &[(&str, &'static str)]) -> Option<bool> {
        selector.selects("ns", "a", |key| labels.iter().find(|(known, _)| *known == key).map(|pair| pair.1))
    }

    #[test]
    fn a_label_selector_selects_by_its_operators() {
        let rows = [
            ("colour=red", true, false, false),
            ("colour == red", true, false, false),
            ("colour!=red", false, true, true),
            ("colour in (red, blue)", true, true, false),
            ("colour notin (red,green)", false, true, true),
            ("colour", true, true, false),
            ("!colour", false, false, true),
            ("colour=red,!colour", false, false, false),
            ("", true, true, true),
        ];
        for (text, red, blue, none) in rows {
            let selector = Selector::default().labels(text);
            let found =
                [&[("colour", "red")][..], &[("colour", "blue")], &[]].map(|one| selects(&selector, one));
            assert_eq!(found, [Some(red), Some(blue), Some(none)], "{text}");
        }
    }

    #[test]
    fn an_unknown_condition_is_not_guessed() {
        for selector in [
            Selector::default().labels("size>3"),
            Selector::default().fields("spec.nodeName=x"),
            Selector::default().unclear(),
        ] {
            assert_eq!(selects(&selector, &[]), None, "{selector:?}");
            assert_eq!(selects(&selector.name("other"), &[]), Some(false));
        }
    }

    #[test]
    fn names_and_namespaces_are_fields() {
        let fields = |text| selects(&Selector::default().fields(text), &[]);
        assert_eq!(fields("metadata.name=a,metadata.namespace==ns"), Some(true));
        assert_eq!(fields("metadata.name!=a"), Some(false));
        assert_eq!(selects(&Selector::default().namespace("other"), &[]), Some(false));
    }

    /// A requirement, its key, its values, and whether the value must be among them.
    fn requirement() -> impl Strategy<Value = (String, String, Option<Vec<&'static str>>, bool)> {
        let key = select(vec!["a", "b", "example.com/c"]);
        let values = proptest::sample::subsequence(vec!["x", "y", "z-1"], 1..3);
        (key, values, 0..5_usize, any::<bool>()).prop_map(|(key, values, form, wanted)| {
            let first = vec![values[0]];
            let (text, values) = match (form, wanted) {
                (0, true) => (key.to_owned(), None),
                (0, false) => (format!("!{key}"), None),
                (1, true) => (format!("{key}={}", first[0]), Some(first)),
                (2, true) => (format!("{key} == {}", first[0]), Some(first)),
                (1 | 2, false) => (format!("{key}!={}", first[0]), Some(first)),
                (_, true) => (format!("{key} in ({})", values.join(", ")), Some(values)),
                (_, false) => (format!("{key} notin ({})", values.join(",")), Some(values)),
            };
            (text, key.to_owned(), values, wanted)
        })
    }

    proptest! {
        #[test]
        fn a_label_selector_selects_what_all_its_requirements_accept(
            requirements in proptest::collection::vec(requirement(), 0..4),
            labels in proptest::collection::btree_map(
                select(vec!["a", "b", "example.com/c", "d"]), select(vec!["x", "y", "z-1", ""]), 0..4),
        ) {
            let texts: Vec<&str> = requirements.iter().map(|(text, ..)| text.as_str()).collect();
            let labels: BTreeMap<&str, &'static str> = labels;
            let accepts = |(_, key, values, wanted): &(String, String, Option<Vec<&str>>, bool)| {
                let value = labels.get(key.as_str());
                let among = value.is_some_and(|value| values.as_ref().is_none_or(|all| all.contains(value)));
                among == *wanted
            };
            let selector = Selector::default().labels(&texts.join(","));
            let selected = selector.selects("ns", "a", |key| labels.get(key).copied());
            prop_assert_eq!(selected, Some(requirements.iter().all(accepts)));
        }

        #[test]
        fn any_text_is_a_selector_or_an_unclear_one(text in "[a-c!=<>(), ]{0,20}", fields in ".{0,20}") {
            let selector = Selector::default().labels(&text).fields(&fields);
            let selected = selector.selects("ns", "a", |_| Some("b"));
            prop_assert!(selected != Some(true) || !selector.unclear);
        }
    }
}
