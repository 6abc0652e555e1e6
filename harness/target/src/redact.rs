//! Keeps credentials out of everything that leaves the program, however they are written.
//!
//! A server may give a credential back in base64, in digits, in UTF-16, with any of its characters escaped, or with each of
//! them in quotes. What it compresses or encrypts before it encodes it cannot be found.

mod escapes;
mod finder;
mod html_names;
mod lists;
mod rare;
mod spelling;

use std::collections::BTreeSet;
use std::iter;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base64::Engine as _;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{
    GeneralPurpose, GeneralPurposeConfig, STANDARD_NO_PAD, URL_SAFE_NO_PAD,
};

use model::TestError;
use serde_json::Value;

use finder::{Finder, join};
use spelling::{SHORTEST, Spelling};

/// Knows every credential in use and replaces it wherever it shows.
#[derive(Debug, Clone, Default)]
pub struct Redactor {
    known: Arc<Mutex<Known>>,
}

#[derive(Debug, Default)]
struct Known {
    secrets: BTreeSet<Vec<u8>>,
    finder: Finder,
}

/// A server that leaves out the beginning of a credential shows at least this much of it, in bytes.
const SHORTEST_END: usize = 12;

/// A server that shows any part of a long credential shows one of its parts of this length, in bytes.
const PART: usize = 16;

/// The part of an issued token to learn, in bytes: the beginning of a longer one is enough to find it in a transcript.
const LONGEST_ISSUED: usize = 16 << 10;

/// The text in the place of a credential.
const REDACTED: &str = "[redacted]";

/// Reads base64 with and without padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

impl Redactor {
    /// Learns a token or a password, also without the blanks at its ends: a server does not see those of a header.
    pub fn learn(&self, secret: &str) {
        let mut known = self.known();
        known.learn_own(secret);
        known.learn_own(secret.trim());
    }

    /// Learns the value of a header: the token behind its scheme, and of user and password both and the password.
    pub fn learn_header(&self, value: &str) {
        let (scheme, token) = value.split_once(' ').unwrap_or(("", value));
        self.learn(token);
        if scheme.eq_ignore_ascii_case("basic")
            && let Some(decoded) = BASE64.decode(token).ok().and_then(|bytes| String::from_utf8(bytes).ok())
        {
            self.known().learn_pair(decoded.as_bytes());
            self.learn(decoded.split_once(':').map_or("", |(_, password)| password));
        }
    }

    /// Learns the token that a server has issued: `status.token` of a `TokenRequest`. A run has many of them, and each part
    /// would cost every text time.
    pub fn learn_issued(&self, token_request: &[u8]) {
        let issued: Value = serde_json::from_slice(token_request).unwrap_or_default();
        let token = issued["status"]["token"].as_str().unwrap_or_default();
        self.known().learn_text(token.get(..LONGEST_ISSUED).unwrap_or(token));
    }

    /// Learns a private key in PEM, as text or in base64, and that in base64 again: the Secret for the pods of a Job has it so.
    pub fn learn_key(&self, key: &str) {
        let decoded = BASE64.decode(key).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        let pem = decoded.as_deref().unwrap_or(key);
        let mut known = self.known();
        known.learn(pem.as_bytes());
        known.learn(STANDARD_NO_PAD.encode(pem).as_bytes());
        for body in pem.split("-----").skip(2).step_by(4) {
            let base64: String = body.split_whitespace().collect();
            known.learn(&BASE64.decode(base64).unwrap_or_default());
        }
    }

    /// The text with every known credential replaced, also where a cut has left only its beginning: any 10 bytes at the
    /// end of a text, elsewhere at least 12 and at least half of the credential. The same for the end of a credential, and
    /// for any 31 bytes of a token or a password.
    pub fn redact(&self, text: &str) -> String {
        let found = self.find(text);
        let (mut redacted, mut behind) = (String::with_capacity(text.len()), 0);
        for found in found {
            redacted.push_str(&text[behind..found.start]);
            redacted.push_str(REDACTED);
            behind = found.end;
        }
        redacted.push_str(&text[behind..]);
        redacted
    }

    /// The same test error without credentials.
    pub fn redact_test_error(&self, test_error: TestError) -> TestError {
        let TestError { action, cause, hint } = test_error;
        let [action, cause, hint] = [action, cause, hint].map(|text| self.redact(&text));
        TestError { action, cause, hint }
    }

