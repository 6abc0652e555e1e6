//! Tokens of an expression.

use std::sync::Arc;

use super::issue::Issue;
use super::value::Value;

/// A token and its position in characters.
#[derive(Debug, Clone)]
pub(super) struct Token {
    pub(super) at: usize,
    pub(super) kind: TokenKind,
}

#[derive(Debug, Clone)]
pub(super) enum TokenKind {
    /// A number, string or bytes; numbers are without a sign.
    Literal(Value),
    /// 2^63, which is an integer only after a minus.
    MinimumInt,
    Name(String),
    Symbol(&'static str),
    End,
}

/// Longer symbols stand before their prefixes.
const SYMBOLS: [&str; 23] = [
    "==", "!=", "<=", ">=", "&&", "||", "<", ">", "!", "+", "-", "*", "/", "%", "?", ":", ".", ",", "(", ")",
    "[", "]", "{",
];

/// The tokens of a text.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, Issue> {
    let mut lexer = Lexer { text: text.chars().collect(), at: 0 };
    let mut tokens = Vec::new();
    loop {
        let token = lexer.next()?;
        let is_end = matches!(token.kind, TokenKind::End);
        tokens.push(token);
        if is_end {
            return Ok(tokens);
        }
    }
}

struct Lexer {
    text: Vec<char>,
    at: usize,
}

