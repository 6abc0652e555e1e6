//! Query parameters of a request.

use crate::failure::Failure;

/// The query parameters in the order sent.
#[derive(Debug, Default, Clone)]
pub(crate) struct Query(Vec<(String, String)>);

impl Query {
    /// Parses a query string. As in Go, parameters with a semicolon or a malformed escape are left out.
    pub(crate) fn parse(text: &str) -> Self {
        let parameters =
            text.split('&').filter(|parameter| !parameter.contains(';') && is_escaped(parameter));
        let parameters = parameters.flat_map(|parameter| form_urlencoded::parse(parameter.as_bytes()));
        Self(parameters.map(|(name, value)| (name.into_owned(), value.into_owned())).collect())
    }

    /// The first value of a parameter; empty if it is absent.
    pub(crate) fn first(&self, name: &str) -> &str {
        self.0.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }

    /// All values of a parameter.
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The parameters with one of them replaced.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.0.retain(|(key, _)| key != name);
        self.0.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Whether a parameter is present, perhaps empty.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(key, _)| key == name)
    }

    /// A boolean parameter: every value but `false` and `0` is true, as in kube-apiserver.
    pub(crate) fn flag(&self, name: &str) -> Option<bool> {
        let value = self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value)?;
        Some(!value.eq_ignore_ascii_case("false") && value != "0")
    }

    /// An integer parameter: `None` if it is absent.
    pub(crate) fn integer(&self, name: &str) -> Result<Option<i64>, Failure> {
        if !self.has(name) {
            return Ok(None);
        }
        let text = self.first(name);
        text.parse().map(Some).map_err(|error: std::num::ParseIntError| {
            let detail = match error.kind() {
                std::num::IntErrorKind::PosOverflow | std::num::IntErrorKind::NegOverflow => {
                    "value out of range"
                }
                _ => "invalid syntax",
            };
            Failure::bad_request(format!("strconv.ParseInt: parsing {text:?}: {detail}"))
        })
    }
}

/// Whether each percent sign of a path or query begins an escaped byte.
pub(crate) fn is_escaped(text: &str) -> bool {
    let mut after_percent_signs = text.split('%').skip(1).map(str::as_bytes);
    after_percent_signs.all(|after| after.len() >= 2 && after[..2].iter().all(u8::is_ascii_hexdigit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_parameters_are_left_out() {
        let query = Query::parse("a=1&b=%zz&c=2;d=3&%4=5&e=%%41&f=%2B+x&g&&h=%");
        let read = query.0.iter().map(|(name, value)| format!("{name}={value}"));
        assert_eq!(read.collect::<Vec<_>>(), ["a=1", "f=+ x", "g="]);
    }
}
