//! The functions of expressions: standard definitions, and the libraries that Kubernetes enables.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::types::Type;

/// A signature of a function.
#[derive(Debug, Clone)]
pub(super) struct Overload {
    pub(super) is_method: bool,
    /// The types of the arguments, beginning with the receiver's.
    pub(super) args: Vec<Type>,
    pub(super) result: Type,
}

/// The signatures by name.
pub(super) type Declarations = HashMap<String, Vec<Overload>>;

/// The signatures that new expressions can use in Kubernetes 1.36.
pub(super) static DECLARATIONS: LazyLock<Declarations> = LazyLock::new(|| {
    let mut all = Declarations::new();
    for line in SIGNATURES.iter().flat_map(|text| text.lines()) {
        declare(&mut all, line);
    }
    // One line per comparable type would say the same eight times.
    for ty in ["int", "uint", "double", "bool", "string", "bytes", "timestamp", "duration"] {
        for operator in ["_<_", "_<=_", "_>_", "_>=_"] {
            declare(&mut all, &format!("{operator}({ty}; {ty}) bool"));
        }
        for line in COMPARABLE_LISTS.lines() {
            declare(&mut all, &line.replace('$', ty));
        }
    }
    for (left, right) in [("int", "uint"), ("int", "double"), ("uint", "double")] {
        for operator in ["_<_", "_<=_", "_>_", "_>=_"] {
            declare(&mut all, &format!("{operator}({left}; {right}) bool"));
            declare(&mut all, &format!("{operator}({right}; {left}) bool"));
        }
    }
    all
});

/// Adds a signature such as `string.indexOf(string; int) int`, or `size(string) int` for a function.
pub(super) fn declare(all: &mut Declarations, line: &str) {
    // A receiver of a library's type has a dot itself, so a method stands after two.
    let (receiver, rest) = line.trim().split_once("..").map_or((None, line.trim()), |(of, rest)| (Some(of), rest));
    let Some((name, rest)) = rest.split_once('(') else { return };
    let Some((args, result)) = rest.rsplit_once(") ") else { return };
    let args = args.split("; ").filter(|arg| !arg.is_empty());
    let overload = Overload {
        is_method: receiver.is_some(),
        args: receiver.into_iter().chain(args).map(Type::parse).collect(),
        result: Type::parse(result),
    };
    all.entry(name.to_owned()).or_default().push(overload);
}

/// The types with names in expressions.
pub(super) fn named_type(name: &str) -> Option<Type> {
    Some(match name {
        "bool" | "bytes" | "double" | "int" | "string" | "uint" | "null_type" | "dyn" => Type::parse(name),
        "list" => Type::list(Type::Dyn),
        "map" => Type::map(Type::Dyn, Type::Dyn),
        "type" => Type::Type(Type::Dyn.into()),
        "optional_type" => Type::optional(Type::Dyn),
        "google.protobuf.Timestamp" => Type::Timestamp,
        "google.protobuf.Duration" => Type::Duration,
        "kubernetes.URL" | "kubernetes.Quantity" | "kubernetes.Semver" | "kubernetes.NamedFormat" | "net.IP"
        | "net.CIDR" => Type::object(name),
        _ => return None,
    })
}

/// The functions of lists that exist for each comparable type.
const COMPARABLE_LISTS: &str = "list($)..isSorted() bool
list($)..min() $
list($)..max() $
list($)..sort() list($)
list(T)..@sortByAssociatedKeys(list($)) list(T)";

const SIGNATURES: [&str; 6] = [OPERATORS, STANDARD, STRINGS, LISTS, LIBRARIES, AUTHORIZER];

const OPERATORS: &str = "_&&_(bool; bool) bool
_||_(bool; bool) bool
!_(bool) bool
@not_strictly_false(bool) bool
_?_:_(bool; A; A) A
_==_(A; A) bool
_!=_(A; A) bool
@in(A; list(A)) bool
@in(A; map(A,B)) bool
_[_](list(A); int) A
_[_](map(A,B); A) B
_[_](optional(list(A)); int) optional(A)
_[_](optional(map(A,B)); A) optional(B)
_[?_](list(A); int) optional(A)
_[?_](map(A,B); A) optional(B)
_[?_](optional(list(A)); int) optional(A)
_[?_](optional(map(A,B)); A) optional(B)
_+_(int; int) int
_+_(uint; uint) uint
_+_(double; double) double
_+_(string; string) string
_+_(bytes; bytes) bytes
_+_(list(A); list(A)) list(A)
_+_(timestamp; duration) timestamp
_+_(duration; timestamp) timestamp
_+_(duration; duration) duration
_-_(int; int) int
_-_(uint; uint) uint
_-_(double; double) double
_-_(timestamp; timestamp) duration
_-_(timestamp; duration) timestamp
_-_(duration; duration) duration
_*_(int; int) int
_*_(uint; uint) uint
_*_(double; double) double
_/_(int; int) int
_/_(uint; uint) uint
_/_(double; double) double
_%_(int; int) int
_%_(uint; uint) uint
-_(int) int
-_(double) double
cel.@mapInsert(map(A,B); A; B) map(A,B)
cel.@mapInsert(map(A,B); map(A,B)) map(A,B)";

