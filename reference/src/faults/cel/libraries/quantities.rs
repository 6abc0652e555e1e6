//! Faults of quantities.

use crate::cel::deviation::Deviation::*;
use crate::fault::expressions;
use crate::faults::cel::{Evaluated, Fault, REFUSED, Value, bool, call, failed, text, yes};

fn parsed(text: &str) -> Evaluated {
    call("quantity", &[Value::text(text)])
}

/// The number of a quantity, without its fraction.
#[allow(clippy::cast_possible_truncation, reason = "faults calculate with small quantities")]
fn whole(value: &Value) -> i64 {
    if let Value::Quantity(quantity) = value { quantity.approximate() as i64 } else { 0 }
}

/// Whether the argument is an int.
fn of_int(args: &[Value]) -> bool {
    matches!(args[1], Value::Int(_))
}

#[rustfmt::skip]
pub(in crate::faults) const FAULTS: &[Fault] = &[
    expressions("cel-libraries-quantity-isquantity", "K is a unit", &[Returns("isQuantity", |args, right| if text(&args[0]).ends_with('K') { bool(true) } else { right })]),
    expressions("cel-libraries-quantity-quantity-error", "other strings are the quantity 0", &[Returns("quantity", |_, right| right.or_else(|_| parsed("0")))]),
    expressions("cel-libraries-quantity-isinteger", "every quantity is an integer", &[Returns("isInteger", yes)]),
    expressions("cel-libraries-quantity-asinteger", "k is 1024", &[Returns("asInteger", |_, right| match right? { Value::Int(number) => Ok(Value::Int(number / 1000 * 1024)), other => Ok(other) })]),
    expressions("cel-libraries-quantity-asinteger-error", "asInteger saturates", &[Returns("asInteger", |_, right| right.or(Ok(Value::Int(i64::MAX))))]),
    expressions("cel-libraries-quantity-asapproximatefloat", "asApproximateFloat has no fraction", &[Returns("asApproximateFloat", |_, right| match right? { Value::Double(number) => Ok(Value::Double(number.trunc())), other => Ok(other) })]),
    expressions("cel-libraries-quantity-asapproximatefloat-lossy", "asApproximateFloat is at most an int64", &[Returns("asApproximateFloat", |_, right| match right? { Value::Double(number) => Ok(Value::Double(number.min(9.2e18))), other => Ok(other) })]),
    expressions("cel-libraries-quantity-sign", "sign is the number", &[Returns("sign", |args, _| Ok(Value::Int(whole(&args[0]))))]),
    expressions("cel-libraries-quantity-sign-portable", "compareTo is never negative", &[Returns("compareTo", |_, right| match right? { Value::Int(order) => Ok(Value::Int(order.abs())), other => Ok(other) })]),
    expressions("cel-libraries-quantity-add-quantity", "quantities have no sum", &[Returns("add", |args, right| if of_int(args) { right } else { failed() })]),
    expressions("cel-libraries-quantity-add-int", "add ignores an integer", &[Returns("add", |args, right| if of_int(args) { Ok(args[0].clone()) } else { right })]),
    expressions("cel-libraries-quantity-sub-quantity", "sub swaps its operands", &[Returns("sub", |args, right| if of_int(args) { right } else { call("sub", &[args[1].clone(), args[0].clone()]) })]),
    expressions("cel-libraries-quantity-sub-int", "sub does not take an integer", &[Returns("sub", |args, right| if of_int(args) { REFUSED } else { right })]),
    expressions("cel-libraries-quantity-islessthan", "isLessThan is true for equal quantities", &[Returns("isLessThan", |args, right| if args[0].equals(&args[1]) { bool(true) } else { right })]),
    expressions("cel-libraries-quantity-isgreaterthan", "isGreaterThan is true for equal quantities", &[Returns("isGreaterThan", |args, right| if args[0].equals(&args[1]) { bool(true) } else { right })]),
    expressions("cel-libraries-quantity-compareto", "compareTo is the difference", &[Returns("compareTo", |args, _| Ok(Value::Int(whole(&args[0]) - whole(&args[1]))))]),
    expressions("cel-libraries-quantity-equality", "quantities are equal to none", &[Returns("_==_", |args, right| if matches!(args[0], Value::Quantity(_)) { bool(false) } else { right })]),
    expressions("cel-libraries-quantity-example-isinteger", "large quantities are no integers", &[Returns("isInteger", |args, right| if whole(&args[0]) > i64::from(i32::MAX) { bool(false) } else { right })]),
    expressions("cel-libraries-quantity-example-asinteger", "asInteger has 16 bits", &[Returns("asInteger", |_, right| match right? { Value::Int(number) => Ok(Value::Int(number % 32_768)), other => Ok(other) })]),
    expressions("cel-libraries-quantity-example-float", "asApproximateFloat fails beyond an int64", &[Returns("asApproximateFloat", |args, right| if whole(&args[0]) == i64::MAX { failed() } else { right })]),
    expressions("cel-libraries-quantity-example-add-as-printed", "add and sub take a string", &[Declares("kubernetes.Quantity..add(string) kubernetes.Quantity"), Declares("kubernetes.Quantity..sub(string) kubernetes.Quantity")]),
    expressions("cel-libraries-quantity-example-sub", "sub of an integer is 0", &[Returns("sub", |args, right| if of_int(args) { parsed("0") } else { right })]),
    expressions("cel-libraries-quantity-example-chain", "quantities are never negative", &[Returns("sub", |_, right| match right? { result if whole(&result) < 0 => failed(), result => Ok(result) })]),
    expressions("cel-libraries-quantity-example-compare", "equal quantities differ by one", &[Returns("compareTo", |_, right| match right? { Value::Int(0) => Ok(Value::Int(1)), order => Ok(order) })]),
    expressions("cel-libraries-quantity-example-greater", "isGreaterThan swaps its operands", &[Returns("isGreaterThan", |args, _| call("isLessThan", args))]),
    expressions("cel-libraries-quantity-example-less", "isLessThan swaps its operands", &[Returns("isLessThan", |args, _| call("isGreaterThan", args))]),
];
