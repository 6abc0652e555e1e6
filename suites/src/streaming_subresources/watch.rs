//! Watches over `WebSocket`.

use harness::Message;

use crate::prelude::*;

rows![streaming_subresources_watch_websocket];

/// Up to the event of the second of two new objects.
async fn streaming_subresources_watch_websocket(cx: Context, collection: Collection) -> Checked {
    let version = collection.now().await?.version;
    let mut socket = match cx.web_socket(collection.watch().at(&version).into(), &[]).await? {
        Ok(socket) => socket,
        Err(refused) => return Err(cx.lacks("WebSocket", format!("a watch gets {}", refused.brief()))),
    };
    let [first, second] = ["a", "b"].map(|name| collection.name_of(name));
    collection.create_all(&["a", "b"]).await?;

    let mut added = Vec::new();
    while !(added.contains(&first) && added.contains(&second)) {
        let expected = format!("the event ADDED {first} or {second} in a message");
        let (text, whole) = match socket.next(&expected).await? {
            Some(Message::Text(text)) => (text.clone(), serde_json::from_str::<Value>(&text)),
            Some(Message::Binary(data)) => (data.escape_ascii().to_string(), serde_json::from_slice(&data)),
            None => return Err(socket.fail(expected, "the end of the connection")),
        };
        match whole {
            Ok(event) if event["type"].is_string() && event["object"].is_object() => {
                let name = event["object"]["metadata"]["name"].as_str().filter(|_| event["type"] == "ADDED");
                added.extend(name.map(str::to_owned));
            }
            _ => return Err(socket.fail("one event in JSON in each message", text)),
        }
    }
    Ok(())
}
