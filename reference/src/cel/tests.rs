//! Expressions without a schema.

use serde_json::json;

use super::evaluator::EvalError;
use super::*;

fn compiled(text: &str, environment: &Environment) -> Result<Program, String> {
    Program::compile(text, environment, &Deviations::default())
}

fn value(text: &str) -> Evaluated {
    let program = compiled(text, &Environment::default()).map_err(EvalError::Other)?;
    program.evaluate(Vec::new(), EVALUATION_LIMIT, None, &Deviations::default(), &Work::default()).value
}

/// Expressions that are true on kube-apiserver.
const TRUE: &[&str] = &[
    "1 + 2 * 3 == 7 && -7 / 3 == -2 && -7 % 3 == -1 && 7 - -7 == 14",
    "-9223372036854775808 < 9223372036854775807 && 0x10 == 16 && 1e3 == 1000.0 && .5 < 1",
    "'a' + \"b\" == r'ab' && b'\\x41' == b'A' && '\\u00e9'.size() == 1 && '''a\nb'''.size() == 3",
    "true || 1 / 0 > 0 ? 1u < 2 : false",
    "1 / 0 > 0 || true",
    "!(false && 1 / 0 > 0)",
    "[1, 2, 3].all(x, x > 0) && [1, 0].exists(x, 1 / x == 1) && [1, 2].exists_one(x, x == 1)",
    "[1, 2, 3].filter(x, x > 1).map(x, x * 2) == [4, 6] && [1, 2].map(x, x > 1, x) == [2]",
    "{'a': 1}.all(k, k == 'a') && {'a': 1, 'b': 2}['b'] == 2 && 'a' in {'a': 1} && {'a': 1}.a == 1",
    "[1, 2].all(i, v, v == i + 1) && {'a': 1}.transformMap(k, v, v + 1) == {'a': 2}",
    "{'a': 1}.transformMapEntry(k, v, {v: k}) == {1: 'a'} && [3, 4].transformList(i, v, i) == [0, 1]",
    "[[3, 30], [1, 10]].sortBy(p, p[0]).map(p, p[1]) == [10, 30]",
    "optional.of(1).optMap(x, x + 1).value() == 2 && !optional.none().hasValue()",
    "{'a': {'b': 1}}.?a.?b.orValue(0) == 1 && {'a': 1}[?'z'].orValue(2) == 2 && [?optional.none()].size() == 0",
    "duration('1h30m') == duration('5400s') && duration('90m').getHours() == 1 && string(duration('1.5s')) == '1.5s'",
    "timestamp('2024-02-29T14:00:00+02:00') - timestamp('2024-02-29T11:00:00Z') == duration('1h')",
    "timestamp('2024-02-29T12:30:15Z').getDayOfWeek() == 4 && timestamp('2024-02-29T23:30:00Z').getHours('+02:00') == 1",
    "int(2.9) == 2 && int('-3') == -3 && string(1.0) == '1' && string(1e30) == '1e+30' && type(1u) == uint",
    "['b', 'a'].sort() == ['a', 'b'] && [1, 1].distinct() == [1] && [1, 2, 3].slice(1, 3) == [2, 3]",
    "[].isSorted() && [1, 2].sum() == 3 && ['a', 'b'].max() == 'b' && [1, 2, 1].lastIndexOf(1) == 2",
    "'a1b22'.findAll('[0-9]+') == ['1', '22'] && 'abc'.find('x') == '' && 'ab'.matches('b')",
    "'a,b,,c'.split(',', 2) == ['a', 'b,,c'] && 'hé'.charAt(1) == 'é' && 'abcb'.lastIndexOf('b', 2) == 1",
    "'%d-%s-%.2f-%x'.format([7, 'a', 1.5, 255]) == '7-a-1.50-ff' && strings.quote('a\"b') == '\"a\\\\\"b\"'",
    "url('HTTPS://u@[::1]:80/a b?k=1&k=2').getHost() == '[::1]:80' && !isURL('a/b')",
    "url('https://e.com/a b?k=1&k=2').getQuery() == {'k': ['1', '2']} && url('https://e.com/a b').getEscapedPath() == '/a%20b'",
    "quantity('0.2G') == quantity('200M') && quantity('1Ki').compareTo(quantity('1k')) == 1 && !quantity('1500m').isInteger()",
    "quantity('50k').add(20).sub(quantity('100k')).sub(-50000) == quantity('20')",
    "ip('2001:DB8::0:1') == ip('2001:db8::1') && !isIP('::ffff:1.2.3.4') && cidr('10.0.0.1/8').masked() == cidr('10.0.0.0/8')",
    "cidr('192.168.0.0/16').containsCIDR('192.168.1.0/24') && !cidr('::/0').containsIP('1.2.3.4')",
    "semver('v1.0', true) == semver('1.0.0') && semver('1.10.0-rc.2').isLessThan(semver('1.10.0')) && !isSemver('01.0.0')",
    "!format.uuid().validate('123e4567-e89b-12d3-a456-426614174000').hasValue() && !format.named('x').hasValue()",
    "sets.equivalent([1, 2, 2], [2, 1]) && dyn(1) == 1.0 && [dyn(1), dyn('a')].size() == 2",
    "[duration('1s')].filter(d, false).sum() == duration('0s')",
];

