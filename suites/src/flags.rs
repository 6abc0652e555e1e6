//! The flags that the server shows in /flagz.

use crate::prelude::*;

/// The value of a flag; `None` where the server does not show its flags.
pub(crate) async fn value(cx: &Context, flag: &str) -> Result<Option<String>, Halt> {
    for version in ["v1beta1", "v1alpha1"] {
        let form = format!("application/json;as=Flagz;g=config.k8s.io;v={version}");
        let page = cx.send(Request::get("/flagz").accept(&form)).await?;
        if let Some(value) = page.json().and_then(|page| page["flags"][flag].as_str()) {
            return Ok(Some(value.to_owned()));
        }
    }
    Ok(None)
}

/// Why a deviation from a default is a failure, or a reason to skip: only the flag shows what the operator chose.
pub(crate) async fn deviation(cx: &Context, flag: &str, failure: Halt) -> Result<Halt, Halt> {
    let why = match value(cx, flag).await? {
        Some(default) if default.is_empty() => return Ok(failure),
        Some(value) => format!("/flagz shows --{flag}={value}"),
        None => format!("/flagz does not show the default of --{flag}"),
    };
    Ok(cx.lacks("DefaultConfiguration", why))
}

/// Why a deviation is a failure, unless a flag shows that the operator chose it.
pub(crate) async fn changed(cx: &Context, flag: &str, failure: Halt) -> Result<Halt, Halt> {
    match value(cx, flag).await? {
        Some(value) if !value.is_empty() => {
            Ok(cx.lacks("DefaultConfiguration", format!("/flagz shows --{flag}={value}")))
        }
        _ => Ok(failure),
    }
}
