//! What a page holds of a program: text in, JSON out.

use expect_test::{Expect, expect};
use sconce_graph::graph::{Loc, SourceText};
use sconce_graph::listing::read_shown;
use sconce_graph::unit::Unit;
use sconce_request::{Place, PlacedText};
use sconce_source::Span;
use sconce_tensor::Tensor;
use sconce_view::{Code, Error, Held, Profile, Site, Stage, View};

fn unit(text: &str) -> Unit {
    read_shown("f.txt", text, "f").unwrap_or_else(|e| panic!("{}", e.report(false)))
}

fn json(view: &View<'_>) -> serde_json::Value {
    let document = view.document().unwrap_or_else(|e| panic!("{e}"));
    serde_json::from_str(document.json()).unwrap_or_else(|e| panic!("{e}: {}", document.json()))
}

fn at(place: &str, function: &str) -> Site {
    Site { place: place.to_owned(), function: function.to_owned() }
}

/// The lines of a list, one a row.
fn check(list: &serde_json::Value, expected: Expect) {
    let rows: Vec<String> = list.as_array().into_iter().flatten().map(|row| format!("{row}\n")).collect();
    expected.assert_eq(&rows.concat());
}

const BRANCH: &str = "graph(%x : Float(2, 3), %c : bool):
  %1 : int = prim::Constant[value=1]()
  %y : Tensor = prim::If(%c) # m.py:3:4
    block0():
      %a : Tensor = aten::add(%x, %x, %1) # m.py:4:8
      -> (%a)
    block1():
      %b : Tensor = aten::relu(%x), scope: __module.act # m.py:6:8
      -> (%b)
  return (%y)
";

