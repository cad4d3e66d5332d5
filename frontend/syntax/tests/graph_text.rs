//! Graph text against what PyTorch printed, and against what PyTorch's own reader says.

use sconce_corpus::{Corpus, records, testdata};
use sconce_syntax::graph_text::{self, Listing, Spelling};

fn corpus(name: &str) -> Corpus {
    testdata(name).unwrap_or_else(|e| panic!("testdata/{name}: {e}"))
}

fn utf8(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("recorded texts are UTF-8")
}

fn read(name: &str, text: &str) -> Listing {
    graph_text::read(name, text).unwrap_or_else(|e| panic!("{}", e.report(false)))
}

/// Reads `text`, which PyTorch printed; it must print back the same, and survive the spelling with braces.
fn prints_back(name: &str, text: &str) {
    let listing = read(name, text);
    let printed = listing.to_string();
    if let Some((line, (a, b))) = text.lines().zip(printed.lines()).enumerate().find(|(_, (a, b))| a != b) {
        panic!("{name}:{}:\n  {a}\n  {b}", line + 1);
    }
    assert_eq!(text, printed, "{name}");
    assert_eq!(read(name, &listing.print(Spelling::Braces)), listing, "{name} through braces");
    // Every `with` graph belongs to a node, in the order in which PyTorch prints them.
    assert!(listing.resolve().is_some_and(|r| r.in_order), "{name}: `with` graphs");
}

#[test]
fn printed_graphs_print_back() {
    let listings = corpus("listings");
    let mut count = 0;
    for (name, text) in listings.below("graphs/").filter(|(name, _)| name.ends_with(".txt")) {
        prints_back(name, utf8(text));
        count += 1;
    }
    assert_eq!(count, 253);
}

#[test]
fn programs_print_back() {
    let mut count = 0;
    for (name, text) in corpus("programs").iter().filter(|(name, _)| name.ends_with("graph.txt")) {
        let text = utf8(text);
        let methods = graph_text::read_methods(name, text).unwrap_or_else(|e| panic!("{}", e.report(false)));
        for ((method, listing), (header, record)) in methods.iter().zip(records(text, "== ")) {
            assert_eq!(header.strip_prefix("== "), Some(method.as_str()));
            prints_back(&format!("{name} {method}"), record);
            assert_eq!(listing.to_string(), record);
            count += 1;
        }
    }
    assert_eq!(count, 1707);
}

#[test]
fn graphs_between_passes_print_back() {
    let mut count = 0;
    let mut refused = Vec::new();
    for (name, text) in corpus("passes").iter().filter(|(name, _)| name.ends_with(".txt")) {
        for (header, record) in records(utf8(text), "#") {
            let name = format!("{name} {header}");
            match graph_text::read(&name, record) {
                Ok(_) => prints_back(&name, record),
                Err(error) => refused.push(format!("{name}: {}", error.message)),
            }
            count += 1;
        }
    }
    // This pass of PyTorch leaves a graph that returns a value of a nested block.
    let broken = "remove_inplace_ops.plain.txt ## if_no_output: no value is called %6 here; expected one defined above";
    assert_eq!(refused, [broken]);
    assert_eq!(count, 956);
}

#[test]
fn graphs_of_the_seed_documents_read_in_both_spellings() {
    let listings = corpus("listings");
    let index: serde_json::Value =
        serde_json::from_str(listings.text("seeds/index.json").expect("seeds/index.json")).expect("JSON");
    let mut count = 0;
    for entry in index.as_array().expect("a list") {
        let graph = matches!(entry["spelling"].as_str(), Some("colon" | "brace" | "mixed")) && entry["kind"] == "graph";
        if !graph || entry["complete"] != true {
            continue;
        }
        let file = entry["file"].as_str().expect("a name");
        let text = listings.text(&format!("seeds/{file}")).expect("the seed's listing");
        let listing = read(file, text);
        for spelling in [Spelling::Colons, Spelling::Braces] {
            assert_eq!(read(file, &listing.print(spelling)), listing, "{file}");
        }
        if entry["parse_ir"] == "same" {
            assert_eq!(listing.to_string(), text, "{file}");
        }
        count += 1;
    }
    assert_eq!(count, 16);
}

