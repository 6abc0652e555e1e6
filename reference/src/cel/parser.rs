//! The grammar of CEL: precedence, calls, literals, and optional selections.

mod primary;

use super::ast::{Expr, Kind, Nodes, Select};
use super::issue::Issue;
use super::lexer::{Token, TokenKind, tokens};
use super::macros;
use super::value::Value;

/// The depth of the tree that the parser accepts: the stack of a thread is enough for it. cel-go accepts more.
const MAX_DEPTH: usize = 80;

/// The names that no variable can have.
pub(super) const RESERVED: [&str; 17] = [
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "namespace",
    "package",
    "return",
    "var",
    "void",
    "while",
];

/// The binary operators by precedence, from the weakest; && and || stand apart.
const BINARY: [&[(&str, &str)]; 3] = [
    &[
        ("==", "_==_"),
        ("!=", "_!=_"),
        ("<=", "_<=_"),
        (">=", "_>=_"),
        ("<", "_<_"),
        (">", "_>_"),
        ("in", "@in"),
    ],
    &[("+", "_+_"), ("-", "_-_")],
    &[("*", "_*_"), ("/", "_/_"), ("%", "_%_")],
];

/// The tree of a text, and the number of its nodes. `rename` is the name of the macro or function that a name calls.
pub(super) fn parse(text: &str, rename: &dyn Fn(&str) -> String) -> Result<(Expr, Nodes), Issue> {
    let mut parser = Parser { tokens: tokens(text)?, next: 0, depth: 0, nodes: Nodes::default(), rename };
    let expr = parser.expression()?;
    match &parser.peek().kind {
        TokenKind::End => Ok((expr, parser.nodes)),
        _ => Err(parser.unexpected("<EOF>")),
    }
}

struct Parser<'a> {
    tokens: Vec<Token>,
    next: usize,
    depth: usize,
    nodes: Nodes,
    rename: &'a dyn Fn(&str) -> String,
}

impl Parser<'_> {
    fn peek(&self) -> &Token {
        // The last token is the end, and nothing passes it.
        &self.tokens[self.next.min(self.tokens.len() - 1)]
    }

    fn at(&self) -> usize {
        self.peek().at
    }

    fn is(&self, symbol: &str) -> bool {
        match &self.peek().kind {
            TokenKind::Symbol(found) => *found == symbol,
            TokenKind::Name(name) => name == symbol && symbol == "in",
            _ => false,
        }
    }

    /// Takes a symbol, if it is next.
    fn take(&mut self, symbol: &str) -> bool {
        let found = self.is(symbol);
        self.next += usize::from(found);
        found
    }

    fn descend(&mut self) -> Result<(), Issue> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Issue::new(self.at(), format!("expression recursion limit exceeded: {MAX_DEPTH}")));
        }
        Ok(())
    }

    fn expect(&mut self, symbol: &str) -> Result<(), Issue> {
        if self.take(symbol) { Ok(()) } else { Err(self.unexpected(&format!("'{symbol}'"))) }
    }

    fn unexpected(&self, expected: &str) -> Issue {
        let found = match &self.peek().kind {
            TokenKind::End => "<EOF>".to_owned(),
            TokenKind::Name(name) => name.clone(),
            TokenKind::Symbol(symbol) => (*symbol).to_owned(),
            TokenKind::Literal(_) | TokenKind::MinimumInt => "a literal".to_owned(),
        };
        Issue::syntax(self.at(), &format!("mismatched input '{found}' expecting {expected}"))
    }

    fn expression(&mut self) -> Result<Expr, Issue> {
        self.descend()?;
        let condition =
            self.logic("||", "_||_", |parser| parser.logic("&&", "_&&_", |parser| parser.binary(0)))?;
        let at = self.at();
        let expr = if self.take("?") {
            let chosen =
                self.logic("||", "_||_", |parser| parser.logic("&&", "_&&_", |parser| parser.binary(0)))?;
            self.expect(":")?;
            let otherwise = self.expression()?;
            self.nodes.call(at, "_?_:_", vec![condition, chosen, otherwise])
        } else {
            condition
        };
        self.depth -= 1;
        Ok(expr)
    }

    fn logic(
        &mut self,
        symbol: &str,
        operator: &str,
        term: impl Fn(&mut Self) -> Result<Expr, Issue>,
    ) -> Result<Expr, Issue> {
        let mut left = term(self)?;
        let depth = self.depth;
        while self.is(symbol) {
            self.descend()?;
            let at = self.at();
            self.next += 1;
            let right = term(self)?;
            left = self.nodes.call(at, operator, vec![left, right]);
        }
        self.depth = depth;
        Ok(left)
    }

    fn binary(&mut self, level: usize) -> Result<Expr, Issue> {
        let Some(operators) = BINARY.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        let depth = self.depth;
        while let Some((_, operator)) = operators.iter().find(|(symbol, _)| self.is(symbol)) {
            self.descend()?;
            let at = self.at();
            self.next += 1;
            let right = self.binary(level + 1)?;
            left = self.nodes.call(at, operator, vec![left, right]);
        }
        self.depth = depth;
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expr, Issue> {
        let at = self.at();
        if self.take("!") {
            let operand = self.nested(Self::unary)?;
            return Ok(self.nodes.call(at, "!_", vec![operand]));
        }
        if self.take("-") {
            let negated = match &self.peek().kind {
                TokenKind::Literal(Value::Int(number)) => Some(Value::Int(-number)),
                TokenKind::Literal(Value::Double(number)) => Some(Value::Double(-number)),
                TokenKind::MinimumInt => Some(Value::Int(i64::MIN)),
                _ => None,
            };
            if let Some(value) = negated {
                self.next += 1;
                let literal = self.nodes.literal(at, value);
                return self.members(literal);
            }
            let operand = self.nested(Self::unary)?;
            return Ok(self.nodes.call(at, "-_", vec![operand]));
        }
        let primary = self.primary()?;
        self.members(primary)
    }

    fn nested(&mut self, parse: impl FnOnce(&mut Self) -> Result<Expr, Issue>) -> Result<Expr, Issue> {
        self.descend()?;
        let expr = parse(self)?;
        self.depth -= 1;
        Ok(expr)
    }

    /// The fields, calls and indexes after an operand.
    fn members(&mut self, mut operand: Expr) -> Result<Expr, Issue> {
        let depth = self.depth;
        loop {
            self.descend()?;
            let at = self.at();
            if self.take(".") {
                let optional = self.take("?");
                let TokenKind::Name(name) = self.peek().kind.clone() else {
                    return Err(self.unexpected("IDENTIFIER"));
                };
                if matches!(name.as_str(), "true" | "false" | "null" | "in") {
                    return Err(self.unexpected("IDENTIFIER"));
                }
                self.next += 1;
                let open = self.at();
                operand = if optional {
                    let field = self.nodes.literal(at, Value::text(&name));
                    self.nodes.call(at, "_?._", vec![operand, field])
                } else if self.take("(") {
                    let args = self.arguments(")")?;
                    let name = (self.rename)(&name);
                    macros::method(&mut self.nodes, open, &name, operand, args)?
                } else {
                    self.nodes.node(at, Kind::Select(Box::new(Select { operand, field: name, test: false })))
                };
            } else if self.take("[") {
                let operator = if self.take("?") { "_[?_]" } else { "_[_]" };
                let index = self.expression()?;
                self.expect("]")?;
                operand = self.nodes.call(at, operator, vec![operand, index]);
            } else if self.is("{") && operand.qualified_name().is_some() {
                operand = self.message(&operand)?;
            } else {
                self.depth = depth;
                return Ok(operand);
            }
        }
    }
}