#[test]
fn functions_are_numbers_and_lists() {
    let unit = unit(BRANCH);
    let document = json(&View::new("f.txt", &unit, "f"));
    let function = &document["functions"][0];
    check(
        &function["values"],
        expect![[r#"
            {"name":"x","type":0,"shape":"float32[2, 3]"}
            {"name":"c","type":1}
            {"name":"1","type":2,"literal":"1"}
            {"name":"y","type":3}
            {"name":"a","type":3}
            {"name":"b","type":3}
        "#]],
    );
    check(
        &function["nodes"],
        expect![[r#"
        {"kind":"prim::Constant","inputs":[],"outputs":[2],"attributes":[["value","1"]],"folded":true}
        {"kind":"prim::If","inputs":[1],"outputs":[3],"blocks":[1,2],"place":"m.py:3:4"}
        {"kind":"aten::add","inputs":[0,0,2],"outputs":[4],"parameters":0,"place":"m.py:4:8"}
        {"kind":"aten::relu","inputs":[0],"outputs":[5],"parameters":1,"place":"m.py:6:8"}
    "#]],
    );
    check(
        &function["blocks"],
        expect![[r#"
            {"inputs":[0,1],"outputs":[3],"items":[1]}
            {"inputs":[],"outputs":[4],"items":[2]}
            {"inputs":[],"outputs":[5],"items":[{"label":"act","kind":"scope","items":[3]}]}
        "#]],
    );
    check(
        &document["types"],
        expect![[r#"
        "Float(2, 3)"
        "bool"
        "int"
        "Tensor"
    "#]],
    );
    check(
        &document["parameters"],
        expect![[r#"
        ["self","other","alpha"]
        ["self"]
    "#]],
    );
}

#[test]
fn lines_of_texts_are_tied_to_nodes() {
    let unit = unit(BRANCH);
    let mut view = View::new("f.txt", &unit, "f");
    let text = "module {\n  func.func @f(%x: !torch.tensor) {\n    %_1 = torch.constant.int 1\n    %y = torch.prim.If %c {\n    }\n  }\n}\n";
    view.stages.push(Stage {
        name: "mlir",
        title: "Dialect",
        text: PlacedText { text: text.to_owned(), ..PlacedText::default() },
    });
    let at = |line, start| (line, Place { file: "m.py".into(), start, end: start });
    let places = vec![at(0, (4, 8)), at(1, (4, 8)), at(1, (6, 8)), at(2, (9, 9))];
    let text = "addps\nmaxps\nret\n".to_owned();
    view.stages.push(Stage { name: "asm", title: "Assembly", text: PlacedText { text, places } });
    let document = json(&view);
    let links = |pane: usize| {
        let text = &document["panes"][pane]["texts"][0];
        let lines: Vec<&str> = text["text"].as_str().unwrap_or_default().lines().collect();
        let link = |link: &serde_json::Value| {
            let [line, function, node] = [0, 1, 2].map(|i| link[i].as_u64().unwrap_or_default() as usize);
            format!("{}: {}\n", document["functions"][function]["nodes"][node]["kind"], lines[line].trim())
        };
        text["links"].as_array().into_iter().flatten().map(link).collect::<String>()
    };
    expect![[r#"
        "prim::Constant": %1 : int = prim::Constant[value=1]()
        "prim::If": %y : Tensor = prim::If(%c) # m.py:3:4
        "aten::add": %a : Tensor = aten::add(%x, %x, %1) # m.py:4:8
        "aten::relu": %b : Tensor = aten::relu(%x), scope: __module.act # m.py:6:8
    "#]]
    .assert_eq(&links(0));
    expect![[r#"
        "prim::Constant": %_1 = torch.constant.int 1
        "prim::If": %y = torch.prim.If %c {
    "#]]
    .assert_eq(&links(1));
    expect![[r#"
        "aten::add": addps
        "aten::add": maxps
        "aten::relu": maxps
    "#]]
    .assert_eq(&links(2));
}

#[test]
fn times_are_those_of_nodes_where_places_are_known() {
    let unit = unit(BRANCH);
    let trace = r#"{"traceEvents": [
        {"name": "aten::add.Tensor", "ph": "X", "ts": 1, "dur": 2.5, "args": {"place": "m.py:4:8"}},
        {"name": "aten::add", "ph": "X", "ts": 5, "dur": 1, "args": {"External id": 7}},
        {"name": "aten::relu", "ph": "B", "ts": 6}, {"name": "aten::elsewhere", "ph": "X", "dur": 9}, {"ph": "M", "args": "a name"}]}"#;
    let mut view = View::new("f.txt", &unit, "f");
    view.profile = Some(Profile::of_trace("t.json", trace.as_bytes()).expect("a trace"));
    let document = json(&view);
    expect![[r#"{"from":"t.json","nanoseconds":3500,"placed":true,"operators":[{"kind":"aten::add","runs":2,"nanoseconds":3500}]}"#]].assert_eq(&document["profile"].to_string());
    expect![[r#"{"kind":"aten::add","inputs":[0,0,2],"outputs":[4],"parameters":0,"place":"m.py:4:8","runs":1,"nanoseconds":2500}"#]].assert_eq(&document["functions"][0]["nodes"][2].to_string());
    let unrelated = Profile::of_trace("t.json", br#"[{"name": "aten::tanh", "ph": "X", "dur": 1}]"#).expect("a trace");
    view.profile = Some(unrelated);
    assert!(matches!(view.document(), Err(Error::Unrelated { events: 1, .. })));
    let wrong = Profile::of_trace("t.json", b"{}").map(drop).expect_err("no trace").to_string();
    expect!["t.json: no trace of Chrome's form: missing field `traceEvents` at line 1 column 2"].assert_eq(&wrong);
}

#[test]
fn times_of_one_line_are_those_of_its_functions() {
    let body = "graph(%x : Tensor):\n  %y : Tensor = aten::relu(%x) # m.py:1:1\n  return (%y)\n";
    let unit = unit(&format!("== f\n{body}== g\n{body}"));
    let mut view = View::new("f.txt", &unit, "f");
    let event = |dur: u32, more: &str| {
        format!(r#"{{"name": "aten::relu", "ph": "X", "dur": {dur}, "args": {{"place": "m.py:1:1"{more}}}}}"#)
    };
    let trace = format!("[{}, {}]", event(1, r#", "function": "g""#), event(2, ""));
    view.profile = Some(Profile::of_trace("t.json", trace.as_bytes()).expect("a trace"));
    let document = json(&view);
    let of = |function: usize| document["functions"][function]["nodes"][0]["nanoseconds"].clone();
    assert_eq!([of(0), of(1)], [2000, 1000]);
}

#[test]
fn types_of_a_call_are_beside_those_of_the_text() {
    let unit = unit(BRANCH);
    let mut run = Profile::new("a run of f");
    for sizes in ["float32[2, 3]", "float32[4, 3]", "float32[2, 3]"] {
        run.record("aten::relu", Some(&at("m.py:6:8", "")), 10, &[Some(sizes.to_owned())]);
    }
    let mut view = View::new("f.txt", &unit, "f");
    let trace = Profile::of_trace("t.json", br#"[{"name": "aten::relu", "ph": "X", "dur": 7}]"#).expect("a trace");
    view.profile = Some(trace.with_types_of(run));
    view.arguments = vec![Some("float32[4, 3]".to_owned()), None];
    let document = json(&view);
    check(
        &document["functions"][0]["values"],
        expect![[r#"
            {"name":"x","type":0,"shape":"float32[2, 3]","seen":["float32[4, 3]"]}
            {"name":"c","type":1}
            {"name":"1","type":2,"literal":"1"}
            {"name":"y","type":3,"seen":["float32[2, 3]","float32[4, 3]"]}
            {"name":"a","type":3}
            {"name":"b","type":3,"seen":["float32[2, 3]","float32[4, 3]"]}
        "#]],
    );
    expect![[r#"{"from":"t.json","nanoseconds":7000,"placed":false,"operators":[{"kind":"aten::relu","runs":1,"nanoseconds":7000}]}"#]].assert_eq(&document["profile"].to_string());
}

#[test]
fn types_go_along_branches_loops_and_calls() {
    let text = "== f
graph(%x : Tensor, %n : int, %c : bool):
  %g : Function = prim::Constant[name=\"g\"]()
  %t : bool = prim::Constant[value=1]()
  %y : Tensor = prim::CallFunction(%g, %x)
  %z : Tensor = prim::Loop(%n, %t, %y)
    block0(%i : int, %w : Tensor):
      %v : Tensor = prim::If(%c)
        block0():
          -> (%w)
        block1():
          -> (%x)
      -> (%t, %v)
  return (%z)
== g
graph(%a : Tensor):
  %b : Tensor = aten::t(%a) # m.py:1:1
  return (%b)
";
    let unit = unit(text);
    let mut view = View::new("f.txt", &unit, "f");
    let mut run = Profile::new("a run of f");
    run.record("aten::t", Some(&at("m.py:1:1", "g")), 1, &[Some("float32[3, 2]".to_owned())]);
    view.profile = Some(run);
    view.arguments = vec![Some("float32[2, 3]".to_owned())];
    let document = json(&view);
    let seen = |function: usize| {
        let values = document["functions"][function]["values"].as_array().into_iter().flatten();
        values.map(|v| format!("{} {}\n", v["name"], v["seen"])).collect::<String>()
    };
    expect![[r#"
        "x" ["float32[2, 3]"]
        "n" null
        "c" null
        "i" null
        "w" ["float32[3, 2]","float32[2, 3]"]
        "g" null
        "t" null
        "y" ["float32[3, 2]"]
        "z" ["float32[2, 3]","float32[3, 2]"]
        "v" ["float32[2, 3]","float32[3, 2]"]
        "a" ["float32[2, 3]"]
        "b" ["float32[3, 2]"]
    "#]]
    .assert_eq(&(seen(0) + &seen(1)));
}

#[test]
fn code_is_tied_to_the_nodes_it_was_printed_of() {
    let source = SourceText::file("m.py", "x.relu()\n");
    let loc = Loc::new(&source, Span::new(0, 8));
    let mut unit =
        unit("== __torch__.m.M.forward\ngraph(%x : Tensor):\n  %y : Tensor = aten::relu(%x)\n  return (%y)\n");
    let graph = &mut unit.functions[0].graph;
    let relu = graph.walk(graph.root())[0];
    graph.set_loc(relu, Some(loc.clone()));
    let text = "class M(Module):\n  def other(self):\n    return torch.relu(x)\n  def forward(self, x):\n    y = torch.relu(x)\n    return y\n";
    let places =
        vec![(text.find("torch.relu").unwrap_or_default(), loc.clone()), (text.find("y = ").unwrap_or_default(), loc)];
    let mut view = View::new("m.pt", &unit, "__torch__.m.M.forward");
    view.code.push(Code {
        title: "code/__torch__/m.py".into(),
        module: "__torch__.m".into(),
        text: text.into(),
        places,
    });
    let panes = json(&view)["panes"].clone();
    let of = |pane: &serde_json::Value| format!("{} {}", pane["name"], pane["texts"][0]["links"]);
    expect![[r#"
        "code" [[4,0,0]]
        "source" [[0,0,0]]
        "graph" [[1,0,0]]"#]]
    .assert_eq(&panes.as_array().into_iter().flatten().map(of).collect::<Vec<_>>().join("\n"));
}

#[test]
fn weights_are_rows() {
    let unit = unit(BRANCH);
    let mut view = View::new("f.txt", &unit, "f");
    let tensor = Tensor::from_vec(vec![1f32, -2., 4.], &[3, 1]);
    view.weights.push(Held { name: "layer.weight".into(), kind: "parameter", tensor });
    check(
        &json(&view)["weights"],
        expect![[r#"
        {"name":"layer.weight","kind":"parameter","dtype":"float32","shape":[3,1],"bytes":12,"min":-2.0,"max":4.0,"mean":1.0,"not_finite":0}
    "#]],
    );
}

#[test]
fn what_has_no_end_is_cut() {
    let long = "x".repeat(3_000_000);
    let unit = unit(&format!("graph(%x : Tensor):\n  %y : Tensor = a::b[text=\"{long}\"](%x)\n  return (%y)\n"));
    let document = View::new("f.txt", &unit, "f").document().expect("a document");
    let text = document.json();
    assert!(text.len() < 20_000, "{} bytes", text.len());
    assert!(text.contains("more)"));
    let many: String = (0..100_010).map(|i| format!("  %y{i} : Tensor = aten::relu(%x)\n")).collect();
    let unit = self::unit(&format!(
        "== f\ngraph(%x : Tensor):\n  return (%x)\n== g\ngraph(%x : Tensor):\n{many}  return (%x)\n"
    ));
    let document = json(&View::new("f.txt", &unit, "f"));
    check(
        &document["omitted"],
        expect![[r#"
        "1 functions: a page has no more than 100000 nodes"
    "#]],
    );
}

#[test]
fn there_is_no_page_of_no_function() {
    let unit = unit(BRANCH);
    let error = View::new("f.txt", &unit, "g").document().expect_err("no such function");
    assert_eq!(error.to_string(), "the program has no function 'g' with a graph");
}
