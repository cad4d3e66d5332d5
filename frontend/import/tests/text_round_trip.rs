//! Graph text through the dialect and back, and through `.mlir` in between: every byte stays.

use sconce_corpus::{Corpus, records, testdata};
use sconce_import::text::{export, import_text};
use sconce_ir::prelude::*;
use sconce_syntax::graph_text::{self, Spelling};

fn corpus(name: &str) -> Corpus {
    testdata(name).unwrap_or_else(|e| panic!("testdata/{name}: {e}"))
}

/// How a text comes back: `Err` says what went wrong, and where.
fn round_trip(context: &Context, name: &str, text: &str) -> Result<(), String> {
    let imported = import_text(context, name, text, "forward").map_err(|e| format!("{name}: import: {e}"))?;
    let same = |stage: &str, module: &Module<'_>| {
        let out = export(module, Spelling::Colons).map_err(|e| format!("{name}: {stage}: {e}"))?;
        match text.lines().zip(out.lines()).enumerate().find(|(_, (a, b))| a != b) {
            Some((line, (a, b))) => Err(format!("{name}:{}: {stage}:\n  {a}\n  {b}", line + 1)),
            None if text != out => Err(format!("{name}: {stage}: {} bytes became {}", text.len(), out.len())),
            None => Ok(()),
        }
    };
    same("from the dialect", &imported.module)?;
    let back = through_text(context, &imported.module).map_err(|e| format!("{name}: .mlir: {e}"))?;
    same("from .mlir", &back)
}

/// Runs all texts and reports every failure at once.
fn check<'t>(texts: impl Iterator<Item = (&'t str, &'t str)>) -> usize {
    let context = sconce_torch::context(false).expect("the op table is well-formed");
    let mut failures = Vec::new();
    let mut count = 0;
    for (name, text) in texts {
        count += 1;
        if let Err(failure) = round_trip(&context, name, text) {
            failures.push(failure);
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {count} fail:\n{}",
        failures.len(),
        failures[..failures.len().min(40)].join("\n")
    );
    count
}

fn utf8(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("recorded texts are UTF-8")
}

#[test]
fn printed_graphs_come_back() {
    let listings = corpus("listings");
    let texts = listings.below("graphs/").filter(|(name, _)| name.ends_with(".txt"));
    assert_eq!(check(texts.map(|(name, text)| (name, utf8(text)))), 253);
}

#[test]
fn programs_come_back() {
    let programs = corpus("programs");
    let texts = programs.iter().filter(|(name, _)| name.ends_with("graph.txt"));
    assert_eq!(check(texts.map(|(name, text)| (name, utf8(text)))), 1026);
}

#[test]
fn graphs_between_passes_come_back() {
    let passes = corpus("passes");
    let mut all = Vec::new();
    for (name, text) in passes.iter().filter(|(name, _)| name.ends_with(".txt")) {
        all.extend(records(utf8(text), "#").into_iter().map(|(line, text)| (format!("{name} {line}"), text)));
    }
    // Two that PyTorch's passes leave are wrong: one returns a value of a nested block, one passes an int on as a tensor.
    let wrong = ["remove_inplace_ops.plain.txt ## if_no_output", "lower_all_tuples.plain.txt ## tuple_noise"];
    let context = sconce_torch::context(false).expect("the op table is well-formed");
    for (name, text) in all.iter().filter(|(name, _)| wrong.contains(&name.as_str())) {
        assert!(import_text(&context, name, text, "f").is_err(), "{name}");
    }
    all.retain(|(name, _)| !wrong.contains(&name.as_str()));
    assert_eq!(check(all.iter().map(|(name, text)| (name.as_str(), *text))), 954);
}

/// Older notations come back as today's.
#[test]
fn graphs_of_the_seed_documents_come_back() {
    let listings = corpus("listings");
    let index: serde_json::Value =
        serde_json::from_str(listings.text("seeds/index.json").expect("index")).expect("JSON");
    let mut all = Vec::new();
    for entry in index.as_array().expect("a list") {
        let spelled = matches!(entry["spelling"].as_str(), Some("colon" | "brace" | "mixed"));
        if spelled && entry["kind"] == "graph" && entry["complete"] == true {
            let file = entry["file"].as_str().expect("a name");
            let text = listings.text(&format!("seeds/{file}")).expect("the seed's listing");
            let listing = graph_text::read(file, text).unwrap_or_else(|e| panic!("{}", e.report(false)));
            all.push((file.to_owned(), listing.to_string()));
        }
    }
    assert_eq!(check(all.iter().map(|(name, text)| (name.as_str(), text.as_str()))), 16);
}

/// Everything the reader takes, the dialect takes, but types that MLIR has no room for.
#[test]
fn questions_come_back() {
    let listings = corpus("listings");
    let forms: serde_json::Value =
        serde_json::from_str(listings.text("forms.2.15.json").expect("forms")).expect("JSON");
    let mut all = Vec::new();
    for form in forms["forms"].as_array().expect("a list") {
        let name = format!("{}: {}", form[0].as_str().unwrap_or(""), form[1].as_str().unwrap_or(""));
        if let Ok(listing) = graph_text::read(&name, form[2].as_str().unwrap_or("")) {
            all.push((name, listing.to_string()));
        }
    }
    // A name that is given twice is one that the exporter makes unique.
    all.retain(|(name, _)| name != "layout: redefinition");
    check(all.iter().map(|(name, text)| (name.as_str(), text.as_str())));
}

#[test]
fn python_functions_and_foreign_names_come_back() {
    let texts = [
        "graph(%x : Tensor):\n  %1 : Tensor = ^Square(2, 'a(b', (1, 2))(%x), scope: Net/Linear[fc1] # f.py:1:2\n  return (%1)\n",
        "graph(%/conv1/x : Tensor,\n      %onnx::Gather_5 : Long()):\n  %/conv1/y : Tensor = onnx::Gather[axis=0](%/conv1/x, %onnx::Gather_5)\n  return (%/conv1/y)\n",
        "graph(%x : Tensor):\n  %1 : Tensor = prim::G_0[d=[[\"A\"], [\"B\", \"C\"]]](%x)\n  return (%1)\nwith prim::G_0 = graph(%x : Tensor):\n  return (%x)\n",
        "graph(%x : Tensor):\n  return (%x)\nwith prim::Unused_7 = graph(%x : Tensor):\n  return (%x)\n",
        "graph():\n   = my::sink()\n   = prim::If()\n    block0(%a : Float(2, strides=[1])):\n      -> (%a, %a)\n  return ()\n",
        "graph():\n  %0 : str = prim::Constant[value=\"\\303\\251\\000\\377\"]()\n  return (%0)\n",
        "graph():\n  %0 : float = prim::Constant[value=-nan]()\n  %1 : float = prim::Constant[value=-0.]()\n  return (%0, %1)\n",
    ];
    check(texts.iter().map(|text| (*text, *text)));
}
