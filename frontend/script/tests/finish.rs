//! What the compiler emits against what PyTorch shows, as text: variables, exits, conditions of loops, closures.

use expect_test::{Expect, expect};
use sconce_script::finish::finish;
use sconce_script::lint::lint;
use sconce_script::listing::{from_listing, to_listing};
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
              %0 : bool = prim::Uninitialized()
              %1 : bool = prim::Constant[value=1]()
              %2 : bool = prim::Constant[value=0]()
              %3 : bool = prim::Uninitialized()
              %4 : bool = prim::Constant[value=1]()
              %5 : bool = prim::Constant[value=0]()
              %6 : bool = prim::Constant[value=0]()
              %x : Tensor = prim::If(%c.1)
                block0():
                  %7 : Tensor = aten::relu(%x.1)
                  -> (%7)
                block1():
                  %local.1 : int = prim::Constant[value=1]()
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
              %0 : bool = prim::Uninitialized()
              %1 : bool = prim::Constant[value=1]()
              %2 : bool = prim::Constant[value=0]()
              %3 : bool = prim::Uninitialized()
              %4 : bool = prim::Constant[value=1]()
              %5 : bool = prim::Constant[value=0]()
              %6 : bool = prim::Constant[value=0]()
              %z.1 : int = prim::Constant[value=0]()
              %max.1 : int = prim::Constant[value=9223372036854775807]()
              %lt.1 : bool = aten::lt(%z.1, %n.1)
              %i : int = prim::Loop(%max.1, %lt.1, %z.1)
                block0(%t.1 : int, %i.1 : int):
                  %one.1 : int = prim::Constant[value=1]()
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
              %0 : bool = prim::Uninitialized()
              %1 : bool = prim::Constant[value=1]()
              %2 : bool = prim::Constant[value=0]()
              %3 : int = prim::Uninitialized()
              %4 : bool = prim::Uninitialized()
              %5 : bool = prim::Constant[value=1]()
              %6 : bool = prim::Constant[value=0]()
              %7 : bool = prim::Constant[value=0]()
              %z.1 : int = prim::Constant[value=0]()
              %true.1 : bool = prim::Constant[value=1]()
              %8 : int = prim::Constant[value=0]()
              %9 : int = prim::Constant[value=1]()
              %10 : bool = aten::gt(%n.1, %8)
              %11 : int = prim::Constant[value=9223372036854775807]()
              %s : int, %12 : int = prim::Loop(%11, %10, %z.1, %8)
                block0(%13 : int, %s.1 : int, %14 : int):
                  %s2.1 : int = aten::add(%s.1, %14)
                  %ten.1 : int = prim::Constant[value=10]()
                  %gt.1 : bool = aten::gt(%s2.1, %ten.1)
                  %15 : bool, %16 : bool, %17 : int, %18 : bool, %19 : int = prim::If(%gt.1)
                    block0():
                      -> (%5, %7, %s2.1, %7, %s2.1)
                    block1():
                      -> (%6, %4, %3, %true.1, %s2.1)
                  %20 : int = aten::add(%14, %9)
                  %21 : bool = aten::lt(%20, %n.1)
                  %22 : bool = aten::__and__(%21, %18)
                  -> (%22, %19, %20)
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
              %0 : bool = prim::Uninitialized()
              %1 : bool = prim::Constant[value=1]()
              %2 : bool = prim::Constant[value=0]()
              %3 : int = prim::Uninitialized()
              %4 : bool = prim::Uninitialized()
              %5 : bool = prim::Constant[value=1]()
              %6 : bool = prim::Constant[value=0]()
              %7 : bool = prim::Constant[value=0]()
              %max.1 : int = prim::Constant[value=9223372036854775807]()
              %three.1 : int = prim::Constant[value=3]()
              %gt.1 : bool = aten::gt(%n.1, %three.1)
              %n : int = prim::Loop(%max.1, %gt.1, %n.1)
                block0(%t.1 : int, %n.2 : int):
                  %b.1 : int = aten::sub(%n.2, %three.1)
                  %eq.1 : bool = aten::eq(%b.1, %three.1)
                  %8 : bool, %9 : bool, %10 : int, %11 : bool, %12 : int, %13 : bool, %14 : bool, %15 : int, %16 : bool, %17 : int = prim::If(%eq.1)
                    block0():
                      %gt.2 : bool = aten::gt(%b.1, %three.1)
                      -> (%5, %gt.2, %b.1, %4, %3, %5, %gt.2, %b.1, %gt.2, %b.1)
                    block1():
                       = prim::Print(%b.1)
                      %gt.3 : bool = aten::gt(%b.1, %three.1)
                      -> (%6, %4, %3, %gt.3, %b.1, %6, %4, %3, %gt.3, %b.1)
                  -> (%16, %17)
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
              %0 : Tensor = prim::Uninitialized()
              %1 : bool = prim::Uninitialized()
              %2 : bool = prim::Constant[value=1]()
              %3 : bool = prim::Constant[value=0]()
              %4 : bool = prim::Uninitialized()
              %5 : bool = prim::Constant[value=1]()
              %6 : bool = prim::Constant[value=0]()
              %7 : bool = prim::Constant[value=0]()
              %8 : int = prim::Constant[value=1]()
              %9 : bool, %10 : Tensor, %11 : Tensor = prim::If(%c.1)
                block0():
                  %12 : Tensor = aten::add(%x.1, %x.1, %8)
                  -> (%2, %12, %12)
                block1():
                  %13 : Tensor = aten::relu(%x.1)
                  -> (%3, %0, %13)
              return (%11)
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
              %0 : Tensor = prim::Uninitialized()
              %1 : bool = prim::Uninitialized()
              %2 : bool = prim::Constant[value=1]()
              %3 : bool = prim::Constant[value=0]()
              %4 : bool = prim::Uninitialized()
              %5 : bool = prim::Constant[value=1]()
              %6 : bool = prim::Constant[value=0]()
              %7 : bool = prim::Constant[value=0]()
              %true.1 : bool = prim::Constant[value=1]()
              %8 : int = prim::Constant[value=0]()
              %9 : int = prim::Constant[value=1]()
              %10 : bool = aten::gt(%n.1, %8)
              %11 : int = prim::Constant[value=9223372036854775807]()
              %12 : bool, %13 : Tensor, %14 : int = prim::Loop(%11, %10, %3, %0, %8)
                block0(%15 : int, %16 : bool, %17 : Tensor, %18 : int):
                  %three.1 : int = prim::Constant[value=3]()
                  %eq.1 : bool = aten::eq(%18, %three.1)
                  %19 : bool, %20 : Tensor, %21 : bool = prim::If(%eq.1)
                    block0():
                      -> (%2, %x.1, %3)
                    block1():
                      -> (%3, %0, %true.1)
                  %22 : int = aten::add(%18, %9)
                  %23 : bool = aten::lt(%22, %n.1)
                  %24 : bool = aten::__and__(%23, %21)
                  -> (%24, %19, %20, %22)
              %25 : Tensor = prim::If(%12)
                block0():
                  -> (%13)
                block1():
                  %26 : Tensor = aten::relu(%x.1)
                  -> (%26)
              return (%25)
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
              %0 : Tensor = prim::Uninitialized()
              %1 : bool = prim::Uninitialized()
              %2 : bool = prim::Constant[value=1]()
              %3 : bool = prim::Constant[value=0]()
              %4 : bool = prim::Uninitialized()
              %5 : bool = prim::Constant[value=1]()
              %6 : bool = prim::Constant[value=0]()
              %7 : bool = prim::Constant[value=0]()
              %m.1 : str = prim::Constant[value="bad"]()
              %none.1 : NoneType = prim::Constant()
              %8 : Tensor = prim::If(%c.1)
                block0():
                   = prim::RaiseException(%m.1, %none.1)
                  -> (%0)
                block1():
                  -> (%x.1)
              return (%8)
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
              %0 : Tensor = prim::Uninitialized()
              %1 : bool = prim::Uninitialized()
              %2 : bool = prim::Constant[value=1]()
              %3 : bool = prim::Constant[value=0]()
              %4 : bool = prim::Uninitialized()
              %5 : bool = prim::Constant[value=1]()
              %6 : bool = prim::Constant[value=0]()
              %7 : bool = prim::Constant[value=0]()
              %e.1 : Tensor = prim::Enter(%s.1)
              %8 : bool, %9 : Tensor, %y : Tensor, %10 : bool, %11 : Tensor = prim::If(%c.1)
                block0():
                  -> (%2, %e.1, %0, %2, %e.1)
                block1():
                  %y.1 : Tensor = aten::relu(%x.1)
                  -> (%3, %0, %y.1, %3, %0)
              %l.1 : Any = prim::Exit(%s.1)
              %12 : Tensor = prim::If(%10)
                block0():
                  -> (%11)
                block1():
                  -> (%y)
              return (%12)
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
              %0 : bool = prim::Uninitialized()
              %1 : bool = prim::Constant[value=1]()
              %2 : bool = prim::Constant[value=0]()
              %3 : bool = prim::Uninitialized()
              %4 : bool = prim::Constant[value=1]()
              %5 : bool = prim::Constant[value=0]()
              %6 : bool = prim::Constant[value=0]()
              %7 : int = prim::Constant[value=7]()
               = prim::Print(%7)
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
              %0 : bool = prim::Uninitialized()
              %1 : bool = prim::Constant[value=1]()
              %2 : bool = prim::Constant[value=0]()
              %3 : bool = prim::Uninitialized()
              %4 : bool = prim::Constant[value=1]()
              %5 : bool = prim::Constant[value=0]()
              %6 : bool = prim::Constant[value=0]()
              %7 : Future[Tensor] = prim::fork_0(%x.1, %k.1)
              %8 : Tensor = aten::wait(%7)
              return (%8)
            with prim::fork_0 = graph(%x.1 : Tensor,
                  %k.1 : int):
              %0 : bool = prim::Constant[value=0]()
              %1 : Tensor = aten::add(%x.1, %x.1, %k.1)
              return (%1)
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
              %0 : bool = prim::Uninitialized()
              %1 : bool = prim::Constant[value=1]()
              %2 : bool = prim::Constant[value=0]()
              %3 : bool = prim::Uninitialized()
              %4 : bool = prim::Constant[value=1]()
              %5 : bool = prim::Constant[value=0]()
              %6 : bool = prim::Constant[value=0]()
              %7 : Tensor = aten::abs(%x.1)
              %8 : Tensor = aten::mul_(%7, %x.1)
              %9 : bool = aten::eq(%a.1, %b.1)
              %k.1 : int = prim::Constant[value=2]()
              %10 : Tensor = aten::sub(%x.1, %8, %k.1)
               = prim::Print(%9)
              return (%10)
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
