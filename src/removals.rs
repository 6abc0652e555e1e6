//! `kube-assay removals`: what an upgrade of the server no longer serves.

mod documents;
mod files;
mod manifest;
mod on_target;
mod output;
mod range;
mod usage;

use std::fmt::Display;

use crate::cli::RemovalsArgs;
use crate::exit::Exit;
use crate::output::complain;
use crate::target;
use on_target::Server;
use range::Range;
use usage::Usages;

/// Lists the uses of APIs that are removed, or the APIs that are removed if there is nothing to search.
pub(crate) async fn removals(args: RemovalsArgs) -> Exit {
    let access = match target::named(&args.target).await.transpose() {
        Ok(access) => access,
        Err(why) => return ended(&why, Exit::Usage),
    };
    let server = match access {
        Some(access) => match Server::ask(access, args.request_timeout).await {
            Ok(server) => Some(server),
            Err(why) => return ended(&why, Exit::Inconclusive),
        },
        None => None,
    };
    let minor = server.as_ref().and_then(Server::minor);
    let range = match Range::new(args.from, args.to, minor) {
        Ok(range) => range,
        Err(why) => return ended(&why, Exit::Usage),
    };
    let searches = server.is_some() || !args.filename.is_empty();
    let mut usages = Usages::new(range);
    for path in &args.filename {
        let before = (usages.objects, usages.unread.len());
        files::search(path, &mut usages);
        if before == (usages.objects, usages.unread.len()) {
            // What makes the manifests may have failed.
            usages.add_unread(format!("found no object in {}", files::name_of(path)));
        }
    }
    if let Some(server) = &server {
        server.search(&mut usages).await;
    }
    output::print(&usages, searches, args.output.is_json());
    usages.exit()
}

fn ended(why: &dyn Display, exit: Exit) -> Exit {
    complain(why);
    exit
}
