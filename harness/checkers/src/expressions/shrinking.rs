//! Smaller expressions.

use super::drawing::literals;
use super::expression::Expression;
use super::types::Type;

impl Expression {
    /// Smaller expressions of the same type, or without one for the same reason; the smallest first.
    ///
    /// In each a literal, or a part of it, replaces a part. They are known all at once, so that one definition tries many:
    /// a server takes long to accept each.
    pub fn smaller(&self) -> Vec<Self> {
        let (own, size, mut found) = (self.type_of(), self.size(), Vec::new());
        let simplest = || Type::ALL.iter().filter_map(|ty| literals(*ty).first().cloned()).map(Self::Literal);
        for (at, node) in self.nodes().into_iter().enumerate() {
            let parts = node.nodes().into_iter().skip(1).cloned();
            found.extend(parts.chain(simplest()).map(|part| self.replaced(at, &part)));
        }
        let keeps = |one: &Self| if own.is_ok() { one.exact_type() == own } else { one.type_of() == own };
        found.retain(|one| one.size() < size && keeps(one));
        found.sort_by_cached_key(|one| (one.size(), one.to_string()));
        found.dedup();
        found
    }

    /// The number of its parts, and of those that are no literals.
    fn size(&self) -> (usize, usize) {
        let nodes = self.nodes();
        let literals = nodes.iter().filter(|node| matches!(node, Self::Literal(_))).count();
        (nodes.len(), nodes.len() - literals)
    }
}
