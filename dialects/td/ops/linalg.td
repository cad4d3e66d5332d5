//===- linalg.td - The op table: decompositions and solvers -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"aten::_linalg_det(Tensor A) -> (Tensor result, Tensor LU, Tensor pivots)", [TorchMlir]> { let numerics = Close; }

def : Op<"aten::linalg_cholesky(Tensor self, *, bool upper=False) -> Tensor"> { let numerics = Close; }
def : Op<"aten::linalg_cholesky.out(Tensor self, *, bool upper=False, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::linalg_cross(Tensor self, Tensor other, *, int dim=-1) -> Tensor", [TorchMlir]> { let numerics = Close; }
def : Op<"aten::linalg_cross.out(Tensor self, Tensor other, *, int dim=-1, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::linalg_det(Tensor A) -> Tensor", [TorchMlir]> { let numerics = Close; }
def : Op<"aten::linalg_det.out(Tensor A, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::linalg_inv(Tensor A) -> Tensor"> { let numerics = Close; }
def : Op<"aten::linalg_inv.out(Tensor A, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::linalg_matrix_norm(Tensor self, Scalar ord, int[] dim=[-2, -1], bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"> { let numerics = Close; }
def : Op<"aten::linalg_matrix_norm.str_ord(Tensor self, str ord=\"fro\", int[] dim=[-2, -1], bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"> { let numerics = Close; }
def : Op<"aten::linalg_matrix_norm.out(Tensor self, Scalar ord, int[] dim=[-2, -1], bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::linalg_matrix_norm.str_ord_out(Tensor self, str ord=\"fro\", int[] dim=[-2, -1], bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::linalg_norm(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", [TorchMlir]> { let numerics = Close; }
def : Op<"aten::linalg_norm.ord_str(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"> { let numerics = Close; }
def : Op<"aten::linalg_norm.ord_str_out(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::linalg_norm.out(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::linalg_qr(Tensor A, str mode=\"reduced\") -> (Tensor Q, Tensor R)", [TorchMlir]> { let numerics = Close; }

def : Op<"aten::linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet)", [TorchMlir]> { let numerics = Close; }

def : Op<"aten::linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor"> { let numerics = Close; }
def : Op<"aten::linalg_solve.out(Tensor A, Tensor B, *, bool left=True, Tensor(a!) out) -> Tensor(a!)">;
