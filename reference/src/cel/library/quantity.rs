//! Quantities of Kubernetes, such as `1.5Gi`.

use std::cmp::Ordering;

use crate::cel::evaluator::{EvalError, Evaluated};
use crate::cel::value::Value;

/// A number times a power of ten. Beyond 38 digits, sums and comparisons are approximate.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Quantity {
    number: i128,
    scale: i32,
}

/// The decimal units with their powers of ten.
const DECIMAL: [(&str, i32); 10] =
    [("n", -9), ("u", -6), ("m", -3), ("", 0), ("k", 3), ("M", 6), ("G", 9), ("T", 12), ("P", 15), ("E", 18)];
/// The binary units, in steps of 1024.
const BINARY: [&str; 6] = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

pub(super) fn call(name: &str, args: &[Value]) -> Option<Evaluated> {
    use Value::{Int, Quantity as Own, Text};
    let whole = |number: &i64| Quantity { number: i128::from(*number), scale: 0 };
    Some(Ok(match (name, args) {
        ("isQuantity", [Text(text)]) => Value::Bool(Quantity::parse(text).is_some()),
        ("quantity", [Text(text)]) => {
            let parsed = Quantity::parse(text).map(Own);
            let message =
                "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
            return Some(parsed.ok_or_else(|| EvalError::other(message)));
        }
        ("sign", [Own(own)]) => Int(own.number.signum().try_into().unwrap_or_default()),
        ("isInteger", [Own(own)]) => Value::Bool(own.integer().is_some()),
        ("asInteger", [Own(own)]) => {
            let integer = own.integer().map(Int);
            return Some(integer.ok_or_else(|| EvalError::other("cannot convert value to integer")));
        }
        ("asApproximateFloat", [Own(own)]) => Value::Double(own.approximate()),
        ("add", [Own(own), Own(other)]) => Own(own.plus(*other)),
        ("add", [Own(own), Int(other)]) => Own(own.plus(whole(other))),
        ("sub", [Own(own), Own(other)]) => Own(own.plus(other.negated())),
        ("sub", [Own(own), Int(other)]) => Own(own.plus(whole(other).negated())),
        ("isLessThan", [Own(own), Own(other)]) => Value::Bool(own.compare(other).is_lt()),
        ("isGreaterThan", [Own(own), Own(other)]) => Value::Bool(own.compare(other).is_gt()),
        ("compareTo", [Own(own), Own(other)]) => Int(own.compare(other) as i64),
        _ => return None,
    }))
}

impl Quantity {
    fn parse(text: &str) -> Option<Self> {
        let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
        let split =
            unsigned.find(|next: char| !next.is_ascii_digit() && next != '.').unwrap_or(unsigned.len());
        let (digits, unit) = unsigned.split_at(split);
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        if digits.is_empty() || digits == "." || fraction.contains('.') {
            return None;
        }
        let number: i128 = format!("{whole}{fraction}").parse().ok()?;
        let (factor, power) = unit_of(unit)?;
        let number = number.checked_mul(factor)?;
        let scale = power.checked_sub(i32::try_from(fraction.len()).ok()?)?;
        Some(Self { number: if text.starts_with('-') { -number } else { number }, scale })
    }

    /// The value, if it is an int64 and written without a fraction.
    fn integer(self) -> Option<i64> {
        let power = 10_i128.checked_pow(u32::try_from(self.scale).ok()?)?;
        i64::try_from(self.number.checked_mul(power)?).ok()
    }

    #[allow(clippy::cast_precision_loss, reason = "the function says that it is approximate")]
    pub(crate) fn approximate(self) -> f64 {
        if self.scale < 0 {
            self.number as f64 / 10_f64.powi(-self.scale)
        } else {
            self.number as f64 * 10_f64.powi(self.scale)
        }
    }

    fn negated(self) -> Self {
        Self { number: self.number.saturating_neg(), ..self }
    }

    /// Both numbers at the smaller scale; `None` if they have too many digits.
    fn aligned(self, other: Self) -> Option<(i128, i128, i32)> {
        let scale = self.scale.min(other.scale);
        let at = |own: Self| {
            let power = 10_i128.checked_pow(u32::try_from(own.scale - scale).ok()?)?;
            own.number.checked_mul(power)
        };
        Some((at(self)?, at(other)?, scale))
    }

    fn plus(self, other: Self) -> Self {
        let exact = self
            .aligned(other)
            .and_then(|(left, right, scale)| Some(Self { number: left.checked_add(right)?, scale }));
        exact.unwrap_or(if self.approximate().abs() < other.approximate().abs() { other } else { self })
    }

    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        match self.aligned(*other) {
            Some((left, right, _)) => left.cmp(&right),
            None => self.approximate().total_cmp(&other.approximate()),
        }
    }
}

/// The factor and the power of ten of a unit or exponent.
fn unit_of(unit: &str) -> Option<(i128, i32)> {
    if let Some(index) = BINARY.iter().position(|known| *known == unit) {
        return Some((1024_i128.pow(u32::try_from(index).ok()? + 1), 0));
    }
    if let Some((_, power)) = DECIMAL.iter().find(|(known, _)| *known == unit) {
        return Some((1, *power));
    }
    let exponent: i32 = unit.strip_prefix(['e', 'E'])?.parse().ok()?;
    (exponent.unsigned_abs() < 1000).then_some((1, exponent))
}
