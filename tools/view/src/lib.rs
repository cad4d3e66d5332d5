//! A program is shown as one page of HTML that needs nothing but a browser: what it holds is a document of JSON (docs/view.md), and beside it the same style and
//! script for every program.
//!
//! ```
//! use sconce_graph::listing::read_program;
//! use sconce_view::View;
//!
//! let text = "graph(%x : Tensor):\n  %y : Tensor = aten::relu(%x)\n  return (%y)\n";
//! let unit = read_program("relu.txt", text, "relu")?;
//! let page = View::new("relu.txt", &unit, "relu").document()?.to_html();
//! assert!(page.starts_with("<!doctype html>") && page.contains("aten::relu"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod bounds;
mod document;
mod graphs;
mod groups;
mod html;
mod literals;
mod profile;
mod spread;
mod texts;
mod weights;

pub use document::Document;
pub use profile::{Profile, Site, type_text};
pub use weights::Held;

use sconce_graph::graph::Loc;
use sconce_graph::unit::Unit;
use sconce_request::PlacedText;

/// What a page shows.
pub struct View<'a> {
    /// What the page is called: the file's name.
    pub title: &'a str,
    /// The functions and classes of the program.
    pub unit: &'a Unit,
    /// The qualified name of the function that is open when the page is.
    pub entry: &'a str,
    /// Types of the arguments of the entry's last call, `self` left out; none where it was not called.
    pub arguments: Vec<Option<String>>,
    /// Parameters and buffers.
    pub weights: Vec<Held>,
    /// Its code as an archive holds it.
    pub code: Vec<Code>,
    /// Texts of later stages, in the order of their panes.
    pub stages: Vec<Stage>,
    /// What calls took.
    pub profile: Option<Profile>,
    /// What the program has and the page does not, for people.
    pub omitted: Vec<String>,
}

/// A file of code that was printed of the program's graphs.
pub struct Code {
    /// `code/__torch__/m.py`
    pub title: String,
    /// What its definitions are below: `__torch__.m`.
    pub module: String,
    pub text: String,
    /// From which offset on it was printed of which place, in the order of the offsets.
    pub places: Vec<(usize, Loc)>,
}

/// The text of a program at a later stage.
pub struct Stage {
    /// `mlir`, `linalg`, `asm`: names the pane in the document. Lines of `mlir` are tied to nodes by the names of values.
    pub name: &'static str,
    /// The pane's heading.
    pub title: &'static str,
    /// Lines of the others are tied to nodes by the places that they have in common.
    pub text: PlacedText,
}

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the program has no function '{0}' with a graph")]
    NoFunction(String),
    #[error("the page's document cannot be written: {0}")]
    Document(serde_json::Error),
    #[error("{file}: no trace of Chrome's form: {why}")]
    Trace { file: String, why: serde_json::Error },
    #[error(
        "{file}: none of its {events} events is an operator of the program: complete events (\"ph\": \"X\") with names like `aten::relu` are looked for"
    )]
    Unrelated { file: String, events: usize },
}

impl<'a> View<'a> {
    /// The program alone.
    pub fn new(title: &'a str, unit: &'a Unit, entry: &'a str) -> View<'a> {
        let (arguments, weights, code, stages, omitted) = Default::default();
        View { title, unit, entry, arguments, weights, code, stages, profile: None, omitted }
    }

    /// What the page holds.
    ///
    /// # Errors
    /// No function of the entry's name; a profile that has nothing to do with the program.
    pub fn document(&self) -> Result<Document, Error> {
        Document::new(self)
    }
}
