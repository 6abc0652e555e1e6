//! IP addresses and CIDR blocks.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr};

use crate::cel::evaluator::{EvalError, Evaluated};
use crate::cel::value::Value;

/// An IP address, in its canonical text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Address(IpAddr);

/// An address with the length of its prefix. Bits of hosts are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cidr {
    address: Address,
    prefix: u8,
}

pub(super) fn call(name: &str, args: &[Value]) -> Option<Evaluated> {
    use Value::{Bool, Cidr as Block, Int, Ip, Text};
    let invalid = |what: &str, text: &str| {
        Err(EvalError::other(format!("{what} Address {text:?} parse error during conversion from string")))
    };
    Some(match (name, args) {
        ("isIP", [Text(text)]) => Ok(Bool(Address::parse(text).is_some())),
        ("ip", [Text(text)]) => {
            Address::parse(text).map_or_else(|| invalid("IP", text), |address| Ok(Ip(address)))
        }
        ("ip.isCanonical", [Text(text)]) => Address::parse(text)
            .map_or_else(|| invalid("IP", text), |address| Ok(Bool(address.to_string() == **text))),
        ("family", [Ip(address)]) => Ok(Int(if address.0.is_ipv4() { 4 } else { 6 })),
        ("isUnspecified", [Ip(address)]) => Ok(Bool(address.0.is_unspecified())),
        ("isLoopback", [Ip(address)]) => Ok(Bool(address.0.is_loopback())),
        ("isLinkLocalMulticast", [Ip(address)]) => Ok(Bool(address.is_link_local_multicast())),
        ("isLinkLocalUnicast", [Ip(address)]) => Ok(Bool(address.is_link_local_unicast())),
        ("isGlobalUnicast", [Ip(address)]) => Ok(Bool(address.is_global_unicast())),
        ("isCIDR", [Text(text)]) => Ok(Bool(Cidr::parse(text).is_some())),
        ("cidr", [Text(text)]) => {
            Cidr::parse(text).map_or_else(|| invalid("CIDR", text), |block| Ok(Block(block)))
        }
        ("ip", [Block(block)]) => Ok(Ip(block.address)),
        ("masked", [Block(block)]) => Ok(Block(block.masked())),
        ("prefixLength", [Block(block)]) => Ok(Int(block.prefix.into())),
        ("containsIP", [Block(block), Ip(address)]) => Ok(Bool(block.contains(*address))),
        ("containsIP", [Block(block), Text(text)]) => Address::parse(text)
            .map_or_else(|| invalid("IP", text), |address| Ok(Bool(block.contains(address)))),
        ("containsCIDR", [Block(block), Block(other)]) => Ok(Bool(block.covers(*other))),
        ("containsCIDR", [Block(block), Text(text)]) => {
            Cidr::parse(text).map_or_else(|| invalid("CIDR", text), |other| Ok(Bool(block.covers(other))))
        }
        _ => return None,
    })
}

impl Address {
    /// An address without a zone, and no IPv4 address inside of an IPv6 one.
    fn parse(text: &str) -> Option<Self> {
        match text.parse().ok()? {
            IpAddr::V6(address) if address.to_ipv4_mapped().is_some() => None,
            address => Some(Self(address)),
        }
    }

    /// The number of bytes.
    pub(crate) fn bytes(self) -> u64 {
        if self.0.is_ipv4() { 4 } else { 16 }
    }

    fn bits(self) -> u128 {
        match self.0 {
            IpAddr::V4(address) => u128::from(address.to_bits()) << 96,
            IpAddr::V6(address) => address.to_bits(),
        }
    }

    fn is_link_local_multicast(self) -> bool {
        match self.0 {
            IpAddr::V4(address) => address.octets()[..3] == [224, 0, 0],
            IpAddr::V6(address) => address.segments()[0] & 0xff0f == 0xff02,
        }
    }

    fn is_link_local_unicast(self) -> bool {
        match self.0 {
            IpAddr::V4(address) => address.is_link_local(),
            IpAddr::V6(address) => address.segments()[0] & 0xffc0 == 0xfe80,
        }
    }

    fn is_global_unicast(self) -> bool {
        self.0 != IpAddr::V4(Ipv4Addr::BROADCAST)
            && !self.0.is_unspecified()
            && !self.0.is_loopback()
            && !self.0.is_multicast()
            && !self.is_link_local_unicast()
    }
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl Cidr {
    fn parse(text: &str) -> Option<Self> {
        let (address, prefix) = text.split_once('/')?;
        let address = Address::parse(address)?;
        let is_number = !prefix.is_empty()
            && prefix.bytes().all(|byte| byte.is_ascii_digit())
            && (prefix == "0" || !prefix.starts_with('0'));
        let prefix =
            prefix.parse().ok().filter(|prefix| is_number && u64::from(*prefix) <= 8 * address.bytes())?;
        Some(Self { address, prefix })
    }

    pub(crate) fn address(self) -> Address {
        self.address
    }

    fn mask(self) -> u128 {
        u128::MAX.checked_shl(128 - u32::from(self.prefix)).unwrap_or(0)
    }

    fn contains(self, address: Address) -> bool {
        self.address.bytes() == address.bytes() && (self.address.bits() ^ address.bits()) & self.mask() == 0
    }

    fn covers(self, other: Self) -> bool {
        self.prefix <= other.prefix && self.contains(other.address)
    }

    /// The block with the bits of hosts cleared.
    pub(crate) fn masked(self) -> Self {
        let bits = self.address.bits() & self.mask();
        let address = match self.address.0 {
            IpAddr::V4(_) => {
                let high = u32::try_from(bits >> 96).unwrap_or_default();
                IpAddr::V4(Ipv4Addr::from_bits(high))
            }
            IpAddr::V6(_) => IpAddr::V6(std::net::Ipv6Addr::from_bits(bits)),
        };
        Self { address: Address(address), ..self }
    }
}

impl fmt::Display for Cidr {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.address, self.prefix)
    }
}
