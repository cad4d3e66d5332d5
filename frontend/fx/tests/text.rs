//! FX text of PyTorch and of the documents reads, and prints again as it was; what cannot be read says why.

use expect_test::expect;
use sconce_corpus::{Corpus, records, testdata};
use sconce_fx::text::{read, unreadable};
use sconce_fx::{Argument, Graph, Node, Op};

fn recorded() -> Corpus {
    testdata("export").expect("testdata/export.tar.zst")
}

/// Every recorded graph: those of programs, of their submodules, and of what they decompose to; with the name of its file.
fn graphs(corpus: &Corpus) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for (path, bytes) in corpus.iter() {
        let text = std::str::from_utf8(bytes).unwrap_or_default();
        if path.ends_with("/graph.txt") || (path.ends_with("/core.txt") && text.starts_with("graph()")) {
            all.push((path.to_owned(), text.trim_end().to_owned()));
        } else if path.ends_with("/subgraphs.txt") {
            for (name, graph) in records(text, "## ") {
                all.push((format!("{path} {name}"), graph.trim_end().to_owned()));
            }
        }
    }
    all
}

#[test]
fn recorded_graphs_print_as_they_were() {
    let corpus = recorded();
    let all = graphs(&corpus);
    let mut wrong = Vec::new();
    for (path, text) in &all {
        match read(path, text) {
            Err(error) => wrong.push(error.to_string()),
            Ok(graph) if graph.to_string() != *text => wrong.push(format!("{path}: printed\n{graph}")),
            Ok(graph) => wrong.extend(unreadable(&graph).map(|why| format!("{path}: {why}"))),
        }
    }
    let programs = all.iter().filter(|(path, _)| path.ends_with("/graph.txt")).count();
    assert!(wrong.is_empty(), "{} of {} graphs: {}", wrong.len(), all.len(), wrong.join("\n"));
    expect!["57 programs, 108 graphs"].assert_eq(&format!("{programs} programs, {} graphs", all.len()));
}

fn say(text: &str) -> String {
    match read("t.fx", text) {
        Ok(graph) => format!("{graph}\n"),
        Err(error) => format!("{error}\n"),
    }
}