#[test]
fn expressions_have_the_values_of_kube_apiserver() {
    let holds = |text: &&&str| matches!(value(text), Ok(Value::Bool(true)));
    let others: Vec<_> = TRUE.iter().filter(|text| !holds(text)).collect();
    assert!(others.is_empty(), "{others:#?}");
}

#[test]
fn evaluation_errors_are_those_of_kube_apiserver() {
    for (text, expected) in [
        ("1 / 0 == 1", "division by zero"),
        ("9223372036854775807 + 1 == 0", "integer overflow"),
        ("[1][1] == 1", "index out of bounds: 1"),
        ("{'a': 1}.b == 1", "no such key: b"),
        ("int('x') == 1", "type conversion error from 'string' to 'int'"),
        ("dyn('a') < 1", "no such overload"),
        ("[1].filter(x, x > 1).min() == 1", "min called on empty list"),
        ("optional.none().value() == 1", "optional.none() dereference"),
        (
            "lists.range(1000).all(x, lists.range(1000).all(y, x + y >= 0))",
            "operation cancelled: actual cost limit exceeded",
        ),
    ] {
        assert_eq!(value(text).unwrap_err().to_string(), expected, "{text}");
    }
}

#[test]
fn invalid_expressions_have_the_errors_of_kube_apiserver() {
    for (text, expected) in [
        ("1 + 'a' == 2", "<input>:1:3: found no matching overload for '_+_' applied to '(int, string)'"),
        ("x > 0", "<input>:1:1: undeclared reference to 'x' (in container '')"),
        ("1 == 1.0", "<input>:1:3: found no matching overload for '_==_' applied to '(int, double)'"),
        ("1 && true", "<input>:1:1: expected type 'bool' but found 'int'"),
        (
            "'a'.startsWith(1)",
            "<input>:1:15: found no matching overload for 'startsWith' applied to 'string.(int)'",
        ),
        ("'a'.matches('(')", "<input>:1:13: invalid matches argument"),
        ("nosuch(1)", "<input>:1:7: undeclared reference to 'nosuch' (in container '')"),
        ("let", "<input>:1:1: reserved identifier: let"),
        ("[1, 'a'] == []", "expected type 'int' but found 'string'"),
        ("1 > 0; true", "token recognition error at: ';'"),
        ("quantity('1') < quantity('2')", "found no matching overload"),
        ("[1, 2].includes(1)", "undeclared reference to 'includes'"),
        ("math.greatest(1, 2) == 2", "undeclared reference to 'math'"),
    ] {
        let error = compiled(text, &Environment::default()).err().unwrap_or_default();
        assert!(error.contains(expected), "{text}: {error}");
    }
    let nested = format!("{}1{} == 1", "(".repeat(300), ")".repeat(300));
    let chain = format!("1{} == 1", " + 1".repeat(300));
    for deep in [nested, chain, format!("{}true", "!".repeat(300))] {
        let error = compiled(&deep, &Environment::default()).err().unwrap_or_default();
        assert!(error.contains("recursion limit exceeded"), "{error}");
    }
}

#[test]
fn literal_patterns_that_nest_too_deeply_for_rust_are_valid() {
    let nested = format!("'a'.matches('{}a{}')", "(".repeat(300), ")".repeat(300));
    assert!(compiled(&nested, &Environment::default()).is_ok());
}

/// The estimated costs that `cel-cost-*` measured on kube-apiserver 1.36.
#[test]
fn estimated_costs_are_those_of_kube_apiserver() {
    let (number, text) =
        (json!({"type": "integer"}), |most: u64| json!({"type": "string", "maxLength": most}));
    let list = |most: u64| json!({"type": "array", "maxItems": most, "items": {"type": "integer"}});
    let nested = "self.all(x, self.all(y, x + y >= 0))";
    for (schema, rule, expected) in [
        (&number, "self < 10", 2..=2),
        (&number, "self < 10 && self < 10", 4..=4),
        (&number, "self + 1 < 10", 3..=3),
        (&number, "[1, 2, 3].size() == 3", 12..=12),
        (&number, "{'a': 1}.size() == 1", 32..=32),
        (&text(10), "self.matches('abcd')", 6..=6),
        (&text(10), "self.matches('abcdabcd')", 11..=11),
        (&text(100), "self.matches('abcd')", 42..=42),
        (&text(100), "self.matches('abcdabcd')", 83..=83),
        (&list(1190), nested, 9_000_000..=10_000_000),
        (&list(1200), nested, 10_000_001..=10_200_000),
        (
            &json!({"type": "array", "items": {"type": "integer"}}),
            "self.all(x, x >= 0)",
            1_000_000..=10_000_000,
        ),
    ] {
        let declared = Declared::of(schema, "self", false).unwrap();
        let program = compiled(rule, &declared.environment(&[("self", declared.ty())])).unwrap();
        let cost = program.estimated_cost(&declared, &Deviations::default());
        assert!(expected.contains(&cost), "{rule}: {cost}");
    }
}

