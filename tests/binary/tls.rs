//! TLS to plain and plain to TLS, and certificates that cannot be trusted.

use crate::support::{Authority, Listener, Program, Reference, kube_assay};

fn trusting(program: Program, authority: &Authority) -> Program {
    let path = program.file("ca.crt", &authority.pem());
    program.with(&["--certificate-authority", &path])
}

#[test]
fn a_trusted_certificate() {
    let (reference, authority) = (Reference::right(), Authority::new());
    let address = authority.guard(&reference.address());
    let program = Program::testing(&format!("https://{address}")).with(&["--token", reference.token()]);
    trusting(program, &authority).end().ended_with(0);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn any_certificate_with_insecure_skip_tls_verify() {
    let (reference, authority) = (Reference::right(), Authority::new());
    let address = authority.guard(&reference.address());
    let program = Program::testing(&format!("https://{address}"));
    program.with(&["--token", reference.token(), "--insecure-skip-tls-verify"]).end().ended_with(0);
}

#[test]
fn the_command_that_shows_a_failure_again_trusts_what_the_run_trusted() {
    let (reference, authority) = (Reference::wrong(&["rv-list-exact-nolimit-nonzero"]), Authority::new());
    let address = authority.guard(&reference.address());
    let run_on_guarded_server = || {
        let run =
            kube_assay(&["run", "--server", &format!("https://{address}"), "--token", reference.token()]);
        run.with(&["--clause", "rv-list-exact-nolimit-nonzero"])
    };
    let verified = trusting(run_on_guarded_server(), &authority).end().ended_with(1);
    assert!(
        verified.out.contains("curl --cacert '") && !verified.out.contains("curl -k"),
        "{}",
        verified.out
    );
    let any = run_on_guarded_server().with(&["--insecure-skip-tls-verify"]).end().ended_with(1);
    assert!(any.out.contains("curl -ksS"), "{}", any.out);
}

#[test]
fn an_authority_that_is_not_trusted() {
    let (reference, authority) = (Reference::right(), Authority::new());
    let address = authority.guard(&reference.address());
    let ended = Program::testing(&format!("https://{address}")).end();
    insta::assert_snapshot!(ended.error());
}

#[test]
fn another_authority_than_the_one_given() {
    let (reference, authority) = (Reference::right(), Authority::new());
    let address = authority.guard(&reference.address());
    let ended = trusting(Program::testing(&format!("https://{address}")), &Authority::new()).end();
    insta::assert_snapshot!(ended.error());
}

#[test]
fn a_certificate_for_another_name() {
    let (reference, authority) = (Reference::right(), Authority::new());
    let address = authority.guard_as(&authority.certify("elsewhere.example"), &reference.address(), false);
    let ended = trusting(Program::testing(&format!("https://{address}")), &authority).end();
    insta::assert_snapshot!(ended.error());
}

#[test]
fn a_certificate_that_has_expired() {
    let (reference, authority) = (Reference::right(), Authority::new());
    let address = authority.guard_as(&authority.certify_expired("127.0.0.1"), &reference.address(), false);
    let ended = trusting(Program::testing(&format!("https://{address}")), &authority).end();
    insta::assert_snapshot!(ended.error());
}

#[test]
fn a_trusted_certificate_that_is_that_of_an_authority() {
    let (reference, own) = (Reference::right(), Authority::certify_itself("127.0.0.1"));
    let address = Authority::new().guard_as(&own, &reference.address(), false);
    let program = Program::testing(&format!("https://{address}"));
    let trusted = program.file("server.crt", &own.certificate);
    insta::assert_snapshot!(program.with(&["--certificate-authority", &trusted]).end().error());
}

#[test]
fn tls_to_a_plain_port() {
    let reference = Reference::right();
    let ended = Program::testing(&format!("https://{}", reference.address())).end();
    insta::assert_snapshot!(ended.error());
}

#[test]
fn plain_to_a_tls_port() {
    let (reference, authority) = (Reference::right(), Authority::new());
    let address = authority.guard(&reference.address());
    let ended = Program::testing(&format!("http://{address}")).end();
    insta::assert_snapshot!(ended.error());
}

#[test]
fn plain_http_to_a_tls_port_with_an_error_response() {
    use std::io::Write as _;
    // The response of kube-apiserver.
    let bad_request = b"HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n";
    let port = Listener::start(|mut stream| {
        let _ = crate::support::http::Message::read(&mut stream);
        let _ = stream.write_all(bad_request);
    });
    insta::assert_snapshot!(Program::facing(&port).end().error());
}

#[test]
fn a_port_that_hangs_up_during_the_handshake() {
    let port = Listener::start(drop);
    let ended = Program::testing(&format!("https://{}", port.address())).end();
    insta::assert_snapshot!(ended.error());
}

#[test]
fn no_client_certificate_where_one_is_demanded() {
    let (reference, authority) = (Reference::right(), Authority::new());
    let address = authority.guard_mutually(&reference.address());
    let ended = trusting(Program::testing(&format!("https://{address}")), &authority).end();
    insta::assert_snapshot!(ended.error());
}

#[test]
fn a_client_certificate_of_an_unknown_authority() {
    let (reference, authority) = (Reference::right(), Authority::new());
    let address = authority.guard_mutually(&reference.address());
    let program = trusting(Program::testing(&format!("https://{address}")), &authority);
    let stranger = Authority::new().certify("me");
    let certificate = program.file("me.crt", &stranger.certificate);
    let key = program.file("me.key", &stranger.key);
    let ended = program.with(&["--client-certificate", &certificate, "--client-key", &key]).end();
    insta::assert_snapshot!(ended.error());
}

#[test]
fn files_that_are_no_certificates() {
    let mut errors = Vec::new();
    let url = "https://127.0.0.1:1";
    let ended = Program::testing(url).with(&["--certificate-authority", "gone.crt"]).end();
    errors.push(ended.error());

    let program = Program::testing(url);
    let empty = program.file("empty.crt", "");
    let text = program.file("text.crt", "s3cr3t-word");
    errors.push(program.with(&["--client-certificate", &text, "--client-key", &empty]).end().error());

    let program = Program::testing(url);
    let (one, other) = (Authority::new().certify("a"), Authority::new().certify("b"));
    let certificate = program.file("a.crt", &one.certificate);
    let key = program.file("b.key", &other.key);
    let ended = program.with(&["--client-certificate", &certificate, "--client-key", &key]).end();
    errors.push(ended.error());
    insta::assert_snapshot!(errors.join("\n"));
}
