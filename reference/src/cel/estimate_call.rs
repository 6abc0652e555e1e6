//! The estimated cost of a call, without that of its arguments.

use super::ast::Call;
use super::cost::Range;
use super::declarations::Overload;
use super::deviation::Check;
use super::estimate::Estimator;
use super::runtime_cost::CHECK;
use super::types::Type;
use super::value::Value;

/// The part of a unit for each byte of a text.
const TRAVERSAL: f64 = 0.1;
/// The part of a unit for each byte of a pattern.
const PATTERN: f64 = 0.25;
/// The length of the patterns of formats.
const FORMAT_PATTERN: f64 = 128.0;
/// The bytes of an address.
const ADDRESS: Range = Range { min: 4, max: 16 };
const ONE: Range = Range::fixed(1);
/// The cost of a call with a new list.
const NEW_LIST: Range = Range::fixed(11);

/// The cost of a call, and the size of its result if it is known.
pub(super) struct CallEstimate {
    pub(super) cost: Range,
    pub(super) size: Option<Range>,
}

/// An argument of a call.
pub(super) struct Node {
    pub(super) ty: Type,
    pub(super) size: Option<Range>,
    pub(super) path: Vec<String>,
    pub(super) literal: Option<Value>,
}

impl Node {
    fn size(&self) -> Range {
        self.size.unwrap_or(Range::UNKNOWN)
    }

    pub(super) fn has_length(&self) -> bool {
        matches!(self.ty, Type::Text | Type::Bytes | Type::List(_) | Type::Dyn)
    }

    fn traversal(&self) -> Range {
        self.size().factor(TRAVERSAL)
    }
}

