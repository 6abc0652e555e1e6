//! Connection errors in words, each with a hint.

use std::error::Error;
use std::io::{self, ErrorKind};

use rustls::{AlertDescription, CertificateError, InvalidMessage};

/// Why a request has no response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectionError {
    /// Why there is no response.
    pub cause: String,
    /// What to do about it; empty where nothing can be said.
    pub hint: &'static str,
}

impl ConnectionError {
    /// An error in words.
    pub fn new(cause: impl Into<String>, hint: &'static str) -> Self {
        Self { cause: cause.into(), hint }
    }

    /// Looks through an error and its causes for one that says something.
    pub fn of(error: &(dyn Error + 'static), encrypted: bool) -> Self {
        let causes = causes(error);
        let tls = causes.iter().find_map(|cause| cause.downcast_ref::<rustls::Error>());
        let mut system = causes.iter().filter_map(|cause| cause.downcast_ref::<io::Error>());
        tls.map(of_tls)
            .or_else(|| of_words(&words(error), encrypted))
            .or_else(|| system.find_map(|error| of_system(error, encrypted)))
            .unwrap_or_else(|| Self::new(without_number(&causes.last().unwrap_or(&error).to_string()), PORT))
    }
}

const REFUSED: &str = "nothing listens there: connection refused";
const CLOSED: &str = "it closed the connection without a response";
const SENT_AWAY: &str = "it closed the connection (GOAWAY) before it took the request";
const BROKEN_OFF: &str = "it broke off HTTP/2";
const NO_CLOSE_NOTIFY: &str = "it closed the connection without an end of TLS (close_notify)";
const PORT: &str = "is the server running, and are address and port right?";
const WRONG_PORT: &str = "is it the right port?";
const GONE: &str = "is it the right port, and is the server still running?";
const HTTP2: &str = "is it the right port, and does the server's log say why?";
const INVALID_HTTP: &str = "does the server, or a proxy before it, send responses that are no valid HTTP?";
pub(crate) const SERVER_LOG: &str = "does the server's log say why?";
const OFTEN: &str = "does it close connections too often? kube-apiserver does so with --goaway-chance";
const TRUST: &str =
    "give --certificate-authority FILE (or --insecure-skip-tls-verify on a server of your own)";
const OF_AUTHORITY: &str = "give the server a certificate with basicConstraints CA:FALSE, or \
                            --insecure-skip-tls-verify on a server of your own";
const CERTIFICATE: &str = "use the server's certificate of today, or --insecure-skip-tls-verify on a server of \
                           your own";
const NAME: &str =
    "use a name that the certificate is for (or --insecure-skip-tls-verify on a server of your own)";
const CLIENT_CERTIFICATE: &str = "check --client-certificate and --client-key, or the kubeconfig's";

/// Whether a cause is that of a connection that the server refused or closed: it may have too many.
pub fn is_turned_away(cause: &str) -> bool {
    [REFUSED, CLOSED].contains(&cause)
}

/// Whether a cause is that of a connection that the server closed before its response: it may have processed the request.
pub fn is_closed_early(cause: &str) -> bool {
    [CLOSED, SENT_AWAY, BROKEN_OFF, NO_CLOSE_NOTIFY].contains(&cause)
}

/// An error and all its causes; an error of the system may hide its own.
pub(crate) fn causes<'a>(error: &'a (dyn Error + 'static)) -> Vec<&'a (dyn Error + 'static)> {
    let mut causes = Vec::new();
    let mut next = Some(error);
    while let Some(error) = next {
        causes.push(error);
        let hidden = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        next = match hidden {
            Some(hidden) => Some(hidden),
            None => error.source(),
        };
    }
    causes
}

/// Whether the server has not processed a request. The HTTP library has only words for it: the request never left, or is a
/// stream beyond the last one that the server took before it closed the connection (GOAWAY), or is a refused stream.
pub(crate) fn is_unprocessed(error: &(dyn Error + 'static)) -> bool {
    let words = words(error);
    ["operation was canceled", GOAWAY, "stream error received: refused stream"]
        .iter()
        .any(|words_for_it| words.contains(words_for_it))
}

/// Whether a request waited for a stream when the server closed the connection with GOAWAY. It may have left since.
pub(crate) fn is_lost(error: &(dyn Error + 'static)) -> bool {
    words(error).contains(LOST)
}

/// Whether the server closed the connection without a response: while nobody used it, or because of the request. In HTTP/2
/// it says so before (GOAWAY), and then the end of a stream is that of a request that it took.
pub(crate) fn is_closed(error: &(dyn Error + 'static)) -> bool {
    use ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset};
    let words = words(error);
    let mut kinds =
        causes(error).into_iter().filter_map(|cause| Some(cause.downcast_ref::<io::Error>()?.kind()));
    words.contains("connection closed before message completed")
        || (kinds.any(|kind| matches!(kind, BrokenPipe | ConnectionAborted | ConnectionReset))
            && !words.contains(END_OF_STREAM))
}

const GOAWAY: &str = "connection error received: not a result of an error";
const END_OF_STREAM: &str = "stream closed because of a broken pipe";
const LOST: &str = "runtime dropped the dispatch task";

fn words(error: &(dyn Error + 'static)) -> String {
    causes(error).iter().map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

fn of_tls(error: &rustls::Error) -> ConnectionError {
    match error {
        rustls::Error::InvalidCertificate(why) => of_certificate(why),
        rustls::Error::InvalidMessage(
            InvalidMessage::HandshakePayloadTooLarge | InvalidMessage::CertificatePayloadTooLarge,
        ) => ConnectionError::new("it sent a longer TLS handshake, or certificate, than 64 kB", WRONG_PORT),
        rustls::Error::InvalidMessage(_) => {
            ConnectionError::new("it does not speak TLS there", "try http://, or another port")
        }
        rustls::Error::AlertReceived(alert) => of_alert(*alert),
        rustls::Error::PeerIncompatible(_) => {
            ConnectionError::new("it offers no TLS that we can use", "have it offer TLS 1.2 or 1.3")
        }
        other => ConnectionError::new(format!("its TLS is wrong: {other}"), WRONG_PORT),
    }
}

fn of_certificate(error: &CertificateError) -> ConnectionError {
    match error {
        CertificateError::UnknownIssuer => {
            ConnectionError::new("its certificate is signed by an authority that is not trusted here", TRUST)
        }
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            ConnectionError::new("its certificate has expired", CERTIFICATE)
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            ConnectionError::new("its certificate is not valid yet", "are the clocks right?")
        }
        CertificateError::NotValidForName => {
            ConnectionError::new("its certificate is for another name", NAME)
        }
        CertificateError::NotValidForNameContext { expected, presented } => {
            let why = format!("its certificate is not for {}, {}", expected.to_str(), named(presented));
            ConnectionError::new(why, NAME)
        }
        CertificateError::BadSignature => ConnectionError::new(
            "its certificate is not signed by the authority that it names, or has an RSA key of less than 2,048 bits",
            "give --certificate-authority FILE with the authority of this server",
        ),
        other if other.to_string().contains("MaximumPathDepthExceeded") => {
            ConnectionError::new("the chain of its certificates is too long", "have it send fewer of them")
        }
        other if other.to_string().contains("CaUsedAsEndEntity") => {
            let why = "its certificate is that of an authority (CA:TRUE), which kube-assay does not accept for a server";
            ConnectionError::new(why, OF_AUTHORITY)
        }
        other => ConnectionError::new(format!("its certificate is not acceptable: {other}"), TRUST),
    }
}

/// The names in a certificate, without the words around them.
fn named(presented: &[String]) -> String {
    let bare = |name: &String| {
        let inner = name.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')'));
        inner.unwrap_or(name).trim_matches('"').to_owned()
    };
    if presented.is_empty() {
        "and has no name at all".to_owned()
    } else {
        format!("only for {}", presented.iter().map(bare).collect::<Vec<_>>().join(", "))
    }
}

fn of_alert(alert: AlertDescription) -> ConnectionError {
    match alert {
        AlertDescription::CertificateRequired => ConnectionError::new(
            "it demands a client certificate",
            "give --client-certificate and --client-key, or a kubeconfig that has them",
        ),
        AlertDescription::BadCertificate
        | AlertDescription::UnsupportedCertificate
        | AlertDescription::CertificateRevoked
        | AlertDescription::CertificateExpired
        | AlertDescription::CertificateUnknown
        | AlertDescription::AccessDenied
        | AlertDescription::DecryptError
        | AlertDescription::UnknownCA => {
            ConnectionError::new("it does not accept our client certificate", CLIENT_CERTIFICATE)
        }
        AlertDescription::HandshakeFailure | AlertDescription::ProtocolVersion => {
            let advice = "have it offer TLS 1.2 or 1.3, or give the client certificate that it may demand";
            ConnectionError::new("it refuses our TLS", advice)
        }
        AlertDescription::NoApplicationProtocol => {
            ConnectionError::new("it speaks neither HTTP/1.1 nor HTTP/2 over TLS", WRONG_PORT)
        }
        AlertDescription::UnrecognisedName => ConnectionError::new(
            "it does not know the name that it was called by",
            "use one of its own names",
        ),
        other => ConnectionError::new(format!("it ended TLS with the alert {other:?}"), WRONG_PORT),
    }
}

/// What only the text of an error tells: the HTTP library has no types for it.
fn of_words(words: &str, encrypted: bool) -> Option<ConnectionError> {
    let says = |any: &[&str]| any.iter().any(|word| words.contains(word));
    if says(&["failed to lookup address", "dns error"]) {
        return Some(ConnectionError::new(
            "its name is unknown",
            "is the name right, and can this machine look it up?",
        ));
    }
    if says(&["message head is too large"]) {
        return Some(ConnectionError::new("the head of its response is too large", SERVER_LOG));
    }
    if says(&["chunk extensions over limit"]) {
        return Some(ConnectionError::new("the chunks of its response have too many extensions", SERVER_LOG));
    }
    if says(&["chunk trailers", "Invalid trailer", "Invalid chunk", "invalid chunk"]) {
        return Some(ConnectionError::new(
            "the chunks of its response, or the trailers behind them, are not valid HTTP/1.1",
            SERVER_LOG,
        ));
    }
    if let Some(invalid) = invalid_header(words) {
        return Some(ConnectionError::new(invalid, INVALID_HTTP));
    }
    if says(&["invalid HTTP", "received unexpected message"]) {
        let try_tls = "is it the right port, or does it want https://?";
        let advice = if encrypted { WRONG_PORT } else { try_tls };
        return Some(ConnectionError::new("its response is not HTTP/1.1", advice));
    }
    if says(&[
        "connection closed before message completed",
        "unexpected EOF during handshake",
        "tls handshake eof",
    ]) {
        return Some(closed(encrypted));
    }
    if says(&["without sending TLS close_notify"]) {
        return Some(ConnectionError::new(
            NO_CLOSE_NOTIFY,
            "is the server still running, or is something between us and it?",
        ));
    }
    if says(&["end of file before message length reached", "unexpected EOF during chunk"]) {
        return Some(ConnectionError::new(
            "the response ended before its end",
            "is something between us and the server?",
        ));
    }
    of_words_about_http2(words)
}

/// The header by which a response breaks HTTP/1.1, behind a valid status line.
fn invalid_header(words: &str) -> Option<&'static str> {
    let known = [
        ("content-length parsed", "its response has an invalid Content-Length, or two different ones"),
        ("transfer-encoding parsed", "its response has an invalid Transfer-Encoding"),
        ("invalid HTTP header parsed", "its response has a header that is not valid HTTP/1.1"),
    ];
    known.into_iter().find(|(words_for_it, _)| words.contains(words_for_it)).map(|(_, cause)| cause)
}

fn closed(encrypted: bool) -> ConnectionError {
    let advice = if encrypted {
        "is the server still running, is it the right port, or does it want http://?"
    } else {
        GONE
    };
    ConnectionError::new(CLOSED, advice)
}

fn of_words_about_http2(words: &str) -> Option<ConnectionError> {
    let says = |any: &[&str]| any.iter().any(|word| words.contains(word));
    if let Some((_, wrong)) = words.rsplit_once("error detected: ") {
        return Some(ConnectionError::new(format!("its HTTP/2 is wrong: {wrong}"), HTTP2));
    }
    if says(&[GOAWAY, LOST]) {
        return Some(ConnectionError::new(SENT_AWAY, OFTEN));
    }
    if says(&["stream error received"]) {
        return Some(ConnectionError::new("it reset the HTTP/2 stream of the request", SERVER_LOG));
    }
    if says(&["http2 error", "broken pipe in http2"]) {
        return Some(ConnectionError::new(BROKEN_OFF, HTTP2));
    }
    if says(&["channel closed", "connection closed"]) {
        return Some(ConnectionError::new(CLOSED, GONE));
    }
    None
}

/// What the system says, without its number.
pub(crate) fn without_number(words: &str) -> String {
    words.split(" (os error").next().unwrap_or_default().to_lowercase()
}

fn of_system(error: &io::Error, encrypted: bool) -> Option<ConnectionError> {
    let (why, advice) = match error.kind() {
        ErrorKind::ConnectionRefused => (REFUSED, PORT),
        ErrorKind::ConnectionReset
        | ErrorKind::ConnectionAborted
        | ErrorKind::BrokenPipe
        | ErrorKind::UnexpectedEof => return Some(closed(encrypted)),
        ErrorKind::TimedOut => ("it does not take connections: nothing came back in time", PORT),
        ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable => {
            ("it cannot be reached from this machine", "is the network up, and is the address right?")
        }
        _ => return None,
    };
    Some(ConnectionError::new(why, advice))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hides_in_an_error_of_the_system_is_found() {
        let hidden = rustls::Error::InvalidCertificate(CertificateError::UnknownIssuer);
        let error = io::Error::other(io::Error::other(hidden));
        let error = ConnectionError::of(&error, true);
        assert_eq!(error.cause, "its certificate is signed by an authority that is not trusted here");
        assert_eq!(error.hint, TRUST);
    }

    #[test]
    fn the_names_of_a_certificate_are_shown_as_they_are_typed() {
        let presented = ["DnsName(\"one\")".to_owned(), "IpAddress(127.0.0.2)".to_owned()];
        assert_eq!(named(&presented), "only for one, 127.0.0.2");
        assert_eq!(named(&[]), "and has no name at all");
    }

    #[test]
    fn the_words_of_http2_become_causes() {
        let cause = |words: &str| of_words(words, true).map(|error| error.cause);
        for (words, expected) in [
            (
                "client error: connection error detected: frame with invalid size",
                "its HTTP/2 is wrong: frame with invalid size",
            ),
            ("http2 error: stream error received: refused", "it reset the HTTP/2 stream of the request"),
            ("http2 error: connection error received: some of its words", "it broke off HTTP/2"),
            (
                &format!("http2 error: {GOAWAY}"),
                "it closed the connection (GOAWAY) before it took the request",
            ),
            (
                &format!("dispatch task is gone: {LOST}"),
                "it closed the connection (GOAWAY) before it took the request",
            ),
            ("client error (SendRequest): channel closed", "it closed the connection without a response"),
        ] {
            assert_eq!(cause(words).as_deref(), Some(expected));
        }
        assert_eq!(cause("odd"), None);
    }

    #[test]
    fn a_connection_that_ends_before_the_response_leaves_open_what_became_of_the_request() {
        for words in [
            "connection closed before message completed",
            &format!("dispatch task is gone: {LOST}"),
            "broken pipe in http2",
            "peer closed connection without sending TLS close_notify",
        ] {
            assert!(of_words(words, true).is_some_and(|error| is_closed_early(&error.cause)), "{words}");
        }
        assert!(!is_closed_early(REFUSED) && !is_closed_early("no complete response within 1 s"));
    }

    #[test]
    fn the_system_is_quoted_in_words() {
        let refused = io::Error::from(ErrorKind::ConnectionRefused);
        assert_eq!(ConnectionError::of(&refused, false).cause, "nothing listens there: connection refused");
        let hidden = io::Error::other(io::Error::from(ErrorKind::ConnectionReset));
        assert_eq!(ConnectionError::of(&hidden, true).cause, "it closed the connection without a response");
        let odd = io::Error::other("odd");
        assert_eq!(ConnectionError::of(&odd, false).cause, "odd");
    }
}
