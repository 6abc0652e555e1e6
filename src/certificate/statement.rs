//! Makes the statement from evidence.

use std::path::Path;

use harness::{Clause, Counts, Evidence, InputFile, Outcome, Tally, Verdict};
use jiff::Timestamp;
use reports::certificate::{
    CERTIFICATE_FORMAT, Certificate, CertifiedProfile, CertifiedRequirements, CertifiedRun, CertifiedServer,
    CertifiedTool, Deviation, Implementation, NotScored, PREDICATE_TYPE, STATEMENT_TYPE, ScenarioNote,
    Skipped, Statement, Subject, TestResult,
};
use reports::directory::EVIDENCE;

use super::check::{self, Refusal};
use super::description::{discovery_digest, openapi_digest};
use crate::digest::sha256_of;
use crate::replay::{file_of, read, replayed};
use crate::replayed::Comparison;
use crate::requirements::Claim;
use crate::setup::Setup;

/// Evidence, and the SHA-256 of its file.
pub(crate) struct Recorded {
    pub(crate) evidence: Evidence,
    pub(crate) sha256: String,
}

/// Reads full evidence: a file, or the directory that a run wrote it into.
pub(crate) fn read_evidence(path: &Path) -> Result<Recorded, String> {
    Ok(Recorded { sha256: evidence_digest(path)?, evidence: read(path)? })
}

/// The SHA-256 of its file, which may be damaged.
pub(crate) fn evidence_digest(path: &Path) -> Result<String, String> {
    let file = file_of(path);
    let digest = InputFile::open(&file).and_then(sha256_of);
    digest.map_err(|why| format!("failed to read the evidence {}: {why}", file.display()))
}

/// The statement about the evidence; refuses evidence that no certificate may have.
pub(crate) fn statement(recorded: Recorded, implementation: Implementation) -> Result<Statement, Refusal> {
    let Recorded { evidence, sha256 } = recorded;
    let setup = Setup::recorded(evidence.setup.clone()).map_err(|why| Refusal(why.to_string()))?;
    let Some(claim) = &setup.invocation.requirements else {
        let hint = "hint: record a run with --requirements SET";
        return Err(Refusal(format!("the run selected no requirement set; {hint}")));
    };
    let claim = Claim::recorded(claim).map_err(Refusal)?;
    check::selection(&setup, &claim)?;
    check::recorded(&evidence.events, &claim)?;
    let run = run(&setup, &evidence);
    let (discovery, openapi) = (discovery_digest(&evidence), openapi_digest(&evidence));
    let replayed = replayed(evidence).map_err(|why| Refusal(why.to_string()))?;
    if let Some(difference) = Comparison::of(&replayed).first_difference() {
        return Err(Refusal(format!("the replay of the evidence differs from the record: {difference}")));
    }
    check::beginning(&replayed.recorded, &replayed.again)?;
    let tally = replayed.again;
    check::verdicts(&tally, &claim)?;
    let server = server(&tally, &claim, discovery, openapi);
    let judged = Judged { tally: &tally, claim: &claim };
    let run = CertifiedRun { scenarios: tally.executed(), ..run };
    Ok(judged.statement(&sha256, judged.certificate(&setup, implementation, server, run)))
}

fn run(setup: &Setup, evidence: &Evidence) -> CertifiedRun {
    let at = |event: Option<&harness::Event>| event.map_or(Timestamp::UNIX_EPOCH, |event| event.at);
    CertifiedRun {
        id: setup.run.clone(),
        seed: setup.seed,
        flags: setup.invocation.flags.clone(),
        profile: setup.invocation.profile.clone(),
        started: at(evidence.events.first()),
        finished: at(evidence.events.last()),
        scenarios: 0,
        exchanges: evidence.exchanges(),
    }
}

fn server(tally: &Tally, claim: &Claim, discovery: String, openapi: Option<String>) -> CertifiedServer {
    let target = tally.started().map(|started| started.target.clone()).unwrap_or_default();
    CertifiedServer {
        contradictions: claim.contradictions(&target),
        address: target.address,
        replicas: target.replicas,
        release: target.release,
        groups: target.groups,
        discovery_sha256: discovery,
        openapi_sha256: openapi,
    }
}

/// The verdicts of a replay, and the claim that they are about.
struct Judged<'a> {
    tally: &'a Tally,
    claim: &'a Claim,
}

