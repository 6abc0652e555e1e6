//! One run of a workload on one server: target info, the limit of open files, and the live view.

use std::collections::BTreeMap;
use std::io;

use harness::load::threshold::ThresholdVerdict;
use harness::load::{LoadRun, Slo, Threshold, judge};
use harness::{Access, Client, TargetInfo, TestError, shorten};
use loadgen::Template;
use loadgen::run::LoadPlan;
use loadgen::wire::Plain;
use loadgen::workload::Workload;
use reports::load::Live;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::cli::LoadArgs;
use crate::digest::sha256;
use crate::embedded::{Embedded, INSTEAD};
use crate::interrupt::{begin_run, stop_on_interrupt};
use crate::output::{is_interactive, look, remark};
use crate::standard_error::StandardError;
use crate::{clock, limit, load_job, run};

/// The maximum length of a text in which a server has a part, in bytes.
const LONGEST_TEXT: usize = 1_000;

/// The workload for every server.
pub(crate) struct LoadTest<'a> {
    pub(crate) args: &'a LoadArgs,
    pub(crate) workload: Workload,
    template: Template,
    labels: BTreeMap<String, String>,
    slos: Vec<Slo>,
    /// The same seed gives the same schedule.
    pub(crate) seed: u64,
    stop: CancellationToken,
}

/// A server with its target info.
pub(crate) struct Target {
    access: Access,
    plain: Plain,
    info: TargetInfo,
    embedded: Option<Embedded>,
}

impl Target {
    /// The named server, or else the embedded one. It speaks HTTP/2 without TLS only if a flag declares that.
    pub(crate) async fn meet(
        load_test: &LoadTest<'_>,
        named: Option<Access>,
        http2: bool,
    ) -> Result<Self, TestError> {
        let (access, embedded) = if let Some(access) = named {
            (access, None)
        } else {
            remark(INSTEAD);
            let embedded = Embedded::start(reference::Options::default()).await?;
            (embedded.access().await?, Some(embedded))
        };
        let plain = if embedded.is_some() || http2 { Plain::Two } else { Plain::One };
        let looking = async {
            access.log_in().await?;
            let client = Client::new(access.clone(), load_test.args.request_timeout).without_encodings();
            run::look(&client, None).await
        };
        let looked = load_test.stop.run_until_cancelled(looking).await;
        let info = looked.unwrap_or_else(|| Err(run::interrupted()))?;
        Ok(Self { access, plain, info, embedded })
    }

    /// Its address, with a note if it is the embedded server.
    pub(crate) fn title(&self) -> String {
        let address = &self.info.address;
        if self.embedded.is_some() {
            format!("the embedded reference server {address}")
        } else {
            address.clone()
        }
    }

    /// With the embedded server, this process has both ends of every connection.
    fn make_room(&self, workload: &Workload) -> Result<(), TestError> {
        let many_streams = self.access.encrypted() || self.plain == Plain::Two;
        let ends = if self.embedded.is_some() { 2 } else { 1 };
        limit::make_room(limit::connections(workload, many_streams) * ends)
            .map_err(|why| TestError::new("open so many connections", why))
    }
}

impl<'a> LoadTest<'a> {
    /// From here on, Ctrl-C stops the run.
    pub(crate) fn new(
        args: &'a LoadArgs,
        workload: Workload,
        template: Template,
        labels: BTreeMap<String, String>,
        slos: Vec<Slo>,
    ) -> Self {
        loadgen::attack::leave_interrupts_alone();
        let seed = args.seed.unwrap_or_else(|| workload.seed());
        Self { args, workload, template, labels, slos, seed, stop: stop_on_interrupt() }
    }

    /// Performs the workload once.
    pub(crate) async fn measure(&self, target: &Target) -> Result<LoadRun, TestError> {
        if self.args.workers.workers.is_none() {
            target.make_room(&self.workload)?;
        }
        let mut live = Live::new(StandardError, is_interactive(), look(&io::stderr()));
        // The terminal may be closed; the reports still count.
        let show = |interval: &_| drop(live.show(interval));
        let plan = self.plan(target);
        // Before the first object: who kills the run needs it for `clean`.
        remark(format_args!("run {}", plan.run));
        begin_run(&plan.run);
        let performed = match self.args.workers.workers {
            Some(count) => Box::pin(load_job::coordinate(&self.args.workers, count, plan, show)).await,
            None => Box::pin(loadgen::run::perform(plan, show)).await,
        };
        let _ = live.clear();
        let redactor = target.access.redactor();
        // Also the cluster of a Job has the credentials, in a Secret.
        let mut measured = performed.map_err(|why| redactor.redact_test_error(why))?;
        measured.replace_texts(|text| {
            let mut shown = redactor.redact(text);
            shorten(&mut shown, LONGEST_TEXT);
            shown
        });
        Ok(self.judge(self.identified(measured)))
    }

    /// Adds what tells this result from others: its labels, and the digest of its workload.
    fn identified(&self, mut measured: LoadRun) -> LoadRun {
        measured.labels.clone_from(&self.labels);
        let harness::load::Workload { name, pace, population, settings, .. } = &measured.workload;
        let workload = json!([name, pace, population, settings, self.template.as_json()]).to_string();
        measured.workload.digest = sha256([workload.as_bytes()]);
        measured
    }

    /// Judges the user's thresholds, and the default thresholds that apply to a measured series.
    fn judge(&self, mut measured: LoadRun) -> LoadRun {
        let mut judged = judge(&self.args.threshold, &measured);
        judged.extend(self.slos.iter().flat_map(|slo| slo.judge(&measured)));
        let default = Slo::default_thresholds(&self.given_thresholds());
        let default = default.into_iter().flat_map(|default| default.judge(&measured));
        judged.extend(default.filter(|judged| judged.verdict != ThresholdVerdict::NotJudged));
        measured.thresholds = judged;
        measured
    }

    /// All thresholds of the user's.
    fn given_thresholds(&self) -> Vec<Threshold> {
        let of_slos = self.slos.iter().flat_map(Slo::thresholds);
        self.args.threshold.iter().chain(of_slos).cloned().collect()
    }

    fn plan(&self, target: &Target) -> LoadPlan {
        let args = self.args;
        LoadPlan {
            workload: self.workload.clone(),
            template: self.template.clone(),
            access: target.access.clone(),
            plain: target.plain,
            target_info: target.info.clone(),
            within: args.request_timeout,
            tool: run::TOOL.to_owned(),
            run: run::run_id(run::unlike()),
            seed: self.seed,
            abort_on: if args.abort_on_miss { self.given_thresholds() } else { Vec::new() },
            clock: clock::now,
            stop: self.stop.clone(),
        }
    }
}
