//! Rows of the op table, family `pool`. Made by `cargo xtask codegen` from dialects/td/ops/pool.td; do not edit.

#[allow(unused_imports)]
use crate::op::{Numerics::*, OpRecord, Trait::*};

const ROW: OpRecord = OpRecord { family: "pool", ..OpRecord::DEFAULT };

#[rustfmt::skip]
#[allow(clippy::approx_constant)]
pub(super) static ROWS: &[OpRecord] = &[
    OpRecord { schema_text: "aten::_adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::_adaptive_avg_pool2d.out(Tensor self, SymInt[2] output_size, *, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], numerics: Close, functional: Some("aten::_adaptive_avg_pool2d"), ..ROW },
    OpRecord { schema_text: "aten::_adaptive_avg_pool2d_backward(Tensor grad_output, Tensor self) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::_adaptive_avg_pool2d_backward.out(Tensor grad_output, Tensor self, *, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], numerics: Close, functional: Some("aten::_adaptive_avg_pool2d_backward"), ..ROW },
    OpRecord { schema_text: "aten::_adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::_adaptive_avg_pool3d.out(Tensor self, SymInt[3] output_size, *, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], numerics: Close, functional: Some("aten::_adaptive_avg_pool3d"), ..ROW },
    OpRecord { schema_text: "aten::_adaptive_avg_pool3d_backward(Tensor grad_output, Tensor self) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::_adaptive_avg_pool3d_backward.out(Tensor grad_output, Tensor self, *, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], numerics: Close, functional: Some("aten::_adaptive_avg_pool3d_backward"), ..ROW },
    OpRecord { schema_text: "aten::adaptive_avg_pool1d(Tensor self, int[1] output_size) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::adaptive_avg_pool1d.out(Tensor self, int[1] output_size, *, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], numerics: Close, functional: Some("aten::adaptive_avg_pool1d"), ..ROW },
    OpRecord { schema_text: "aten::adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::adaptive_avg_pool2d.out(Tensor self, SymInt[2] output_size, *, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], numerics: Close, functional: Some("aten::adaptive_avg_pool2d"), ..ROW },
    OpRecord { schema_text: "aten::adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::adaptive_avg_pool3d.out(Tensor self, SymInt[3] output_size, *, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], numerics: Close, functional: Some("aten::adaptive_avg_pool3d"), ..ROW },
    OpRecord { schema_text: "aten::adaptive_max_pool1d(Tensor self, int[1] output_size) -> (Tensor, Tensor)", in_torch_mlir: true, traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::adaptive_max_pool2d(Tensor self, int[2] output_size) -> (Tensor, Tensor)", in_torch_mlir: true, traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::adaptive_max_pool2d.out(Tensor self, int[2] output_size, *, Tensor(a!) out, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))", traits: &[Out, Writes], functional: Some("aten::adaptive_max_pool2d"), ..ROW },
    OpRecord { schema_text: "aten::adaptive_max_pool3d(Tensor self, int[3] output_size) -> (Tensor, Tensor)", in_torch_mlir: true, traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::adaptive_max_pool3d.out(Tensor self, int[3] output_size, *, Tensor(a!) out, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))", traits: &[Out, Writes], functional: Some("aten::adaptive_max_pool3d"), ..ROW },
    OpRecord { schema_text: "aten::avg_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], bool ceil_mode=False, bool count_include_pad=True) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::avg_pool1d.out(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], bool ceil_mode=False, bool count_include_pad=True, *, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], numerics: Close, functional: Some("aten::avg_pool1d"), ..ROW },
    OpRecord { schema_text: "aten::avg_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::avg_pool2d.out(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None, *, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], numerics: Close, functional: Some("aten::avg_pool2d"), ..ROW },
    OpRecord { schema_text: "aten::avg_pool2d_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, int[2] padding, bool ceil_mode, bool count_include_pad, int? divisor_override) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::avg_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::avg_pool3d.out(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None, *, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], numerics: Close, functional: Some("aten::avg_pool3d"), ..ROW },
    OpRecord { schema_text: "aten::avg_pool3d_backward(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] stride, int[3] padding, bool ceil_mode, bool count_include_pad, int? divisor_override) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::max_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], int[1] dilation=[1], bool ceil_mode=False) -> Tensor", in_torch_mlir: true, traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::max_pool1d_with_indices(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], int[1] dilation=[1], bool ceil_mode=False) -> (Tensor, Tensor)", in_torch_mlir: true, traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> Tensor", in_torch_mlir: true, traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::max_pool2d_with_indices(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)", in_torch_mlir: true, traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::max_pool2d_with_indices.out(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False, *, Tensor(a!) out, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))", traits: &[Out, Writes], functional: Some("aten::max_pool2d_with_indices"), ..ROW },
    OpRecord { schema_text: "aten::max_pool2d_with_indices_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, int[2] padding, int[2] dilation, bool ceil_mode, Tensor indices) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::max_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> Tensor", in_torch_mlir: true, traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::max_pool3d_with_indices(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)", in_torch_mlir: true, traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::max_pool3d_with_indices.out(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False, *, Tensor(a!) out, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))", traits: &[Out, Writes], functional: Some("aten::max_pool3d_with_indices"), ..ROW },
    OpRecord { schema_text: "aten::max_pool3d_with_indices_backward(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] stride, int[3] padding, int[3] dilation, bool ceil_mode, Tensor indices) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::max_unpool2d(Tensor self, Tensor indices, SymInt[2] output_size) -> Tensor", in_torch_mlir: true, traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::max_unpool2d.out(Tensor self, Tensor indices, SymInt[2] output_size, *, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], functional: Some("aten::max_unpool2d"), ..ROW },
    OpRecord { schema_text: "aten::max_unpool3d(Tensor self, Tensor indices, SymInt[3] output_size, int[3] stride, int[3] padding) -> Tensor", in_torch_mlir: true, traits: &[Pure], ..ROW },
    OpRecord { schema_text: "aten::max_unpool3d.out(Tensor self, Tensor indices, SymInt[3] output_size, int[3] stride, int[3] padding, *, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], functional: Some("aten::max_unpool3d"), ..ROW },
];
