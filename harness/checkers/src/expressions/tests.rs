//! The model: laws of random expressions, and values that the language definition gives.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;

use super::calendar::date_time;
use super::expression::Macro;
use super::signatures::signatures;
use super::*;

fn literal(value: Value) -> Expression {
    Expression::Literal(value)
}

fn int(number: i64) -> Expression {
    literal(Value::Int(number))
}

fn text(text: &str) -> Expression {
    literal(Value::text(text))
}

fn truth(value: bool) -> Expression {
    literal(Value::Bool(value))
}

/// The signature with this name that fits the arguments.
fn call(name: &str, arguments: Vec<Expression>) -> Expression {
    let types: Vec<_> = arguments.iter().map(|argument| argument.type_of().unwrap()).collect();
    let fits =
        |signature: &&super::signature::Signature| signature.name == name && signature.parameters == types;
    Expression::Call(signatures().iter().find(fits).unwrap(), arguments)
}

fn ints(numbers: &[i64]) -> Expression {
    Expression::List(numbers.iter().copied().map(int).collect())
}

fn failing() -> Expression {
    call("==", vec![call("/", vec![int(1), int(0)]), int(1)])
}

fn value(expression: &Expression) -> Evaluated {
    expression.evaluate(&Environment::drawn(&mut Choices::new(&[])))
}

fn any_type() -> impl Strategy<Value = Type> {
    proptest::sample::select(Type::ALL.to_vec())
}

fn choices() -> impl Strategy<Value = Vec<u16>> {
    vec(any::<u16>(), 0..120)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn an_expression_has_the_type_for_which_it_is_drawn(ty in any_type(), choices in choices()) {
        let drawn = Expression::drawn(ty, &mut Choices::new(&choices));
        prop_assert_eq!(drawn.type_of(), Ok(ty), "{}", drawn);
    }

    #[test]
    fn a_message_is_a_text(choices in choices()) {
        prop_assert_eq!(Expression::drawn_text(&mut Choices::new(&choices)).type_of(), Ok(Type::Text));
    }

    #[test]
    fn smaller_expressions_have_fewer_parts_and_the_same_type(choices in choices()) {
        let drawn = Expression::drawn(Type::Bool, &mut Choices::new(&choices));
        for smaller in drawn.smaller() {
            prop_assert_eq!(smaller.exact_type(), Ok(Type::Bool));
            prop_assert!(smaller.nodes().len() <= drawn.nodes().len());
            prop_assert!(smaller != drawn);
        }
    }

    #[test]
    fn a_second_is_read_from_its_text(seconds in -62_135_596_800_i64..=253_402_300_799) {
        let read = value(&call("timestamp", vec![text(&date_time(seconds))]));
        prop_assert_eq!(read, Ok(Value::Timestamp(seconds)));
    }
}

/// Random rules would show little if nearly all of them held.
#[test]
fn values_and_errors_are_all_frequent() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut counts, total) = ([0; 4], 4000);
    for _ in 0..total {
        let drawn = vec(any::<u16>(), 40..120).new_tree(&mut runner).unwrap().current();
        let mut choices = Choices::new(&drawn);
        let environment = Environment::drawn(&mut choices);
        let outcome = Expression::drawn(Type::Bool, &mut choices).evaluate(&environment);
        counts[match outcome {
            Ok(Value::Bool(true)) => 0,
            Ok(_) => 1,
            Err(NoValue::Error) => 2,
            Err(NoValue::Open) => 3,
        }] += 1;
    }
    let [held, rejected, failed, open] = counts;
    assert!(held > total / 5 && rejected > total / 5 && failed > total / 20, "{counts:?}");
    assert!(open < total / 20, "{counts:?}");
}

#[test]
fn a_text_has_only_the_parentheses_that_it_needs() {
    let sum = || call("+", vec![int(1), int(-2)]);
    let texts = [
        (call("*", vec![sum(), int(3)]), "(1 + -2) * 3"),
        (call("+", vec![int(3), call("*", vec![int(2), int(3)])]), "3 + 2 * 3"),
        (call("-", vec![int(1), sum()]), "1 - (1 + -2)"),
        (call("-", vec![int(-1)]), "-(-1)"),
        (call("!", vec![call("<", vec![int(1), int(2)])]), "!(1 < 2)"),
        (
            Expression::Logic(false, vec![truth(true), Expression::Logic(true, vec![truth(true); 2])]),
            "true && (true || true)",
        ),
        (
            call("size", vec![Expression::Conditional(vec![truth(true), text("a'"), text("b")])]),
            "size(true ? 'a\\'' : 'b')",
        ),
        (
            Expression::Loop(Macro::All, 0, vec![Expression::Field("ints"), truth(true)]),
            "self.ints.all(v0, true)",
        ),
        (call("[]", vec![ints(&[1]), int(0)]), "[1][0]"),
    ];
    for (expression, text) in texts {
        assert_eq!(expression.to_string(), text);
    }
}

