//! Wrong graph text is refused with its place and what was expected; hostile text ends no process.

use sconce_syntax::graph_text;

fn error(text: &str) -> String {
    graph_text::read("t", text).expect_err("the text is wrong").to_string()
}

#[test]
fn errors_name_place_and_expectation() {
    let cases = [
        ("", "t:1:1: expected `graph(`, found the end of the text"),
        ("hello", "t:1:1: expected `graph(`"),
        ("graph(%x : Tensor", "t:1:18: expected `)` or `,`, found the end of the text"),
        ("graph(%x : Tensor):\n", "t:2:1: the text ends before the `return (…)` of the graph that begins on line 1"),
        ("graph(%x : Tensr):\n  return (%x)\n", "t:1:12: expected a type, found the unknown name `Tensr`"),
        ("graph(%x : Float(2, )):\n  return (%x)\n", "t:1:21: expected a size, found `)`"),
        ("graph(%x : int):\n  return (%y)\n", "t:2:11: no value is called %y here; expected one defined above"),
        ("graph():\n  %y : int = prim::Constant[value=]()\n", "t:2:35: expected a literal, found `]`"),
        (
            "graph():\n  %y : str = prim::Constant[value=\"a]()\n",
            "t:2:40: expected a closing quote, found the end of the line",
        ),
        ("graph():\n  %y : int = op()\n", "t:2:14: expected an operator such as `aten::add`, found `op`"),
        ("graph():\n  return ()\nwith prim::X_0 = grph(\n", "t:3:18: expected `graph(`, found `grph`"),
        ("graph():\n  -> ()\n", "t:2:3: `->` ends a block, but no block is open; a graph ends with `return (…)`"),
        ("graph():\n  block0():\n", "t:2:3: a block stands here without a node that it belongs to"),
        (
            "graph():\n   = prim::If()\n    block0():\n  return ()\n",
            "t:4:3: the graph returns before the `-> (…)` of the block that begins on line 3",
        ),
        ("graph():\n   = a::b[x=1, x=2]()\n", "t:2:16: the attribute x is given twice"),
    ];
    for (text, message) in cases {
        assert_eq!(error(text), message, "{text:?}");
    }
}

#[test]
fn reports_underline_the_source() {
    let report = graph_text::read("f.txt", "graph(%x : int):\n  return (%y)\n").expect_err("%y").report(false);
    assert!(
        report.contains("--> f.txt:2:11") && report.contains("2 |   return (%y)") && report.contains("^^"),
        "{report}"
    );
}

#[test]
fn hostile_nesting_is_refused() {
    let wrap = |ty: &str| format!("graph(%x : {ty}):\n  return (%x)\n");
    assert!(error(&wrap(&"(".repeat(100_000))).contains("brackets nest deeper"));
    assert!(error(&wrap(&format!("int{}", "[]".repeat(100_000)))).contains("the type nests deeper"));
    assert!(error(&format!("graph():\n   = a::b[x={}", "{".repeat(100_000))).contains("brackets nest deeper"));
    let blocks = "graph():\n".to_owned() + &" = prim::If()\n block0():\n".repeat(100_000);
    assert!(error(&blocks).contains("blocks nest deeper"));
    let braces = "graph() {\n".to_owned() + &" = prim::If()\n block0() {\n".repeat(100_000);
    assert!(error(&braces).contains("blocks nest deeper"));
    // Wide is not deep.
    let wide = format!("graph():\n{}  return ()\n", "   = a::b[x=[[1], [2]]]()\n".repeat(20_000));
    assert_eq!(graph_text::read("t", &wide).expect("wide").graph.nodes.len(), 20_000);
}

#[test]
fn with_graphs_in_a_circle_are_not_followed() {
    let circle = "graph():\n   = a::G_0()\n  return ()\nwith a::G_0 = graph():\n   = a::G_0()\n  return ()\n";
    assert!(graph_text::read("t", circle).expect("well-formed").resolve().is_none());
}

#[test]
fn every_cut_of_a_listing_is_an_error_or_a_listing() {
    let text = "graph(%x : Float(2, strides=[1])) {\n  %y : str[] = a::b[k=\"é\\n\", t= 1  2 [ CPULongType{2} ]](%x), scope: m # f:1:2\n  return (%y);\n}\nwith a::b_0 = graph():\n  return ()\n";
    for (at, _) in text.char_indices() {
        if let Err(error) = graph_text::read("t", &text[..at]) {
            assert!(error.line >= 1 && !error.report(true).is_empty());
        }
    }
}

#[test]
fn an_error_in_one_listing_hides_nothing_of_the_others_and_comments_are_no_listing() {
    let text =
        "# head\n\n== f\ngraph(%x : Tensor):\n  return (%y)\n== g\n# of g\ngraph():\n  return ()\nmore\n== h\n# end\n";
    type Read = Result<(graph_text::Listing, Vec<sconce_syntax::Error>), sconce_syntax::Error>;
    let shown = |(name, read): (String, Read)| match read {
        Ok((listing, warnings)) => {
            let warnings: Vec<_> = warnings.iter().map(ToString::to_string).collect();
            format!("{name}: {} inputs, {warnings:?}", listing.graph.inputs.len())
        }
        Err(e) => format!("{name}: {e} at {:?}", e.span),
    };
    let read: Vec<_> = graph_text::read_each("t", text).into_iter().map(shown).collect();
    let expected = [
        "f: t:5:11: no value is called %y here; expected one defined above at 43..45",
        "g: 0 inputs, [\"t:10:1: the text after the end of the graph is passed over\"]",
    ];
    assert_eq!(read, expected);
}
