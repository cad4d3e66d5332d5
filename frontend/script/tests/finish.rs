//! What the compiler emits against what PyTorch shows, as text: variables, exits, conditions of loops, closures.

use expect_test::{Expect, expect};
use sconce_graph::lint::lint;
use sconce_graph::listing::{from_listing, to_listing};
use sconce_script::finish::finish;
use sconce_syntax::graph_text;

fn check(text: &str, expected: Expect) {
    let listing = graph_text::read("emitted", text).expect("the text is a listing");
    let mut graph = from_listing(&listing).expect("the listing is a graph");
    if let Err(error) = finish(&mut graph) {
        expected.assert_eq(&error.to_string());
        return;
    }
    lint(&graph).expect("the result is a proper graph");
    expected.assert_eq(&to_listing(&graph).to_string());
}

#[test]
fn a_variable_that_a_branch_sets_is_merged() {
    check(
        r#"graph(%x.1 : Tensor, %c.1 : bool):
   = prim::Store[name="x"](%x.1)
   = prim::Store[name="c"](%c.1)
  %3 : bool = prim::Load[name="c"]()
   = prim::If(%3)
    block0():
      %4 : Tensor = prim::Load[name="x"]()
      %5 : Tensor = aten::relu(%4)
       = prim::Store[name="x"](%5)
      -> ()
    block1():
      %local.1 : int = prim::Constant[value=1]()
       = prim::Store[name="local"](%local.1)
      -> ()
  %6 : Tensor = prim::Load[name="x"]()
   = prim::ReturnStmt(%6)
  return ()
"#,
        expect![[r#"
            graph(%x.1 : Tensor,
                  %c.1 : bool):
              %x : Tensor = prim::If(%c.1)
                block0():
                  %0 : Tensor = aten::relu(%x.1)
                  -> (%0)
                block1():
                  -> (%x.1)
              return (%x)
        "#]],
    );
}

#[test]
fn a_loop_carries_what_it_changes() {
    check(
        r#"graph(%n.1 : int):
   = prim::Store[name="n"](%n.1)
  %z : int = prim::Constant[value=0]()
   = prim::Store[name="i"](%z)
  %max : int = prim::Constant[value=9223372036854775807]()
   = prim::Loop(%max)
    block0(%t : int):
      %one : int = prim::Constant[value=1]()
      %i1 : int = prim::Load[name="i"]()
      %i2 : int = aten::add(%i1, %one)
       = prim::Store[name="i"](%i2)
      -> ()
    block1():
      %i3 : int = prim::Load[name="i"]()
      %n3 : int = prim::Load[name="n"]()
      %lt : bool = aten::lt(%i3, %n3)
      -> (%lt)
  %r : int = prim::Load[name="i"]()
   = prim::ReturnStmt(%r)
  return ()
"#,
        expect![[r#"
            graph(%n.1 : int):
              %one.1 : int = prim::Constant[value=1]()
              %max.1 : int = prim::Constant[value=9223372036854775807]()
              %z.1 : int = prim::Constant[value=0]()
              %lt.1 : bool = aten::lt(%z.1, %n.1)
              %i : int = prim::Loop(%max.1, %lt.1, %z.1)
                block0(%t.1 : int, %i.1 : int):
                  %i2.1 : int = aten::add(%i.1, %one.1)
                  %lt.2 : bool = aten::lt(%i2.1, %n.1)
                  -> (%lt.2, %i2.1)
              return (%i)
        "#]],
    );
}

#[test]
fn break_in_a_counted_loop_makes_it_count_itself() {
    check(
        r#"graph(%n.1 : int):
   = prim::Store[name="n"](%n.1)
  %z : int = prim::Constant[value=0]()
   = prim::Store[name="s"](%z)
  %n2 : int = prim::Load[name="n"]()
  %true : bool = prim::Constant[value=1]()
   = prim::Loop(%n2)
    block0(%i : int):
       = prim::Store[name="i"](%i)
      %s1 : int = prim::Load[name="s"]()
      %i1 : int = prim::Load[name="i"]()
      %s2 : int = aten::add(%s1, %i1)
       = prim::Store[name="s"](%s2)
      %ten : int = prim::Constant[value=10]()
      %s3 : int = prim::Load[name="s"]()
      %gt : bool = aten::gt(%s3, %ten)
       = prim::If(%gt)
        block0():
           = prim::BreakStmt()
          -> ()
        block1():
          -> ()
      -> ()
    block1():
      -> (%true)
  %r : int = prim::Load[name="s"]()
   = prim::ReturnStmt(%r)
  return ()
"#,
        expect![[r#"
            graph(%n.1 : int):
              %ten.1 : int = prim::Constant[value=10]()
              %0 : int = prim::Constant[value=9223372036854775807]()
              %1 : int = prim::Constant[value=1]()
              %true.1 : bool = prim::Constant[value=1]()
              %z.1 : int = prim::Constant[value=0]()
              %2 : bool = prim::Constant[value=0]()
              %3 : bool = aten::gt(%n.1, %z.1)
              %s : int, %4 : int = prim::Loop(%0, %3, %z.1, %z.1)
                block0(%5 : int, %s.1 : int, %6 : int):
                  %s2.1 : int = aten::add(%s.1, %6)
                  %gt.1 : bool = aten::gt(%s2.1, %ten.1)
                  %7 : bool = prim::If(%gt.1)
                    block0():
                      -> (%2)
                    block1():
                      -> (%true.1)
                  %8 : int = aten::add(%6, %1)
                  %9 : bool = aten::lt(%8, %n.1)
                  %10 : bool = aten::__and__(%9, %7)
                  -> (%10, %s2.1, %8)
              return (%s)
        "#]],
    );
}

#[test]
fn continue_computes_the_condition_where_it_stands() {
    check(
        r#"graph(%n.1 : int):
   = prim::Store[name="n"](%n.1)
  %max : int = prim::Constant[value=9223372036854775807]()
  %three : int = prim::Constant[value=3]()
   = prim::Loop(%max)
    block0(%t : int):
      %a : int = prim::Load[name="n"]()
      %b : int = aten::sub(%a, %three)
       = prim::Store[name="n"](%b)
      %c : int = prim::Load[name="n"]()
      %eq : bool = aten::eq(%c, %three)
       = prim::If(%eq)
        block0():
           = prim::ContinueStmt()
          -> ()
        block1():
          -> ()
      %d : int = prim::Load[name="n"]()
       = prim::Print(%d)
      -> ()
    block1():
      %e : int = prim::Load[name="n"]()
      %gt : bool = aten::gt(%e, %three)
      -> (%gt)
  %r : int = prim::Load[name="n"]()
   = prim::ReturnStmt(%r)
  return ()
"#,
        expect![[r#"
            graph(%n.1 : int):
              %three.1 : int = prim::Constant[value=3]()
              %max.1 : int = prim::Constant[value=9223372036854775807]()
              %gt.1 : bool = aten::gt(%n.1, %three.1)
              %n : int = prim::Loop(%max.1, %gt.1, %n.1)
                block0(%t.1 : int, %n.2 : int):
                  %b.1 : int = aten::sub(%n.2, %three.1)
                  %eq.1 : bool = aten::eq(%b.1, %three.1)
                  %0 : bool = prim::If(%eq.1)
                    block0():
                      %gt.2 : bool = aten::gt(%b.1, %three.1)
                      -> (%gt.2)
                    block1():
                       = prim::Print(%b.1)
                      %gt.3 : bool = aten::gt(%b.1, %three.1)
                      -> (%gt.3)
                  -> (%0, %b.1)
              return (%n)
        "#]],
    );
}

#[test]
fn an_early_return_and_the_last_one_are_one_if() {
    check(
        r#"graph(%x.1 : Tensor, %c.1 : bool):
  %3 : int = prim::Constant[value=1]()
   = prim::If(%c.1)
    block0():
      %4 : Tensor = aten::add(%x.1, %x.1, %3)
       = prim::ReturnStmt(%4)
      -> ()
    block1():
      -> ()
  %5 : Tensor = aten::relu(%x.1)
   = prim::ReturnStmt(%5)
  return ()
"#,
        expect![[r#"
            graph(%x.1 : Tensor,
                  %c.1 : bool):
              %0 : int = prim::Constant[value=1]()
              %1 : Tensor = prim::If(%c.1)
                block0():
                  %2 : Tensor = aten::add(%x.1, %x.1, %0)
                  -> (%2)
                block1():
                  %3 : Tensor = aten::relu(%x.1)
                  -> (%3)
              return (%1)
        "#]],
    );
}

#[test]
fn return_from_a_loop_leaves_it_by_a_flag() {
    check(
        r#"graph(%x.1 : Tensor, %n.1 : int):
  %true : bool = prim::Constant[value=1]()
   = prim::Loop(%n.1)
    block0(%i : int):
      %three : int = prim::Constant[value=3]()
      %eq : bool = aten::eq(%i, %three)
       = prim::If(%eq)
        block0():
           = prim::ReturnStmt(%x.1)
          -> ()
        block1():
          -> ()
      -> ()
    block1():
      -> (%true)
  %5 : Tensor = aten::relu(%x.1)
   = prim::ReturnStmt(%5)
  return ()
"#,
        expect![[r#"
            graph(%x.1 : Tensor,
                  %n.1 : int):
              %three.1 : int = prim::Constant[value=3]()
              %0 : int = prim::Constant[value=9223372036854775807]()
              %1 : int = prim::Constant[value=1]()
              %2 : int = prim::Constant[value=0]()
              %3 : bool = prim::Constant[value=0]()
              %4 : bool = prim::Constant[value=1]()
              %5 : Tensor = prim::Uninitialized()
              %6 : bool = aten::gt(%n.1, %2)
              %7 : bool, %8 : Tensor, %9 : int = prim::Loop(%0, %6, %3, %5, %2)
                block0(%10 : int, %11 : bool, %12 : Tensor, %13 : int):
                  %eq.1 : bool = aten::eq(%13, %three.1)
                  %14 : bool, %15 : bool, %16 : Tensor = prim::If(%eq.1)
                    block0():
                      -> (%3, %4, %x.1)
                    block1():
                      -> (%4, %3, %5)
                  %17 : int = aten::add(%13, %1)
                  %18 : bool = aten::lt(%17, %n.1)
                  %19 : bool = aten::__and__(%18, %14)
                  -> (%19, %15, %16, %17)
              %20 : Tensor = prim::If(%7)
                block0():
                  -> (%8)
                block1():
                  %21 : Tensor = aten::relu(%x.1)
                  -> (%21)
              return (%20)
        "#]],
    );
}

#[test]
fn a_branch_that_raises_does_not_need_a_flag() {
    check(
        r#"graph(%x.1 : Tensor, %c.1 : bool):
  %m : str = prim::Constant[value="bad"]()
  %none : NoneType = prim::Constant()
   = prim::If(%c.1)
    block0():
       = prim::RaiseException(%m, %none)
      %dead : Tensor = aten::neg(%x.1)
      -> ()
    block1():
       = prim::ReturnStmt(%x.1)
      -> ()
  %5 : Tensor = aten::relu(%x.1)
   = prim::ReturnStmt(%5)
  return ()
"#,
        expect![[r#"
            graph(%x.1 : Tensor,
                  %c.1 : bool):
              %none.1 : NoneType = prim::Constant()
              %m.1 : str = prim::Constant[value="bad"]()
              %0 : Tensor = prim::Uninitialized()
              %1 : Tensor = prim::If(%c.1)
                block0():
                   = prim::RaiseException(%m.1, %none.1)
                  -> (%0)
                block1():
                  -> (%x.1)
              return (%1)
        "#]],
    );
}

#[test]
fn a_with_block_is_left_before_its_function_is() {
    check(
        r#"graph(%x.1 : Tensor, %s.1 : __torch__.S, %c.1 : bool):
  %e : Tensor = prim::Enter(%s.1)
   = prim::If(%c.1)
    block0():
       = prim::ReturnStmt(%e)
      -> ()
    block1():
      -> ()
  %y : Tensor = aten::relu(%x.1)
  %l : Any = prim::Exit(%s.1)
   = prim::ReturnStmt(%y)
  return ()
"#,
        expect![[r#"
            graph(%x.1 : Tensor,
                  %s.1 : __torch__.S,
                  %c.1 : bool):
              %0 : bool = prim::Constant[value=0]()
              %1 : bool = prim::Constant[value=1]()
              %2 : Tensor = prim::Uninitialized()
              %e.1 : Tensor = prim::Enter(%s.1)
              %3 : bool, %4 : Tensor, %y : Tensor = prim::If(%c.1)
                block0():
                  -> (%1, %e.1, %2)
                block1():
                  %y.1 : Tensor = aten::relu(%x.1)
                  -> (%0, %2, %y.1)
              %l.1 : Any = prim::Exit(%s.1)
              %5 : Tensor = prim::If(%3)
                block0():
                  -> (%4)
                block1():
                  -> (%y)
              return (%5)
        "#]],
    );
}

#[test]
fn what_a_comprehension_names_stays_in_it() {
    check(
        r#"graph(%x.1 : int):
   = prim::Store[name="x"](%x.1)
   = prim::ComprehensionScope()
    block0():
      %1 : int = prim::Constant[value=7]()
       = prim::Store[name="x"](%1)
      %2 : int = prim::Load[name="x"]()
       = prim::Print(%2)
      -> ()
  %3 : int = prim::Load[name="x"]()
   = prim::ReturnStmt(%3)
  return ()
"#,
        expect![[r#"
            graph(%x.1 : int):
              %0 : int = prim::Constant[value=7]()
               = prim::Print(%0)
              return (%x.1)
        "#]],
    );
}

#[test]
fn a_forked_closure_takes_what_it_uses() {
    check(
        r#"graph(%x.1 : Tensor, %k.1 : int):
   = prim::Store[name="x"](%x.1)
  %f : NoneType = prim::Closure()
    block0():
      %1 : Tensor = prim::Load[name="x"]()
      %2 : Tensor = aten::add(%1, %1, %k.1)
       = prim::ReturnStmt(%2)
      -> ()
  %3 : Future[Tensor] = prim::forkClosure(%f)
  %4 : Tensor = aten::wait(%3)
   = prim::ReturnStmt(%4)
  return ()
"#,
        expect![[r#"
            graph(%x.1 : Tensor,
                  %k.1 : int):
              %0 : Future[Tensor] = prim::fork_0(%x.1, %k.1)
              %1 : Tensor = aten::wait(%0)
              return (%1)
            with prim::fork_0 = graph(%x.1 : Tensor,
                  %k.1 : int):
              %0 : Tensor = aten::add(%x.1, %x.1, %k.1)
              return (%0)
        "#]],
    );
}

#[test]
fn other_names_of_operators_are_replaced() {
    check(
        r#"graph(%x.1 : Tensor, %a.1 : bool, %b.1 : bool):
  %1 : Tensor = aten::absolute(%x.1)
  %2 : Tensor = aten::multiply_(%1, %x.1)
  %3 : bool = aten::__is__(%a.1, %b.1)
  %k : int = prim::Constant[value=2]()
  %4 : Tensor = aten::rsub(%2, %x.1, %k)
   = prim::Print(%3)
   = prim::ReturnStmt(%4)
  return ()
"#,
        expect![[r#"
            graph(%x.1 : Tensor,
                  %a.1 : bool,
                  %b.1 : bool):
              %k.1 : int = prim::Constant[value=2]()
              %0 : Tensor = aten::abs(%x.1)
              %1 : Tensor = aten::mul_(%0, %x.1)
              %2 : bool = aten::eq(%a.1, %b.1)
              %3 : Tensor = aten::sub(%x.1, %1, %k.1)
               = prim::Print(%2)
              return (%3)
        "#]],
    );
}

#[test]
fn what_no_compiler_emits_is_refused() {
    check(
        "graph(%x.1 : int):\n  %1 : int = prim::Load[name=\"y\"]()\n  return (%1)\n",
        expect!["the variable 'y' is read before it is set"],
    );
    check("graph(%x.1 : int):\n   = prim::BreakStmt()\n  return (%x.1)\n", expect!["'break' outside of a loop"]);
    check(
        "graph(%x.1 : int):\n  %1 : int = prim::Enter(%x.1)\n  return (%1)\n",
        expect!["prim::Enter is malformed: what is entered is left"],
    );
    check(
        "graph(%x.1 : int):\n  %1 : Future[int] = prim::forkClosure(%x.1)\n  return (%1)\n",
        expect!["Cannot fork this value"],
    );
    check(
        "graph(%x.1 : int):\n   = prim::If(%x.1)\n  return (%x.1)\n",
        expect!["prim::If is malformed: it has one operand and two blocks"],
    );
}
