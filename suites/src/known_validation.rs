//! Kinds whose validation is known, and mistakes in their objects: Deployments and our custom type.

use crate::prelude::*;

/// A mistake in an object.
#[derive(Debug, Clone, Copy)]
pub(crate) struct InvalidField {
    /// Makes the object invalid.
    change: fn(&mut Value),
    /// The field that the cause names.
    pub(crate) field: &'static str,
    /// The values in the message of the cause.
    pub(crate) words: &'static [&'static str],
}

/// The same mistake in an object of each kind.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OfEachKind {
    deployment: InvalidField,
    gadget: InvalidField,
}

impl OfEachKind {
    /// An object with the mistake; not yet sent. Skips where the validation of the type is not known.
    pub(crate) fn of(&self, collection: &Collection) -> Result<(Value, InvalidField), Halt> {
        let plural = collection.resource().plural.as_str();
        let invalid = match plural {
            "deployments" => self.deployment,
            "gadgets" => self.gadget,
            _ => return Err(Halt::skip(format!("it is not known what is checked of {plural}"))),
        };
        let mut body = collection.body("a", "first");
        (invalid.change)(&mut body);
        Ok((body, invalid))
    }
}

const fn invalid(field: &'static str, change: fn(&mut Value)) -> InvalidField {
    InvalidField { change, field, words: &[] }
}

const fn choice(field: &'static str, words: &'static [&'static str], change: fn(&mut Value)) -> InvalidField {
    InvalidField { change, field, words }
}

/// Of a list, the second item lacks its name.
pub(crate) const WITHOUT_NAME: OfEachKind = OfEachKind {
    deployment: invalid("spec.template.spec.containers[0].env[1].name", |body| {
        container(body)["env"] = json!([{ "name": "FIRST" }, { "value": "of no name" }]);
    }),
    gadget: invalid("spec.ports[1].name", |body| {
        body["spec"]["ports"] = json!([{ "name": "first" }, { "port": 2 }]);
    }),
};

/// A field has none of the values that it may have.
pub(crate) const NO_CHOICE: OfEachKind = OfEachKind {
    deployment: choice(
        "spec.template.spec.containers[0].imagePullPolicy",
        &["Always", "IfNotPresent", "Never"],
        |body| container(body)["imagePullPolicy"] = json!("Nope"),
    ),
    gadget: choice("spec.colour", &["red", "green", "blue"], |body| body["spec"]["colour"] = json!("Nope")),
};

/// A field has one of its values in another case.
pub(crate) const WRONG_CASE: OfEachKind = OfEachKind {
    deployment: invalid("spec.template.spec.containers[0].imagePullPolicy", |body| {
        container(body)["imagePullPolicy"] = json!("always");
    }),
    gadget: invalid("spec.colour", |body| body["spec"]["colour"] = json!("Red")),
};

/// Two items of a list have the same key.
pub(crate) const DUPLICATE: OfEachKind = OfEachKind {
    deployment: invalid("spec.template.spec.containers[1].name", |body| {
        let first = container(body).clone();
        add_container(body, first);
    }),
    gadget: invalid("spec.ports[1]", |body| {
        body["spec"]["ports"] = json!([{ "name": "first" }, { "name": "first" }]);
    }),
};

/// The second item of a list lacks a required field.
pub(crate) const SECOND_ITEM: OfEachKind = OfEachKind {
    deployment: invalid("spec.template.spec.containers[1].name", |body| {
        add_container(body, json!({ "image": "kube-assay.dev/none" }));
    }),
    gadget: WITHOUT_NAME.gadget,
};

/// A field with a default has a value that it may not have.
pub(crate) const BESIDE_A_DEFAULT: OfEachKind = OfEachKind {
    deployment: invalid("spec.strategy.type", |body| body["spec"]["strategy"]["type"] = "Nope".into()),
    gadget: invalid("spec.style.finish", |body| body["spec"]["style"]["finish"] = "Nope".into()),
};

fn container(body: &mut Value) -> &mut Value {
    &mut body["spec"]["template"]["spec"]["containers"][0]
}

fn add_container(body: &mut Value, container: Value) {
    if let Some(containers) = body["spec"]["template"]["spec"]["containers"].as_array_mut() {
        containers.push(container);
    }
}
