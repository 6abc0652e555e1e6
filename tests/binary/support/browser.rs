//! A headless browser, driven over the `WebDriver` protocol.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::http::Message;

/// The names of the browser's program on different systems.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// The driver.
const DRIVER: &str = "chromedriver";

/// The browser must open no other page, and have no state of an earlier call.
const ARGUMENTS: [&str; 7] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
];

/// The key of an element's id in `WebDriver`.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// Browsers that share the cores miss the driver's timeouts: one at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// The number of drivers that may end at once because their port was taken.
const STARTS: usize = 10;

/// One browser with one page.
pub(crate) struct Browser {
    driver: Child,
    address: String,
    session: String,
    _profile: TempDir,
    _alone: MutexGuard<'static, ()>,
}

impl Browser {
    /// `None`, with a message, without Chromium or its driver.
    pub(crate) fn find() -> Option<Self> {
        let runs = |name: &&str| {
            Command::new(name).arg("--version").output().is_ok_and(|ended| ended.status.success())
        };
        let browser = NAMES.into_iter().find(|name| runs(name)).filter(|_| runs(&DRIVER));
        if browser.is_none() {
            // Not with a macro: the test harness captures that output unless the test fails.
            let notice = "SKIPPED: chromium and chromedriver are not both installed, so no page was opened";
            let _ = writeln!(std::io::stderr(), "{notice}");
        }
        browser.map(Self::start)
    }

    fn start(name: &str) -> Self {
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let (driver, address) = (0..STARTS).find_map(|_| driver()).unwrap();
        let profile = TempDir::new().unwrap();
        let binary = Command::new("sh").args(["-c", &format!("command -v {name}")]).output().unwrap();
        let mut arguments = ARGUMENTS.map(str::to_owned).to_vec();
        arguments.push(format!("--user-data-dir={}", profile.path().display()));
        let options =
            json!({ "binary": String::from_utf8(binary.stdout).unwrap().trim(), "args": arguments });
        let wanted = json!({
            "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": { "browser": "ALL" },
        });
        let mut browser = Self { driver, address, session: String::new(), _profile: profile, _alone: alone };
        let session = browser.send("POST", "/session", &json!({ "capabilities": { "alwaysMatch": wanted } }));
        browser.session = format!("/session/{}", session["sessionId"].as_str().unwrap());
        browser
    }

    fn send(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = if method == "POST" { body.to_string().into_bytes() } else { Vec::new() };
        let headers = vec![
            format!("host: {}", self.address),
            "content-type: application/json".to_owned(),
            format!("content-length: {}", body.len()),
        ];
        let request = Message { first: format!("{method} {path} HTTP/1.1"), headers, body };
        // The driver ignores `connection: close`.
        let mut driver = TcpStream::connect(&self.address).unwrap();
        driver.write_all(&request.bytes()).unwrap();
        let came = Message::read(&mut driver).unwrap();
        let mut response: Value = serde_json::from_slice(&came.body).unwrap();
        assert!(response["value"].get("error").is_none(), "{method} {path}: {response}");
        response["value"].take()
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        self.send("POST", &format!("{}{path}", self.session), body)
    }

    /// Opens a file from the disk.
    pub(crate) fn open(&self, file: &Path) {
        self.post("/url", &json!({ "url": format!("file://{}", file.display()) }));
    }

    /// The value of a JavaScript expression.
    pub(crate) fn value(&self, expression: &str) -> Value {
        self.post("/execute/sync", &json!({ "script": format!("return {expression}"), "args": [] }))
    }

    /// Clicks on the first match of a selector, which must exist.
    pub(crate) fn click(&self, selector: &str) {
        self.post(&format!("/element/{}/click", self.element(selector)), &json!({}));
    }

    /// Presses keys in the first match of a selector.
    pub(crate) fn press(&self, selector: &str, keys: &str) {
        self.post(&format!("/element/{}/value", self.element(selector)), &json!({ "text": keys }));
    }

    fn element(&self, selector: &str) -> String {
        let found = self.post("/element", &json!({ "using": "css selector", "value": selector }));
        found[ELEMENT].as_str().unwrap().to_owned()
    }

    /// Sends a command of the browser that `WebDriver` lacks.
    pub(crate) fn command(&self, name: &str, parameters: &Value) -> Value {
        self.post("/goog/cdp/execute", &json!({ "cmd": name, "params": parameters }))
    }

    /// Emulates a screen of this size, light or dark.
    pub(crate) fn screen(&self, width: u32, height: u32, scheme: &str) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500 });
        self.command("Emulation.setDeviceMetricsOverride", &size);
        let scheme = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.command("Emulation.setEmulatedMedia", &scheme);
    }

    /// A screenshot, as PNG.
    pub(crate) fn picture(&self) -> Vec<u8> {
        let picture = self.send("GET", &format!("{}/screenshot", self.session), &Value::Null);
        STANDARD.decode(picture.as_str().unwrap()).unwrap()
    }

    /// The printed page, as PDF.
    pub(crate) fn print(&self) -> Vec<u8> {
        let printed = self.post("/print", &json!({ "background": true }));
        STANDARD.decode(printed.as_str().unwrap()).unwrap()
    }

    /// The console's messages since the last call.
    pub(crate) fn console(&self) -> Vec<String> {
        let messages = self.post("/se/log", &json!({ "type": "browser" }));
        messages.as_array().unwrap().iter().map(|entry| entry["message"].to_string()).collect()
    }
}

/// A driver, and where it listens; `None` if it has ended because the port that it chose for IPv4 is taken in IPv6, or the other
/// way round.
fn driver() -> Option<(Child, String)> {
    let mut driver = Command::new(DRIVER);
    driver.arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null());
    let mut driver = driver.spawn().unwrap();
    let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines().map_while(Result::ok);
    let port = lines.find_map(|line| Some(line.split_once("started successfully on port ")?.1.to_owned()));
    let Some(port) = port else {
        driver.wait().unwrap();
        return None;
    };
    Some((driver, format!("127.0.0.1:{}", port.trim_end_matches('.'))))
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            // The test may have failed because the driver ended.
            let headers = vec![format!("host: {}", self.address)];
            let first = format!("DELETE {} HTTP/1.1", self.session);
            let gone = Message { first, headers, body: Vec::new() };
            if let Ok(mut driver) = TcpStream::connect(&self.address) {
                let _ = driver.write_all(&gone.bytes());
                let _ = Message::read(&mut driver);
            }
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
