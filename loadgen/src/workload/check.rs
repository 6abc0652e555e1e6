//! Validates a workload before the first request.

use std::time::Duration;

use super::{Operation, RequestLoad, Verb, Way, Workload};

/// A server rejects larger objects.
const LARGEST: usize = 1 << 20;

/// A larger number is a typing error.
const MOST: usize = 10_000_000;

/// The maximum duration of a phase.
const LONGEST: Duration = Duration::from_hours(7 * 24);

impl Workload {
    /// The error is one sentence.
    pub fn check(&self) -> Result<(), String> {
        let Self { population, watches, slow, cut, requests, .. } = self;
        let counts = [
            ("objects", population.objects),
            ("namespaces", population.namespaces),
            ("watches", watches.as_ref().map_or(1, |watches| watches.count)),
            ("slow watches", slow.as_ref().map_or(1, |slow| slow.count)),
            ("connections", watches.as_ref().and_then(|watches| watches.connections).unwrap_or(1)),
            ("streams", watches.as_ref().map_or(1, |watches| watches.streams)),
            ("threads", watches.as_ref().map_or(1, |watches| watches.threads)),
        ];
        counts.into_iter().try_for_each(|(what, count)| within(what, count))?;
        if population.size > LARGEST {
            return Err(format!(
                "objects of {} bytes are refused by servers: give at most 1M",
                population.size
            ));
        }
        if population.namespaces > population.objects {
            return Err("more namespaces than objects: give fewer namespaces".to_owned());
        }
        if population.namespaces > 1 && watches.is_some() {
            return Err(
                "a watch sees one namespace, and every write has to be accounted for: give one namespace"
                    .to_owned(),
            );
        }
        if [self.duration, self.warm_up, self.drain].iter().any(|time| time.0 > LONGEST) {
            return Err("no phase may take longer than a week".to_owned());
        }
        if self.duration.0.is_zero() {
            return Err("a run of no length measures nothing: give a duration".to_owned());
        }
        if watches.is_none() && requests.is_none() {
            return Err("it has neither watches nor requests".to_owned());
        }
        if watches.is_none() && (slow.is_some() || cut.is_some()) {
            return Err("it has slow watches or cuts, and no watches".to_owned());
        }
        if cut.as_ref().is_some_and(|cut| cut.every.0 < Duration::from_millis(100)) {
            return Err("watches that are cut more often than every 100ms do not come back".to_owned());
        }
        if watches.as_ref().is_some_and(|watches| !sound(watches.opening)) {
            return Err(
                "the rate of opening must be more than nothing and at most 1000000 a second".to_owned()
            );
        }
        let is_open = |requests: &&RequestLoad| requests.closed.is_none() && sound(requests.rate);
        if let Some(RequestLoad { rate, .. }) = requests.as_ref().filter(is_open)
            && rate * self.duration.0.as_secs_f64() < 1.0
        {
            return Err(format!(
                "{rate} requests a second are none in the whole run: give a higher rate or a longer duration"
            ));
        }
        let senders = requests.as_ref().and_then(|requests| requests.closed).unwrap_or(1);
        if senders > population.objects {
            return Err(format!("{senders} senders need as many objects: writes to one do not overlap"));
        }
        requests.as_ref().map_or(Ok(()), RequestLoad::check)
    }
}

impl RequestLoad {
    fn check(&self) -> Result<(), String> {
        within("connections", self.connections)?;
        within("streams", self.streams)?;
        within("managers", self.managers)?;
        within("senders", self.closed.unwrap_or(1))?;
        if self.closed.is_none() && !sound(self.rate) {
            return Err("a rate must be more than nothing and at most 1000000 a second".to_owned());
        }
        if self.operations.iter().map(|operation| u64::from(operation.weight)).sum::<u64>() == 0 {
            return Err("no operation has a weight: the run would send no request".to_owned());
        }
        let deletes = |one: &Operation| one.verb == Verb::Delete && one.weight > 0;
        if self.operations.iter().any(deletes) && !self.has(Verb::Create) {
            return Err(
                "it deletes only objects that it has created: give it an operation `create`".to_owned()
            );
        }
        self.operations.iter().try_for_each(Operation::check)
    }
}

impl Operation {
    fn check(&self) -> Result<(), String> {
        let lists = [Way::Consistent, Way::Cached, Way::Paged, Way::Selector, Way::Table, Way::Metadata];
        let fits = match self.verb {
            Verb::List => self.way == Way::Plain || lists.contains(&self.way),
            Verb::Apply => [Way::Separate, Way::Shared].contains(&self.way),
            _ => self.way == Way::Plain,
        };
        let (verb, way) = (self.verb.series(), self.way.variant());
        if fits { Ok(()) } else { Err(format!("{verb} cannot be done in the way {way:?}")) }
    }
}

fn within(what: &str, count: usize) -> Result<(), String> {
    if (1..=MOST).contains(&count) {
        Ok(())
    } else {
        Err(format!("give 1 to {MOST} {what}, and not {count}"))
    }
}

fn sound(rate: f64) -> bool {
    rate > 0.0 && rate <= 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(change: impl FnOnce(&mut Workload)) -> String {
        let mut workload = Workload::named("slow-watcher").unwrap();
        change(&mut workload);
        workload.check().unwrap_err()
    }

    #[test]
    fn an_invalid_workload_is_an_error() {
        assert!(refused(|w| w.population.objects = 0).contains("objects"));
        assert!(refused(|w| w.population.size = 2 << 20).contains("at most 1M"));
        assert!(refused(|w| w.population.namespaces = 1_000).contains("fewer namespaces"));
        assert!(refused(|w| w.population.namespaces = 2).contains("give one namespace"));
        assert!(refused(|w| w.watches = None).contains("no watches"));
        for rate in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(refused(|w| w.requests.as_mut().unwrap().rate = rate).contains("rate"));
        }
        assert!(refused(|w| w.requests.as_mut().unwrap().rate = 1e-4).contains("none in the whole run"));
        assert!(refused(|w| w.requests.as_mut().unwrap().operations.clear()).contains("weight"));
        let deletes = refused(|w| w.requests.as_mut().unwrap().operations[0].verb = Verb::Delete);
        assert!(deletes.contains("operation `create`"), "{deletes}");
        assert!(refused(|w| w.requests.as_mut().unwrap().operations[0].way = Way::Paged).contains("PATCH"));
    }
}