impl Estimator<'_> {
    /// The cost of a call with one of its signatures; `args` begins with the receiver.
    pub(super) fn call_cost(&self, call: &Call, overload: &Overload, args: &[Node]) -> CallEstimate {
        let cost = |cost: Range| CallEstimate { cost, size: None };
        let sized = |cost: Range, size: Range| CallEstimate { cost, size: Some(size) };
        let first = overload.args.first().unwrap_or(&Type::Dyn);
        let is_text = matches!(first, Type::Text | Type::Bytes);
        let [head, ..] = args else { return cost(ONE) };
        let skips = |check| self.deviations.checks_skipped(check);
        match (call.function.as_str(), args) {
            ("matches" | "find" | "findAll", _) if skips(Check::PatternCost) => cost(ONE),
            ("check", _) => cost(Range::fixed(CHECK)),
            ("isSorted" | "sum" | "max" | "min" | "indexOf" | "lastIndexOf", _) if call.target.is_some() => {
                cost(match &head.ty {
                    Type::List(item) if matches!(**item, Type::Text | Type::Bytes) => {
                        head.size().times(ONE + self.item_size(head).factor(TRAVERSAL))
                    }
                    Type::List(_) => head.size(),
                    _ => head.traversal(),
                })
            }
            ("url" | "lowerAscii" | "upperAscii" | "substring" | "trim" | "jsonpatch.escapeKey", _) => {
                sized(head.traversal(), head.size())
            }
            ("replace", [text, old, new, ..]) => {
                sized(text.size().factor(2.0 * TRAVERSAL), replaced_size(text.size(), old.size(), new.size()))
            }
            ("split", [text, rest @ ..]) => {
                let most = match rest.get(1).and_then(|limit| limit.literal.as_ref()) {
                    Some(Value::Int(limit)) => limit.cast_unsigned(),
                    _ => text.size().max,
                };
                sized(text.size().factor(2.0 * TRAVERSAL), Range { min: 0, max: most })
            }
            ("join", [list, rest @ ..]) => {
                let mut size = list.size().times(self.item_size(list));
                if let Some(separator) = rest.first() {
                    let Range { min, max } = list.size();
                    let between = Range { min: min.saturating_sub(1), max: max.saturating_sub(1) };
                    size = size + separator.size().times(between);
                }
                sized(size.factor(TRAVERSAL), size)
            }
            ("find" | "findAll", [text, pattern, ..]) => {
                sized(pattern_cost(text, pattern), Range { min: 0, max: text.size().max })
            }
            ("matches", [text, pattern]) => cost(pattern_cost(text, pattern)),
            ("cidr" | "isIP" | "isCIDR" | "quantity" | "isQuantity" | "semver" | "isSemver", _) => {
                cost(head.traversal())
            }
            ("ip", _) if is_text => cost(head.traversal()),
            ("ip.isCanonical", _) => cost(head.size().factor(2.0 * TRAVERSAL)),
            ("containsIP" | "containsCIDR", [_, other]) => {
                let mut sum = (ADDRESS + ADDRESS).factor(TRAVERSAL);
                if call.function == "containsCIDR" {
                    sum = sum + ADDRESS.factor(TRAVERSAL) + ONE;
                }
                if overload.args.get(1) == Some(&Type::Text) {
                    sum = sum + other.traversal();
                }
                cost(sum)
            }
            ("validate", [_, text]) => cost(text.traversal().factor(FORMAT_PATTERN * PATTERN)),
            ("format" | "startsWith" | "endsWith", [text, arg]) => {
                cost(if call.function == "format" { text.traversal() } else { arg.traversal() })
            }
            ("bytes", [text]) if *first == Type::Text => {
                let Range { min, max } = text.size();
                sized(text.traversal(), Range { min, max: max.wrapping_mul(4) })
            }
            ("string", [bytes]) if *first == Type::Bytes => {
                let Range { min, max } = bytes.size();
                sized(bytes.traversal(), Range { min: min / 4, max })
            }
            ("strings.quote", [text]) => {
                let Range { min, max } = text.size();
                let size = Range { min: min.saturating_add(2), max: max.saturating_mul(2).saturating_add(2) };
                sized(text.traversal(), size)
            }
            ("@in", [_, list]) if matches!(overload.args.get(1), Some(Type::List(_))) => cost(list.size()),
            ("contains", [text, part]) => cost(text.traversal().times(part.traversal())),
            ("_+_", [left, right]) if matches!(first, Type::List(_)) => {
                sized(ONE, left.size() + right.size())
            }
            ("_+_", [left, right]) if is_text => {
                let size = left.size() + right.size();
                sized(size.factor(TRAVERSAL), size)
            }
            ("_==_", [left, right]) if left.ty == right.ty && is_opaque(&left.ty) => cost(ONE),
            ("_==_", [left, right]) if left.ty == right.ty && left.ty == Type::object("kubernetes.URL") => {
                cost(Range { min: 1, max: right.size().max.max(1) }.factor(TRAVERSAL))
            }
            ("_==_" | "_!=_", [left, right]) => cost(comparison(left, right)),
            ("_<_" | "_<=_" | "_>_" | "_>=_", [left, right]) if is_text => cost(comparison(left, right)),
            ("sort" | "distinct", [sorted]) | ("@sortByAssociatedKeys", [_, sorted]) => {
                let pairs = sorted.size().times(sorted.size());
                sized(pairs.factor(2.0) + NEW_LIST, pairs)
            }
            ("reverse" | "slice", [list, ..]) => {
                sized(list.size() + NEW_LIST, Range { min: 0, max: list.size().max })
            }
            _ => cost(ONE),
        }
    }
}

/// The types whose equality costs the same for all values.
fn is_opaque(ty: &Type) -> bool {
    let Type::Object(name) = ty else { return false };
    matches!(&**name, "net.IP" | "net.CIDR" | "kubernetes.Quantity" | "kubernetes.Semver")
        || name.starts_with("kubernetes.authorization.")
}

fn comparison(left: &Node, right: &Node) -> Range {
    let most = left.size().max.min(right.size().max);
    Range { min: u64::from(most > 0), max: most }.factor(TRAVERSAL)
}

/// The product of the lengths of the text and the pattern.
fn pattern_cost(text: &Node, pattern: &Node) -> Range {
    (text.size() + ONE).factor(TRAVERSAL).times(pattern.size().factor(PATTERN))
}

/// The length of a text in which parts are replaced.
fn replaced_size(text: Range, old: Range, new: Range) -> Range {
    // The number of replacements, and the length of the text that stays.
    let bound = |text: u64, old: u64, stays: bool| match old {
        0 => (text.saturating_add(1), text),
        _ if stays => (0, text),
        _ => (text.div_ceil(old), 0),
    };
    let (most, most_kept) = bound(text.max, old.min, new.max <= old.min);
    let (least, least_kept) = bound(text.min, old.max, old.max <= new.min);
    let (count, kept) = (Range { min: least, max: most }, Range { min: least_kept, max: most_kept });
    count.times(new) + kept
}
