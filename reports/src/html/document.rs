//! The frame of every page: one file that loads nothing.

use super::markup::html;

/// The colours, the letters and the tables that all pages share.
const STYLE: &str = include_str!("style.css");

/// The content security policy: the page loads nothing from outside.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// A page around its body.
pub(crate) struct Document<'a> {
    /// The title of the browser window.
    pub(crate) title: &'a str,
    /// The style of this page, in addition to the style of all pages.
    pub(crate) style: &'static str,
    /// The script of the page.
    pub(crate) script: Option<Script>,
}

/// The only script that a browser may run in a page: whatever else gets into it stays dead.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Script {
    /// Its text.
    pub(crate) text: &'static str,
    /// The SHA-256 of the text in Base64, by which a browser knows it.
    pub(crate) digest: &'static str,
}

impl Document<'_> {
    /// The page before the body.
    pub(crate) fn head(&self) -> String {
        let script =
            self.script.map_or(String::new(), |script| format!("; script-src 'sha256-{}'", script.digest));
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}{script}\"/>\n\
             <title>{}</title>\n<style>\n{STYLE}{}</style>\n</head>\n<body>\n",
            html(self.title),
            self.style
        )
    }

    /// The page after the body.
    pub(crate) fn foot(&self) -> String {
        let script =
            self.script.map_or(String::new(), |script| format!("<script>{}</script>\n", script.text));
        format!("{script}</body>\n</html>\n")
    }
}
