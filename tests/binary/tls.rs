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
    let program = Program::asking(&format!("https://{address}")).with(&["--token", reference.token()]);
    trusting(program, &authority).end().ended_with(0);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn any_certificate_if_the_user_says_so() {
    let (reference, authority) = (Reference::right(), Authority::new());
    let address = authority.guard(&reference.address());
    let program = Program::asking(&format!("https://{address}"));
    program.with(&["--token", reference.token(), "--insecure-skip-tls-verify"]).end().ended_with(0);
}

#[test]
fn the_command_that_shows_a_failure_again_trusts_what_the_run_trusted() {
    let (reference, authority) = (Reference::wrong(&["rv-list-exact-nolimit-nonzero"]), Authority::new());
    let address = authority.guard(&reference.address());
    let asked = || {
        let run =
            kube_assay(&["run", "--server", &format!("https://{address}"), "--token", reference.token()]);
        run.with(&["--clause", "rv-list-exact-nolimit-nonzero"])
    };
    let verified = trusting(asked(), &authority).end().ended_with(1);
    assert!(
        verified.out.contains("curl --cacert '") && !verified.out.contains("curl -k"),
        "{}",
        verified.out
    );
    let any = asked().with(&["--insecure-skip-tls-verify"]).end().ended_with(1);
    assert!(any.out.contains("curl -ksS"), "{}", any.out);
}

#[test]
fn an_authority_that_is_not_trusted() {
    let (reference, authority) = (Reference::right(), Authority::new());
    let address = authority.guard(&reference.address());
    let ended = Program::asking(&format!("https://{address}")).end();
    ended.complains(3, &["signed by an authority that is not trusted here", "--certificate-authority"]);
}

#[test]
fn another_authority_than_the_one_given() {
    let (reference, authority) = (Reference::right(), Authority::new());
    let address = authority.guard(&reference.address());
    let ended = trusting(Program::asking(&format!("https://{address}")), &Authority::new()).end();
    ended.complains(3, &["could not get an answer to GET https://127.0.0.1", "--certificate-authority"]);
}

#[test]
fn a_certificate_for_another_name() {
    let (reference, authority) = (Reference::right(), Authority::new());
    let address = authority.guard_as(&authority.certify("elsewhere.example"), &reference.address(), false);
    let ended = trusting(Program::asking(&format!("https://{address}")), &authority).end();
    ended.complains(3, &["its certificate is not for 127.0.0.1, only for elsewhere.example"]);
}

#[test]
fn a_certificate_that_has_expired() {
    let (reference, authority) = (Reference::right(), Authority::new());
    let address = authority.guard_as(&authority.certify_expired("127.0.0.1"), &reference.address(), false);
    let ended = trusting(Program::asking(&format!("https://{address}")), &authority).end();
    ended.complains(3, &["its certificate has expired"]);
}

#[test]
fn tls_to_a_plain_port() {
    let reference = Reference::right();
    let ended = Program::asking(&format!("https://{}", reference.address())).end();
    ended.complains(3, &["it does not speak TLS there", "try http://"]);
}

#[test]
fn plain_to_a_tls_port() {
    let (reference, authority) = (Reference::right(), Authority::new());
    let address = authority.guard(&reference.address());
    let ended = Program::asking(&format!("http://{address}")).end();
    ended.complains(3, &["https://"]);
}

#[test]
fn plain_to_a_tls_port_that_says_so() {
    use std::io::Write as _;
    // What kube-apiserver answers.
    let said = b"HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n";
    let port = Listener::start(|mut stream| {
        let _ = crate::support::http::Message::read(&mut stream);
        let _ = stream.write_all(said);
    });
    Program::facing(&port).end().complains(3, &["the server speaks TLS there: use https://"]);
}

#[test]
fn a_port_that_hangs_up_during_the_handshake() {
    let port = Listener::start(drop);
    let ended = Program::asking(&format!("https://{}", port.address())).end();
    ended.complains(3, &["it closed the connection without an answer"]);
}

#[test]
fn no_client_certificate_where_one_is_demanded() {
    let (reference, authority) = (Reference::right(), Authority::new());
    let address = authority.guard_mutually(&reference.address());
    let ended = trusting(Program::asking(&format!("https://{address}")), &authority).end();
    ended.complains(3, &["it demands a client certificate", "--client-certificate"]);
}

#[test]
fn a_client_certificate_of_an_unknown_authority() {
    let (reference, authority) = (Reference::right(), Authority::new());
    let address = authority.guard_mutually(&reference.address());
    let program = trusting(Program::asking(&format!("https://{address}")), &authority);
    let stranger = Authority::new().certify("me");
    let certificate = program.file("me.crt", &stranger.certificate);
    let key = program.file("me.key", &stranger.key);
    let ended = program.with(&["--client-certificate", &certificate, "--client-key", &key]).end();
    ended.complains(3, &["it does not accept our client certificate"]);
}

#[test]
fn files_that_are_no_certificates() {
    let url = "https://127.0.0.1:1";
    let ended = Program::asking(url).with(&["--certificate-authority", "gone.crt"]).end();
    ended.complains(2, &["certificate authority gone.crt cannot be read", "no such file"]);

    let program = Program::asking(url);
    let empty = program.file("empty.crt", "");
    let text = program.file("text.crt", "s3cr3t-word");
    program.with(&["--client-certificate", &text, "--client-key", &empty]).end().complains(2, &["PEM"]);

    let program = Program::asking(url);
    let (one, other) = (Authority::new().certify("a"), Authority::new().certify("b"));
    let certificate = program.file("a.crt", &one.certificate);
    let key = program.file("b.key", &other.key);
    let ended = program.with(&["--client-certificate", &certificate, "--client-key", &key]).end();
    ended.complains(2, &["the client key does not belong to the client certificate"]);
}
