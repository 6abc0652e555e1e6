//! The parameter `exclude`.

use super::listing::Listing;
use super::{get, send_if_served};
use crate::prelude::*;

rows![
    health_exclude_one.own_kinds().read_only(),
    health_exclude_line_format.own_kinds().read_only(),
    health_exclude_combined_with_verbose.own_kinds().read_only(),
    health_exclude_several.own_kinds().read_only(),
    health_exclude_no_comma_list.own_kinds().read_only(),
    health_exclude_unknown_name.own_kinds().read_only(),
    health_exclude_slash_names.own_kinds().read_only(),
    health_exclude_group.own_kinds().read_only(),
];

async fn health_exclude_one(cx: Context) -> Checked {
    let all = Listing::learn(&cx, "/readyz").await?;
    let (name, _) = all.two();

    let rest = Listing::get(&cx, "/readyz", &format!("exclude={name}")).await?;

    rest.expect(!rest.names().contains(&name), format!("no check {name}"))?;
    let others: Vec<_> = all.names().into_iter().filter(|other| *other != name).collect();
    rest.expect(rest.names() == others, format!("all checks except {name}"))
}

async fn health_exclude_line_format(cx: Context) -> Checked {
    let all = Listing::learn(&cx, "/readyz").await?;
    let (name, another) = all.two();

    for name in [name, another] {
        let rest = Listing::get(&cx, "/readyz", &format!("exclude={name}")).await?;
        let line = format!("[+]{name} excluded: ok");
        rest.expect(rest.has(&line), format!("the line {line:?}"))?;
        let count = all.lines().len();
        rest.expect(rest.lines().len() == count, format!("{count} lines, as without exclude"))?;
    }
    Ok(())
}

async fn health_exclude_combined_with_verbose(cx: Context) -> Checked {
    let all = Listing::learn(&cx, "/livez").await?;
    let exclude = format!("exclude={}", all.two().0);

    let one = Listing::get(&cx, "/livez", &exclude).await?;
    let other = send_if_served(&cx, get("/livez").raw_query(&exclude).raw_query("verbose")).await?;

    let (other, count) = (Listing::of(other), one.lines().len());
    other.expect(other.lines() == one.lines(), format!("the same {count} lines as with verbose first"))
}

async fn health_exclude_several(cx: Context) -> Checked {
    let all = Listing::learn(&cx, "/livez").await?;
    let (name, another) = all.two();

    let both = Listing::get(&cx, "/livez", &format!("exclude={name}&exclude={another}")).await?;
    let twice = Listing::get(&cx, "/livez", &format!("exclude={name}&exclude={name}")).await?;

    for name in [name, another] {
        both.expect(is_excluded(&both, name), format!("no check {name}"))?;
    }
    twice.expect(is_excluded(&twice, name), format!("no check {name}"))?;
    let lines = twice.checks().into_iter().filter(|line| line.starts_with(&format!("[+]{name} ")));
    twice.expect(lines.count() <= 1, format!("one line for {name}"))?;
    twice.expect(twice.warnings().is_empty(), "no warning about a duplicate name")
}

/// Whether the server excluded the check.
fn is_excluded(listing: &Listing, name: &str) -> bool {
    !listing.names().contains(&name)
}

async fn health_exclude_no_comma_list(cx: Context) -> Checked {
    let all = Listing::learn(&cx, "/livez").await?;
    let (name, another) = all.two();
    let list = format!("{name},{another}");

    let listing = Listing::get(&cx, "/livez", &format!("exclude={list}")).await?;

    listing.expect(listing.names() == all.names(), "all checks")?;
    let warned = listing.warnings().iter().any(|line| line.contains(&list));
    listing.expect(warned, format!("a line before the last with the unknown name {list:?}"))
}

async fn health_exclude_unknown_name(cx: Context) -> Checked {
    let short = send_if_served(&cx, get("/livez").query("exclude", "nosuch")).await?;
    short.expect_status(&[200])?;

    Listing::long(&cx, "/livez").await?;
    let listing = Listing::get(&cx, "/livez", "exclude=zz&exclude=nosuch&exclude=aa").await?;

    let warnings = listing.warnings();
    let all = warnings.len() == 1 && ["aa", "nosuch", "zz"].iter().all(|name| warnings[0].contains(name));
    listing.expect(all, "one line before the last with the unknown names aa, nosuch and zz")
}

async fn health_exclude_slash_names(cx: Context) -> Checked {
    let all = Listing::learn(&cx, "/livez").await?;
    let Some(name) = all.slashed().into_iter().max_by_key(|name| name.matches('/').count()) else {
        return Err(Halt::skip("no check of the server has a slash in its name"));
    };

    for written in [name.to_owned(), name.replace('/', "%2F")] {
        let listing = Listing::get(&cx, "/livez", &format!("exclude={written}")).await?;
        listing.expect(is_excluded(&listing, name), format!("no check {name} with exclude={written}"))?;
        listing.expect(listing.warnings().is_empty(), format!("no warning about exclude={written}"))?;
    }
    Ok(())
}

/// The prefix of the members of a group, and the group. Overrides of the store have checks since 1.34.
const GROUPS: [(&str, &str); 2] =
    [("etcd-override-readiness-", "etcd-readiness"), ("etcd-override-", "etcd")];

async fn health_exclude_group(cx: Context) -> Checked {
    let all = Listing::learn(&cx, "/livez").await?;
    let member = |name: &str| {
        let (_, group) = GROUPS.iter().find(|(prefix, _)| name.starts_with(prefix))?;
        Some((name.to_owned(), *group))
    };
    let Some((member, group)) = all.names().into_iter().find_map(member) else {
        return Err(Halt::skip("no check of the server belongs to a group (see --etcd-servers-overrides)"));
    };

    let listing = Listing::get(&cx, "/livez", &format!("exclude={group}")).await?;

    let line = format!("[+]{member} excluded with {group}: ok");
    listing.expect(listing.has(&line), format!("the line {line:?}"))?;
    listing.expect(listing.warnings().is_empty(), format!("no warning about the group {group}"))
}