const STANDARD: &str = "size(string) int
size(bytes) int
size(list(A)) int
size(map(A,B)) int
string..size() int
bytes..size() int
list(A)..size() int
map(A,B)..size() int
string..contains(string) bool
string..endsWith(string) bool
string..startsWith(string) bool
string..matches(string) bool
matches(string; string) bool
type(A) type(A)
dyn(A) dyn
bool(bool) bool
bool(string) bool
bytes(bytes) bytes
bytes(string) bytes
double(double) double
double(int) double
double(string) double
double(uint) double
duration(duration) duration
duration(string) duration
int(int) int
int(double) int
int(string) int
int(uint) int
int(timestamp) int
int(duration) int
string(string) string
string(bool) string
string(bytes) string
string(double) string
string(int) string
string(uint) string
string(timestamp) string
string(duration) string
timestamp(timestamp) timestamp
timestamp(string) timestamp
timestamp(int) timestamp
uint(uint) uint
uint(double) uint
uint(int) uint
uint(string) uint
timestamp..getFullYear() int
timestamp..getFullYear(string) int
timestamp..getMonth() int
timestamp..getMonth(string) int
timestamp..getDayOfYear() int
timestamp..getDayOfYear(string) int
timestamp..getDayOfMonth() int
timestamp..getDayOfMonth(string) int
timestamp..getDate() int
timestamp..getDate(string) int
timestamp..getDayOfWeek() int
timestamp..getDayOfWeek(string) int
timestamp..getHours() int
timestamp..getHours(string) int
timestamp..getMinutes() int
timestamp..getMinutes(string) int
timestamp..getSeconds() int
timestamp..getSeconds(string) int
timestamp..getMilliseconds() int
timestamp..getMilliseconds(string) int
duration..getHours() int
duration..getMinutes() int
duration..getSeconds() int
duration..getMilliseconds() int
optional.of(A) optional(A)
optional.ofNonZeroValue(A) optional(A)
optional.none() optional(A)
optional.unwrap(list(optional(A))) list(A)
list(optional(A))..unwrapOpt() list(A)
list(A)..first() optional(A)
list(A)..last() optional(A)
optional(A)..value() A
optional(A)..hasValue() bool
optional(A)..or(optional(A)) optional(A)
optional(A)..orValue(A) A";

const STRINGS: &str = "string..charAt(int) string
string..indexOf(string) int
string..indexOf(string; int) int
string..lastIndexOf(string) int
string..lastIndexOf(string; int) int
string..lowerAscii() string
string..upperAscii() string
string..replace(string; string) string
string..replace(string; string; int) string
string..split(string) list(string)
string..split(string; int) list(string)
list(string)..join() string
list(string)..join(string) string
string..substring(int) string
string..substring(int; int) string
string..trim() string
string..format(list(dyn)) string
strings.quote(string) string
string..find(string) string
string..findAll(string) list(string)
string..findAll(string; int) list(string)";

const LISTS: &str = "list(int)..sum() int
list(uint)..sum() uint
list(double)..sum() double
list(duration)..sum() duration
list(A)..indexOf(A) int
list(A)..lastIndexOf(A) int
list(A)..distinct() list(A)
list(A)..reverse() list(A)
list(A)..slice(int; int) list(A)
list(list(A))..flatten() list(A)
list(dyn)..flatten(int) list(dyn)
lists.range(int) list(int)
sets.contains(list(A); list(A)) bool
sets.equivalent(list(A); list(A)) bool
sets.intersects(list(A); list(A)) bool";

