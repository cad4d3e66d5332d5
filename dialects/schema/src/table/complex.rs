//! Rows of the op table, family `complex`. Made by `cargo xtask codegen` from dialects/td/ops/complex.td; do not edit.

use crate::op::{Numerics::*, OpRecord, Trait::*, Traits};

const ROW: OpRecord = OpRecord::DEFAULT;

#[rustfmt::skip]
pub(super) static ROWS: &[OpRecord] = &[
    OpRecord { schema_text: "aten::angle(Tensor self) -> Tensor", traits: Traits::of(&[Pure]), numerics: Close, shape: Some(|a| crate::shape::rule(crate::shape::complex::angle, a, ())), ..ROW },
    OpRecord { schema_text: "aten::angle.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", traits: Traits::of(&[Out, Writes]), numerics: Close, functional: Some("aten::angle"), ..ROW },
    OpRecord { schema_text: "aten::complex(Tensor real, Tensor imag) -> Tensor", in_torch_mlir: true, traits: Traits::of(&[Pure]), numerics: Close, shape: Some(|a| crate::shape::rule(crate::shape::complex::complex, a, ())), ..ROW },
    OpRecord { schema_text: "aten::complex.out(Tensor real, Tensor imag, *, Tensor(a!) out) -> Tensor(a!)", traits: Traits::of(&[Out, Writes]), numerics: Close, functional: Some("aten::complex"), ..ROW },
    OpRecord { schema_text: "aten::polar(Tensor abs, Tensor angle) -> Tensor", in_torch_mlir: true, traits: Traits::of(&[Pure]), numerics: Close, shape: Some(|a| crate::shape::rule(crate::shape::complex::complex, a, ())), ..ROW },
    OpRecord { schema_text: "aten::polar.out(Tensor abs, Tensor angle, *, Tensor(a!) out) -> Tensor(a!)", traits: Traits::of(&[Out, Writes]), numerics: Close, functional: Some("aten::polar"), ..ROW },
];
