//! The model: evaluates an expression.

use std::collections::BTreeMap;

use super::environment::Environment;
use super::expression::{Expression, Macro};
use super::value::{Evaluated, NoValue, Value};

impl Expression {
    /// The value of a well-typed expression.
    pub fn evaluate(&self, environment: &Environment) -> Evaluated {
        self.value(environment, &mut Vec::new())
    }

    fn value(&self, environment: &Environment, variables: &mut Vec<Value>) -> Evaluated {
        let mut value = |part: &Self| part.value(environment, variables);
        match (self, self.parts()) {
            (Self::Literal(literal), _) => Ok(literal.clone()),
            (Self::Field(name), _) => environment.get(name).ok_or(NoValue::Error),
            (Self::Has(name), _) => Ok(Value::Bool(environment.get(name).is_some())),
            (Self::Variable(depth), _) => variables.get(*depth).cloned().ok_or(NoValue::Open),
            (Self::Logic(decides, _), parts) => either(*decides, parts.iter().map(value)),
            (Self::Conditional(_), [condition, yes, no]) => match value(condition)? {
                Value::Bool(condition) => value(if condition { yes } else { no }),
                _ => Err(NoValue::Open),
            },
            (Self::List(_), items) => all_of(items.iter().map(value)).map(Value::List),
            (Self::Map(keys, _), values) => {
                let values = all_of(values.iter().map(value))?;
                let entries: BTreeMap<_, _> = keys.iter().map(|key| (*key).to_owned()).zip(values).collect();
                Ok(Value::Map(entries))
            }
            (Self::Call(signature, _), arguments) => (signature.apply)(&all_of(arguments.iter().map(value))?),
            (Self::Loop(name, depth, _), [range, body]) => {
                let items = match value(range)? {
                    Value::List(items) => items,
                    Value::Map(entries) => entries.into_keys().map(Value::Text).collect(),
                    _ => return Err(NoValue::Open),
                };
                let of_item = |item: &Value| {
                    variables.truncate(*depth);
                    variables.push(item.clone());
                    body.value(environment, variables)
                };
                let found = fold(*name, &items, of_item);
                variables.truncate(*depth);
                found
            }
            _ => Err(NoValue::Open),
        }
    }
}

/// The value of a macro, by the values of its body.
fn fold(name: Macro, items: &[Value], of_item: impl FnMut(&Value) -> Evaluated) -> Evaluated {
    let values = items.iter().map(of_item);
    match name {
        Macro::All => either(false, values),
        Macro::Exists => either(true, values),
        Macro::Map => all_of(values).map(Value::List),
        Macro::ExistsOne => {
            let found = all_of(values)?.into_iter().filter(|value| *value == Value::Bool(true)).count();
            Ok(Value::Bool(found == 1))
        }
        Macro::Filter => {
            let kept = all_of(values)?;
            let kept = items.iter().zip(kept).filter(|(_, kept)| *kept == Value::Bool(true));
            Ok(Value::List(kept.map(|(item, _)| item.clone()).collect()))
        }
    }
}

/// `&&`, `||`, `all` and `exists`: a deciding value absorbs the errors of all others, before and after it.
fn either(decides: bool, values: impl Iterator<Item = Evaluated>) -> Evaluated {
    let values: Vec<_> = values.collect();
    if values.contains(&Ok(Value::Bool(decides))) {
        return Ok(Value::Bool(decides));
    }
    let failed = |why| values.contains(&Err(why)).then_some(why);
    match failed(NoValue::Open).or(failed(NoValue::Error)) {
        Some(why) => Err(why),
        None => Ok(Value::Bool(!decides)),
    }
}

/// The values, all of which are needed: one error is an error, whatever the others are.
fn all_of(values: impl Iterator<Item = Evaluated>) -> Result<Vec<Value>, NoValue> {
    let values: Vec<_> = values.collect();
    if values.contains(&Err(NoValue::Error)) {
        return Err(NoValue::Error);
    }
    values.into_iter().collect()
}
