//! Certificate signing requests: the signer, the usages, conditions and the certificate.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::creation::{
    Creations, DUPLICATE, INVALID, NOT_SUPPORTED, Outcome, REQUIRED, accepted, create, creations, invalid,
};
use super::draft::Draft;
use super::manifest::{Manifest, REMOVED, manifest};
use crate::prelude::*;
use crate::removed_apis::api::cluster;

pub(super) fn rows() -> Vec<Row> {
    table(CREATIONS, Kinds::Own, create).into_iter().chain(table(CHANGES, Kinds::Own, change)).collect()
}

/// A request to a signer that does not exist.
const REQUEST: Manifest = manifest(
    cluster("certificates.k8s.io/v1", "certificatesigningrequests", "CertificateSigningRequest"),
    |_, _| {
        let usages = ["client auth"];
        json!({ "spec": { "request": STANDARD.encode(SIGNED), "signerName": "kube-assay.dev/none", "usages": usages } })
    },
)
.of_feature("CertificateSigningRequests");

const REQUESTS: &[Manifest] = &[REQUEST];
const SIGNER: &str = "/spec/signerName";
const USAGES: &str = "/spec/usages";

#[rustfmt::skip]
const CREATIONS: &[(&str, Creations)] = &[
    ("migrated-fields-csr-signername-required", creations(REQUESTS, &[
        accepted(&[], &[(SIGNER, r#""kube-assay.dev/none""#)]),
        invalid(&[(SIGNER, REMOVED)], REQUIRED, &["spec.signerName"]),
    ])),
    ("migrated-fields-csr-legacy-unknown-refused", creations(REQUESTS, &[
        invalid(&[(SIGNER, r#""kubernetes.io/legacy-unknown""#)], INVALID, &["spec.signerName"]),
    ])),
    ("migrated-fields-csr-usages-required", creations(REQUESTS, &[
        invalid(&[(USAGES, REMOVED)], REQUIRED, &["spec.usages"]),
        invalid(&[(USAGES, "[]")], REQUIRED, &["spec.usages"]),
    ])),
    ("migrated-fields-csr-usages-no-duplicates", creations(REQUESTS, &[
        invalid(&[(USAGES, r#"["client auth","client auth"]"#)], DUPLICATE, &["spec.usages[1]"]),
    ])),
    ("migrated-fields-csr-usages-known", creations(REQUESTS, &[
        accepted(&[], &[(USAGES, r#"["client auth"]"#)]),
        invalid(&[(USAGES, r#"["foo"]"#)], NOT_SUPPORTED, &["spec.usages[0]"]),
    ])),
];

/// A status, and the result of writing it.
type Change = (fn() -> Value, Outcome);

/// Dry-run changes of a subresource of a stored request.
#[derive(Debug, Clone, Copy)]
struct Changes {
    subresource: &'static str,
    cases: &'static [Change],
}

const NO_CERTIFICATE: Outcome = Outcome::Invalid(INVALID, &["status.certificate"]);

#[rustfmt::skip]
const CHANGES: &[(&str, Changes)] = &[
    ("migrated-fields-csr-conditions-no-duplicate-types", Changes { subresource: "approval", cases: &[
        (|| json!({ "conditions": [approved("first"), approved("second")] }), Outcome::Invalid(DUPLICATE, &["status.conditions[1].type"])),
    ] }),
    ("migrated-fields-csr-conditions-status-required", Changes { subresource: "approval", cases: &[
        (|| json!({ "conditions": [{ "type": "Approved", "reason": "r" }] }), Outcome::Invalid(REQUIRED, &["status.conditions[0].status"])),
        (|| json!({ "conditions": [approved("r")] }), Outcome::Accepted(&[("/status/conditions/0/status", r#""True""#)])),
    ] }),
    ("migrated-fields-csr-certificate-pem", Changes { subresource: "status", cases: &[
        (|| certificate(b"hello"), NO_CERTIFICATE),
        (|| certificate(&STANDARD.decode(body_of(CERTIFICATE)).unwrap_or_default()), NO_CERTIFICATE),
        (|| certificate(CERTIFICATE.as_bytes()), Outcome::Accepted(&[])),
    ] }),
    ("migrated-fields-csr-certificate-only-certificate-blocks", Changes { subresource: "status", cases: &[
        (|| certificate(format!("{CERTIFICATE}{}", CERTIFICATE.replace("CERTIFICATE", "PRIVATE KEY")).as_bytes()), NO_CERTIFICATE),
        (|| certificate(format!("{CERTIFICATE}{CERTIFICATE}").as_bytes()), Outcome::Accepted(&[])),
    ] }),
];

async fn change(cx: Context, changes: Changes) -> Checked {
    let draft = Draft::of(&cx, REQUEST).await?;
    draft.store(&[]).await?;
    for (status, outcome) in changes.cases {
        let path = format!("{}/{}", draft.object_path(), changes.subresource);
        let patch = Request::merge_patch(path, &json!({ "status": status() })).query("dryRun", "All");
        let response = cx.send(patch).await?;
        // Approving and signing need the permission of the signer, which no review of the resource shows.
        let why =
            || format!("the user of kube-assay may not change {}: {}", changes.subresource, response.brief());
        Halt::skip_unless(response.status() != 403, why())?;
        outcome.expect(&response)?;
    }
    Ok(())
}

fn approved(reason: &str) -> Value {
    json!({ "type": "Approved", "status": "True", "reason": reason })
}

fn certificate(bytes: &[u8]) -> Value {
    json!({ "certificate": STANDARD.encode(bytes) })
}

/// The lines of a PEM block, without the first and the last.
fn body_of(block: &str) -> String {
    block.lines().filter(|line| !line.starts_with('-')).collect()
}

/// A request that its key has signed.
const SIGNED: &str = concat!(
    "-----BEGIN CERTIFICATE REQUEST-----\n",
    "MIHPMHcCAQAwFTETMBEGA1UEAwwKa3ViZS1hc3NheTBZMBMGByqGSM49AgEGCCqG\n",
    "SM49AwEHA0IABLX9z9RfFrLqyh2NBSRGZgc26gP9HCJgNDTGxrZfERM3uBcvzGGM\n",
    "0HC2plaej9Qsv4UYOZnd3DBlZxYLlnnBAP+gADAKBggqhkjOPQQDAgNIADBFAiEA\n",
    "usz+yGGBXDyG+tORTVh8/wryft6nTD6rNsYdo5OEzbcCIGHy0y9V0uptpf0AZ/I0\n",
    "yli56vD2qbSp3m0F3pvFBi4M\n",
    "-----END CERTIFICATE REQUEST-----\n",
);

/// A certificate that its key has signed.
const CERTIFICATE: &str = concat!(
    "-----BEGIN CERTIFICATE-----\n",
    "MIIBgjCCASegAwIBAgIUNhEVUXyfd9LF1ovEm/VrmBdvqNowCgYIKoZIzj0EAwIw\n",
    "FTETMBEGA1UEAwwKa3ViZS1hc3NheTAgFw0yNjExMjYwMTM2MTdaGA8yMTI2MTEw\n",
    "MjAxMzYxN1owFTETMBEGA1UEAwwKa3ViZS1hc3NheTBZMBMGByqGSM49AgEGCCqG\n",
    "SM49AwEHA0IABLX9z9RfFrLqyh2NBSRGZgc26gP9HCJgNDTGxrZfERM3uBcvzGGM\n",
    "0HC2plaej9Qsv4UYOZnd3DBlZxYLlnnBAP+jUzBRMB0GA1UdDgQWBBR89ZNh+UPI\n",
    "NdcQ/xs6Kw4JSYwnuTAfBgNVHSMEGDAWgBR89ZNh+UPINdcQ/xs6Kw4JSYwnuTAP\n",
    "BgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0kAMEYCIQCbVzZQE10oP2KTZx2a\n",
    "+iELw8sg3mdVyE2189aLUe3t3wIhAPmoHUO/NgRGMqgI1jDt3om5DHfAS5gIJOcK\n",
    "5vZKPjK1\n",
    "-----END CERTIFICATE-----\n",
);
