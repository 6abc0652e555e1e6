//! The words with which kube-apiserver passes on that a policy or a webhook denies a request.

/// The words behind the name of a policy.
pub(crate) const BY_POLICY: &str = "denied request";

const WORDS: [&str; 3] = [BY_POLICY, "denied the request", "failed calling webhook"];

/// What the owner of the policy can do.
pub const EXEMPTION: &str = "the owner of the policy can exempt namespaces with the label kube-assay/run";

/// Whether a response, or what is said of it, has the words of a policy or a webhook that denies a request.
pub fn is_denial(text: &str) -> bool {
    WORDS.iter().any(|words| text.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_denial_has_its_own_words() {
        let policy = "a is forbidden: ValidatingAdmissionPolicy 'b' with binding 'c' denied request: no";
        for text in
            [policy, "admission webhook \"d\" denied the request: no", "failed calling webhook \"e\": no"]
        {
            assert!(is_denial(text), "{text}");
        }
        assert!(!is_denial("User \"a\" cannot create resource \"namespaces\" in API group \"\""));
    }
}
