// Rules are listed and verified by the tool; a user's false rule is refused with operands that show it.
// RUN: split-file %s %t
// RUN: sconce-opt --list-rules | FileCheck %s --check-prefix=LIST
// RUN: sconce-opt --list-rules --rules %t/mine.rules | FileCheck %s --check-prefix=MINE
// RUN: sconce-opt --verify-rules --rules %t/mine.rules | FileCheck %s --check-prefix=TRUE
// RUN: not sconce-opt --verify-rules --rules %t/mine.rules %t/wrong.rules | FileCheck %s --check-prefix=FALSE
// RUN: not sconce-opt --verify-rules --rules %t/none.rules 2>&1 | FileCheck %s --check-prefix=NONE

// LIST: elementwise.rules:{{[0-9]+}}: neg-neg exact: aten.neg(aten.neg(?x)) => ?x if is_real(?x) # -(-x) = x
// LIST: views.rules:{{[0-9]+}}: transpose-transpose exact
// LIST: products.rules:{{[0-9]+}}: mm-associates-back reassociates
// MINE: mine.rules:1: turned-twice exact: aten.flip(aten.t(aten.t(?x)), ?d) => aten.flip(?x, ?d) # x^T^T = x
// MINE-NEXT: {{.*}}mine.rules:3: square reassociates
// MINE: 2 rules
// TRUE: turned-twice exact: {{[0-9]+}} cases, the same terms at {{[0-9]+}} shapes
// TRUE-NEXT: square reassociates: {{[0-9]+}} cases, the same fractions at {{[0-9]+}} shapes
// TRUE-NEXT: 2 rules, 0 refused
// FALSE: square reassociates: {{[0-9]+}} cases
// FALSE-NEXT: times-zero exact: refused: {{.*}} and 0.0 in element {{.*}} where ?x = {{.*}}, ?c = 0
// FALSE-NEXT: 3 rules, 1 refused
// NONE: sconce-opt: {{.*}}none.rules: No such file

//--- mine.rules
# x^T^T = x
rule turned-twice exact: aten.flip(aten.t(aten.t(?x)), ?d) => aten.flip(?x, ?d);
# (x + 1)(x - 1) = x^2 - 1
rule square reassociates:
    aten.mul.Tensor(aten.add.Scalar(?x, 1, 1), aten.sub.Scalar(?x, 1, 1)) => aten.sub.Scalar(aten.mul.Tensor(?x, ?x), 1, 1) if is_float(?x);

//--- wrong.rules
# 0 x = 0, but not for NaN
rule times-zero exact: aten.mul.Scalar(?x, ?c) => aten.zeros_like(?x) if ?c == 0, is_float(?x);
