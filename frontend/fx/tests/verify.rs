//! Graphs that PyTorch exported keep to the rules, and each broken one is told which rule it breaks, and where.

use expect_test::expect;
use sconce_corpus::testdata;
use sconce_fx::text::read;
use sconce_fx::verify::{Dialect, Rule, verify, verify_graph};
use sconce_fx::{Argument, Graph, GraphModule, Meta, Node, Op, SymExpr, TensorMeta, Val};
use sconce_schema::{DType, Layout};

/// The breaches of a text in the functional dialect, a line each.
fn broken(text: &str) -> String {
    let graph = read("t.fx", text).expect("FX text");
    verify_graph(&graph, Dialect::Functional).iter().map(|b| format!("{b}\n")).collect()
}

#[test]
fn broken_graphs_are_told_what_they_break() {
    let relu = "%r : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})";
    let x = "%x : [num_users=1] = placeholder[target=x]";
    let texts = [
        "graph():\n".to_owned(),
        format!("graph():\n    {x}\n    {relu}\n    %y : [num_users=0] = placeholder[target=y]\n    return r\n"),
        format!("graph():\n    {x}\n    %r : [num_users=0] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {{}})\n"),
        "graph():\n    %x = placeholder[target=x]\n    return x\n    return x\n".to_owned(),
        format!("graph():\n    {x}\n    return 1\n    %r : [num_users=0] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {{}})\n"),
        format!("graph():\n    {relu}\n    {x}\n    return r\n"),
        "graph():\n    %a : [num_users=2] = call_function[target=torch.ops.aten.add.Tensor](args = (%a, %b), kwargs = {})\n    %b : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%a,), kwargs = {})\n    return 1\n".to_owned(),
        format!("graph():\n    {x}\n    %r : [num_users=1] = call_function[target=torch.ops.aten.add_.Tensor](args = (%x, 1), kwargs = {{}})\n    return r\n"),
        format!("graph():\n    {x}\n    %r : [num_users=1] = call_method[target=relu](args = (%x,), kwargs = {{}})\n    return r\n"),
        format!("graph():\n    {x}\n    %r : [num_users=1] = call_module[target=lin.0](args = (%x,), kwargs = {{}})\n    return r\n"),
        "graph():\n    %w : [num_users=1] = get_attr[target=lin.weight]\n    %r : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%w,), kwargs = {})\n    return r\n".to_owned(),
        format!("graph():\n    {x}\n    %r : [num_users=1] = call_function[target=torch.nn.functional.relu](args = (%x,), kwargs = {{}})\n    return r\n"),
        format!("graph():\n    {x}\n    %r : [num_users=1] = call_function[target=torch.ops.aten.relu](args = (%x,), kwargs = {{}})\n    return r\n"),
        format!("graph():\n    {x}\n    %r : [num_users=1] = call_function[target=torch.ops.mine.relu.default](args = (%x,), kwargs = {{}})\n    return r\n"),
        format!("graph():\n    {x}\n    %r : [num_users=1] = call_function[target=operator.iadd](args = (%x, 1), kwargs = {{}})\n    return r\n"),
        format!("graph():\n    {x}\n    output[](args = (%x, 1))\n"),
        "graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %y : [num_users=0] = placeholder[target=y](default=%x)\n    return 1\n".to_owned(),
        "graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %w : [num_users=1] = placeholder[target=w]\n    %b : [num_users=1] = call_function[target=torch.ops.aten.batch_norm.default](args = (%x, None, None, %w, None, True, 0.1, 1e-05, False), kwargs = {})\n    return b\n".to_owned(),
        "graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %w : [num_users=1] = placeholder[target=w]\n    %a : [num_users=1] = call_function[target=torch.ops.aten.add.out](args = (%x, 1), kwargs = {out: %w})\n    return a\n".to_owned(),
    ];
    let said: Vec<String> = texts.iter().map(|text| broken(text)).collect();
    assert!(said.iter().all(|s| !s.is_empty()), "{said:#?}");
    expect![[r#"
        the graph has no nodes; the smallest has an output (not-empty)

        t.fx:4:4: node `y`: placeholders come first, and `r` stands before it (placeholders-first)

        t.fx:3:4: node `r`: no output follows; a graph has one, and it is the last node (one-output)

        t.fx:4:4: node `output_1`: `output` is the output already (one-output)

        t.fx:4:4: node `r`: it stands behind the output `output` (output-last)

        t.fx:2:4: node `r`: it uses `x`, which comes behind it (defined-before-use)
        t.fx:3:4: node `x`: placeholders come first, and `r` stands before it (placeholders-first)

        t.fx:2:4: node `a`: it uses itself (defined-before-use)
        t.fx:2:4: node `a`: it uses `b`, which comes behind it (defined-before-use)

        t.fx:3:4: node `r`: aten::add_.Tensor writes its argument `self`; functionalised graphs give what it would leave there (functional)

        t.fx:3:4: node `r`: it calls the method `relu`; exported graphs call operators (functions-only)

        t.fx:3:4: node `r`: it calls the module `lin.0`; exported graphs have the calls that the module makes (functions-only)

        t.fx:2:4: node `w`: `lin.weight` is no submodule: `r` uses it as a value, and parameters, buffers and constants are inputs of exported graphs (submodule)

        t.fx:3:4: node `r`: `torch.nn.functional.relu` is no operator; expected `torch.ops.…`, or a function of symbolic numbers (operator)

        t.fx:3:4: node `r`: `torch.ops.aten.relu` names no overload; expected one, or `torch.ops.aten.relu.default` (operator)

        t.fx:3:4: node `r`: no operator `mine::relu` is known; one of your own is to be registered with its schema (operator)

        t.fx:3:4: node `r`: operator.iadd writes its first argument (functional)

        t.fx:3:4: node `output`: an output has one argument, found 2 (one-value)

        t.fx:3:4: node `y`: a placeholder has one argument at most, its default value, which is a constant (default-value)

        t.fx:4:4: node `b`: aten::batch_norm writes its argument `running_mean`; functionalised graphs give what it would leave there (functional)

        t.fx:4:4: node `a`: aten::add.out writes its argument `out`; functionalised graphs give what it would leave there (functional)
    "#]].assert_eq(&said.join("\n"));
}

#[test]
fn small_graphs_are_valid() {
    let texts = [
        "graph():\n    return ()\n",
        "graph():\n    return None\n",
        "graph():\n    %x : [num_users=1] = placeholder[target=x](default=(1, [None, 2.5]))\n    return x\n",
        "graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %g : [num_users=1] = get_attr[target=g]\n    %c : [num_users=1] = call_function[target=torch.ops.higher_order.cond](args = (%x, %g, %g, (%x,)), kwargs = {})\n    return c\n",
    ];
    for text in texts {
        assert_eq!(broken(text), "", "{text}");
        let graph = read("t.fx", text).expect("FX text");
        assert_eq!(format!("{graph}\n"), text);
    }
}

#[test]
fn submodules_are_there_and_keep_to_the_rules() {
    let inner = |text: &str| GraphModule::new(read("inner.fx", text).expect("FX text"));
    let mut root = inner(
        "graph():\n    %p : [num_users=1] = placeholder[target=p]\n    %g : [num_users=1] = get_attr[target=g]\n    %h : [num_users=1] = get_attr[target=h]\n    %c : [num_users=1] = call_function[target=torch.ops.higher_order.cond](args = (%p, %g, %h, ()), kwargs = {})\n    return c\n",
    );
    root.submodules.insert("g".to_owned(), inner("graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %s : [num_users=0] = call_function[target=torch.ops.aten.sin_.default](args = (%x,), kwargs = {})\n    return ()\n"));
    let said = |dialect| verify(&root, dialect).iter().map(|b| format!("{b}\n")).collect::<String>();
    expect![[r#"
        inner.fx:4:4: node `h`: there is no submodule `h` (submodule)
        inner.fx:3:4: graph `g`: node `s`: aten::sin_ writes its argument `self`; functionalised graphs give what it would leave there (functional)
    "#]].assert_eq(&said(Dialect::Functional));
    expect![[r#"
        inner.fx:4:4: node `h`: there is no submodule `h` (submodule)
    "#]]
    .assert_eq(&said(Dialect::Training));
}

#[test]
fn tensors_are_not_added_by_python() {
    let mut graph = Graph::default();
    let meta = TensorMeta {
        dtype: DType::F32,
        sizes: vec![SymExpr::symbol("s0")],
        strides: vec![1.into()],
        storage_offset: 0.into(),
        device: "cpu".parse().expect("a device"),
        layout: Layout::Strided,
        requires_grad: false,
    };
    let stack_trace = Some("File \"m.py\", line 3, in forward\n    return x + 1\n".to_owned());
    let x = Node::new(Op::Placeholder, "x", "x").with_meta(Meta { val: Some(Val::Tensor(meta)), ..Meta::default() });
    let x = graph.push(x).expect("a new name");
    let add = Node::new(Op::CallFunction, "add", "operator.add").with_args([Argument::Node(x), Argument::Int(1)]);
    let add = graph.push(add.with_meta(Meta { stack_trace, ..Meta::default() })).expect("a new name");
    graph.push(Node::new(Op::Output, "output", "output").with_args([Argument::Node(add)])).expect("a new name");
    let said: String = verify_graph(&graph, Dialect::Functional).iter().map(|b| b.to_string()).collect();
    expect!["node `add`: operator.add computes with numbers, and `x` is none (operator), from File: m.py:3 in forward, code: return x + 1"].assert_eq(&said);
}

/// What PyTorch decomposed is functional; what it exported need not be, and is told what writes.
#[test]
fn recorded_graphs_keep_to_their_dialects() {
    let corpus = testdata("export").expect("testdata/export.tar.zst");
    let mut said = String::new();
    let mut counts = [0; 2];
    for (path, bytes) in corpus.iter() {
        let text = std::str::from_utf8(bytes).unwrap_or_default();
        let dialect = match path.rsplit('/').next() {
            Some("graph.txt") => Dialect::Training,
            Some("core.txt") if text.starts_with("graph()") => Dialect::Functional,
            _ => continue,
        };
        counts[usize::from(dialect == Dialect::Functional)] += 1;
        let graph = read(path, text).expect("FX text");
        said.extend(verify_graph(&graph, dialect).iter().map(|b| format!("{b}\n")));
        if dialect == Dialect::Training {
            let writes = verify_graph(&graph, Dialect::Functional);
            let writes = writes.iter().filter(|b| b.rule == Rule::Functional);
            said.extend(writes.map(|b| format!("not functional: {b}\n")));
        }
    }
    expect![[r#"
        57 exported, 35 decomposed
        not functional: batch_norm_train/graph.txt:8:4: node `add_`: aten::add_.Tensor writes its argument `self`; functionalised graphs give what it would leave there (functional)
        not functional: batch_norm_train/graph.txt:9:4: node `batch_norm`: aten::batch_norm writes its arguments `running_mean` and `running_var`; functionalised graphs give what it would leave there (functional)
        not functional: buffer_mutation/graph.txt:5:4: node `add_`: aten::add_.Tensor writes its argument `self`; functionalised graphs give what it would leave there (functional)
        not functional: buffer_mutation/graph.txt:6:4: node `mul_`: aten::mul_.Tensor writes its argument `self`; functionalised graphs give what it would leave there (functional)
        not functional: constants/graph.txt:7:4: node `detach_`: aten::detach_ writes its argument `self`; functionalised graphs give what it would leave there (functional)
        not functional: creation/graph.txt:10:4: node `detach_`: aten::detach_ writes its argument `self`; functionalised graphs give what it would leave there (functional)
        not functional: index_put/graph.txt:5:4: node `index_fill_`: aten::index_fill_.int_Scalar writes its argument `self`; functionalised graphs give what it would leave there (functional)
        not functional: index_put/graph.txt:7:4: node `add_`: aten::add_.Tensor writes its argument `self`; functionalised graphs give what it would leave there (functional)
        not functional: index_put/graph.txt:9:4: node `copy_`: aten::copy_ writes its argument `self`; functionalised graphs give what it would leave there (functional)
        not functional: input_mutation/graph.txt:3:4: node `mul_`: aten::mul_.Tensor writes its argument `self`; functionalised graphs give what it would leave there (functional)
        not functional: kv_cache/graph.txt:16:4: node `copy_`: aten::copy_ writes its argument `self`; functionalised graphs give what it would leave there (functional)
    "#]].assert_eq(&format!("{} exported, {} decomposed\n{said}", counts[0], counts[1]));
}