#[test]
fn a_deciding_operand_absorbs_errors_on_both_sides() {
    for decides in [false, true] {
        let logic =
            |left: Expression, right: Expression| value(&Expression::Logic(decides, vec![left, right]));
        assert_eq!(logic(failing(), truth(decides)), Ok(Value::Bool(decides)));
        assert_eq!(logic(truth(decides), failing()), Ok(Value::Bool(decides)));
        assert_eq!(logic(failing(), truth(!decides)), Err(NoValue::Error));
        assert_eq!(logic(truth(!decides), truth(!decides)), Ok(Value::Bool(!decides)));
    }
}

#[test]
fn a_loop_absorbs_errors_only_if_an_item_decides() {
    // 1 / v0 fails for 0.
    let body = |expected| {
        call("==", vec![call("/", vec![int(1), int(0)]), int(expected)])
            .replaced(2 + 1, &Expression::Variable(0))
    };
    let over = |name, items: &[i64]| value(&Expression::Loop(name, 0, vec![ints(items), body(1)]));
    assert_eq!(over(Macro::Exists, &[0, 1]), Ok(Value::Bool(true)));
    assert_eq!(over(Macro::Exists, &[0, 2]), Err(NoValue::Error));
    assert_eq!(over(Macro::All, &[0, 2]), Ok(Value::Bool(false)));
    assert_eq!(over(Macro::All, &[0, 1]), Err(NoValue::Error));
    assert_eq!(over(Macro::ExistsOne, &[0, 1]), Err(NoValue::Error));
    assert_eq!(over(Macro::ExistsOne, &[1, 1]), Ok(Value::Bool(false)));
    assert_eq!(over(Macro::Filter, &[2, 0]), Err(NoValue::Error));
    assert_eq!(over(Macro::Filter, &[2, 1]), Ok(Value::List(vec![Value::Int(1)])));
}

#[test]
fn numbers_do_not_wrap() {
    for (name, left, right) in [
        ("+", i64::MAX, 1),
        ("-", i64::MIN, 1),
        ("*", i64::MIN, -1),
        ("/", i64::MIN, -1),
        ("/", 1, 0),
        ("%", 1, 0),
    ] {
        assert_eq!(
            value(&call(name, vec![int(left), int(right)])),
            Err(NoValue::Error),
            "{left} {name} {right}"
        );
    }
    assert_eq!(value(&call("%", vec![int(-7), int(2)])), Ok(Value::Int(-1)));
    assert_eq!(value(&call("uint", vec![int(-1)])), Err(NoValue::Error));
    assert_eq!(value(&call("sum", vec![ints(&[i64::MAX, 1])])), Err(NoValue::Error));
}

#[test]
fn positions_count_characters() {
    assert_eq!(value(&call("size", vec![text("a😀b")])), Ok(Value::Int(3)));
    assert_eq!(value(&call("indexOf", vec![text("a😀b"), text("b")])), Ok(Value::Int(2)));
    assert_eq!(value(&call("charAt", vec![text("é"), int(1)])), Ok(Value::text("")));
    assert_eq!(value(&call("charAt", vec![text("é"), int(2)])), Err(NoValue::Error));
    assert_eq!(value(&call("substring", vec![text("abc"), int(2), int(1)])), Err(NoValue::Error));
}

#[test]
fn dates_count_leap_days() {
    let day = |name: &str| value(&call(name, vec![literal(Value::Timestamp(951_782_400))]));
    assert_eq!(date_time(951_782_400), "2000-02-29T00:00:00Z");
    assert_eq!(day("getDate"), Ok(Value::Int(29)));
    assert_eq!(day("getDayOfWeek"), Ok(Value::Int(2)));
    assert_eq!(day("getDayOfYear"), Ok(Value::Int(59)));
}

#[test]
fn an_optional_field_may_be_absent_or_have_its_default() {
    let nothing = |expression: &Expression| value(expression);
    assert_eq!(nothing(&Expression::Has("maybe")), Ok(Value::Bool(false)));
    assert_eq!(nothing(&Expression::Field("maybe")), Err(NoValue::Error));
    assert_eq!(nothing(&Expression::Has("five")), Ok(Value::Bool(true)));
    assert_eq!(nothing(&Expression::Field("five")), Ok(Value::Int(5)));
}

#[test]
fn parts_of_another_type_are_wrong_unless_the_language_has_more() {
    let whole = call("<", vec![int(1), int(2)]);
    assert_eq!(whole.replaced(1, &text("a")).type_of(), Err(NoType::Wrong));
    assert_eq!(whole.replaced(1, &literal(Value::Double(1.5))).type_of(), Err(NoType::Open));
    assert_eq!(whole.replaced(1, &Expression::Field("absent")).type_of(), Err(NoType::Wrong));
    let list = ints(&[1, 2]);
    assert_eq!(list.replaced(1, &text("a")).type_of(), Err(NoType::Wrong));
    assert_eq!(Expression::List(vec![literal(Value::Double(1.5))]).type_of(), Err(NoType::Open));
}

#[test]
fn a_failing_conversion_of_a_constant_is_noticed() {
    assert!(call("int", vec![text("a")]).has_failing_constant());
    assert!(call("uint", vec![call("-", vec![int(1)])]).has_failing_constant());
    assert!(!call("int", vec![text("12")]).has_failing_constant());
    assert!(!call("int", vec![Expression::Field("s")]).has_failing_constant());
}