/// What a user may send to stop the server, or to fill its memory.
#[test]
fn hostile_expressions_are_errors() {
    let nested = format!("optional.of(1){}.hasValue()", ".optMap(x, x)".repeat(40));
    let unknown = format!("[{}]", "x, ".repeat(50_000));
    let dots = format!("{}x", ".".repeat(200_000));
    for text in [
        &nested,
        &unknown,
        &dots,
        "'%.70000f'.format([1.0])",
        "quantity('1e-2147483648').isInteger()",
        "timestamp('2024-01-01T00:00:00Z').getHours('596523:35791394') == 0",
    ] {
        let ended = value(text);
        let short = &text[..text.len().min(40)];
        assert!(ended.is_err(), "{short}");
        let described = format!("{ended:?}");
        assert!(described.len() < 100_000, "{short}: {} bytes", described.len());
    }
}

/// Short expressions whose values are too large, or take too long to compare, for their cost on kube-apiserver.
#[test]
fn work_beyond_costs_is_limited() {
    let text = "[lists.range(1000).map(i, 'x').join()]";
    let nested = format!("[[1, 2]]{}", ".map(v, [v, v, v, v, v, v, v, v, v, v])".repeat(10));
    let literal = format!("[{}]", "0, ".repeat(10_000));
    for text in [
        format!("{text}{}.all(s, s.size() > 0)", ".map(s, s.replace('x', s))".repeat(2)),
        format!(
            "{text}.map(s, s.replace('', s)).map(s, lists.range(500).map(i, s).join().size()).size() > 0"
        ),
        format!("{nested}.all(v, v == v)"),
        format!("{nested}.all(v, v in [v])"),
        format!("{nested}.all(v, sets.contains([v], [v]))"),
        format!("{nested}.all(v, [v, v].distinct().size() == 1)"),
        format!("{nested}.all(v, [v].indexOf(v) == 0)"),
        format!("{nested}.all(v, dyn(v).flatten(20).size() > 0)"),
        format!("{nested}.all(v, '%s'.format([v]).size() > 0)"),
        format!("lists.range(10000).map(i, {literal}).size() > 0"),
    ] {
        let short: String = text.chars().take(200).collect();
        assert_eq!(value(&text).err(), Some(EvalError::CostExceeded), "{short}");
    }
}

#[test]
fn maps_as_keys_double_no_types() {
    let nested = format!("[1]{}.size() == 1", ".map(v, {v: v})".repeat(40));
    assert!(compiled(&nested, &Environment::default()).is_ok());
}

/// Each step of a copied list or map would cost work for all elements so far.
#[test]
fn loops_extend_their_result_in_its_place() {
    for text in [
        "lists.range(20000).map(i, i).size() == 20000",
        "lists.range(20000).filter(i, i >= 0).size() == 20000",
        "lists.range(20000).transformMap(i, v, v).size() == 20000",
    ] {
        assert!(matches!(value(text), Ok(Value::Bool(true))), "{text}: {:?}", value(text));
    }
}

#[test]
fn positions_in_texts_count_characters() {
    for text in [
        "'héhé'.indexOf('hé', 1) == 2 && 'héhé'.lastIndexOf('é') == 3 && 'héhé'.lastIndexOf('é', 2) == 1",
        "'abc'.indexOf('', 3) == 3 && 'abc'.lastIndexOf('', 2) == 2 && ''.lastIndexOf('') == 0 && ''.indexOf('a') == -1",
        "'é'.lastIndexOf('a') == -1 && 'aé'.lastIndexOf('aé', 0) == 0 && 'héh'.split('') == ['h', 'é', 'h']",
        "'héh'.split('', 2) == ['h', 'éh'] && 'aXbXc'.replace('X', '', 1) == 'abXc' && 'ab'.replace('', '-') == '-a-b-'",
    ] {
        assert!(matches!(value(text), Ok(Value::Bool(true))), "{text}: {:?}", value(text));
    }
    assert!(value("'abc'.indexOf('a', 4) == 0").is_err());
}
