//! One who plays sequences on the server, each on objects that nobody has used.

use std::time::Instant;

use harness::writes::{Answer, Asked, Course, Difference, Rule, State, Step, Told};
use harness::{Collection, Context, Exchange, Halt, Method, Request};

/// Plays sequences, and looks at what one rule says of them.
pub(super) struct Player {
    cx: Context,
    pub(super) things: Collection,
    rule: Rule,
    rounds: usize,
}

/// What a sequence showed.
#[derive(Debug)]
pub(super) struct Finding {
    pub(super) difference: Difference,
    /// The steps up to the one that shows it.
    pub(super) steps: Vec<Told>,
    /// The exchange that shows it.
    pub(super) exchange: usize,
}

impl Player {
    pub(super) async fn new(cx: &Context, rule: Rule) -> Result<Self, Halt> {
        Ok(Self { cx: cx.clone(), things: cx.things().await?, rule, rounds: 0 })
    }

    /// The first difference of the rule that a sequence shows, as far as there is time for it.
    pub(super) async fn play(&mut self, steps: &[Step], until: Instant) -> Result<Option<Finding>, Halt> {
        self.rounds += 1;
        let mut course = Course::new(self.things.shape().clone());
        for step in steps.iter().take_while(|_| Instant::now() < until) {
            let name = self.things.name_of(&format!("{}{}", step.name, self.rounds));
            let asked = course.next(step, &name);
            let answered = self.cx.send(self.request(&asked, &name)).await?;
            let shown = self.things.get(&name).await?;
            let answer = Answer { status: self.judged(&answered)?, object: self.object(&answered) };
            let after = match shown.status() {
                404 => None,
                _ => Some(State::read(shown.written()?.json(), self.things.shape())),
            };
            let found = course.came(&answer, after).into_iter().find(|one| one.rule == self.rule);
            if let Some(difference) = found {
                let exchange = answered.index;
                return Ok(Some(Finding { difference, steps: course.told().to_vec(), exchange }));
            }
        }
        Ok(None)
    }

    fn request(&self, asked: &Asked, name: &str) -> Request {
        // Named in any case, so that it is removed, however it is created.
        let object = self.things.path_of(name);
        let path = if asked.method == Method::POST { self.things.path() } else { object };
        let request = Request::new(asked.method.clone(), path);
        let request = asked.query.iter().fold(request, |request, (name, value)| request.query(name, value));
        match &asked.body {
            Some(body) => request.json(asked.content_type, body),
            None => request,
        }
    }

    /// The code of an answer; one that does not say what became of the write is an obstacle.
    fn judged(&self, answered: &Exchange) -> Result<u16, Halt> {
        if answered.status() < 500 {
            return Ok(answered.status());
        }
        let attempted = format!("{} {}", answered.request.method, answered.request.path);
        Err(self.cx.obstacle(attempted, answered.brief()).into())
    }

    fn object(&self, answered: &Exchange) -> Option<State> {
        let json = answered.json().filter(|json| answered.succeeded() && json["kind"] != "Status")?;
        json["metadata"]["name"].is_string().then(|| State::read(json, self.things.shape()))
    }
}
