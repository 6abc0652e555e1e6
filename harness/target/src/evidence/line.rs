//! The lines of the file.

use model::{Curl, Event, Request};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of the format; a reader refuses any other.
pub(super) const FORMAT: u32 = 1;

/// One line. All times are microseconds since the start of the record, and no two are the same.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Line {
    /// The first line.
    Started(Box<Started>),
    /// A long body. Later lines name it by its position among these lines, from 0.
    Body(Body),
    /// An exchange that ended, or that the scenario gave up.
    Exchange(Box<Exchange<Body>>),
    /// A hook that ran.
    Hook(Hook),
    /// A moment in a branch of a scenario.
    Moment(Moment),
    /// An event of the run, without exchanges.
    Event(Box<Event>),
    /// The last line.
    Finished(Finished),
}

/// Everything known before the first request.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Started {
    /// [`FORMAT`].
    pub(super) format: u32,
    /// How the server was reached.
    pub(super) reached: Reached,
    /// The settings of the run.
    pub(super) setup: Value,
}

/// How a run reached its server, without credentials.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Reached {
    /// Whether the connection was encrypted.
    pub encrypted: bool,
    /// Whether a bearer token alone identified the user.
    pub by_token_alone: bool,
    /// How curl sends the same requests.
    pub curl: Curl,
}

/// A body: text, other bytes, or the same as an earlier one.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Body {
    Text(String),
    Base64(String),
    Same(usize),
}

/// An exchange; the type of its bodies depends on where it is.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(bound(deserialize = "B: Deserialize<'de>"))]
pub(crate) struct Exchange<B> {
    /// The number of the scenario's execution; 0 for requests of the run itself.
    pub(crate) scenario: usize,
    /// The branch of the scenario; empty for the scenario itself.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) branch: String,
    /// When the request was sent.
    pub(crate) at: u64,
    pub(crate) method: String,
    /// Path and query.
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
    /// The kind of its credentials, its HTTP version, the number of its connections, and the replica.
    pub(crate) connection: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) body: Option<B>,
    /// The head of the response; `None` if there was none, or if the scenario did not wait for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) head: Option<Head>,
    /// The body of the response, with the time of each piece.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) pieces: Vec<Piece<B>>,
    /// The end of the response; `None` if the scenario did not wait for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) end: Option<End>,
}

/// The name of a branch in the whole run.
#[derive(Debug, Clone, Default)]
pub(crate) struct BranchId {
    /// The number of the scenario's execution; 0 for the run itself.
    pub(crate) scenario: usize,
    /// Its number among the branches of its parent, behind the name of that; empty for a whole scenario.
    pub(crate) name: String,
}

/// A piece of a body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(deserialize = "B: Deserialize<'de>"))]
pub(crate) struct Piece<B> {
    pub(crate) at: u64,
    /// `None` if the scenario gave up waiting, and asked again later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) body: Option<B>,
}

/// The head of a response.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Head {
    pub(crate) at: u64,
    /// How long it took from the moment when the connection took the request, in microseconds.
    pub(crate) took: u64,
    pub(crate) status: u16,
    pub(crate) protocol: String,
    pub(crate) headers: Vec<(String, String)>,
}

/// The end of a response.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct End {
    pub(crate) at: u64,
    /// Why the connection failed; `None` for the proper end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<model::TestError>,
}

/// A hook that ran.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Hook {
    pub(super) name: String,
    /// When it ended.
    pub(super) at: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
}

/// A moment in a branch of a scenario.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Moment {
    pub(crate) scenario: usize,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) branch: String,
    /// Its number among the moments of the branch, from 1.
    pub(crate) number: usize,
    pub(crate) kind: MomentKind,
    pub(crate) at: u64,
}

/// What a moment is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MomentKind {
    /// The branch read the time.
    Read,
    /// The branch went on.
    Turn,
    /// The time for a part of the branch was over.
    Over,
}

/// The end of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Finished {
    pub(super) exchanges: usize,
    /// The exchanges that found no room in the record.
    pub(super) left_out: usize,
}

impl<B> Exchange<B> {
    /// A request, without any response so far.
    pub(crate) fn of(request: &Request, branch: &BranchId, at: u64, body: Option<B>) -> Self {
        let connection = &request.connection;
        let identity = match connection.identity {
            model::Identity::Own => "own",
            model::Identity::Anonymous => "anonymous",
            model::Identity::Bearer(_) => "bearer",
        };
        let replica = match connection.server {
            0 => String::new(),
            server => format!(" replica {server}"),
        };
        Self {
            scenario: branch.scenario,
            branch: branch.name.clone(),
            at,
            method: request.method.to_string(),
            path: request.path_and_query(),
            headers: request.headers.clone(),
            connection: format!("{identity} {:?} {}{replica}", connection.protocol, connection.number),
            body,
            head: None,
            pieces: Vec::new(),
            end: None,
        }
    }

    /// The same exchange with other bodies.
    pub(super) fn try_map<C, E>(self, mut body: impl FnMut(B) -> Result<C, E>) -> Result<Exchange<C>, E> {
        let Self { scenario, branch, at, method, path, headers, connection, head, end, .. } = self;
        let (sent, pieces) = (self.body, self.pieces);
        let sent = sent.map(&mut body).transpose()?;
        let mut piece = |piece: Piece<B>| {
            let Piece { at, body: bytes } = piece;
            Ok(Piece { at, body: bytes.map(&mut body).transpose()? })
        };
        let pieces = pieces.into_iter().map(&mut piece).collect::<Result<_, E>>()?;
        let body = sent;
        Ok(Exchange { scenario, branch, at, method, path, headers, connection, body, head, pieces, end })
    }
}