impl Lexer {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.text.get(self.at + ahead).copied()
    }

    fn starts_with(&self, prefix: &str) -> bool {
        prefix.chars().enumerate().all(|(ahead, expected)| self.peek(ahead) == Some(expected))
    }

    fn take_while(&mut self, accepts: impl Fn(char) -> bool) -> String {
        let start = self.at;
        while self.peek(0).is_some_and(&accepts) {
            self.at += 1;
        }
        self.text[start..self.at].iter().collect()
    }

    fn next(&mut self) -> Result<Token, Issue> {
        self.skip_blanks();
        let at = self.at;
        let kind = match self.peek(0) {
            None => TokenKind::End,
            Some(digit) if digit.is_ascii_digit() => self.number()?,
            Some('.') if self.peek(1).is_some_and(|next| next.is_ascii_digit()) => self.number()?,
            Some(first) if first.is_ascii_alphabetic() || first == '_' => match self.literal_prefix() {
                Some((raw, bytes)) => self.quoted(raw, bytes)?,
                None => TokenKind::Name(self.take_while(|next| next.is_ascii_alphanumeric() || next == '_')),
            },
            Some('"' | '\'') => self.quoted(false, false)?,
            Some(other) => self.symbol(other)?,
        };
        Ok(Token { at, kind })
    }

    fn skip_blanks(&mut self) {
        loop {
            self.take_while(|next| matches!(next, ' ' | '\t' | '\n' | '\r' | '\u{c}'));
            if !self.starts_with("//") {
                return;
            }
            self.take_while(|next| next != '\n');
        }
    }

    fn symbol(&mut self, first: char) -> Result<TokenKind, Issue> {
        let known = SYMBOLS.iter().chain(["}"].iter()).find(|symbol| self.starts_with(symbol));
        let Some(symbol) = known else {
            return Err(Issue::syntax(self.at, &format!("token recognition error at: '{first}'")));
        };
        self.at += symbol.len();
        Ok(TokenKind::Symbol(symbol))
    }

    fn number(&mut self) -> Result<TokenKind, Issue> {
        let start = self.at;
        let invalid = |what: &str| Issue::syntax(start, &format!("invalid {what} literal"));
        if self.starts_with("0x") || self.starts_with("0X") {
            self.at += 2;
            let digits = self.take_while(|next| next.is_ascii_hexdigit());
            let number = u64::from_str_radix(&digits, 16).map_err(|_| invalid("int"))?;
            return self.whole(number).ok_or_else(|| invalid("int"));
        }
        let mut text = self.take_while(|next| next.is_ascii_digit());
        let mut is_whole = true;
        if self.peek(0) == Some('.') && self.peek(1).is_some_and(|next| next.is_ascii_digit()) {
            self.at += 1;
            is_whole = false;
            text = format!("{text}.{}", self.take_while(|next| next.is_ascii_digit()));
        }
        if matches!(self.peek(0), Some('e' | 'E')) {
            self.at += 1;
            is_whole = false;
            let sign = if matches!(self.peek(0), Some('+' | '-')) { self.peek(0) } else { None };
            self.at += usize::from(sign.is_some());
            let exponent = self.take_while(|next| next.is_ascii_digit());
            text = format!("{text}e{}{exponent}", sign.map(String::from).unwrap_or_default());
        }
        if !is_whole {
            let number = text.parse().map_err(|_| invalid("double"))?;
            return Ok(TokenKind::Literal(Value::Double(number)));
        }
        let number = text.parse().map_err(|_| invalid("int"))?;
        self.whole(number).ok_or_else(|| invalid("int"))
    }

    fn whole(&mut self, number: u64) -> Option<TokenKind> {
        if matches!(self.peek(0), Some('u' | 'U')) {
            self.at += 1;
            return Some(TokenKind::Literal(Value::Uint(number)));
        }
        if number == 1 << 63 {
            return Some(TokenKind::MinimumInt);
        }
        Some(TokenKind::Literal(Value::Int(i64::try_from(number).ok()?)))
    }

    /// Whether a string is raw, and whether it is of bytes; `None` for a name.
    fn literal_prefix(&mut self) -> Option<(bool, bool)> {
        let prefix: String =
            (0..2).map_while(|ahead| self.peek(ahead)).take_while(char::is_ascii_alphabetic).collect();
        if !matches!(self.peek(prefix.len()), Some('"' | '\'')) {
            return None;
        }
        let prefix = prefix.to_ascii_lowercase();
        let found = match prefix.as_str() {
            "r" => (true, false),
            "b" => (false, true),
            "rb" | "br" => (true, true),
            _ => return None,
        };
        self.at += prefix.len();
        Some(found)
    }

    fn quoted(&mut self, raw: bool, bytes: bool) -> Result<TokenKind, Issue> {
        let start = self.at;
        let unclosed = || Issue::syntax(start, "token recognition error: the string is not closed");
        let quote = self.peek(0).ok_or_else(unclosed)?;
        let triple: String = std::iter::repeat_n(quote, 3).collect();
        let closing = if self.starts_with(&triple) { triple } else { quote.to_string() };
        self.at += closing.len();
        let mut content = Vec::new();
        while !self.starts_with(&closing) {
            let next =
                self.peek(0).filter(|next| closing.len() == 3 || *next != '\n').ok_or_else(unclosed)?;
            self.at += 1;
            if next == '\\' && !raw {
                self.escape(bytes, &mut content)?;
            } else {
                content.extend(next.encode_utf8(&mut [0; 4]).bytes());
            }
        }
        self.at += closing.len();
        if bytes {
            return Ok(TokenKind::Literal(Value::Bytes(content.into())));
        }
        let text = String::from_utf8(content).map_err(|_| Issue::syntax(start, "invalid string literal"))?;
        Ok(TokenKind::Literal(Value::Text(Arc::from(text))))
    }

    fn escape(&mut self, bytes: bool, content: &mut Vec<u8>) -> Result<(), Issue> {
        let start = self.at;
        let invalid = || Issue::syntax(start, "invalid escape in a string literal");
        let next = self.peek(0).ok_or_else(invalid)?;
        self.at += 1;
        let simple = match next {
            'a' => '\u{7}',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\u{b}',
            '\\' | '?' | '"' | '\'' | '`' => next,
            'x' | 'X' => return self.code(2, 16, bytes, content).ok_or_else(invalid),
            'u' if !bytes => return self.code(4, 16, false, content).ok_or_else(invalid),
            'U' if !bytes => return self.code(8, 16, false, content).ok_or_else(invalid),
            '0'..='3' => {
                self.at -= 1;
                return self.code(3, 8, bytes, content).ok_or_else(invalid);
            }
            _ => return Err(invalid()),
        };
        content.extend(simple.encode_utf8(&mut [0; 4]).bytes());
        Ok(())
    }

    /// A code point in digits; a single byte in bytes.
    fn code(&mut self, digits: usize, radix: u32, bytes: bool, content: &mut Vec<u8>) -> Option<()> {
        let text: String = (0..digits).map_while(|ahead| self.peek(ahead)).collect();
        self.at += digits;
        let code = u32::from_str_radix(&text, radix).ok().filter(|_| text.len() == digits)?;
        if bytes {
            content.push(u8::try_from(code).ok()?);
        } else {
            content.extend(char::from_u32(code)?.encode_utf8(&mut [0; 4]).bytes());
        }
        Some(())
    }
}
