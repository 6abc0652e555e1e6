//! Shard selector grammar: `shardRange(field, 'start', 'end')` joined by `||`.

use super::{END, Field, Range, Shards};

/// The depth of parentheses and calls that the parser accepts: the stack of a thread is enough for it.
const MAX_DEPTH: usize = 100;

pub(super) fn parse(text: &str) -> Result<Shards, String> {
    if text.trim().is_empty() {
        return Err("empty shard selector is not allowed; omit the parameter for unfiltered lists".to_owned());
    }
    let mut tokens = Tokens { rest: text, depth: 0 };
    let expression = tokens.or()?;
    if !tokens.rest.is_empty() {
        return Err(tokens.mismatch());
    }
    let ranges = ranges(&expression)?;
    let field = ranges[0].0;
    match ranges.iter().find(|(other, _)| *other != field) {
        Some((other, _)) => Err(format!(
            "all shard ranges must use the same field, got {:?} and {:?}",
            field.path(),
            other.path()
        )),
        None => Ok(Shards { field, ranges: ranges.into_iter().map(|(_, range)| range).collect() }),
    }
}

/// An expression; operators are calls with CEL's internal names.
enum Expression {
    Name(String),
    Text(String),
    Number,
    Call(String, Vec<Self>),
}

use Expression::{Call, Name, Number, Text};

/// The ranges of an expression with their fields, at least one.
fn ranges(expression: &Expression) -> Result<Vec<(Field, Range)>, String> {
    match expression {
        Call(name, sides) if name == "_||_" => {
            let sides: Result<Vec<_>, _> = sides.iter().map(ranges).collect();
            Ok(sides?.concat())
        }
        Call(name, arguments) if name == "shardRange" => Ok(vec![range(arguments)?]),
        Call(name, _) => Err(format!("unsupported function {name:?}; only shardRange() and || are allowed")),
        other => {
            let kind = other.kind();
            Err(format!("unexpected expression kind {kind}; expected shardRange() call or || operator"))
        }
    }
}

fn range(arguments: &[Expression]) -> Result<(Field, Range), String> {
    let [field, start, end] = arguments else {
        return Err(format!("shardRange() requires exactly 3 arguments, got {}", arguments.len()));
    };
    let Name(path) = field else {
        let expected = "expected field path (e.g. object.metadata.uid)";
        return Err(format!("shardRange() first argument: {expected}, got expression kind {}", field.kind()));
    };
    let field = Field::of(path).ok_or_else(|| {
        let supported = format!("{}, {}", Field::Uid.path(), Field::Namespace.path());
        format!("unsupported field path {path:?}; supported: {supported}")
    })?;
    let range = Range { start: bound("hexStart", start)?, end: bound("hexEnd", end)? };
    if range.start < range.end {
        return Ok((field, range));
    }
    let Range { start, end } = range;
    Err(format!("shard range start {start:#018x} must be less than end {end:#018x}"))
}

/// A bound: 16 digits, or 2^64.
fn bound(which: &str, expression: &Expression) -> Result<u128, String> {
    let text = match expression {
        Text(text) => text,
        Number => return Err(format!("{which} must be a string literal, got int64")),
        Name(_) | Call(..) => return Err(format!("{which} must be a string literal")),
    };
    let digits =
        text.strip_prefix("0x").ok_or_else(|| format!("{which} must have '0x' prefix, got {text:?}"))?;
    if let Some(invalid) = digits.chars().find(|digit| !matches!(digit, '0'..='9' | 'a'..='f')) {
        return Err(format!("{which}: invalid hex character {:?} in {text:?}", invalid.to_string()));
    }
    let value = u128::from_str_radix(digits, 16).unwrap_or(u128::MAX);
    match digits.len() {
        16 => Ok(value),
        17 if value == END => Ok(value),
        17 => Err(format!("{which}: 17-digit hex value must be '{END:#x}' (2^64), got {text:?}")),
        _ => Err(format!(
            "{which} must be a 0x-prefixed 16-digit hex value, got {text:?} (did you mean \"0x{digits:0>16}\"?)"
        )),
    }
}

impl Expression {
    /// The kind number of kube-apiserver for expressions that are not calls.
    fn kind(&self) -> u8 {
        match self {
            Call(..) => 1,
            Text(_) | Number => 5,
            Name(name) if matches!(name.as_str(), "true" | "false" | "null") => 5,
            Name(name) if name.contains('.') => 7,
            Name(_) => 3,
        }
    }
}

/// The only side, or the call of an operator with all: a long chain is no deep tree.
fn joined(operator: &str, mut sides: Vec<Expression>) -> Expression {
    if sides.len() == 1 { sides.swap_remove(0) } else { Call(operator.to_owned(), sides) }
}

/// The remaining text, without leading spaces.
struct Tokens<'a> {
    rest: &'a str,
    depth: usize,
}

impl<'a> Tokens<'a> {
    fn or(&mut self) -> Result<Expression, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(format!("CEL parse error: expression recursion limit exceeded: {MAX_DEPTH}"));
        }
        let mut sides = vec![self.and()?];
        while self.take("||") {
            sides.push(self.and()?);
        }
        self.depth -= 1;
        Ok(joined("_||_", sides))
    }

    fn and(&mut self) -> Result<Expression, String> {
        let mut sides = vec![self.primary()?];
        while self.take("&&") {
            sides.push(self.primary()?);
        }
        Ok(joined("_&&_", sides))
    }

    fn primary(&mut self) -> Result<Expression, String> {
        if self.take("(") {
            let inner = self.or()?;
            return if self.take(")") { Ok(inner) } else { Err(self.mismatch()) };
        }
        for quote in ["'", "\""] {
            if self.take(quote) {
                let (text, rest) = self.rest.split_once(quote).ok_or_else(|| self.mismatch())?;
                self.rest = rest;
                return Ok(Text(text.to_owned()));
            }
        }
        let word = self.word();
        match word.chars().next() {
            None => Err(self.mismatch()),
            Some('0'..='9') => Ok(Number),
            Some(_) if self.take("(") => Ok(Call(word.to_owned(), self.arguments()?)),
            Some(_) => Ok(Name(word.to_owned())),
        }
    }

    /// The arguments of a call, up to its closing parenthesis.
    fn arguments(&mut self) -> Result<Vec<Expression>, String> {
        let mut arguments = Vec::new();
        while !self.take(")") {
            if !arguments.is_empty() && !self.take(",") {
                return Err(self.mismatch());
            }
            arguments.push(self.or()?);
        }
        Ok(arguments)
    }

    fn word(&mut self) -> &'a str {
        self.rest = self.rest.trim_start();
        let end = self.rest.find(|sign: char| !(sign.is_ascii_alphanumeric() || matches!(sign, '_' | '.')));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest.trim_start();
        word
    }

    fn take(&mut self, token: &str) -> bool {
        self.rest = self.rest.trim_start();
        let rest = self.rest.strip_prefix(token);
        rest.inspect(|rest| self.rest = rest).is_some()
    }

    fn mismatch(&self) -> String {
        let found = self.rest.chars().next().map_or("<EOF>".to_owned(), String::from);
        format!("CEL parse error: Syntax error: mismatched input '{found}'")
    }
}
