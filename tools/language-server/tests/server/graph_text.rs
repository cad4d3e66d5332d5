//! Questions about graph text: the cursor is `$0` in a text, answers are in words.

use crate::ask::{completions, definitions, findings, findings_of, hover, references, rename, symbols};
use expect_test::expect;

const G: &str = "g.graph";

const TWO: &str = "\
== __torch__.M.forward
graph(%self : __torch__.M, %x.1 : Float(2, 3)):
  %y : Tensor = prim::CallMethod[name=\"helper\"](%self, %x.1)
  %f : Future(Tensor) = prim::fork_0(%y)
  %z : Tensor = aten::wait(%f)
  return (%z)
with prim::fork_0 = graph(%x.1 : Tensor):
  %y : Tensor = aten::relu(%x.1)
  return (%y)
== __torch__.M.helper
graph(%self : __torch__.M, %x.1 : Tensor):
  %größe : Tensor = aten::sigmoid(%x.1) # m.py:3:8
  return (%größe)
";

#[test]
fn every_listing_has_its_first_error() {
    let text = "\
== f
graph(%x : Tensor):
  %y : Tensor = aten::relu(%größe)
  return (%y)
== g
graph(%x : Tensor):
  %y : Tensor = aten::relu %x
  return (%y)
== h
graph(%x : Tensor, %c : int):
  %y : Tensor = aten::add(%x, %c)
  %y : Tensor = aten::sigmoidd(%x)
  %z : Tensor = mine::op(%x)
  return (%y)
";
    findings(
        G,
        text,
        &expect![[r#"
            error 2:27-2:33 %größe
                no value is called %größe here; expected one defined above
            error 6:27-6:28 %
                expected `(` or `[`, found `%`
            warning 10:16-10:25 aten::add
                Arguments for call are not valid.
                The following variants are available:
      
                  aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor:
                  Expected 3 arguments, found 2.
      
                  aten::add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor:
                  Expected 3 arguments, found 2.
      
                  aten::add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!):
                  Expected 4 arguments, found 2.
      
                  aten::add.Scalar_out(Tensor self, Scalar other, Scalar alpha=1, *, Tensor(a!) out) -> Tensor(a!):
                  Expected 4 arguments, found 2.
      
                  aten::add.t(t[] a, t[] b) -> t[]:
                  Expected a value of type 'List[t]' for argument 'a' but instead found type 'Tensor'.
      
                  aten::add.str(str a, str b) -> str:
                  Expected a value of type 'str' for argument 'a' but instead found type 'Tensor'.
      
                  aten::add.int(int a, int b) -> int:
                  Expected a value of type 'int' for argument 'a' but instead found type 'Tensor'.
      
                  aten::add.complex(complex a, complex b) -> complex:
                  Expected a value of type 'complex' for argument 'a' but instead found type 'Tensor'.
      
                  aten::add.float(float a, float b) -> float:
                  Expected a value of type 'float' for argument 'a' but instead found type 'Tensor'.
      
                  aten::add.int_complex(int a, complex b) -> complex:
                  Expected a value of type 'int' for argument 'a' but instead found type 'Tensor'.
      
                  aten::add.complex_int(complex a, int b) -> complex:
                  Expected a value of type 'complex' for argument 'a' but instead found type 'Tensor'.
      
                  aten::add.float_complex(float a, complex b) -> complex:
                  Expected a value of type 'float' for argument 'a' but instead found type 'Tensor'.
      
                  aten::add.complex_float(complex a, float b) -> complex:
                  Expected a value of type 'complex' for argument 'a' but instead found type 'Tensor'.
      
                  aten::add.int_float(int a, float b) -> float:
                  Expected a value of type 'int' for argument 'a' but instead found type 'Tensor'.
      
                  aten::add.float_int(float a, int b) -> float:
                  Expected a value of type 'float' for argument 'a' but instead found type 'Tensor'.
      
                  aten::add(Scalar a, Scalar b) -> Scalar:
                  Expected a value of type 'number' for argument 'a' but instead found type 'Tensor'.
            error 11:2-11:4 %y
                %y is defined again; from here on it means this value
            warning 11:16-11:30 aten::sigmoidd
                no operator is called aten::sigmoidd; did you mean aten::sigmoid?
        "#]],
    );
    findings(G, TWO, &expect![[""]]);
    findings(
        G,
        "graph(%x : Tensor):\n  return (%x)\n\nmore\n",
        &expect![[r#"
        warning 3:0-3:1 m
            the text after the end of the graph is passed over
    "#]],
    );
    findings(
        G,
        "graph(%c : bool):\n  %x : int = prim::If(%c)\n    block0():\n      -> ()\n  return (%x)\n",
        &expect![[r#"
            error 1:2-1:25 %x : int = prim::If(%c)
                prim::If has two blocks, not 1
        "#]],
    );
}

#[test]
fn values_are_told_apart_by_their_graphs() {
    hover(
        G,
        &TWO.replacen("%x.1)\n  %f", "%x$0.1)\n  %f", 1),
        &expect![[r#"
        2:55-2:59 %x.1
        ```torchscript-graph
        %x.1 : Float(2, 3)
        ```

        The value is input 1 of the graph, used once
    "#]],
    );
    hover(
        G,
        &TWO.replace("aten::relu", "aten::re$0lu"),
        &expect![[r#"
        7:16-7:26 aten::relu
        ```text
        aten::relu(Tensor self) -> Tensor
        ```

        Other overloads:

        ```text
        aten::relu.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
        ```

        Operator of the family `activation`
    "#]],
    );
    hover(
        G,
        &TWO.replace("aten::wait", "prim::wa$0it"),
        &expect![[r#"
        nothing
    "#]],
    );
    definitions(
        G,
        &TWO.replace("aten::relu(%x", "aten::relu(%$0x"),
        &expect![[r#"
        6:26-6:30 %x.1
    "#]],
    );
    definitions(
        G,
        &TWO.replace("return (%größe", "return (%grö$0ße"),
        &expect![[r#"
        11:2-11:8 %größe
    "#]],
    );
    references(
        G,
        &TWO.replace("aten::relu(%x", "aten::relu(%$0x"),
        &expect![[r#"
        6:26-6:30 %x.1
        7:27-7:31 %x.1
    "#]],
    );
}

#[test]
fn values_are_renamed_in_their_graph() {
    rename(
        G,
        &TWO.replace("return (%größe", "return (%grö$0ße"),
        "size.2",
        &expect![[r#"
        11:2-11:8 %größe -> %size.2
        12:10-12:16 %größe -> %size.2
    "#]],
    );
    rename(
        G,
        &TWO.replace("return (%größe", "return (%grö$0ße"),
        "%x.1",
        &expect![[r#"
        refused: a value of the graph is called %x.1 already
    "#]],
    );
    rename(
        G,
        &TWO.replace("return (%größe", "return (%grö$0ße"),
        "a b",
        &expect![[r#"
        refused: %a b is no name of a value: letters, digits, `_` and `.` are expected
    "#]],
    );
    rename(
        G,
        &TWO.replace("aten::relu", "aten::$0relu"),
        "x",
        &expect![[r#"
        refused: there is no value here: only values of graphs can be renamed
    "#]],
    );
}

#[test]
fn the_outline_has_graphs_and_their_blocks() {
    symbols(
        G,
        TWO,
        &expect![[r#"
        12 __torch__.M.forward (%self : __torch__.M, %x.1 : Float(2, 3)): 1:0-1:47 graph(%self : __torch__.M, %x.1 : Float(2, 3)):, to 8:12
          12 prim::fork_0 (%x.1 : Tensor): 6:0-6:41 with prim::fork_0 = graph(%x.1 : Tensor):, to 8:12
        12 __torch__.M.helper (%self : __torch__.M, %x.1 : Tensor): 10:0-10:42 graph(%self : __torch__.M, %x.1 : Tensor):, to 12:16
    "#]],
    );
}

#[test]
fn completions_are_operators_and_values_of_the_graph() {
    completions(
        G,
        "graph(%x : Tensor):\n  %y : Tensor = aten::_weight$0\n",
        &expect![[r#"
        aten::_weight_norm: aten::_weight_norm(Tensor v, Tensor g, int dim=0) -> Tensor
        aten::_weight_norm_interface: aten::_weight_norm_interface(Tensor v, Tensor g, int dim=0) -> (Tensor, Tensor)
        aten::_weight_norm_interface_backward: aten::_weight_norm_interface_backward(Tensor grad_w, Tensor saved_v, Tensor saved_g, Tensor saved_norms, int dim) -> (Tensor, Tensor)
    "#]],
    );
    completions(
        G,
        "== f\ngraph(%a : Tensor):\n  return (%a)\n== g\ngraph(%x.1 : Tensor, %x.2 : int):\n  %y : Tensor = aten::relu(%x$0\n",
        &expect![[r#"
            %x.1
            %x.2
        "#]],
    );
    completions(G, "graph(%x : Tensor):\n  $0\n", &expect![[""]]);
}

#[test]
fn text_of_other_languages_is_left_alone() {
    findings("m.mlir", "func.func @f() {", &expect![[""]]);
    findings("f.txt", "Dear reader,\n", &expect![[""]]);
    findings("f.txt", "== __torch__.f\ndef f(x):\n    return x\n", &expect![[""]]);
    findings(
        "f.txt",
        "# of f\n\n== __torch__.f\ngraph(%x : Tensor):\n  return (%y)\n",
        &expect![[r#"
        error 4:10-4:12 %y
            no value is called %y here; expected one defined above
    "#]],
    );
    findings_of("python", "m.py", "import numpy\nprint(numpy.zeros(3) @ nothing)\n", &expect![[""]]);
    findings(
        "m.py",
        "# Sconce 1, no tensors\n# == __torch__/m.py\nclass M(Module):\n",
        &expect![[r#"
        information 0:0-0:1 #
            the code of an archive with its state, which is not analysed
    "#]],
    );
    let fx = "graph():\n    %x : [num_users=1] = placeholder[target=x]\n    return x\n";
    findings(
        G,
        fx,
        &expect![[r#"
        information 0:0-0:1 g
            the text of a program of torch.export, which is not analysed
    "#]],
    );
}

#[test]
fn hostile_texts_are_told_and_not_followed() {
    findings(
        G,
        &format!("graph(%x : {}", "(".repeat(100_000)),
        &expect![[r#"
        error 0:74-0:75 (
            brackets nest deeper than 64
    "#]],
    );
    findings(
        G,
        &("graph():\n".to_owned() + &" = prim::If()\n block0():\n".repeat(30_000)),
        &expect![[r#"
        error 402:1-402:10 block0():
            blocks nest deeper than 200
    "#]],
    );
    let circle = "graph():\n   = a::G_0()\n  return ()\nwith a::G_0 = graph():\n   = a::G_0()\n  return ()\n";
    findings(
        G,
        circle,
        &expect![[r#"
        error 0:0-0:8 graph():
            the `with` graphs refer to each other in a circle, or nest too deeply
    "#]],
    );
}
