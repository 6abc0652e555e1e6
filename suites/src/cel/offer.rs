//! Whether a server offers CEL: its answers show it.

use super::definition::{CustomType, of_schema, of_spec, root, try_out, with_rule};
use super::policy::{self, Policy};
use crate::definitions;
use crate::prelude::*;

/// Skips where the server has no rules in definitions. A server has them if it refuses one without syntax, or if it
/// rejects an object because of one.
pub(super) async fn require_cel(cx: &Context) -> Checked {
    if !cx.target_info().serves("apiextensions.k8s.io") {
        return Err(cx.lacks("CustomResources", "it does not serve apiextensions.k8s.io"));
    }
    let asking =
        cx.once_per_run("whether the server has CEL", Box::pin(async { Ok(reason_against_cel(cx).await) }));
    match (*cx.yield_place_while(asking).await?).clone()? {
        None => Ok(()),
        Some(reason) => Err(cx.lacks("CEL", reason)),
    }
}

async fn reason_against_cel(cx: &Context) -> Result<Option<String>, Halt> {
    let tried = try_out(cx, &of_spec(cx, "cel-offer", &with_rule("self.x >"))).await?;
    if tried.status() == 422 {
        return Ok(None);
    }
    if !tried.succeeded() {
        return Err(cx.test_error("create a definition as a dry run", tried.brief()).into());
    }
    let definition = of_schema(cx, "cel-offered", &root(&with_rule("self.x > 0")));
    let custom_type = CustomType::of(&definition);
    definitions::serve(cx, &definition, &custom_type.path).await?;
    let object = custom_type.object(&cx.own_name("cel"), &json!({ "x": 0 }));
    let created = cx.send(Request::post(&custom_type.path, &object).query("dryRun", "All")).await?;
    let reason = "it accepts a rule without syntax, and an object that a rule rejects";
    Ok(created.succeeded().then(|| reason.to_owned()))
}

/// Skips where the server has no admission policies. A server has them if it refuses one without syntax, or if it
/// enforces one.
pub(super) async fn require_policies(cx: &Context) -> Checked {
    cx.require_listed(&policy::resource()).await?;
    let asking = cx.once_per_run("whether the server has policies", Box::pin(has_policies(cx)));
    let has_policies = *cx.yield_place_while(asking).await?;
    let why = "it accepts a policy whose expression has no syntax, and enforces none";
    cx.require_feature("ValidatingAdmissionPolicy", has_policies, why)
}

async fn has_policies(cx: &Context) -> Result<bool, Halt> {
    let without_syntax = json!({ "validations": [{ "expression": "request.operation ==" }] });
    let tried = policy::try_out(cx, &without_syntax).await?;
    match tried.status() {
        400 | 422 => Ok(true),
        _ if tried.succeeded() => Ok(Policy::is_enforced(cx, "true").await),
        _ => Err(cx.test_error("create a policy as a dry run", tried.brief()).into()),
    }
}
