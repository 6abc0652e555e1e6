//! The sizes of values in the worst case.

use super::{EntrySize, Estimator};
use crate::cel::ast::{Expr, Kind};
use crate::cel::cost::Range;
use crate::cel::estimate_call::Node;
use crate::cel::types::Type;
use crate::cel::value::Value;

impl Estimator<'_> {
    /// The size of the items of a list.
    pub(in crate::cel) fn item_size(&self, list: &Node) -> Range {
        if list.path.is_empty() {
            return Range::UNKNOWN;
        }
        let mut path = list.path.clone();
        path.push("@items".to_owned());
        self.declared_size(&path).unwrap_or(Range::UNKNOWN)
    }

    fn declared_size(&self, path: &[String]) -> Option<Range> {
        let (_, path) = path.split_first()?;
        Some(Range { min: 0, max: self.root.at(path)?.max_elements })
    }

    pub(super) fn size_or_unknown(&mut self, expr: &Expr) -> Range {
        self.size(expr).unwrap_or(Range::UNKNOWN)
    }

    pub(super) fn size(&mut self, expr: &Expr) -> Option<Range> {
        if let Some(size) = self.sizes.get(&expr.id) {
            return Some(*size);
        }
        if let Some(size) = literal_size(&expr.kind) {
            return Some(Range::fixed(size));
        }
        if let Some(size) = self.declared_size(&self.path(expr)) {
            self.sizes.insert(expr.id, size);
            return Some(size);
        }
        if is_scalar(&self.checked.types[expr.id]) {
            return Some(Range::fixed(1));
        }
        match &expr.kind {
            Kind::Ident(name) => self.local(name)?.size,
            _ => None,
        }
    }

    pub(super) fn set_size(&mut self, expr: &Expr, size: Option<Range>) {
        if let Some(size) = size {
            self.sizes.insert(expr.id, size);
        }
    }

    pub(super) fn entry(&self, expr: &Expr) -> Option<EntrySize> {
        if let Some(entry) = self.entries.get(&expr.id) {
            return Some(*entry);
        }
        match &expr.kind {
            Kind::Ident(name) => self.local(name)?.entry,
            _ => None,
        }
    }

    pub(super) fn set_entry(&mut self, expr: &Expr, entry: Option<EntrySize>) {
        if let Some(entry) = entry {
            self.entries.insert(expr.id, entry);
        }
    }

    pub(super) fn copy_sizes(&mut self, to: &Expr, from: &Expr) {
        let (size, entry) = (self.size(from), self.entry(from));
        self.set_size(to, size);
        self.set_entry(to, entry);
    }
}

fn literal_size(kind: &Kind) -> Option<u64> {
    Some(match kind {
        Kind::Literal(Value::Text(text)) => text.chars().count() as u64,
        Kind::Literal(Value::Bytes(bytes)) => bytes.len() as u64,
        Kind::Literal(_) => 1,
        Kind::List(items) => items.len() as u64,
        Kind::Map(entries) => entries.len() as u64,
        _ => return None,
    })
}

/// Whether all values of a type have the same size.
fn is_scalar(ty: &Type) -> bool {
    match ty {
        Type::Optional(value) => is_scalar(value),
        Type::Bool | Type::Double | Type::Duration | Type::Int | Type::Timestamp | Type::Uint => true,
        _ => false,
    }
}
