//! A workload as text: equal workloads have equal texts, so comparisons use them.

use super::{RequestLoad, Settings, Workload};

impl Workload {
    /// The description in the record of a run.
    pub fn describe(&self, resource: &str) -> harness::load::Workload {
        harness::load::Workload {
            name: self.name.clone(),
            models: self.models.clone(),
            pace: self.requests.as_ref().map_or_else(|| "no requests".to_owned(), RequestLoad::pace),
            population: self.population_of(resource),
            settings: self.settings(),
            digest: String::new(),
        }
    }

    fn population_of(&self, resource: &str) -> String {
        let Self { population, .. } = self;
        let spread = match population.namespaces {
            1 => String::new(),
            namespaces => format!(" in {namespaces} namespaces"),
        };
        format!("{} {resource} of about {} bytes{spread}", population.objects, population.size)
    }

    fn settings(&self) -> Settings {
        let mut settings = Settings::new();
        let mut set = |name: &str, value: String| settings.insert(name.to_owned(), value);
        set("duration", self.duration.to_string());
        set("warm-up", self.warm_up.to_string());
        set("drain", self.drain.to_string());
        if let Some(watches) = &self.watches {
            set("watches", watches.count.to_string());
            set("watches.streams", watches.streams.to_string());
            set("watches.threads", watches.threads.to_string());
            set("watches.opening", format!("{}/s", watches.opening));
            set("watches.initial", watches.initial.to_string());
            set("watches.connections", watches.connections.map_or("as needed".to_owned(), |n| n.to_string()));
        }
        if let Some(slow) = &self.slow {
            set("slow", format!("{}, resting {}", slow.count, slow.rest));
        }
        if let Some(cut) = &self.cut {
            set("cut", format!("every {}, {}", cut.every, if cut.relist { "anew" } else { "going on" }));
        }
        if let Some(requests) = &self.requests {
            set("requests.connections", requests.connections.to_string());
            set("requests.streams", requests.streams.to_string());
            set("requests.managers", requests.managers.to_string());
            set("requests.operations", requests.mix());
        }
        settings
    }
}

impl RequestLoad {
    fn pace(&self) -> String {
        match self.closed {
            Some(senders) => format!("closed loop, {senders} senders"),
            None => format!("open loop, {}/s", self.rate),
        }
    }

    fn mix(&self) -> String {
        let each = self.operations.iter().map(|operation| {
            let (verb, variant) = (operation.verb.series(), operation.way.variant());
            let gap = if variant.is_empty() { "" } else { " " };
            format!("{verb}{gap}{variant} {}", operation.weight)
        });
        each.collect::<Vec<_>>().join(", ")
    }
}
