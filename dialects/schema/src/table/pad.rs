//! Rows of the op table, family `pad`. Made by `cargo xtask codegen` from dialects/td/ops/pad.td; do not edit.

use crate::op::{Numerics::*, OpRecord, Trait::*, Traits};

const ROW: OpRecord = OpRecord::DEFAULT;

#[rustfmt::skip]
pub(super) static ROWS: &[OpRecord] = &[
    OpRecord { schema_text: "aten::constant_pad_nd(Tensor self, SymInt[] pad, Scalar value=0) -> Tensor", in_torch_mlir: true, traits: Traits::of(&[Pure]), shape: Some(|a| crate::shape::rule(crate::shape::pad::constant, a, ())), ..ROW },
    OpRecord { schema_text: "aten::constant_pad_nd.out(Tensor self, SymInt[] pad, Scalar value=0, *, Tensor(a!) out) -> Tensor(a!)", traits: Traits::of(&[OwnDType, Out, Writes]), functional: Some("aten::constant_pad_nd"), ..ROW },
    OpRecord { schema_text: "aten::pad(Tensor self, SymInt[] pad, str mode=\"constant\", float? value=None) -> Tensor", in_torch_mlir: true, traits: Traits::of(&[Pure]), shape: Some(|a| crate::shape::rule(crate::shape::pad::pad, a, ())), ..ROW },
    OpRecord { schema_text: "aten::reflection_pad1d(Tensor self, SymInt[2] padding) -> Tensor", in_torch_mlir: true, traits: Traits::of(&[Pure]), shape: Some(|a| crate::shape::rule(crate::shape::pad::reflection1d, a, ())), ..ROW },
    OpRecord { schema_text: "aten::reflection_pad1d.out(Tensor self, SymInt[2] padding, *, Tensor(a!) out) -> Tensor(a!)", traits: Traits::of(&[Out, Writes]), functional: Some("aten::reflection_pad1d"), ..ROW },
    OpRecord { schema_text: "aten::reflection_pad2d(Tensor self, SymInt[4] padding) -> Tensor", in_torch_mlir: true, traits: Traits::of(&[Pure]), shape: Some(|a| crate::shape::rule(crate::shape::pad::reflection2d, a, ())), ..ROW },
    OpRecord { schema_text: "aten::reflection_pad2d.out(Tensor self, SymInt[4] padding, *, Tensor(a!) out) -> Tensor(a!)", traits: Traits::of(&[Relaid, Out, Writes]), functional: Some("aten::reflection_pad2d"), ..ROW },
    OpRecord { schema_text: "aten::reflection_pad3d(Tensor self, SymInt[6] padding) -> Tensor", in_torch_mlir: true, traits: Traits::of(&[Pure]), shape: Some(|a| crate::shape::rule(crate::shape::pad::reflection3d, a, ())), ..ROW },
    OpRecord { schema_text: "aten::reflection_pad3d.out(Tensor self, SymInt[6] padding, *, Tensor(a!) out) -> Tensor(a!)", traits: Traits::of(&[Relaid, Out, Writes]), functional: Some("aten::reflection_pad3d"), ..ROW },
    OpRecord { schema_text: "aten::replication_pad1d(Tensor self, SymInt[2] padding) -> Tensor", in_torch_mlir: true, traits: Traits::of(&[Pure]), shape: Some(|a| crate::shape::rule(crate::shape::pad::replication1d, a, ())), ..ROW },
    OpRecord { schema_text: "aten::replication_pad1d.out(Tensor self, SymInt[2] padding, *, Tensor(a!) out) -> Tensor(a!)", traits: Traits::of(&[Out, Writes]), functional: Some("aten::replication_pad1d"), ..ROW },
    OpRecord { schema_text: "aten::replication_pad2d(Tensor self, SymInt[4] padding) -> Tensor", in_torch_mlir: true, traits: Traits::of(&[Pure]), shape: Some(|a| crate::shape::rule(crate::shape::pad::replication2d, a, ())), ..ROW },
    OpRecord { schema_text: "aten::replication_pad2d.out(Tensor self, SymInt[4] padding, *, Tensor(a!) out) -> Tensor(a!)", traits: Traits::of(&[Relaid, Out, Writes]), functional: Some("aten::replication_pad2d"), ..ROW },
    OpRecord { schema_text: "aten::replication_pad3d(Tensor self, SymInt[6] padding) -> Tensor", in_torch_mlir: true, traits: Traits::of(&[Pure]), shape: Some(|a| crate::shape::rule(crate::shape::pad::replication3d, a, ())), ..ROW },
    OpRecord { schema_text: "aten::replication_pad3d.out(Tensor self, SymInt[6] padding, *, Tensor(a!) out) -> Tensor(a!)", traits: Traits::of(&[Relaid, Out, Writes]), functional: Some("aten::replication_pad3d"), ..ROW },
    OpRecord { schema_text: "aten::_pad_circular(Tensor self, SymInt[] pad) -> Tensor", traits: Traits::of(&[Pure]), numerics: Close, shape: Some(|a| crate::shape::rule(crate::shape::pad::circular, a, ())), ..ROW },
    OpRecord { schema_text: "aten::_pad_enum(Tensor self, SymInt[] pad, int mode, float? value=None) -> Tensor", traits: Traits::of(&[Pure]), numerics: Close, shape: Some(|a| crate::shape::rule(crate::shape::pad::pad, a, ())), ..ROW },
    OpRecord { schema_text: "aten::reflection_pad1d_backward(Tensor grad_output, Tensor self, SymInt[2] padding) -> Tensor", traits: Traits::of(&[Pure]), numerics: Close, shape: Some(|a| crate::shape::rule(crate::shape::pad::reflection1d_backward, a, ())), ..ROW },
    OpRecord { schema_text: "aten::reflection_pad1d_backward.grad_input(Tensor grad_output, Tensor self, SymInt[2] padding, *, Tensor(a!) grad_input) -> Tensor(a!)", traits: Traits::of(&[Out, Writes]), numerics: Close, functional: Some("aten::reflection_pad1d_backward"), ..ROW },
    OpRecord { schema_text: "aten::reflection_pad2d_backward(Tensor grad_output, Tensor self, SymInt[4] padding) -> Tensor", traits: Traits::of(&[Pure]), numerics: Close, shape: Some(|a| crate::shape::rule(crate::shape::pad::reflection2d_backward, a, ())), ..ROW },
    OpRecord { schema_text: "aten::reflection_pad2d_backward.grad_input(Tensor grad_output, Tensor self, SymInt[4] padding, *, Tensor(a!) grad_input) -> Tensor(a!)", traits: Traits::of(&[Relaid, Out, Writes]), numerics: Close, functional: Some("aten::reflection_pad2d_backward"), ..ROW },
    OpRecord { schema_text: "aten::reflection_pad3d_backward(Tensor grad_output, Tensor self, SymInt[6] padding) -> Tensor", traits: Traits::of(&[Pure]), numerics: Close, shape: Some(|a| crate::shape::rule(crate::shape::pad::reflection3d_backward, a, ())), ..ROW },
    OpRecord { schema_text: "aten::reflection_pad3d_backward.grad_input(Tensor grad_output, Tensor self, SymInt[6] padding, *, Tensor(a!) grad_input) -> Tensor(a!)", traits: Traits::of(&[Relaid, Out, Writes]), numerics: Close, functional: Some("aten::reflection_pad3d_backward"), ..ROW },
    OpRecord { schema_text: "aten::replication_pad1d_backward(Tensor grad_output, Tensor self, SymInt[2] padding) -> Tensor", traits: Traits::of(&[Pure]), numerics: Close, shape: Some(|a| crate::shape::rule(crate::shape::pad::replication1d_backward, a, ())), ..ROW },
    OpRecord { schema_text: "aten::replication_pad1d_backward.grad_input(Tensor grad_output, Tensor self, SymInt[2] padding, *, Tensor(a!) grad_input) -> Tensor(a!)", traits: Traits::of(&[Out, Writes]), numerics: Close, functional: Some("aten::replication_pad1d_backward"), ..ROW },
    OpRecord { schema_text: "aten::replication_pad2d_backward(Tensor grad_output, Tensor self, SymInt[4] padding) -> Tensor", traits: Traits::of(&[Pure]), numerics: Close, shape: Some(|a| crate::shape::rule(crate::shape::pad::replication2d_backward, a, ())), ..ROW },
    OpRecord { schema_text: "aten::replication_pad2d_backward.grad_input(Tensor grad_output, Tensor self, SymInt[4] padding, *, Tensor(a!) grad_input) -> Tensor(a!)", traits: Traits::of(&[Relaid, Out, Writes]), numerics: Close, functional: Some("aten::replication_pad2d_backward"), ..ROW },
    OpRecord { schema_text: "aten::replication_pad3d_backward(Tensor grad_output, Tensor self, SymInt[6] padding) -> Tensor", traits: Traits::of(&[Pure]), numerics: Close, shape: Some(|a| crate::shape::rule(crate::shape::pad::replication3d_backward, a, ())), ..ROW },
    OpRecord { schema_text: "aten::replication_pad3d_backward.grad_input(Tensor grad_output, Tensor self, SymInt[6] padding, *, Tensor(a!) grad_input) -> Tensor(a!)", traits: Traits::of(&[Relaid, Out, Writes]), numerics: Close, functional: Some("aten::replication_pad3d_backward"), ..ROW },
];