const LIBRARIES: &str = "isURL(string) bool
url(string) kubernetes.URL
kubernetes.URL..getScheme() string
kubernetes.URL..getHost() string
kubernetes.URL..getHostname() string
kubernetes.URL..getPort() string
kubernetes.URL..getEscapedPath() string
kubernetes.URL..getQuery() map(string,list(string))
isQuantity(string) bool
quantity(string) kubernetes.Quantity
sign(kubernetes.Quantity) int
kubernetes.Quantity..isInteger() bool
kubernetes.Quantity..asInteger() int
kubernetes.Quantity..asApproximateFloat() double
kubernetes.Quantity..add(kubernetes.Quantity) kubernetes.Quantity
kubernetes.Quantity..add(int) kubernetes.Quantity
kubernetes.Quantity..sub(kubernetes.Quantity) kubernetes.Quantity
kubernetes.Quantity..sub(int) kubernetes.Quantity
kubernetes.Quantity..isLessThan(kubernetes.Quantity) bool
kubernetes.Quantity..isGreaterThan(kubernetes.Quantity) bool
kubernetes.Quantity..compareTo(kubernetes.Quantity) int
isIP(string) bool
ip(string) net.IP
ip.isCanonical(string) bool
string(net.IP) string
net.IP..family() int
net.IP..isUnspecified() bool
net.IP..isLoopback() bool
net.IP..isLinkLocalMulticast() bool
net.IP..isLinkLocalUnicast() bool
net.IP..isGlobalUnicast() bool
isCIDR(string) bool
cidr(string) net.CIDR
string(net.CIDR) string
net.CIDR..containsIP(string) bool
net.CIDR..containsIP(net.IP) bool
net.CIDR..containsCIDR(string) bool
net.CIDR..containsCIDR(net.CIDR) bool
net.CIDR..ip() net.IP
net.CIDR..masked() net.CIDR
net.CIDR..prefixLength() int
format.named(string) optional(kubernetes.NamedFormat)
format.dns1123Label() kubernetes.NamedFormat
format.dns1123Subdomain() kubernetes.NamedFormat
format.dns1035Label() kubernetes.NamedFormat
format.qualifiedName() kubernetes.NamedFormat
format.dns1123LabelPrefix() kubernetes.NamedFormat
format.dns1123SubdomainPrefix() kubernetes.NamedFormat
format.dns1035LabelPrefix() kubernetes.NamedFormat
format.labelValue() kubernetes.NamedFormat
format.uri() kubernetes.NamedFormat
format.uuid() kubernetes.NamedFormat
format.byte() kubernetes.NamedFormat
format.date() kubernetes.NamedFormat
format.datetime() kubernetes.NamedFormat
kubernetes.NamedFormat..validate(string) optional(list(string))
isSemver(string) bool
isSemver(string; bool) bool
semver(string) kubernetes.Semver
semver(string; bool) kubernetes.Semver
kubernetes.Semver..major() int
kubernetes.Semver..minor() int
kubernetes.Semver..patch() int
kubernetes.Semver..isLessThan(kubernetes.Semver) bool
kubernetes.Semver..isGreaterThan(kubernetes.Semver) bool
kubernetes.Semver..compareTo(kubernetes.Semver) int";

const AUTHORIZER: &str = "kubernetes.authorization.Authorizer..path(string) kubernetes.authorization.PathCheck
kubernetes.authorization.Authorizer..group(string) kubernetes.authorization.GroupCheck
kubernetes.authorization.Authorizer..serviceAccount(string; string) kubernetes.authorization.Authorizer
kubernetes.authorization.GroupCheck..resource(string) kubernetes.authorization.ResourceCheck
kubernetes.authorization.ResourceCheck..subresource(string) kubernetes.authorization.ResourceCheck
kubernetes.authorization.ResourceCheck..namespace(string) kubernetes.authorization.ResourceCheck
kubernetes.authorization.ResourceCheck..name(string) kubernetes.authorization.ResourceCheck
kubernetes.authorization.ResourceCheck..fieldSelector(string) kubernetes.authorization.ResourceCheck
kubernetes.authorization.ResourceCheck..labelSelector(string) kubernetes.authorization.ResourceCheck
kubernetes.authorization.PathCheck..check(string) kubernetes.authorization.Decision
kubernetes.authorization.ResourceCheck..check(string) kubernetes.authorization.Decision
kubernetes.authorization.Decision..errored() bool
kubernetes.authorization.Decision..error() string
kubernetes.authorization.Decision..allowed() bool
kubernetes.authorization.Decision..reason() string";
