//! Label selectors: parsing and matching of `a=b,c!=d,e in (f,g),h notin (i),j,!k,l>1`.

use serde_json::Value;

use crate::failure::Failure;
use crate::validation;

/// A conjunction of requirements on labels.
#[derive(Debug, Default, Clone)]
pub(crate) struct LabelSelector(Vec<Requirement>);

#[derive(Debug, Clone)]
struct Requirement {
    key: String,
    test: Test,
}

#[derive(Debug, Clone)]
enum Test {
    In(Vec<String>),
    NotIn(Vec<String>),
    Exists,
    Absent,
    Greater(i64),
    Less(i64),
}

impl LabelSelector {
    pub(super) fn parse(text: &str) -> Result<Self, Failure> {
        let mut tokens = Tokens { rest: tokens(text).into_iter().peekable() };
        let mut requirements = Vec::new();
        while tokens.rest.peek().is_some() {
            requirements.push(tokens.requirement()?);
            match tokens.rest.next().as_deref() {
                None => break,
                Some(",") if tokens.rest.peek().is_some() => {}
                Some(",") => return Err(Failure::bad_request("found '', expected: identifier after ','")),
                Some(other) => {
                    return Err(Failure::bad_request(format!(
                        "found '{other}', expected: ',' or 'end of string'"
                    )));
                }
            }
        }
        Ok(Self(requirements))
    }

    pub(super) fn matches(&self, object: &Value) -> bool {
        self.0.iter().all(|requirement| requirement.matches(&object["metadata"]["labels"]))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Requirement {
    fn matches(&self, labels: &Value) -> bool {
        let label = labels.get(&self.key).and_then(Value::as_str);
        let number = || label.and_then(|label| label.parse::<i64>().ok());
        match &self.test {
            Test::In(values) => label.is_some_and(|label| values.iter().any(|value| value == label)),
            Test::NotIn(values) => label.is_none_or(|label| values.iter().all(|value| value != label)),
            Test::Exists => label.is_some(),
            Test::Absent => label.is_none(),
            Test::Greater(bound) => number().is_some_and(|number| number > *bound),
            Test::Less(bound) => number().is_some_and(|number| number < *bound),
        }
    }
}

struct Tokens {
    rest: std::iter::Peekable<std::vec::IntoIter<String>>,
}

impl Tokens {
    fn requirement(&mut self) -> Result<Requirement, Failure> {
        let absent = self.rest.next_if(|token| token == "!").is_some();
        let key = self.rest.next().unwrap_or_default();
        if let Some(detail) = validation::label_key(&key) {
            return Err(unparsable(&format!("<nil>: Invalid value: {key:?}: {detail}")));
        }
        if absent {
            return Ok(Requirement { key, test: Test::Absent });
        }
        let test = self.test()?;
        Ok(Requirement { key, test })
    }

    fn test(&mut self) -> Result<Test, Failure> {
        let Some(operator) = self.rest.next_if(|token| token != ",") else { return Ok(Test::Exists) };
        match operator.as_str() {
            "=" | "==" => Ok(Test::In(vec![self.value()?])),
            "!=" => Ok(Test::NotIn(vec![self.value()?])),
            "in" => Ok(Test::In(self.values()?)),
            "notin" => Ok(Test::NotIn(self.values()?)),
            ">" | "gt" => Ok(Test::Greater(self.number()?)),
            "<" | "lt" => Ok(Test::Less(self.number()?)),
            other => Err(unparsable(&format!("found '{other}', expected: in, notin, =, ==, !=, gt, lt"))),
        }
    }

    fn value(&mut self) -> Result<String, Failure> {
        let value = self.rest.next_if(|token| token != "," && token != ")").unwrap_or_default();
        match validation::label_value(&value) {
            Some(detail) => Err(unparsable(&format!("values[0][]: Invalid value: {value:?}: {detail}"))),
            None => Ok(value),
        }
    }

    fn values(&mut self) -> Result<Vec<String>, Failure> {
        let open = self.rest.next().unwrap_or_default();
        if open != "(" {
            return Err(unparsable(&format!("found '{open}' expected: '('")));
        }
        let mut values = vec![self.value()?];
        loop {
            match self.rest.next().as_deref() {
                Some(",") => values.push(self.value()?),
                Some(")") => return Ok(values),
                other => {
                    let found = other.unwrap_or_default();
                    return Err(unparsable(&format!("found '{found}', expected: ',', or ')'")));
                }
            }
        }
    }

    fn number(&mut self) -> Result<i64, Failure> {
        let value = self.value()?;
        let requirement = "for 'Gt', 'Lt' operators, the value must be an integer";
        value.parse().map_err(|_| unparsable(&format!("values[0]: Invalid value: {value:?}: {requirement}")))
    }
}

fn unparsable(detail: &str) -> Failure {
    Failure::bad_request(format!("unable to parse requirement: {detail}"))
}

fn tokens(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut in_word = false;
    for character in text.chars() {
        if character.is_whitespace() {
            in_word = false;
        } else if "=!,()<>".contains(character) {
            let joins =
                character == '=' && !in_word && matches!(found.last().map(String::as_str), Some("=" | "!"));
            match found.last_mut() {
                Some(last) if joins => last.push('='),
                _ => found.push(character.to_string()),
            }
            in_word = false;
        } else if in_word {
            if let Some(last) = found.last_mut() {
                last.push(character);
            }
        } else {
            found.push(character.to_string());
            in_word = true;
        }
    }
    found
}
