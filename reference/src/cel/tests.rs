//! Expressions without a schema.

use super::*;

fn value(text: &str) -> Evaluated {
    let deviations = Deviations::default();
    let program = Program::compile(text, &Environment::default(), &deviations).unwrap_or_else(|error| panic!("{error}"));
    program.evaluate(Vec::new(), EVALUATION_LIMIT, None, &deviations).value
}
