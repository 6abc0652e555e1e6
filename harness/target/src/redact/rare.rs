//! The ways in which few programs write a secret down: in digits of other bases, in base85, uuencode, base58 and base62,
//! backwards, and in ROT13.

use std::iter;
use std::sync::Arc;

use super::spelling::{SHORTEST, Spelling};

/// Bases of digits, and the number of digits of a byte: decimal, octal, and binary ones with and without the first zero.
const DIGITS: [(u32, usize); 4] = [(10, 3), (8, 3), (2, 8), (2, 7)];

/// The alphabet of base85 in Git and Python.
const RFC_1924: &str =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";

/// The alphabet of base85 in `ZeroMQ`.
const Z85: &str = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";

/// The alphabets of base58 and base62. Comparisons know no case, so that small letters may as well be first.
const WHOLE_NUMBERS: [&str; 3] = [
    "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
];

/// The longest secret to write as one number, in bytes: the time for that grows with the square of its length.
const LONGEST_NUMBER: usize = 1 << 10;

/// An encoding that writes each block of bytes as a number.
struct BlockEncoding {
    /// The number of bytes of a block.
    bytes: usize,
    /// The number of its characters.
    characters: usize,
    alphabet: Vec<char>,
}

/// All of them, of a secret that may be no text.
pub(super) fn spellings(secret: &[u8]) -> Vec<Spelling> {
    let bytes: Arc<[u8]> = secret.into();
    let digits = DIGITS.map(|(radix, width)| Spelling::Digits { bytes: bytes.clone(), radix, width });
    let numbers: [fn(&u8) -> String; 3] =
        [|byte| format!("{byte:o}"), |byte| format!("{byte:#o}"), |byte| format!("{byte:#b}")];
    let numbers = numbers
        .map(|number| Spelling::Numbers(secret.iter().map(number).collect::<String>().chars().collect()));
    let rotated: Vec<u8> = secret.iter().copied().map(rot13).collect();
    let rotated = str::from_utf8(&rotated).ok().map(|text| text.chars().collect());
    let reversed = str::from_utf8(secret).ok().map(|text| text.chars().rev().collect());
    let texts = rotated.into_iter().chain(reversed).map(Spelling::Text);
    let blocks = block_encodings();
    let blocks = blocks.iter().flat_map(|encoding| encoding.spellings(secret));
    digits.into_iter().chain(numbers).chain(texts).chain(blocks).collect()
}

/// A secret as one number. Any text beside it in the same number would change all digits.
pub(super) fn whole_numbers(secret: &[u8]) -> impl Iterator<Item = Spelling> {
    let alphabets = (secret.len() <= LONGEST_NUMBER).then_some(WHOLE_NUMBERS).into_iter().flatten();
    alphabets.map(move |alphabet| {
        let alphabet: Vec<char> = alphabet.chars().collect();
        Spelling::Text(in_digits(secret, &alphabet, 0).into())
    })
}

/// Base85 and uuencode.
fn block_encodings() -> [BlockEncoding; 5] {
    let base85 = |alphabet| BlockEncoding { bytes: 4, characters: 5, alphabet };
    let uuencode = |alphabet| BlockEncoding { bytes: 3, characters: 4, alphabet };
    [
        base85(('!'..='u').collect()),
        base85(RFC_1924.chars().collect()),
        base85(Z85.chars().collect()),
        uuencode((' '..='_').collect()),
        // Others write the zero so.
        uuencode(iter::once('`').chain('!'..='_').collect()),
    ]
}

impl BlockEncoding {
    /// What is the same in all encoded texts with this secret inside: its whole blocks, wherever the first one begins.
    fn spellings(&self, secret: &[u8]) -> impl Iterator<Item = Spelling> {
        (0..self.bytes).filter_map(move |before| {
            let blocks = secret.get(before..)?.chunks_exact(self.bytes);
            let encoded = blocks.flat_map(|block| in_digits(block, &self.alphabet, self.characters));
            from_word(&encoded.collect::<Vec<_>>())
        })
    }
}

/// The text from its first characters on that are no quotes or brackets: at these the finder divides JSON into parts.
fn from_word(chars: &[char]) -> Option<Spelling> {
    let divides = |char: &char| matches!(char, '"' | '\'' | '(' | ')' | '[' | ']');
    let start = chars.windows(SHORTEST).position(|window| !window.iter().any(divides))?;
    Some(Spelling::Text(chars[start..].into()))
}

/// A number, whose bytes begin with the highest, in at least so many digits.
fn in_digits(number: &[u8], alphabet: &[char], width: usize) -> Vec<char> {
    let radix = alphabet.len();
    let mut digits: Vec<usize> = Vec::new();
    for byte in number {
        let mut carry = usize::from(*byte);
        for digit in &mut digits {
            carry += *digit << 8;
            *digit = carry % radix;
            carry /= radix;
        }
        while carry > 0 {
            digits.push(carry % radix);
            carry /= radix;
        }
    }
    digits.resize(digits.len().max(width), 0);
    digits.iter().rev().map(|digit| alphabet[*digit]).collect()
}

fn rot13(byte: u8) -> u8 {
    match byte {
        b'a'..=b'm' | b'A'..=b'M' => byte + 13,
        b'n'..=b'z' | b'N'..=b'Z' => byte - 13,
        _ => byte,
    }
}
