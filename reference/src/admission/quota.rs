//! `ResourceQuota`: limits on the number of objects in a namespace.

use serde_json::Value;

use crate::failure::Failure;
use crate::lifecycle;
use crate::metadata::text;
use crate::store::Decision;
use crate::write::Target;

/// Counts a new object in the quotas, or rejects it when one is used up.
pub(super) fn admit(target: &Target<'_>, object: &Value) -> Result<(), Failure> {
    let quotas = lifecycle::all(target.cluster, "resourcequotas");
    let mut namespace_quotas = quotas.iter().filter(|quota| text(quota, "namespace") == target.namespace);
    namespace_quotas.try_for_each(|quota| count(target, object, text(quota, "name")))
}

fn count(target: &Target<'_>, object: &Value, quota: &str) -> Result<(), Failure> {
    let Some(ty) = target.cluster.registry.find("", "v1", "resourcequotas") else { return Ok(()) };
    let counted = format!("count/{}", target.ty.group_resource());
    let place = Target { ty: &ty, name: quota, ..*target };
    let written = place.write(quota, |_, current| {
        let mut quota = place.found(current)?;
        let amount = |of: &str| quota["status"][of][&counted].as_str().and_then(|text| text.parse::<u64>().ok());
        let (Some(hard), Some(used)) = (amount("hard"), amount("used")) else { return Ok(Decision::Put(quota)) };
        if used >= hard {
            let name = text(&quota, "name");
            let detail = format!(
                "exceeded quota: {name}, requested: {counted}=1, used: {counted}={used}, limited: {counted}={hard}"
            );
            return Err(Failure::forbidden(target.ty, text(object, "name"), &detail));
        }
        quota["status"]["used"][&counted] = (used + 1).to_string().into();
        Ok(Decision::Put(quota))
    });
    match written {
        // The quota was deleted concurrently.
        Err(failure) if failure.is_not_found() => Ok(()),
        written => written.map(drop),
    }
}
