use serde_json::{Value, json};

use crate::client::{Client, MAPS};

const FORCE: &str = "ignoreStoreReadErrorWithClusterBreakingPotential";

#[tokio::test]
async fn readable_objects_are_not_force_deleted() {
    let client = Client::start().await;
    client.config_maps(&["a"]).await;
    let by_force = |other: &str, value: Value| json!({FORCE: true, other: value});
    for (path, options) in [
        (format!("{MAPS}/a"), json!({FORCE: true})),
        (format!("{MAPS}/a"), by_force("dryRun", json!(["All"]))),
        (format!("{MAPS}/none"), by_force("propagationPolicy", json!("Background"))),
        (format!("{MAPS}?labelSelector=a%3Db"), json!({FORCE: true})),
    ] {
        let refused = client.delete(&path, &options).await;
        assert_eq!((refused.status, refused.reason()), (422, "Invalid".to_owned()), "{path} {options}");
    }
    assert_eq!(client.delete(&format!("{MAPS}/none"), &json!({FORCE: true})).await.status, 404);
    assert_eq!(client.get(MAPS).await.names(), ["a"]);
    assert_eq!(client.delete(&format!("{MAPS}/a"), &json!({FORCE: false})).await.status, 200);
}
