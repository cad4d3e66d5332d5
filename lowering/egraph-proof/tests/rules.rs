//! Rules that hold are accepted; rules that do not are refused with operands that show it.

use sconce_egraph::rules::{self, Class, Rule};
use sconce_egraph_proof::cases::is_elementwise;
use sconce_egraph_proof::recorded::{self, Recorded};
use sconce_egraph_proof::verify::{Verdict, verify, verify_all};

fn rule(body: &str) -> Rule {
    let text = format!("# planted\nrule planted {body};");
    rules::read("planted.rules", &text).unwrap_or_else(|e| panic!("{e}")).remove(0)
}

fn refusal(body: &str) -> String {
    let verdict: Verdict = verify(&rule(body), &Recorded::default());
    verdict.outcome.err().unwrap_or_else(|| panic!("accepted: {body}"))
}

/// Each is true of most numbers, and false of those that the refusal must show.
#[test]
fn false_rules_are_refused_with_operands_that_show_it() {
    for (body, shown) in [
        // Infinity and NaN times 0 are NaN, and what is below 0 becomes -0.
        ("exact: aten.mul.Scalar(?x, ?c) => aten.zeros_like(?x) if ?c == 0, is_float(?x)", "and 0.0 in element"),
        ("exact: aten.add.Scalar(?x, ?c, 1) => ?x if ?c == 0", "0.0 and -0.0 in element"),
        ("exact: aten.sub.Tensor(?x, ?x, 1) => aten.zeros_like(?x) if is_float(?x)", "NaN and 0.0 in element"),
        ("exact: aten.div.Tensor(?x, ?x) => aten.ones_like(?x) if is_float(?x)", "NaN and 1.0 in element"),
        // NaN is not equal to itself.
        ("exact: aten.eq.Tensor(?x, ?x) => aten.ones_like(?x, 11)", "0 and 1 in element"),
        // The largest integer has no successor.
        (
            "exact: aten.gt.Tensor(aten.add.Scalar(?x, 1, 1), ?x) => aten.ge.Tensor(?x, ?x) if is_integral(?x)",
            "0 and 1 in element",
        ),
        ("exact: aten.abs(?x) => ?x if is_integral(?x)", "in element"),
        // Of u8 the negative is another number, as wide as the other operand or not: a condition is missing.
        ("exact: aten.mul.Tensor(aten.neg(?x), aten.neg(?y)) => aten.mul.Tensor(?x, ?y)", "in element"),
        ("exact: aten.abs(aten.neg(?x)) => aten.abs(?x)", "in element"),
        // Rounded in another order.
        (
            "exact: aten.add.Tensor(aten.add.Tensor(?x, ?y, 1), ?z, 1) => aten.add.Tensor(?x, aten.add.Tensor(?y, ?z, 1), 1) if is_float(?x)",
            "in element",
        ),
        // Elements that change places.
        ("exact: aten.reshape(aten.transpose.int(?x, ?a, ?b), ?s) => aten.reshape(?x, ?s)", "in element"),
        ("exact: aten.t(?x) => ?x if size(?x, 0) == size(?x, 1)", "in element"),
        ("exact: aten.flip(aten.flip(?x, ?d), ?e) => ?x", "in element"),
        ("exact: aten.cat([?x, ?y], ?d) => aten.cat([?y, ?x], ?d)", "in element"),
        // A start that is counted from the end does not add up: a condition is missing.
        (
            "exact: aten.narrow(aten.narrow(?x, ?d, ?a, ?n), ?d, ?b, ?m) => aten.narrow(?x, ?d, {?a + ?b}, ?m)",
            "with sizes unknown it applies to operands that it does not hold for",
        ),
        // Wrong algebra.
        (
            "reassociates: aten.neg(aten.sub.Tensor(?x, ?y, 1)) => aten.sub.Tensor(?x, ?y, 1) if is_float(?x)",
            "in element",
        ),
        ("reassociates: aten.mm(?x, ?y) => aten.mm(?y, ?x) if is_float(?x)", "in element"),
        (
            "reassociates: aten.div.Scalar(aten.div.Scalar(?x, ?a), ?b) => aten.div.Scalar(?x, {?a + ?b}) if is_float(?x)",
            "in element",
        ),
        (
            "approximates: aten.exp(aten.mul.Tensor(?x, ?y)) => aten.mul.Tensor(aten.exp(?x), aten.exp(?y)) if is_float(?x)",
            "in element",
        ),
    ] {
        let why = refusal(body);
        assert!(why.starts_with("refused: ") && why.contains(shown) && why.contains(" ?x = "), "{body}\n  {why}");
    }
}

/// True of all integers that have no more than 31 bits.
#[test]
fn integers_that_overflow_are_a_counterexample() {
    let why = refusal("exact: aten.floordiv.int(aten.mul.int(?a, ?b), ?b) => ?a");
    assert!(why.contains("where ?a = ") && why.contains("?b = "), "{why}");
}

#[test]
fn a_rule_that_never_applies_is_refused() {
    assert!(
        refusal("exact: aten.relu(?x) => aten.relu(aten.relu(?x)) if rank(?x) == 9").contains("nothing is known of it")
    );
}

/// The left side has a value where the right side has none.
#[test]
fn a_right_side_that_is_refused_is_a_counterexample() {
    let why = refusal("exact: aten.reshape(?x, ?s) => aten.view(?x, ?s)");
    assert!(why.contains("the right side has none"), "{why}");
}

/// Those of which the solver was to be asked have its answer on record: here there may be none to ask.
#[test]
fn the_rules_that_are_compiled_in_hold() {
    let rules = rules::builtin().expect("rules");
    let verdicts = verify_all(&rules, &recorded::builtin());
    let refused: Vec<String> = verdicts.iter().filter(|v| v.outcome.is_err()).map(Verdict::to_string).collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
    let is_asked = |rule: &Rule, v: &Verdict| {
        rule.class == Class::Exact
            && is_elementwise(rule)
            && v.outcome.as_ref().is_ok_and(|v| v.general.is_none() && v.solver.is_none())
    };
    let stale: Vec<&str> = rules.iter().zip(&verdicts).filter(|(r, v)| is_asked(r, v)).map(|(r, _)| &*r.name).collect();
    assert!(
        stale.is_empty(),
        "changed since the solver was asked: {}; with z3 run `sconce-opt --verify-rules --record lowering/egraph-proof/proofs.txt`",
        stale.join(", ")
    );
}
