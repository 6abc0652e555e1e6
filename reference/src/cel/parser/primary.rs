//! Operands: literals, names, and expressions in parentheses.

use super::{Issue, Parser, RESERVED, Token, TokenKind};
use crate::cel::ast::{Entry, Expr, Item, Kind};
use crate::cel::macros;
use crate::cel::value::Value;

impl Parser<'_> {
    pub(super) fn primary(&mut self) -> Result<Expr, Issue> {
        let Token { at, kind } = self.peek().clone();
        self.next += 1;
        match kind {
            TokenKind::Literal(value) => Ok(self.nodes.literal(at, value)),
            TokenKind::Name(name) => self.name(at, &name),
            TokenKind::Symbol("(") => {
                let expr = self.expression()?;
                self.expect(")")?;
                Ok(expr)
            }
            TokenKind::Symbol("[") => self.list(at),
            TokenKind::Symbol("{") => self.map(at),
            // A name from the root of the environment.
            TokenKind::Symbol(".") => {
                let Token { at, kind: TokenKind::Name(name) } = self.peek().clone() else {
                    return Err(self.unexpected("IDENTIFIER"));
                };
                self.next += 1;
                self.name(at, &name)
            }
            _ => {
                self.next -= 1;
                Err(self.unexpected("an expression"))
            }
        }
    }

    fn name(&mut self, at: usize, name: &str) -> Result<Expr, Issue> {
        let literal = match name {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            "null" => Some(Value::Null),
            _ => None,
        };
        if let Some(value) = literal {
            return Ok(self.nodes.literal(at, value));
        }
        if name == "in" {
            self.next -= 1;
            return Err(self.unexpected("an expression"));
        }
        if RESERVED.contains(&name) {
            return Err(Issue::new(at, format!("reserved identifier: {name}")));
        }
        let open = self.at();
        if self.take("(") {
            let args = self.arguments(")")?;
            let name = (self.rename)(name);
            return macros::function(&mut self.nodes, open, &name, args);
        }
        Ok(self.nodes.ident(at, name))
    }

    pub(super) fn arguments(&mut self, close: &str) -> Result<Vec<Expr>, Issue> {
        let mut args = Vec::new();
        if self.take(close) {
            return Ok(args);
        }
        loop {
            args.push(self.expression()?);
            if !self.take(",") {
                self.expect(close)?;
                return Ok(args);
            }
        }
    }

    fn list(&mut self, at: usize) -> Result<Expr, Issue> {
        let mut items = Vec::new();
        while !self.take("]") {
            let optional = self.take("?");
            items.push(Item { value: self.expression()?, optional });
            if !self.take(",") && !self.is("]") {
                return Err(self.unexpected("']'"));
            }
        }
        Ok(self.nodes.node(at, Kind::List(items)))
    }

    fn map(&mut self, at: usize) -> Result<Expr, Issue> {
        let mut entries = Vec::new();
        while !self.take("}") {
            let optional = self.take("?");
            let key = self.expression()?;
            self.expect(":")?;
            entries.push(Entry { key, value: self.expression()?, optional });
            if !self.take(",") && !self.is("}") {
                return Err(self.unexpected("'}'"));
            }
        }
        Ok(self.nodes.node(at, Kind::Map(entries)))
    }

    pub(super) fn message(&mut self, name: &Expr) -> Result<Expr, Issue> {
        let at = self.at();
        self.expect("{")?;
        let mut fields = Vec::new();
        while !self.take("}") {
            let TokenKind::Name(field) = self.peek().kind.clone() else {
                return Err(self.unexpected("IDENTIFIER"));
            };
            self.next += 1;
            self.expect(":")?;
            fields.push((field, self.expression()?));
            if !self.take(",") && !self.is("}") {
                return Err(self.unexpected("'}'"));
            }
        }
        let name = name.qualified_name().unwrap_or_default();
        Ok(self.nodes.node(at, Kind::Message(name, fields)))
    }
}
