//! The document that a page holds; its form is said in docs/view.md, and the version grows when a field goes or changes its meaning.

use crate::bounds::{MOST_CHARACTERS, cut};
use crate::graphs::{Function, Graphs, Tables, functions};
use crate::profile::Summary;
use crate::texts::{Pane, panes};
use crate::weights::{Weight, rows};
use crate::{Error, View, html};
use serde::Serialize;

/// The version of the form.
const VERSION: u32 = 1;

/// What a page shows, as data.
#[derive(Debug)]
pub struct Document {
    title: String,
    json: String,
}

#[derive(Serialize)]
struct Content {
    version: u32,
    generator: &'static str,
    title: String,
    /// The first is the entry.
    functions: Vec<Function>,
    types: Vec<String>,
    parameters: Vec<Vec<String>>,
    panes: Vec<Pane>,
    weights: Vec<Weight>,
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<Summary>,
    /// What the program has and the page does not, for people.
    omitted: Vec<String>,
}

impl Document {
    pub(crate) fn new(view: &View<'_>) -> Result<Document, Error> {
        let graphs = Graphs::new(view.unit, view.entry).ok_or_else(|| Error::NoFunction(view.entry.to_owned()))?;
        let mut omitted: Vec<String> =
            view.omitted.iter().map(|text| cut(text, MOST_CHARACTERS)).chain(graphs.omitted()).collect();
        let mut tables = Tables::default();
        let profile = view.profile.as_ref().map(|profile| profile.summary(&graphs.shown)).transpose()?;
        let content = Content {
            version: VERSION,
            generator: concat!("sconce ", env!("CARGO_PKG_VERSION")),
            title: cut(view.title, MOST_CHARACTERS),
            functions: functions(&graphs, &mut tables, view.profile.as_ref(), &view.arguments),
            panes: panes(view, &graphs, &mut omitted),
            weights: rows(&view.weights, &mut omitted),
            profile,
            types: tables.types.rows,
            parameters: tables.parameters.rows,
            omitted,
        };
        Ok(Document { json: html::json(&content)?, title: content.title })
    }

    /// The document as JSON in one line. It may stand in HTML: what ends a script's element, and what a script's line may not hold, is escaped.
    pub fn json(&self) -> &str {
        &self.json
    }

    /// The page.
    pub fn to_html(&self) -> String {
        html::page(&self.title, &self.json)
    }
}