/// What is read otherwise than by PyTorch: every text that it reads is read, and prints as PyTorch prints it or as it stood.
#[test]
fn questions_are_answered_at_least_as_well_as_pytorch_answers_them() {
    for version in ["2.15", "1.13"] {
        let listings = corpus("listings");
        let name = format!("forms.{version}.json");
        let forms: serde_json::Value = serde_json::from_str(listings.text(&name).expect("forms")).expect("JSON");
        let (mut same, mut faithful, mut more, mut both_refuse) = (0, 0, 0, 0);
        let mut refused = Vec::new();
        let mut other = Vec::new();
        for form in forms["forms"].as_array().expect("a list") {
            let question = format!("{}: {}", form[0].as_str().unwrap_or(""), form[1].as_str().unwrap_or(""));
            let pytorch_reads = form[3] == true;
            let Some(text) = form[2].as_str() else { continue };
            let ours = graph_text::read("form", text).map(|listing| listing.to_string());
            let printed = form[4].as_str().filter(|p| p.starts_with("graph")).unwrap_or(text);
            match ours {
                Ok(ours) if pytorch_reads && ours == printed => same += 1,
                Ok(ours) if pytorch_reads && ours == text => faithful += 1,
                Ok(ours) if pytorch_reads => other.push((question, ours)),
                Ok(_) => more += 1,
                Err(_) if !pytorch_reads => both_refuse += 1,
                Err(error) => refused.push(format!("{question}: {}", error.message)),
            }
        }
        println!(
            "{name}: {same} as PyTorch, {faithful} as written, {} otherwise, {more} more, {both_refuse} refused by both",
            other.len()
        );
        assert_eq!(refused, [] as [&str; 0], "{name}: PyTorch reads these");
        // Values keep their names where PyTorch numbers them, and literals become PyTorch's.
        for (question, ours) in &other {
            let numbered = forms["forms"]
                .as_array()
                .expect("a list")
                .iter()
                .find(|f| format!("{}: {}", f[0].as_str().unwrap_or(""), f[1].as_str().unwrap_or("")) == *question)
                .and_then(|f| f[4].as_str())
                .expect("PyTorch prints it differently");
            assert_eq!(without_names(ours), without_names(numbered), "{name}: {question}");
        }
    }
}

/// Texts that are equal but for the names of their values.
fn without_names(text: &str) -> String {
    let mut out = String::new();
    let mut names: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        let end = rest[at + 1..]
            .find(|c: char| !c.is_alphanumeric() && c != '.' && c != '_')
            .map_or(rest.len(), |n| at + 1 + n);
        let name = &rest[at..end];
        let number = names.iter().position(|n| n == name).unwrap_or_else(|| {
            names.push(name.to_owned());
            names.len() - 1
        });
        out.push_str(&rest[..at]);
        out.push_str(&format!("%{number}"));
        rest = &rest[end..];
    }
    out + rest
}

/// What PyTorch prints in places that the recordings do not reach.
#[test]
fn rarer_print_outs_print_back() {
    let listings = [
        "graph(%x : Tensor):\n  %1 : Tensor = ^Square(2, 'a(b', (1, 2))(%x), scope: Net/Linear[fc1] # f.py:1:2\n  return (%1)\n",
        "graph(%/conv1/x : Tensor,\n      %onnx::Gather_5 : Long()):\n  %/conv1/y : Tensor = onnx::Gather[axis=0](%/conv1/x, %onnx::Gather_5)\n  return (%/conv1/y)\n",
        "graph():\n  %0 : (Device, Tensor, int?) = prim::Constant[value=(torch.device(\"cuda:0\"), <Tensor>, None)]()\n  return (%0)\n",
        "graph():\n  %0 : Dict(str, int) = prim::Constant[value=annotate(Dict[str, int], {})]()\n  return (%0)\n",
        "graph():\n  %0 : (int) = prim::Constant[value=(1,)]()\n  return (%0)\n",
        "graph(%x : Tensor):\n  %1 : Tensor = prim::G_0[d=[[\"A\"], [\"B\", \"C\"]]](%x)\n  return (%1)\nwith prim::G_0 = graph(%x : Tensor):\n  return (%x)\n",
        "graph(%x : Tensor[Undefined],\n      %y : FloatTensor(requires_grad=0)):\n  return (%x)\n",
        "graph():\n  %0 : complex[] = prim::Constant[value=[1.+2.j, -inf-nanj]]()\n  return (%0)\n",
    ];
    for text in listings {
        prints_back("rare", text);
    }
}
