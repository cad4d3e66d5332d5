//! What a document is decides who reads it: by the language that the editor names, else by the file's name and its first words.

/// A language that the server answers for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// TorchScript in a Python file.
    Script,
    /// PyTorch's listings of graphs.
    GraphText,
}

impl Language {
    /// The names that editors have for the languages.
    pub const IDS: [(&str, Language); 3] =
        [("python", Language::Script), ("torchscript", Language::Script), ("torchscript-graph", Language::GraphText)];

    /// The endings of files of graph text that are nothing else.
    pub const GRAPH_ENDINGS: [&str; 1] = ["graph"];

    /// The language of a document; none where nothing says that it is one of these. Python in which `torch` is not named is no TorchScript.
    pub fn of(id: &str, file: &str, text: &str) -> Option<Language> {
        if id == "python" && !text.contains("torch") {
            return None;
        }
        if let Some((_, language)) = Language::IDS.iter().find(|(name, _)| *name == id) {
            return Some(*language);
        }
        let (_, ending) = file.rsplit_once('.').unwrap_or(("", ""));
        if ending == "py" {
            return Some(Language::Script);
        }
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        // A listing of several stands under its name.
        let begins = lines.find(|line| !line.starts_with("== ")).is_some_and(|line| line.starts_with("graph("));
        (Language::GRAPH_ENDINGS.contains(&ending) || begins).then_some(Language::GraphText)
    }
}