impl Judged<'_> {
    /// The scored clauses with their verdicts.
    fn scored(&self) -> impl Iterator<Item = (&Clause, Verdict)> {
        self.tally.verdicts().filter(|(clause, _)| self.claim.set.scores(clause))
    }

    /// The ids of the scored clauses with a verdict.
    fn ids(&self, verdict: Verdict) -> Vec<String> {
        let of_verdict = self.scored().filter(|(_, found)| *found == verdict);
        of_verdict.map(|(clause, _)| clause.id.to_string()).collect()
    }

    fn statement(&self, evidence: &str, certificate: Certificate) -> Statement {
        let tool = Subject::new("kube-assay", &certificate.tool.sha256);
        let set = Subject::new(&format!("{}.toml", self.claim.set.name), &self.claim.set.digest);
        Statement {
            kind: STATEMENT_TYPE.to_owned(),
            subject: vec![Subject::new(EVIDENCE, evidence)],
            predicate_type: PREDICATE_TYPE.to_owned(),
            predicate: self.test_result(vec![set, tool], certificate),
        }
    }

    fn test_result(&self, configuration: Vec<Subject>, certificate: Certificate) -> TestResult {
        let warned_tests = self.ids(Verdict::Warning);
        TestResult {
            result: if warned_tests.is_empty() { "PASSED" } else { "WARNED" }.to_owned(),
            configuration,
            passed_tests: self.ids(Verdict::Passed),
            warned_tests,
            failed_tests: self.ids(Verdict::Failed),
            certificate,
        }
    }

    fn certificate(
        &self,
        setup: &Setup,
        implementation: Implementation,
        server: CertifiedServer,
        run: CertifiedRun,
    ) -> Certificate {
        Certificate {
            format: CERTIFICATE_FORMAT,
            conclusion: self.tally.conclusion().word().to_owned(),
            implementation,
            server,
            requirements: self.requirements(),
            tool: CertifiedTool {
                version: setup.tool.clone(),
                commit: setup.invocation.tool_commit.clone(),
                sha256: setup.binary.clone(),
                catalogue_sha256: setup.invocation.catalogue_digest.clone(),
            },
            run,
            counts: self.scored().map(|(_, verdict)| verdict).collect(),
            not_supported: self.ids(Verdict::NotSupported),
            skipped: self.skipped(),
            not_scored: self.not_scored(),
            deviations: self.scored().filter_map(|(clause, _)| Deviation::of(clause)).collect(),
            notes: self.notes(),
        }
    }

    fn requirements(&self) -> CertifiedRequirements {
        let Claim { set, .. } = self.claim;
        let must = |name: &str| -> Counts {
            let of_profile = |clause: &Clause| {
                clause.level == harness::Level::Must && self.claim.profile_of(clause) == name
            };
            self.scored().filter(|(clause, _)| of_profile(clause)).map(|(_, verdict)| verdict).collect()
        };
        let profiles = self.claim.profiles().map(|profile| CertifiedProfile {
            name: profile.name.clone(),
            requires: profile.requires.clone(),
            must: must(&profile.name),
        });
        CertifiedRequirements {
            set: set.name.clone(),
            sha256: set.digest.clone(),
            profiles: profiles.collect(),
        }
    }

    /// Every skipped clause of the claim, scored or not.
    fn skipped(&self) -> Vec<Skipped> {
        let skipped = |clause: &Clause| {
            let reason = self.tally.skip_reason(clause)?.to_owned();
            Some(Skipped { clause: clause.id.to_string(), level: clause.level, reason })
        };
        self.tally.verdicts().filter_map(|(clause, _)| skipped(clause)).collect()
    }

    /// The clauses that have a verdict and do not count.
    fn not_scored(&self) -> Vec<NotScored> {
        let verdicts = self
            .tally
            .verdicts()
            .filter(|(clause, verdict)| *verdict != Verdict::Skipped && !self.claim.set.scores(clause));
        let not_scored = |(clause, verdict): (&Clause, Verdict)| NotScored {
            clause: clause.id.to_string(),
            verdict: verdict.word().to_owned(),
        };
        verdicts.map(not_scored).collect()
    }

    fn notes(&self) -> Vec<ScenarioNote> {
        let ran = |outcome: &Outcome| !matches!(outcome, Outcome::Skipped { .. });
        let finished = self.tally.scenarios().filter(|finished| ran(&finished.outcome));
        let mut notes: Vec<ScenarioNote> = finished
            .flat_map(|finished| {
                let scenario = finished.scenario.as_str();
                finished
                    .notes
                    .iter()
                    .map(move |note| ScenarioNote { scenario: scenario.to_owned(), note: note.clone() })
            })
            .collect();
        // Scenarios finish in any order.
        notes.sort_unstable_by(|a, b| (&a.scenario, &a.note).cmp(&(&b.scenario, &b.note)));
        notes
    }
}
