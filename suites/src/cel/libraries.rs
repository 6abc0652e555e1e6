//! Area `cel-libraries`: the clauses that are no rows of the table.

use harness::Version;

use super::definition::{of_spec, try_out, with_rule};
use super::refusal::{expect_refused, messages};
use super::{compatibility, mutating_policy, offer, policy};
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    let own = vec![
        row!(cel_libraries_rollback_new_writes).own_kinds(),
        row!(cel_libraries_available_everywhere).own_kinds(),
    ];
    own.into_iter().chain(mutating_policy::rows()).collect()
}

/// Rules with something that a release added to the libraries.
#[rustfmt::skip]
const ADDED: &[(u32, &str)] = &[
    (29, "quantity('1k').asInteger() == 1000"),
    (29, "self.?x.orValue(1) == 1"),
    (30, "sets.contains([1], [1])"),
    (30, "strings.quote('a') == '\"a\"'"),
    (31, "isIP('::1')"),
    (31, "isCIDR('::/0')"),
    (32, "format.dns1123Label().validate('a').orValue([]).size() == 0"),
    (33, "[1].all(i, v, i < v)"),
    (34, "isSemver('1.0.0')"),
    (35, "[2, 1].sort() == [1, 2]"),
    (38, "[1].includes(1)"),
];

async fn cel_libraries_rollback_new_writes(cx: Context) -> Checked {
    offer::require_cel(&cx).await?;
    let newest = compatibility::newest(&cx).await?;
    let newest = newest.ok_or_else(|| Halt::skip("/version has no minor"))?;
    for (minor, rule) in ADDED {
        let tried = try_out(&cx, &of_spec(&cx, "cel", &with_rule(rule))).await?;
        if (Version { major: 1, minor: *minor }) <= newest {
            let expected = format!("HTTP 201: `{rule}` is in the libraries since 1.{minor}");
            tried.expect(tried.status() == 201, expected, messages(&tried))?;
        } else {
            expect_refused(&cx, &tried, &format!("`{rule}`, which 1.{minor} adds"), false)?;
        }
    }
    Ok(())
}

/// A policy with a function of each library, in each field that has an expression.
fn policy_with(sorted: &str, find: &str, quantity: &str, index: &str) -> Value {
    json!({
        "matchConditions": [{ "name": "sorted", "expression": format!("[1, 2].{sorted}()") }],
        "variables": [{ "name": "found", "expression": format!("'a1'.{find}('[0-9]+')") }],
        "validations": [{
            "expression": format!("{quantity}('1k').asInteger() == 1000"),
            "messageExpression": format!("'x' + string(['b', 'a'].{index}('a'))"),
        }],
        "auditAnnotations": [{ "key": "url", "valueExpression": "string(isURL('https://example.com'))" }],
    })
}

async fn cel_libraries_available_everywhere(cx: Context) -> Checked {
    offer::require_policies(&cx).await?;

    let right = policy::try_out(&cx, &policy_with("isSorted", "find", "quantity", "indexOf")).await?;
    right.expect(right.status() == 201, "HTTP 201: the libraries are in every field", right.brief())?;

    let wrong = [
        policy_with("isSortedx", "find", "quantity", "indexOf"),
        policy_with("isSorted", "findx", "quantity", "indexOf"),
        policy_with("isSorted", "find", "quantityx", "indexOf"),
        policy_with("isSorted", "find", "quantity", "indexOfx"),
    ];
    for fields in wrong {
        let tried = policy::try_out(&cx, &fields).await?;
        tried.expect(tried.status() == 422, "HTTP 422: a policy with an unknown function", tried.brief())?;
    }
    Ok(())
}