    /// The places of every known credential.
    pub(crate) fn find(&self, text: &str) -> Vec<Range<usize>> {
        let known = self.known();
        let mut shown = Vec::new();
        known.finder.find(text).iter().for_each(|found| join(&mut shown, known.shown(text, found)));
        shown
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    fn is_new(&self, secret: &[u8]) -> bool {
        secret.len() >= SHORTEST && !self.secrets.contains(secret)
    }

    /// Learns a credential of the user also in parts, and as one number.
    fn learn_own(&mut self, secret: &str) {
        if self.is_new(secret.as_bytes()) {
            self.learn_text(secret);
            parts(secret.as_bytes()).for_each(|part| self.hide(part, |spelling| spelling));
            rare::whole_numbers(secret.as_bytes()).for_each(|spelling| self.finder.add(spelling));
        }
    }

    /// Learns a credential also in rare spellings, in UTF-16 and UTF-32, and encoded twice.
    fn learn_text(&mut self, secret: &str) {
        if self.is_new(secret.as_bytes()) {
            self.learn(secret.as_bytes());
            self.learn(&utf16(secret));
            Spelling::encoded(&utf32(secret)).for_each(|spelling| self.finder.add(spelling));
            let hidden = with_end(secret.as_bytes());
            hidden.flat_map(rare::spellings).for_each(|spelling| self.finder.add(spelling));
            for encoded in encoded(secret.as_bytes()) {
                Spelling::all(encoded.as_bytes()).skip(1).for_each(|twice| self.finder.add(twice));
            }
        }
    }

    fn learn(&mut self, secret: &[u8]) {
        self.learn_as(secret, |spelling| spelling);
    }

    /// All that a text shows of a credential, of which only a part was found.
    fn shown(&self, text: &str, found: &Range<usize>) -> Range<usize> {
        let part = &text.as_bytes()[found.clone()];
        let before = text.as_bytes()[..found.start].iter().rev();
        let behind = text.as_bytes()[found.end..].iter();
        let more = |secret: &Vec<u8>| {
            let at = secret.windows(part.len()).position(|window| window == part)?;
            let same_before = same(before.clone(), secret[..at].iter().rev());
            Some((same_before, same(behind.clone(), secret[at + part.len()..].iter())))
        };
        let (more_before, more_behind) = self.secrets.iter().filter_map(more).max().unwrap_or_default();
        // Half a character may be the same by chance.
        text.ceil_char_boundary(found.start - more_before)..text.floor_char_boundary(found.end + more_behind)
    }

    /// Learns user and password. The user alone is no secret.
    fn learn_pair(&mut self, pair: &[u8]) {
        self.learn_as(pair, Spelling::whole);
    }

    fn learn_as(&mut self, secret: &[u8], of: fn(Spelling) -> Spelling) {
        if self.is_new(secret) {
            with_end(secret).for_each(|hidden| self.hide(hidden, of));
            self.secrets.insert(secret.to_owned());
        }
    }

    fn hide(&mut self, secret: &[u8], of: fn(Spelling) -> Spelling) {
        Spelling::all(secret).map(of).for_each(|spelling| self.finder.add(spelling));
    }
}

/// The number of bytes that two texts have in common.
fn same<'a>(one: impl Iterator<Item = &'a u8>, other: impl Iterator<Item = &'a u8>) -> usize {
    one.zip(other).take_while(|(one, other)| one == other).count()
}

/// A credential, and its second half if that is long enough to be hidden alone.
fn with_end(secret: &[u8]) -> impl Iterator<Item = &[u8]> {
    let end = Some(&secret[secret.len() / 2..]).filter(|end| end.len() >= SHORTEST_END);
    iter::once(secret).chain(end)
}

/// The parts of a long credential that are hidden alone.
fn parts(secret: &[u8]) -> impl Iterator<Item = &[u8]> {
    (secret.len() >= 2 * PART).then(|| secret.chunks_exact(PART)).into_iter().flatten()
}

/// What is the same in UTF-16 of either byte order.
fn utf16(secret: &str) -> Vec<u8> {
    let big_endian: Vec<u8> = secret.encode_utf16().flat_map(u16::to_be_bytes).collect();
    // Its first byte, and the last one in the other order, are zero if the character is one of ASCII.
    big_endian[1.min(big_endian.len())..].to_vec()
}

/// What is the same in UTF-32 of either byte order, for characters of ASCII.
fn utf32(secret: &str) -> Vec<u8> {
    secret.chars().flat_map(|char| u32::from(char).to_be_bytes()).skip(3).collect()
}

/// What is the same in all encoded texts with this secret inside: these may be encoded again.
fn encoded(secret: &[u8]) -> BTreeSet<String> {
    let digits = |digit: fn(&u8) -> String| secret.iter().map(digit).collect();
    let mut encoded =
        BTreeSet::from([digits(|byte| format!("{byte:02x}")), digits(|byte| format!("{byte:02X}"))]);
    for before in 0..3 {
        let whole = [&vec![0; before], secret].concat();
        // Every character that holds bits of nothing else.
        let own = (8 * before).div_ceil(6)..8 * whole.len() / 6;
        encoded.extend(
            [STANDARD_NO_PAD, URL_SAFE_NO_PAD].map(|base64| base64.encode(&whole)[own.clone()].to_owned()),
        );
    }
    encoded
}

#[cfg(test)]
mod tests;