/// The texts of the document on Export IR, without the indentation that they lost on their way.
#[test]
fn texts_of_the_documents_read() {
    let conditional = "graph():
%x_1 : [num_users=1] = placeholder[target=x_1]
%y_1 : [num_users=1] = placeholder[target=y_1]
%true_graph_0 : [num_users=1] = get_attr[target=true_graph_0]
%false_graph_0 : [num_users=1] = get_attr[target=false_graph_0]
%conditional : [num_users=1] = call_function[target=torch.ops.higher_order.cond](args = (%y_1, %true_graph_0, %false_graph_0, [%x_1]), kwargs = {})
return conditional
";
    let older = "graph():
%ph_0 : [#users=1] = placeholder[target=ph_0]
%add_tensor : [#users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%ph_0, 1), kwargs = {})
return [add_tensor]
";
    let spelled_out = "graph():
%x = placeholder[target = x](args = ())
%y = placeholder[target = y](args = (None,))
%sub = get_attr[target = sub](args = ())
%add1 = call_function[target = torch.op.aten.add.Tensor](args = (%x, %y), kwargs = {})
output[](args = ([%add1],))
";
    let named = "graph(x, %y):
    %add : [#users=1] = call_function[target=operator.add](args = (%x, %y), kwargs = {})
    return add
";
    expect![[r#"
        graph():
            %x_1 : [num_users=1] = placeholder[target=x_1]
            %y_1 : [num_users=1] = placeholder[target=y_1]
            %true_graph_0 : [num_users=1] = get_attr[target=true_graph_0]
            %false_graph_0 : [num_users=1] = get_attr[target=false_graph_0]
            %conditional : [num_users=1] = call_function[target=torch.ops.higher_order.cond](args = (%y_1, %true_graph_0, %false_graph_0, [%x_1]), kwargs = {})
            return conditional
        graph():
            %ph_0 : [num_users=1] = placeholder[target=ph_0]
            %add_tensor : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%ph_0, 1), kwargs = {})
            return [add_tensor]
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %y : [num_users=1] = placeholder[target=y](default=None)
            %sub : [num_users=0] = get_attr[target=sub]
            %add1 : [num_users=1] = call_function[target=torch.op.aten.add.Tensor](args = (%x, %y), kwargs = {})
            return [add1]
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %y : [num_users=1] = placeholder[target=y]
            %add : [num_users=1] = call_function[target=operator.add](args = (%x, %y), kwargs = {})
            return add
    "#]].assert_eq(&[conditional, older, spelled_out, named].map(say).concat());
}

#[test]
fn what_the_documents_leave_out_is_named() {
    let lines = [
        "%<name>:[...] = <op_name>[target=<target>](args = (%arg1, %arg2, arg3, arg4, …)), kwargs = {\"keyword\": arg5})",
        "%name = call_function[target = operator](args = (%x, %y, …), kwargs = {})",
        "output[](args = (%something, …))",
        "%add1 = call_function[target = torch.op.aten.add.Tensor](args = (%x, %y), kwargs = {})",
        "%x : [num_users=1] = placeholder[target=x]\n...\nreturn x",
    ];
    expect![[r#"
        t.fx:2:82: something is left out of the text here; only what is complete is read
        t.fx:2:62: something is left out of the text here; only what is complete is read
        t.fx:2:34: something is left out of the text here; only what is complete is read
        t.fx:2:70: no node is named `x`
        t.fx:3:1: something is left out of the text here; only what is complete is read
    "#]]
    .assert_eq(&lines.map(|line| say(&format!("graph():\n    {line}\n"))).concat());
}

#[test]
fn what_is_no_fx_text_is_refused_where_it_fails() {
    let node = |arguments: &str| {
        format!(
            "graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %f : [num_users=0] = call_function[target=m.f](args = {arguments})\n"
        )
    };
    let texts = [
        String::new(),
        "\n\n".into(),
        "graph(%0 : Tensor):\n  return (%0)\n".into(),
        "graph():\n    return x\ngraph():\n".into(),
        "graph():\n    %x : [num_users=1] = placeholder[target=x]\n    return (x, y)\n".into(),
        "graph():\n    %x : [num_users=2] = placeholder[target=x]\n    return (x,)\n".into(),
        "graph():\n    %x : [num_users=0] = placeholder[target=x]\n    %x : [num_users=0] = placeholder[target=x]\n".into(),
        "graph():\n    %x : [num_users=99999999999999999999] = placeholder[target=x]\n".into(),
        "graph():\n    %x : [num_users=0] = place_holder[target=x]\n".into(),
        "graph():\n    %x : [num_users=0] = placeholder[]\n".into(),
        "graph():\n    placeholder[target=x]\n".into(),
        "graph():\n    return 'a\\q'\n".into(),
        node("(%x, 99999999999999999999), kwargs = {}"),
        node("(%x, ), kwargs = {}"),
        node("(%x, a) b), kwargs = {}"),
        node("(%x), kwargs = {}"),
        node("(%x,), kwargs = {a: 1, a: 2}"),
        node("(%x, torch.quint5), kwargs = {}"),
        node(&format!("(%x, {}{}), kwargs = {{}}", "[".repeat(70), "]".repeat(70))),
        "graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %a : [num_users=0] = call_function[target=torch.ops.aten.add.Tensor](args = (%x, one), kwargs = {})\n".into(),
        "graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %a : [num_users=0] = call_function[target=torch.ops.aten.to.device](args = (%x, a disk, torch.float32), kwargs = {})\n".into(),
    ];
    expect![[r#"
        t.fx:1:1: expected `graph():`, found the end of the text
        t.fx:3:1: expected `graph():`, found the end of the text
        t.fx:1:8: expected a name, found `0`
        t.fx:3:1: a second graph begins here; expected one, or the path of a graph inside before it: `## true_graph_0`
        t.fx:3:16: no node is named `y`
        t.fx:2:10: 2 users are said here, but the graph has 1
        t.fx:3:5: the name `x` is another node's
        t.fx:2:10: expected a number of users
        t.fx:2:26: expected placeholder, get_attr, call_function, call_module, call_method or output, found `place_holder`
        t.fx:2:5: expected `target=` of placeholder
        t.fx:2:5: expected `%` and a name before placeholder
        t.fx:2:12: expected an escape: \n, \t, \r, \\, \', \", \x, \u or \U
        t.fx:3:64: 99999999999999999999 is not a 64-bit integer
        t.fx:3:64: expected a value, found `)`
        t.fx:3:67: expected `)` or `,`, found `b`; strings stand without quotes here, and one with a bracket of no pair cannot be read
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %f : [num_users=0] = call_function[target=m.f](args = (%x,), kwargs = {})
        t.fx:3:5: `f` is given the keyword `a` twice
        t.fx:3:64: torch.quint5 is no dtype, layout or memory format
        t.fx:3:126: brackets nest deeper than 64
        t.fx:3:86: `other` is of type Tensor, found `one`; if a string of this call has a comma, it cannot be told from that of the text
        t.fx:3:85: `device` is a device, found `a disk`
    "#]].assert_eq(&texts.map(|text| say(&text)).concat());
}

/// Strings have no quotes: the operator's schema says what is one, and where its commas are its own.
#[test]
fn strings_are_told_by_the_schema() {
    let call = |target: &str, arguments: &str| {
        let text = format!(
            "graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %f : [num_users=0] = call_function[target={target}](args = ({arguments}), kwargs = {{}})"
        );
        let graph = read("t.fx", &text).expect("a graph");
        assert_eq!(graph.to_string(), text);
        let (_, node) = graph.nodes().last().expect("two nodes");
        format!("{:?}\n", &node.args[1..])
    };
    let calls = [
        call(
            "torch.ops.aten._assert_scalar.default",
            "%x, Runtime assertion failed for (u0 < 4) & (0 < u0 + 5) on node 'and__1'",
        ),
        call("torch.ops.aten._assert_scalar.default", "%x, Invalid: a, b, and c"),
        call("torch.ops.aten._assert_scalar.default", "%x, 3"),
        call("torch.ops.aten.pad.default", "%x, [1, 1], constant, 0.5"),
        call("torch.ops.aten.to.device", "%x, cuda:1, torch.float32"),
        call("torch.ops.higher_order.wrap_with_autocast", "%x, cpu, torch.bfloat16, True, False"),
        call("torch.ops.higher_order.auto_functionalized", "%x, aten.add.Tensor, {k: v, 3: [a b, cpu]}"),
        call("operator.getitem", "%x, (slice(1, None, x), Ellipsis, None)"),
        call("m.f", "%x, (2+3j), -1j, (nan-infj), 1e-05, -inf, nan, (a), (a,), (), [], {}, b'c', torch.channels_last"),
    ];
    expect![[r#"
        [Str("Runtime assertion failed for (u0 < 4) & (0 < u0 + 5) on node 'and__1'")]
        [Str("Invalid: a, b, and c")]
        [Str("3")]
        [List([Int(1), Int(1)]), Str("constant"), Float(0.5)]
        [Device(Device { kind: "cuda", index: Some(1) }), DType(F32)]
        [Str("cpu"), DType(BF16), Bool(true), Bool(false)]
        [Operator(OperatorName { namespace: "aten", name: "add", overload: "Tensor" }), Dict([(Str("k"), Str("v")), (Int(3), List([Str("a b"), Str("cpu")]))])]
        [Tuple([Slice([Int(1), None, Node(NodeId(0))]), Ellipsis, None])]
        [Complex(2.0, 3.0), Complex(0.0, -1.0), Complex(NaN, -inf), Float(1e-5), Float(-inf), Float(NaN), Str("(a)"), Tuple([Str("a")]), Tuple([]), List([]), Dict([]), Str("b'c'"), MemoryFormat(ChannelsLast)]
    "#]].assert_eq(&calls.concat());
}

/// Where the text says something else than the graph, it is said which argument.
#[test]
fn what_does_not_read_back_is_named() {
    let call = |args: Vec<Argument>| {
        let mut graph = Graph::default();
        let x = graph.push(Node::new(Op::Placeholder, "x", "x")).expect("a new name");
        let args = std::iter::once(Argument::Node(x)).chain(args);
        graph.push(Node::new(Op::CallFunction, "f", "m.f").with_args(args)).expect("a new name");
        unreadable(&graph).map_or("it reads back\n".to_owned(), |why| format!("{why}\n"))
    };
    let text = |text: &str| Argument::Str(text.to_owned());
    let calls = [
        call(vec![text("a b")]),
        call(vec![text("a, b"), Argument::Int(1)]),
        call(vec![text("3")]),
        call(vec![text("")]),
        call(vec![Argument::List(vec![text("cpu")])]),
        call(vec![text("a) b")]),
        call(vec![text("a\nb")]),
        call(vec![text("%x")]),
        call(vec![text(" a")]),
    ];
    expect![[r#"
        it reads back
        FX text does not say what `f` is: its argument 1 is 'a, b', and reads as 'a'
        FX text does not say what `f` is: its argument 1 is '3', and reads as 3
        FX text does not say what `f` is: expected a value, found `)`
        FX text does not say what `f` is: its argument 1 is ['cpu'], and reads as [device(type='cpu')]
        FX text does not say what `f` is: expected `)` or `,`, found `b`; strings stand without quotes here, and one with a bracket of no pair cannot be read
        FX text does not say what `f` is: expected `)` or `,`, found the end of the line; strings stand without quotes here, and one with a bracket of no pair cannot be read
        FX text does not say what `f` is: its argument 1 is '%x', and reads as x
        FX text does not say what `f` is: its argument 1 is ' a', and reads as 'a'
    "#]].assert_eq(&calls.concat());
}

mod arbitrary {
    use proptest::prelude::*;
    use sconce_fx::text::{read, unreadable};
    use sconce_fx::{Argument, Graph, Node, Op};
    use sconce_schema::{DType, Layout, MemoryFormat};

    /// Constants that a text without quotes tells apart. A string is what is nothing else.
    fn constant() -> impl Strategy<Value = Argument> {
        prop_oneof![
            Just(Argument::None),
            Just(Argument::Ellipsis),
            any::<bool>().prop_map(Argument::Bool),
            any::<i64>().prop_map(Argument::Int),
            any::<u64>().prop_map(|bits| Argument::Float(f64::from_bits(bits))),
            (any::<u64>(), any::<u64>()).prop_map(|(re, im)| Argument::Complex(f64::from_bits(re), f64::from_bits(im))),
            "[a-z][a-z_ ']{0,8}[a-z]( \\([<>=+0-9]{0,5}\\))?".prop_map(Argument::Str),
            (0..DType::all().count()).prop_map(|i| Argument::DType(DType::all().nth(i).unwrap_or(DType::F32))),
            Just(Argument::Layout(Layout::Strided)),
            Just(Argument::MemoryFormat(MemoryFormat::ChannelsLast)),
            prop_oneof![Just("cpu"), Just("cuda:1")].prop_map(|d| Argument::Device(d.parse().expect("a device"))),
        ]
    }

    /// An argument over the nodes of a graph, by number.
    #[derive(Clone, Debug)]
    enum Shape {
        Node(usize),
        Constant(Argument),
        List(Vec<Shape>),
        Tuple(Vec<Shape>),
        Dict(Vec<(String, Shape)>),
        Slice(Vec<Shape>),
    }

    fn shape() -> impl Strategy<Value = Shape> {
        let leaf = prop_oneof![(0..9usize).prop_map(Shape::Node), constant().prop_map(Shape::Constant)];
        leaf.prop_recursive(3, 24, 4, |inner| {
            let several = || prop::collection::vec(inner.clone(), 0..4);
            prop_oneof![
                several().prop_map(Shape::List),
                several().prop_map(Shape::Tuple),
                prop::collection::vec(("[a-z]{1,4}", inner.clone()), 0..3).prop_map(Shape::Dict),
                prop::collection::vec(inner.clone(), 3).prop_map(Shape::Slice),
            ]
        })
    }

    fn made(graph: &Graph, shape: &Shape) -> Argument {
        let all = |items: &[Shape]| items.iter().map(|s| made(graph, s)).collect::<Vec<_>>();
        match shape {
            Shape::Node(i) => match graph.nodes().nth(i % graph.len().max(1)) {
                Some((id, _)) => Argument::Node(id),
                None => Argument::None,
            },
            Shape::Constant(constant) => constant.clone(),
            Shape::List(items) => Argument::List(all(items)),
            Shape::Tuple(items) => Argument::Tuple(all(items)),
            Shape::Dict(entries) => {
                Argument::Dict(entries.iter().map(|(k, s)| (Argument::Str(k.clone()), made(graph, s))).collect())
            }
            Shape::Slice(parts) => {
                let [start, stop, step] = &all(parts)[..] else { return Argument::None };
                Argument::Slice(Box::new([start.clone(), stop.clone(), step.clone()]))
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]
        #[test]
        fn graphs_read_back(
            nodes in prop::collection::vec((0..5usize, prop::collection::vec(shape(), 0..4), prop::option::of(shape())), 1..6),
            output in prop::collection::vec(shape(), 0..3),
        ) {
            let mut graph = Graph::default();
            for (kind, args, keyword) in &nodes {
                let (op, target) = match kind {
                    0 => (Op::Placeholder, "x"),
                    1 => (Op::GetAttr, "sub.graph_0"),
                    2 => (Op::CallMethod, "view_as"),
                    3 => (Op::CallModule, "layers.0"),
                    _ => (Op::CallFunction, "operator.getitem"),
                };
                let name = graph.unique_name("n");
                let mut args: Vec<Argument> = args.iter().map(|s| made(&graph, s)).collect();
                let mut kwargs: Vec<(String, Argument)> = keyword.iter().map(|s| ("key".to_owned(), made(&graph, s))).collect();
                if matches!(op, Op::Placeholder | Op::GetAttr) {
                    args.truncate(usize::from(op == Op::Placeholder));
                    kwargs.clear();
                }
                graph.push(Node::new(op, name, target).with_args(args).with_kwargs(kwargs)).expect("a new name");
            }
            let result = Argument::Tuple(output.iter().map(|s| made(&graph, s)).collect());
            graph.push(Node::new(Op::Output, "output", "output").with_args([result])).expect("a new name");
            let text = graph.to_string();
            let back = read("t.fx", &text).map_err(|e| TestCaseError::fail(e.report(false)))?;
            prop_assert_eq!(back.to_string(), text.clone());
            prop_assert!(back == graph, "{}", text);
            prop_assert_eq!(unreadable(&graph), None);
        }

        /// A string of any letters reads back, or the reader says that it does not.
        #[test]
        fn strings_read_back_or_it_is_known(text in "\\PC{0,12}|[a-z0-9,.:%(){}\\[\\]'\" =\n]{0,12}") {
            let mut graph = Graph::default();
            let call = Node::new(Op::CallFunction, "f", "m.f").with_args([Argument::Int(1), Argument::Str(text.clone())]);
            graph.push(call.with_kwargs([("k".to_owned(), Argument::Str(text))])).expect("a new name");
            let back = read("t.fx", &graph.to_string()).ok();
            prop_assert_eq!(back.is_some_and(|back| back == graph), unreadable(&graph).is_none());
        }

        #[test]
        fn no_text_panics(text in "graph\\(\\):\n[%a-z0-9_ :=,.()\\[\\]{}'\"\\\\\n…-]{0,60}") {
            let _ = read("t.fx", &text);
        }
    }
}

/// The document shows the grammar that is run.
#[test]
fn the_document_has_the_grammar() {
    let document = include_str!("../../../docs/fx-text.md");
    let grammar = include_str!("../src/text/fx.pest");
    let mark = "`UPDATE_EXPECT=1` writes it. -->\n\n";
    let head = document.find(mark).map(|at| &document[..at + mark.len()]).expect("the place of the grammar");
    expect_test::expect_file!["../../../docs/fx-text.md"].assert_eq(&format!("{head}```pest\n{grammar}```\n"));
}

/// Its example reads, and prints as it stands there.
#[test]
fn the_document_s_example_reads() {
    let document = include_str!("../../../docs/fx-text.md");
    let example = document.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    assert_eq!(say(example), example);
}
