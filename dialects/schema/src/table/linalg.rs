//! Rows of the op table, family `linalg`. Made by `cargo xtask codegen` from dialects/td/ops/linalg.td; do not edit.

#[allow(unused_imports)]
use crate::op::{Numerics::*, OpRecord, Trait::*};

const ROW: OpRecord = OpRecord { family: "linalg", ..OpRecord::DEFAULT };

#[rustfmt::skip]
#[allow(clippy::approx_constant)]
pub(super) static ROWS: &[OpRecord] = &[
    OpRecord { schema_text: "aten::_linalg_det(Tensor A) -> (Tensor result, Tensor LU, Tensor pivots)", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::linalg_cholesky(Tensor self, *, bool upper=False) -> Tensor", traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::linalg_cholesky.out(Tensor self, *, bool upper=False, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], numerics: Close, functional: Some("aten::linalg_cholesky"), ..ROW },
    OpRecord { schema_text: "aten::linalg_cross(Tensor self, Tensor other, *, int dim=-1) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::linalg_cross.out(Tensor self, Tensor other, *, int dim=-1, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], numerics: Close, functional: Some("aten::linalg_cross"), ..ROW },
    OpRecord { schema_text: "aten::linalg_det(Tensor A) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::linalg_det.out(Tensor A, *, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], numerics: Close, functional: Some("aten::linalg_det"), ..ROW },
    OpRecord { schema_text: "aten::linalg_inv(Tensor A) -> Tensor", traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::linalg_inv.out(Tensor A, *, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], numerics: Close, functional: Some("aten::linalg_inv"), ..ROW },
    OpRecord { schema_text: "aten::linalg_matrix_norm(Tensor self, Scalar ord, int[] dim=[-2, -1], bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::linalg_matrix_norm.str_ord(Tensor self, str ord=\"fro\", int[] dim=[-2, -1], bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::linalg_matrix_norm.out(Tensor self, Scalar ord, int[] dim=[-2, -1], bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], numerics: Close, functional: Some("aten::linalg_matrix_norm"), ..ROW },
    OpRecord { schema_text: "aten::linalg_matrix_norm.str_ord_out(Tensor self, str ord=\"fro\", int[] dim=[-2, -1], bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], numerics: Close, functional: Some("aten::linalg_matrix_norm.str_ord"), ..ROW },
    OpRecord { schema_text: "aten::linalg_norm(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::linalg_norm.ord_str(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::linalg_norm.ord_str_out(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], numerics: Close, functional: Some("aten::linalg_norm.ord_str"), ..ROW },
    OpRecord { schema_text: "aten::linalg_norm.out(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], numerics: Close, functional: Some("aten::linalg_norm"), ..ROW },
    OpRecord { schema_text: "aten::linalg_qr(Tensor A, str mode=\"reduced\") -> (Tensor Q, Tensor R)", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet)", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor", traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::linalg_solve.out(Tensor A, Tensor B, *, bool left=True, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], numerics: Close, functional: Some("aten::linalg_solve"), ..ROW },
];
