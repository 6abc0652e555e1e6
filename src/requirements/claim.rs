//! A claim: the conformance profiles of a set that a server is said to have.

use std::collections::HashSet;

use harness::{ClaimedRequirements, Clause, ClauseId, TargetInfo};

use super::{ConformanceProfile, RequirementSet};
use crate::suggest::suggest;

/// Some conformance profiles of a set.
#[derive(Debug, Clone)]
pub(crate) struct Claim {
    pub(crate) set: RequirementSet,
    profiles: Vec<String>,
}

impl Claim {
    /// The claim of these profiles; of all but the optional ones if there are none.
    pub(crate) fn new(set: &str, profiles: &[String]) -> Result<Self, String> {
        let set = RequirementSet::named(set)?;
        let known = || set.profile.iter().map(|profile| profile.name.as_str());
        for profile in profiles {
            if !known().any(|name| name == profile) {
                let all = format!("{} has {}", set.name, known().collect::<Vec<_>>().join(", "));
                let similar = suggest(profile, known(), &all);
                return Err(format!("there is no conformance profile {profile:?}; {similar}"));
            }
        }
        let claimed = |profile: &&ConformanceProfile| {
            profiles.contains(&profile.name) || (profiles.is_empty() && !profile.optional)
        };
        let profiles = set.profile.iter().filter(claimed).map(|profile| profile.name.clone()).collect();
        Ok(Self { set, profiles })
    }

    /// The claim of a recorded run; refuses a set that is not the same any more.
    pub(crate) fn recorded(recorded: &ClaimedRequirements) -> Result<Self, String> {
        let claim = Self::new(&recorded.set, &recorded.profiles)?;
        if claim.set.digest == recorded.digest {
            return Ok(claim);
        }
        Err(format!(
            "the requirement set {} of this program has the SHA-256 {}, and the record names {}",
            recorded.set, claim.set.digest, recorded.digest
        ))
    }

    /// The claim as a recording shows it.
    pub(crate) fn to_record(&self) -> ClaimedRequirements {
        ClaimedRequirements {
            set: self.set.name.clone(),
            digest: self.set.digest.clone(),
            profiles: self.profiles.clone(),
        }
    }

    /// The claimed profiles, in the order of the set.
    pub(crate) fn profiles(&self) -> impl Iterator<Item = &ConformanceProfile> {
        self.set.profile.iter().filter(|profile| self.profiles.contains(&profile.name))
    }

    /// The ids of its clauses.
    pub(crate) fn clauses(&self) -> HashSet<ClauseId> {
        let claimed = self.set.clauses.iter().filter(|(_, known)| self.profiles.contains(&known.profile));
        claimed.map(|(id, _)| ClauseId::from(id.as_str())).collect()
    }

    /// The conformance profile of a clause.
    pub(crate) fn profile_of(&self, clause: &Clause) -> &str {
        self.set.clauses.get(clause.id.as_str()).map_or("", |known| &known.profile)
    }

    /// The features that the claim includes: their clauses fail where the server lacks them.
    pub(crate) fn features(&self) -> impl Iterator<Item = &String> {
        self.profiles().flat_map(|profile| &profile.requires)
    }

    /// What the server shows and the claim does not say, or the other way round; each in one sentence.
    pub(crate) fn contradictions(&self, target_info: &TargetInfo) -> Vec<String> {
        let contradiction = |profile: &ConformanceProfile| {
            let group = profile.group.as_ref()?;
            let (name, claimed) = (&profile.name, self.profiles.contains(&profile.name));
            match (claimed, target_info.serves(group)) {
                (true, false) => Some(format!(
                    "the claim includes the profile {name}, and the server does not serve {group}"
                )),
                (false, true) => Some(format!(
                    "the server serves {group}, and the claim does not include the profile {name}"
                )),
                _ => None,
            }
        };
        self.set.profile.iter().filter_map(contradiction).collect()
    }
}
