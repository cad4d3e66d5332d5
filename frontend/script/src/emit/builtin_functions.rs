//! Functions that stand for operators but are written in TorchScript: for what no operator takes, like a number and a tensor in this order.
//!
//! A call of one is replaced by its body, so what a row does, and in which order, is what users' graphs hold. Rows of one operator are tried in the
//! order they have here.

/// An overload of one operator's.
pub(super) struct Row {
    /// `aten` or `prim`.
    pub namespace: &'static str,
    /// The operator's name in its namespace.
    pub operator: &'static str,
    /// With types and defaults, as a `def` has them.
    parameters: String,
    body: Body,
}

/// What a function does.
#[derive(Clone, Copy)]
enum Body {
    Nothing,
    /// Its result.
    Gives(&'static str),
    /// What must be true, and the message when it is not.
    Asserts(&'static str, &'static str),
    /// What must be true, and the result.
    AssertsAndGives(&'static str, &'static str),
}

use Body::{Asserts, AssertsAndGives, Gives, Nothing};

impl Row {
    /// The function as TorchScript that knows nothing but operators.
    pub fn text(&self) -> String {
        let body = match self.body {
            Nothing => "pass".to_owned(),
            Gives(result) => format!("return {result}"),
            Asserts(condition, message) => format!("assert {condition}, {message}"),
            AssertsAndGives(condition, result) => format!("assert {condition}\n    return {result}"),
        };
        format!("def {}({}):\n    {body}\n", self.operator, self.parameters)
    }
}

/// Operators of a number `a` and a tensor `b`, of all kinds of numbers, by today's operators of a tensor and a number.
const NUMBER_FIRST: [(&str, &str); 6] = [
    ("add", "torch.add(b, a)"),
    ("sub", "torch.add(torch.neg(b), a)"),
    ("mul", "torch.mul(b, a)"),
    ("div", "torch.mul(torch.reciprocal(b), a)"),
    ("eq", "torch.eq(b, a)"),
    ("ne", "torch.ne(b, a)"),
];

/// Those of numbers that have an order.
const ORDERED_NUMBER_FIRST: [(&str, &str); 4] =
    [("lt", "torch.gt(b, a)"), ("le", "torch.ge(b, a)"), ("gt", "torch.lt(b, a)"), ("ge", "torch.le(b, a)")];

/// One number stands for as many as the name says.
const REPEATED: [(&str, u32); 4] = [("_single", 1), ("_pair", 2), ("_triple", 3), ("_quadruple", 4)];

/// All others of aten.
const OTHERS: [(&str, &str, Body); 9] = [
    ("floordiv", "a: Tensor, b: number", Gives("torch.floor_divide(a, b)")),
    ("floordiv", "a: Tensor, b: Tensor", Gives("torch.floor_divide(a, b)")),
    ("_assert_int_or_pair", "vals: List[int], name: str, message: str", Nothing),
    (
        "list_with_default",
        "out_size: List[int], defaults: List[int]",
        AssertsAndGives("len(defaults) > len(out_size)", "out_size"),
    ),
    ("_assert", "condition: bool, message: str", Asserts("condition", "message")),
    ("_assert", "condition: Tensor, message: str", Asserts("condition", "message")),
    ("device", "type: str", Gives("torch.device(type)")),
    (
        "type",
        "self: Tensor, dtype: int, non_blocking: bool=False, copy: bool=False",
        Gives("self.to(dtype, non_blocking, copy)"),
    ),
    ("__contains__", "self: str, key: str", Gives("self.find(key, 0, len(self)) != -1")),
];

/// Properties of a tensor `a`.
const PROPERTIES: [(&str, &str); 6] = [
    ("ndim", "a.dim()"),
    ("shape", "a.size()"),
    ("T", "a.numpy_T()"),
    ("H", "a.matrix_H()"),
    ("mT", "a.mT"),
    ("mH", "a.mH"),
];

/// All rows.
pub(super) fn rows() -> Vec<Row> {
    let aten = |operator, parameters, body| Row { namespace: "aten", operator, parameters, body };
    let mut rows = Vec::new();
    for number in ["float", "int", "complex"] {
        rows.extend(NUMBER_FIRST.map(|(operator, result)| aten(operator, number_first(number), Gives(result))));
    }
    for number in ["float", "int"] {
        rows.extend(ORDERED_NUMBER_FIRST.map(|(operator, result)| aten(operator, number_first(number), Gives(result))));
    }
    for number in ["float", "int"] {
        let repeated = |length| format!("x: BroadcastingList{length}[{number}]");
        rows.extend(REPEATED.map(|(operator, length)| aten(operator, repeated(length), Gives("x"))));
    }
    rows.extend(OTHERS.map(|(operator, parameters, body)| aten(operator, parameters.to_owned(), body)));
    let property = |(operator, result)| Row {
        namespace: "prim",
        operator,
        parameters: "a: Tensor".to_owned(),
        body: Gives(result),
    };
    rows.extend(PROPERTIES.map(property));
    rows
}

fn number_first(number: &str) -> String {
    format!("a: {number}, b: Tensor")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::Compiler;
    use crate::unit::Unit;

    #[test]
    fn every_row_compiles() {
        let mut compiler = Compiler::new(Unit::default());
        for row in rows() {
            let operator = format!("{}::{}", row.namespace, row.operator);
            let functions = compiler.builtin_functions_for(&operator).unwrap_or_else(|e| panic!("{operator}: {e}"));
            let of_it = rows().iter().filter(|r| (r.namespace, r.operator) == (row.namespace, row.operator)).count();
            assert_eq!(functions.len(), of_it, "{operator}");
        }
    }

    #[test]
    fn rows_are_written_as_functions() {
        let some = ["_pair", "list_with_default", "_assert", "mT"];
        let text: String = rows().iter().filter(|r| some.contains(&r.operator)).map(Row::text).collect();
        expect_test::expect![[r#"
            def _pair(x: BroadcastingList2[float]):
                return x
            def _pair(x: BroadcastingList2[int]):
                return x
            def list_with_default(out_size: List[int], defaults: List[int]):
                assert len(defaults) > len(out_size)
                return out_size
            def _assert(condition: bool, message: str):
                assert condition, message
            def _assert(condition: Tensor, message: str):
                assert condition, message
            def mT(a: Tensor):
                return a.mT
        "#]]
        .assert_eq(&text);
    }
}
