//! `--evidence full`: the record of every exchange of a run.

use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

use harness::{Access, Client, Event, Hook, Hooks, Reached, Recorder, TestError};
use reports::directory::{EVIDENCE, create_file, expect_in_place};

use crate::cli::RunArgs;
use crate::setup::Setup;

/// The record of a run; none unless the user asks for it.
pub(crate) struct FullEvidence(Option<Record>);

struct Record {
    recorder: Arc<Recorder>,
    file: File,
    path: PathBuf,
}

impl FullEvidence {
    /// Begins the record that the user asks for, before the first request.
    pub(crate) async fn begin(args: &RunArgs, setup: &Setup, access: &Access) -> Result<Self, TestError> {
        if !args.evidence.is_full() {
            return Ok(Self(None));
        }
        let reached = Reached {
            encrypted: access.encrypted(),
            by_token_alone: access.is_by_token_alone().await?,
            curl: access.curl().await?,
        };
        let path = args.output_dir.join(EVIDENCE);
        let failed = |why: &dyn std::fmt::Display| {
            TestError::new(format!("write the evidence {}", path.display()), why.to_string())
                .hint("name a directory with room for files: --output-dir DIR")
        };
        let response_memory = setup.response_memory();
        let setup = serde_json::to_value(setup).map_err(|why| failed(&why))?;
        let file = create_file(&path).map_err(|why| failed(&why))?;
        let written = file.try_clone().map_err(|why| failed(&why))?;
        let redactor = access.redactor().clone();
        let recorder = Recorder::create(written, redactor, reached, setup, response_memory);
        let recorder = recorder.map_err(|why| failed(&why))?;
        Ok(Self(Some(Record { recorder, file, path })))
    }

    /// The client, recorded.
    pub(crate) fn client(&self, client: Client) -> Client {
        match &self.0 {
            Some(record) => client.recorded_by(record.recorder.clone()),
            None => client,
        }
    }

    /// The hooks, recorded.
    pub(crate) fn hooks(&self, hooks: Hooks) -> Hooks {
        match &self.0 {
            Some(Record { recorder, .. }) => {
                hooks.map(|name, hook| recorded(recorder.clone(), name.to_owned(), hook))
            }
            None => hooks,
        }
    }

    /// Records an event.
    pub(crate) fn event(&self, event: &Event) {
        if let Some(record) = &self.0 {
            record.recorder.event(event);
        }
    }

    /// Ends the record, and says what it has; `None` without a record.
    pub(crate) fn finish(&self) -> Option<Result<String, String>> {
        self.0.as_ref().map(finished)
    }
}

fn finished(Record { recorder, file, path }: &Record) -> Result<String, String> {
    let name = path.display();
    let recorded = recorder.finish().map_err(|why| format!("failed to write the evidence {name}: {why}"))?;
    expect_in_place(file, path, recorded.length as u64).map_err(|why| why.to_string())?;
    if recorded.left_out > 0 {
        let left_out = recorded.left_out;
        return Err(format!(
            "the evidence {name} lacks {left_out} exchanges, because more came than could be recorded: no replay is possible; \
             hint: select fewer areas, or allow larger exchanges with --response-memory"
        ));
    }
    Ok(format!("full evidence of {} exchanges: {name} (try `kube-assay replay {name}`)", recorded.exchanges))
}

fn recorded(recorder: Arc<Recorder>, name: String, hook: Hook) -> Hook {
    Arc::new(move || {
        let (recorder, name, running) = (recorder.clone(), name.clone(), hook());
        Box::pin(async move {
            let ran = running.await;
            recorder.hook(&name, &ran);
            ran
        })
    })
}
