//! The strategies, and what responses show.

use harness::expressions::NoType;
use proptest::prelude::*;

use super::batch::{Batch, ill_typed};
use super::case::{Case, field, label};
use super::schema;
use super::verdict::{Rejection, Verdict};
use crate::prelude::*;

#[test]
fn a_seed_always_gives_the_same_batch() {
    let texts = |run| {
        let Batch { cases, environments } = Batch::new(run);
        let texts: Vec<_> = cases.iter().map(|case| case.expression.to_string()).collect();
        (texts, environments)
    };
    assert_eq!(texts(1), texts(1));
    assert_ne!(texts(1), texts(2));
}

/// A batch that asks nothing of some clause would pass on any server.
#[test]
fn every_batch_expects_each_verdict_often() {
    for run in 0..20 {
        let Batch { cases, environments } = Batch::new(run);
        let expected: Vec<_> = cases
            .iter()
            .enumerate()
            .flat_map(|(number, case)| {
                environments.iter().map(move |values| (case, case.expected(number, values)))
            })
            .collect();
        let count = |is: fn(&Case, &Verdict) -> bool| {
            expected
                .iter()
                .filter(|(case, verdict)| verdict.as_ref().is_some_and(|verdict| is(case, verdict)))
                .count()
        };
        let held = count(|case, verdict| !case.is_message() && *verdict == Verdict::Held);
        let rejected = count(|case, verdict| !case.is_message() && matches!(verdict, Verdict::Rejected(_)));
        let failed = count(|_, verdict| *verdict == Verdict::Failed);
        let messages = count(|case, verdict| {
            case.is_message() && matches!(verdict, Verdict::Rejected(text) if !text.starts_with("expression"))
        });
        assert!(
            held > 50 && rejected > 50 && failed > 10 && messages > 50,
            "{held} {rejected} {failed} {messages}"
        );
    }
}

proptest! {
    #[test]
    fn most_mutated_expressions_have_no_type(rules in proptest::collection::vec(ill_typed(), 100)) {
        let wrong = rules.iter().filter(|rule| rule.type_of() == Err(NoType::Wrong)).count();
        prop_assert!(wrong > 30, "{wrong}");
    }
}

#[test]
fn a_rejection_shows_the_verdict_about_each_rule() {
    let cause = |field: String, detail: String| json!({ "field": field, "message": format!("Invalid value: {detail}") });
    let causes = [
        cause(format!("spec.{}", field(1)), "a value".to_owned()),
        cause("spec".to_owned(), format!("division by zero evaluating rule: {}", label(2))),
        cause("spec".to_owned(), schema::revision(7)),
    ];
    let rejection = Rejection::read(causes.iter().collect(), &schema::revision(7)).unwrap();
    assert_eq!(rejection.verdict(0), Verdict::Held);
    assert_eq!(rejection.verdict(1), Verdict::Rejected("a value".to_owned()));
    assert_eq!(rejection.verdict(2), Verdict::Failed);
    assert!(Rejection::read(causes.iter().collect(), &schema::revision(8)).is_none());
}
