//! Faults of IP addresses and CIDR blocks.

use crate::cel::deviation::Deviation::{self, *};
use crate::fault::expressions;
use crate::faults::cel::{Fault, Value, bool, call, text};

/// A property that no IPv6 address has.
const fn only_v4(name: &'static str) -> Deviation {
    Returns(name, |args, right| match &args[0] {
        Value::Ip(address) if address.bytes() == 16 => bool(false),
        _ => right,
    })
}

#[rustfmt::skip]
pub(in crate::faults) const FAULTS: &[Fault] = &[
    expressions("cel-libraries-ip-isip", "an IPv4 address can be inside of an IPv6 one", &[Returns("isIP", |args, right| if text(&args[0]).parse::<std::net::IpAddr>().is_ok() { bool(true) } else { right })]),
    expressions("cel-libraries-ip-error", "ip of another string is 0.0.0.0", &[Returns("ip", |_, right| right.or_else(|_| call("ip", &[Value::text("0.0.0.0")])))]),
    expressions("cel-libraries-ip-canonical", "every address is canonical", &[Returns("ip.isCanonical", |_, right| right.and(bool(true)))]),
    expressions("cel-libraries-ip-family", "family is a string", &[Returns("family", |_, right| call("string", &[right?]))]),
    expressions("cel-libraries-ip-isunspecified", "isUnspecified is of IPv4 alone", &[only_v4("isUnspecified")]),
    expressions("cel-libraries-ip-isloopback", "isLoopback is of IPv4 alone", &[only_v4("isLoopback")]),
    expressions("cel-libraries-ip-islinklocalmulticast", "isLinkLocalMulticast is of IPv4 alone", &[only_v4("isLinkLocalMulticast")]),
    expressions("cel-libraries-ip-islinklocalunicast", "isLinkLocalUnicast is of IPv4 alone", &[only_v4("isLinkLocalUnicast")]),
    expressions("cel-libraries-ip-isglobalunicast", "isGlobalUnicast is of IPv4 alone", &[only_v4("isGlobalUnicast")]),
    expressions("cel-libraries-ip-string", "string of an address is in upper case", &[Returns("string", |args, right| match (&args[0], right?) {
        (Value::Ip(_), text) => call("upperAscii", &[text]),
        (_, text) => Ok(text),
    })]),
    expressions("cel-libraries-cidr-iscidr", "a block has no bits of hosts", &[Returns("isCIDR", |args, right| {
        match call("cidr", args) {
            Ok(Value::Cidr(block)) => bool(block.masked() == block),
            _ => right,
        }
    })]),
    expressions("cel-libraries-cidr-containsip", "::/0 contains all addresses", &[Returns("containsIP", |args, right| match &args[0] {
        Value::Cidr(block) if block.to_string() == "::/0" => bool(true),
        _ => right,
    })]),
    expressions("cel-libraries-cidr-containscidr", "a block contains larger ones", &[Returns("containsCIDR", |_, right| right.and(bool(true)))]),
    expressions("cel-libraries-cidr-ip-masked-prefix", "ip of a block has no bits of hosts", &[Returns("ip", |args, right| match &args[0] {
        Value::Cidr(block) => Ok(Value::Ip(block.masked().address())),
        _ => right,
    })]),
];
