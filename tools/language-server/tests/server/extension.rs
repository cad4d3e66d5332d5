//! The extension for Visual Studio Code names only what the server answers to, and files that are there.

use sconce_language_server::Language;
use serde_json::Value;

const PACKAGE: &str = include_str!("../../../../editors/vscode/package.json");
const CONFIGURATION: &str = include_str!("../../../../editors/vscode/language-configuration.json");
const GRAMMAR: &str = include_str!("../../../../editors/vscode/syntaxes/torchscript-graph.tmLanguage.json");
const EXTENSION: &str = include_str!("../../../../editors/vscode/extension.js");

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

fn is_answered(id: &str) -> bool {
    Language::IDS.iter().any(|(name, _)| *name == id)
}

#[test]
fn its_languages_are_those_of_the_server() {
    let package = json(PACKAGE);
    let languages = package["contributes"]["languages"].as_array().expect("languages");
    for language in languages {
        let id = language["id"].as_str().expect("an id");
        assert!(is_answered(id), "{id}");
        for ending in language["extensions"].as_array().expect("endings") {
            let ending = ending.as_str().and_then(|e| e.strip_prefix('.')).expect("an ending");
            assert_eq!(Language::of("", &format!("m.{ending}"), ""), Some(Language::GraphText));
        }
    }
    assert_eq!(languages.len(), 1);
    // The selector of the documents that the editor sends.
    let selected: Vec<&str> =
        EXTENSION.split("language: \"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(selected, ["torchscript-graph", "python"]);
    assert!(selected.iter().all(|id| is_answered(id)));
}

#[test]
fn its_settings_and_files_are_those_that_it_names() {
    let package = json(PACKAGE);
    let settings = package["contributes"]["configuration"]["properties"].as_object().expect("settings");
    for (name, setting) in settings {
        let short = name.strip_prefix("sconce.").expect("a name of its own");
        assert!(EXTENSION.contains(&format!("settings.get(\"{short}\", {})", setting["default"])), "{name}");
    }
    assert_eq!(EXTENSION.matches("settings.get(").count(), settings.len());
    let grammar = &package["contributes"]["grammars"][0];
    assert_eq!(json(GRAMMAR)["scopeName"], grammar["scopeName"]);
    assert_eq!(grammar["path"], "./syntaxes/torchscript-graph.tmLanguage.json");
    assert_eq!(package["contributes"]["languages"][0]["configuration"], "./language-configuration.json");
    assert!(json(CONFIGURATION)["comments"]["lineComment"] == "#" && package["main"] == "./extension.js");
}
