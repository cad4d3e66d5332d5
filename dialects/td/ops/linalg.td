//===- linalg.td - The op table: decompositions and solvers -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"aten::_linalg_det(Tensor A) -> (Tensor result, Tensor LU, Tensor pivots)", [TorchMlir]> { let numerics = Close; let shape = "linalg::det_parts"; let refuses = [NoKernel<"lu_cpu", [HalfFloats, HalfComplexes]>]; }

def : Op<"aten::linalg_cholesky(Tensor self, *, bool upper=False) -> Tensor"> { let numerics = Close; let shape = "linalg::cholesky"; let kernel = "lu::cholesky"; let refuses = [NoKernel<"cholesky_cpu", [HalfFloats, HalfComplexes]>]; }
def : Op<"aten::linalg_cholesky.out(Tensor self, *, bool upper=False, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::linalg_cross(Tensor self, Tensor other, *, int dim=-1) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "linalg::cross"; }
def : Op<"aten::linalg_cross.out(Tensor self, Tensor other, *, int dim=-1, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::linalg_det(Tensor A) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "linalg::det"; let kernel = "lu::det"; let refuses = [NoKernel<"lu_cpu", [HalfFloats, HalfComplexes]>]; }
def : Op<"aten::linalg_det.out(Tensor A, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::linalg_inv(Tensor A) -> Tensor"> { let numerics = Close; let shape = "linalg::inv"; let kernel = "lu::inv"; let refuses = [Refuse<"linalg.inv: Low precision dtypes not supported. Got {}", [HalfFloats, HalfComplexes]>]; }
def : Op<"aten::linalg_inv.out(Tensor A, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::linalg_matrix_norm(Tensor self, Scalar ord, int[] dim=[-2, -1], bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"> { let numerics = Close; let shape = "linalg::matrix_norm"; let kernel = "decompositions::matrix_norm"; }
def : Op<"aten::linalg_matrix_norm.str_ord(Tensor self, str ord=\"fro\", int[] dim=[-2, -1], bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"> { let numerics = Close; let shape = "linalg::matrix_norm"; let kernel = "decompositions::matrix_norm_str"; let refuses = [Refuse<"linalg.matrix_norm: Low precision dtypes not supported. Got {}", [HalfFloats, HalfComplexes]>]; }
def : Op<"aten::linalg_matrix_norm.out(Tensor self, Scalar ord, int[] dim=[-2, -1], bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::linalg_matrix_norm.str_ord_out(Tensor self, str ord=\"fro\", int[] dim=[-2, -1], bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::linalg_norm(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "linalg::norm"; let kernel = "decompositions::norm"; }
def : Op<"aten::linalg_norm.ord_str(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"> { let numerics = Close; let shape = "linalg::norm_str"; let kernel = "decompositions::matrix_norm_str"; let refuses = [Refuse<"linalg.matrix_norm: Low precision dtypes not supported. Got {}", [HalfFloats, HalfComplexes]>]; }
def : Op<"aten::linalg_norm.ord_str_out(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::linalg_norm.out(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::linalg_qr(Tensor A, str mode=\"reduced\") -> (Tensor Q, Tensor R)", [TorchMlir]> { let numerics = Close; let shape = "linalg::qr"; let kernel = "decompositions::qr"; let refuses = [NoKernel<"geqrf_cpu", [HalfFloats, HalfComplexes]>]; }

def : Op<"aten::linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet)", [TorchMlir]> { let numerics = Close; let shape = "linalg::slogdet"; let kernel = "lu::slogdet"; let refuses = [Refuse<"linalg.slogdet: Low precision dtypes not supported. Got {}", [HalfFloats, HalfComplexes]>]; }

def : Op<"aten::linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor"> { let numerics = Close; let shape = "linalg::solve"; let kernel = "lu::solve"; }
def : Op<"aten::linalg_solve.out(Tensor A, Tensor B, *, bool left=True, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::_cholesky_solve_helper(Tensor self, Tensor A, bool upper) -> Tensor"> { let numerics = Loose; let shape = "linalg::cholesky_solve"; }
def : Op<"aten::_cholesky_solve_helper.out(Tensor self, Tensor A, bool upper, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::_compute_linear_combination(Tensor input, Tensor coefficients) -> Tensor"> { let shape = "linalg::linear_combination"; }
def : Op<"aten::_compute_linear_combination.out(Tensor input, Tensor coefficients, *, Tensor(a!) out) -> Tensor(a!)"> { let numerics = Close; }

def : Op<"aten::_linalg_check_errors(Tensor info, str api_name, *, bool is_matrix) -> ()">;

def : Op<"aten::_linalg_det.result(Tensor A, *, Tensor(a!) result, Tensor(b!) LU, Tensor(c!) pivots) -> (Tensor(a!) result, Tensor(b!) LU, Tensor(c!) pivots)"> { let numerics = Close; }

def : Op<"aten::_linalg_eigh(Tensor A, str UPLO=\"L\", bool compute_v=True) -> (Tensor eigenvalues, Tensor eigenvectors)"> { let numerics = Meta; let shape = "linalg::eigh_parts"; let refuses = [NoKernel<"linalg_eigh_cpu", [HalfFloats, HalfComplexes]>]; }
def : Op<"aten::_linalg_eigh.eigenvalues(Tensor A, str UPLO=\"L\", bool compute_v=True, *, Tensor(a!) eigenvalues, Tensor(b!) eigenvectors) -> (Tensor(a!) eigenvalues, Tensor(b!) eigenvectors)">;

def : Op<"aten::_linalg_eigvals(Tensor self) -> Tensor"> { let numerics = Close; let shape = "linalg::eigvals"; let kernel = "eigen::eig"; let refuses = [NoKernel<"linalg_eig_out_cpu", [HalfFloats, HalfComplexes]>]; }

def : Op<"aten::_linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet, Tensor LU, Tensor pivots)"> { let numerics = Close; let shape = "linalg::slogdet_parts"; let refuses = [Refuse<"linalg.slogdet: Low precision dtypes not supported. Got {}", [HalfFloats, HalfComplexes]>]; }
def : Op<"aten::_linalg_slogdet.sign(Tensor A, *, Tensor(a!) sign, Tensor(b!) logabsdet, Tensor(c!) LU, Tensor(d!) pivots) -> (Tensor(a!) sign, Tensor(b!) logabsdet, Tensor(c!) LU, Tensor(d!) pivots)">;

def : Op<"aten::_linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> (Tensor result, Tensor LU, Tensor pivots, Tensor info)"> { let numerics = Close; let shape = "linalg::solve_parts"; }
def : Op<"aten::_linalg_solve_ex.result(Tensor A, Tensor B, *, bool left=True, bool check_errors=False, Tensor(a!) result, Tensor(b!) LU, Tensor(c!) pivots, Tensor(d!) info) -> (Tensor(a!) result, Tensor(b!) LU, Tensor(c!) pivots, Tensor(d!) info)">;

def : Op<"aten::_linalg_svd(Tensor A, bool full_matrices=False, bool compute_uv=True, *, str? driver=None) -> (Tensor U, Tensor S, Tensor Vh)"> { let numerics = Meta; let shape = "linalg::svd_parts"; let refuses = [NoKernel<"linalg_svd_cpu", [HalfFloats, HalfComplexes]>]; }
def : Op<"aten::_linalg_svd.U(Tensor A, bool full_matrices=False, bool compute_uv=True, *, str? driver=None, Tensor(a!) U, Tensor(b!) S, Tensor(c!) Vh) -> (Tensor(a!) U, Tensor(b!) S, Tensor(c!) Vh)">;

def : Op<"aten::_lu_with_info(Tensor self, bool pivot=True, bool check_errors=True) -> (Tensor LU, Tensor pivots, Tensor info)"> { let numerics = Close; let shape = "linalg::lu_factor_ex"; let refuses = [NoKernel<"lu_cpu", [HalfFloats, HalfComplexes]>]; }

def : Op<"aten::cholesky_inverse(Tensor self, bool upper=False) -> Tensor"> { let numerics = Close; let shape = "linalg::cholesky_inverse"; let refuses = [NoKernel<"cholesky_inverse_out_cpu", [HalfFloats, HalfComplexes]>]; }
def : Op<"aten::cholesky_inverse.out(Tensor self, bool upper=False, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::cholesky_solve(Tensor self, Tensor input2, bool upper=False) -> Tensor"> { let numerics = Close; let shape = "linalg::cholesky_solve"; }
def : Op<"aten::cholesky_solve.out(Tensor self, Tensor input2, bool upper=False, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::cross(Tensor self, Tensor other, int? dim=None) -> Tensor"> { let numerics = Close; let shape = "linalg::cross_default"; }
def : Op<"aten::cross.out(Tensor self, Tensor other, int? dim=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::det(Tensor self) -> Tensor"> { let numerics = Close; let shape = "linalg::det"; let kernel = "lu::det"; let refuses = [NoKernel<"lu_cpu", [HalfFloats, HalfComplexes]>]; }

def : Op<"aten::geqrf(Tensor self) -> (Tensor a, Tensor tau)"> { let numerics = Meta; let shape = "linalg::geqrf"; let kernel = "solvers::geqrf"; let refuses = [NoKernel<"geqrf_cpu", [HalfFloats, HalfComplexes]>]; }
def : Op<"aten::geqrf.a(Tensor self, *, Tensor(a!) a, Tensor(b!) tau) -> (Tensor(a!) a, Tensor(b!) tau)">;

def : Op<"aten::inverse(Tensor self) -> Tensor"> { let numerics = Close; let shape = "linalg::inv"; let kernel = "lu::inv"; let refuses = [Refuse<"linalg.inv: Low precision dtypes not supported. Got {}", [HalfFloats, HalfComplexes]>]; }
def : Op<"aten::inverse.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::linalg_cholesky_ex(Tensor self, *, bool upper=False, bool check_errors=False) -> (Tensor L, Tensor info)"> { let numerics = Close; let shape = "linalg::cholesky_ex"; let kernel = "lu::cholesky_ex"; let refuses = [NoKernel<"cholesky_cpu", [HalfFloats, HalfComplexes]>]; }
def : Op<"aten::linalg_cholesky_ex.L(Tensor self, *, bool upper=False, bool check_errors=False, Tensor(a!) L, Tensor(b!) info) -> (Tensor(a!) L, Tensor(b!) info)">;

def : Op<"aten::linalg_cond(Tensor self, Scalar? p=None) -> Tensor"> { let numerics = Close; let shape = "linalg::cond"; let refuses = [NoKernel<"linalg_svd_cpu", [HalfFloats, HalfComplexes]>]; }
def : Op<"aten::linalg_cond.out(Tensor self, Scalar? p=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::linalg_eig(Tensor self) -> (Tensor eigenvalues, Tensor eigenvectors)"> { let numerics = Meta; let shape = "linalg::eig"; let kernel = "eigen::eig"; let refuses = [NoKernel<"linalg_eig_out_cpu", [HalfFloats, HalfComplexes]>]; }
def : Op<"aten::linalg_eig.out(Tensor self, *, Tensor(a!) eigenvalues, Tensor(b!) eigenvectors) -> (Tensor(a!) eigenvalues, Tensor(b!) eigenvectors)">;

def : Op<"aten::linalg_eigh(Tensor self, str UPLO=\"L\") -> (Tensor eigenvalues, Tensor eigenvectors)"> { let numerics = Meta; let shape = "linalg::eigh"; let kernel = "decompositions::eigh"; let refuses = [NoKernel<"linalg_eigh_cpu", [HalfFloats, HalfComplexes]>]; }
def : Op<"aten::linalg_eigh.eigvals(Tensor self, str UPLO=\"L\", *, Tensor(a!) eigvals, Tensor(b!) eigvecs) -> (Tensor(a!) eigenvalues, Tensor(b!) eigenvectors)">;

def : Op<"aten::linalg_eigvals(Tensor self) -> Tensor"> { let numerics = Meta; let shape = "linalg::eigvals"; let kernel = "eigen::eig"; let refuses = [NoKernel<"linalg_eig_out_cpu", [HalfFloats, HalfComplexes]>]; }
def : Op<"aten::linalg_eigvals.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::linalg_eigvalsh(Tensor self, str UPLO=\"L\") -> Tensor"> { let numerics = Close; let shape = "linalg::eigvalsh"; let kernel = "decompositions::eigvalsh"; let refuses = [NoKernel<"linalg_eigh_cpu", [HalfFloats, HalfComplexes]>]; }
def : Op<"aten::linalg_eigvalsh.out(Tensor self, str UPLO=\"L\", *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::linalg_householder_product(Tensor input, Tensor tau) -> Tensor"> { let numerics = Close; let shape = "linalg::householder_product"; }
def : Op<"aten::linalg_householder_product.out(Tensor input, Tensor tau, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::linalg_inv_ex(Tensor A, *, bool check_errors=False) -> (Tensor inverse, Tensor info)"> { let numerics = Close; let shape = "linalg::inv_ex"; let kernel = "lu::inv_ex"; let refuses = [Refuse<"linalg.inv: Low precision dtypes not supported. Got {}", [HalfFloats, HalfComplexes]>]; }
def : Op<"aten::linalg_inv_ex.inverse(Tensor A, *, bool check_errors=False, Tensor(a!) inverse, Tensor(b!) info) -> (Tensor(a!) inverse, Tensor(b!) info)">;

def : Op<"aten::linalg_ldl_factor(Tensor self, *, bool hermitian=False) -> (Tensor LD, Tensor pivots)"> { let numerics = Close; let shape = "linalg::ldl_factor"; let kernel = "ldl::factor"; let refuses = [NoKernel<"ldl_factor_kernel_cpu", [HalfFloats, HalfComplexes]>]; }
def : Op<"aten::linalg_ldl_factor.out(Tensor self, *, bool hermitian=False, Tensor(a!) LD, Tensor(b!) pivots) -> (Tensor(a!) LD, Tensor(b!) pivots)">;

def : Op<"aten::linalg_ldl_factor_ex(Tensor self, *, bool hermitian=False, bool check_errors=False) -> (Tensor LD, Tensor pivots, Tensor info)"> { let numerics = Close; let shape = "linalg::ldl_factor_ex"; let kernel = "ldl::factor"; let refuses = [NoKernel<"ldl_factor_kernel_cpu", [HalfFloats, HalfComplexes]>]; }
def : Op<"aten::linalg_ldl_factor_ex.out(Tensor self, *, bool hermitian=False, bool check_errors=False, Tensor(a!) LD, Tensor(b!) pivots, Tensor(c!) info) -> (Tensor(a!) LD, Tensor(b!) pivots, Tensor(c!) info)">;

def : Op<"aten::linalg_ldl_solve(Tensor LD, Tensor pivots, Tensor B, *, bool hermitian=False) -> Tensor"> { let numerics = Close; let shape = "linalg::ldl_solve"; let kernel = "ldl::solve"; }
def : Op<"aten::linalg_ldl_solve.out(Tensor LD, Tensor pivots, Tensor B, *, bool hermitian=False, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::linalg_lstsq(Tensor self, Tensor b, float? rcond=None, *, str? driver=None) -> (Tensor solution, Tensor residuals, Tensor rank, Tensor singular_values)"> { let numerics = Loose; let shape = "linalg::lstsq"; }
def : Op<"aten::linalg_lstsq.out(Tensor self, Tensor b, float? rcond=None, *, str? driver=None, Tensor(a!) solution, Tensor(b!) residuals, Tensor(c!) rank, Tensor(d!) singular_values) -> (Tensor(a!) solution, Tensor(b!) residuals, Tensor(c!) rank, Tensor(d!) singular_values)", [AnyDType]>;

def : Op<"aten::linalg_lu(Tensor A, *, bool pivot=True) -> (Tensor P, Tensor L, Tensor U)"> { let numerics = Close; let shape = "linalg::lu"; let refuses = [NoKernel<"lu_cpu", [HalfFloats, HalfComplexes]>]; }
def : Op<"aten::linalg_lu.out(Tensor A, *, bool pivot=True, Tensor(a!) P, Tensor(b!) L, Tensor(c!) U) -> (Tensor(a!) P, Tensor(b!) L, Tensor(c!) U)">;

def : Op<"aten::linalg_lu_factor(Tensor A, *, bool pivot=True) -> (Tensor LU, Tensor pivots)"> { let numerics = Close; let shape = "linalg::lu_factor"; let kernel = "decompositions::lu_factor"; let refuses = [NoKernel<"lu_cpu", [HalfFloats, HalfComplexes]>]; }
def : Op<"aten::linalg_lu_factor.out(Tensor A, *, bool pivot=True, Tensor(a!) LU, Tensor(b!) pivots) -> (Tensor(a!) LU, Tensor(b!) pivots)">;

def : Op<"aten::linalg_lu_factor_ex(Tensor A, *, bool pivot=True, bool check_errors=False) -> (Tensor LU, Tensor pivots, Tensor info)"> { let numerics = Close; let shape = "linalg::lu_factor_ex"; let kernel = "decompositions::lu_factor"; let refuses = [NoKernel<"lu_cpu", [HalfFloats, HalfComplexes]>]; }
def : Op<"aten::linalg_lu_factor_ex.out(Tensor A, *, bool pivot=True, bool check_errors=False, Tensor(a!) LU, Tensor(b!) pivots, Tensor(c!) info) -> (Tensor(a!) LU, Tensor(b!) pivots, Tensor(c!) info)">;

def : Op<"aten::linalg_lu_solve(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool adjoint=False) -> Tensor"> { let numerics = Close; let shape = "linalg::lu_solve"; }
def : Op<"aten::linalg_lu_solve.out(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool adjoint=False, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::linalg_matrix_exp(Tensor self) -> Tensor"> { let numerics = Loose; let shape = "linalg::matrix_exp"; let kernel = "decompositions::matrix_exp"; }
def : Op<"aten::linalg_matrix_exp.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::linalg_matrix_rank(Tensor self, float tol, bool hermitian=False) -> Tensor"> { let shape = "linalg::matrix_rank"; let refuses = [NoKernel<"linalg_svd_cpu", [HalfFloats, HalfComplexes]>]; }
def : Op<"aten::linalg_matrix_rank.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, bool hermitian=False) -> Tensor"> { let shape = "linalg::matrix_rank"; let refuses = [NoKernel<"linalg_svd_cpu", [HalfFloats, HalfComplexes]>]; }
def : Op<"aten::linalg_matrix_rank.atol_rtol_tensor(Tensor input, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False) -> Tensor"> { let shape = "linalg::matrix_rank"; let refuses = [Refuse<"torch.linalg.matrix_rank: atol tensor of complex type is not supported. Got {}", [Complexes], "atol", "Runtime">, Refuse<"torch.linalg.matrix_rank: rtol tensor of complex type is not supported. Got {}", [Complexes], "rtol", "Runtime">]; }
def : Op<"aten::linalg_matrix_rank.tol_tensor(Tensor input, Tensor tol, bool hermitian=False) -> Tensor"> { let shape = "linalg::matrix_rank"; let refuses = [NoKernel<"linalg_svd_cpu", [HalfFloats, HalfComplexes]>, Refuse<"torch.linalg.matrix_rank: atol tensor of complex type is not supported. Got {}", [Complexes], "tol", "Runtime">]; }
def : Op<"aten::linalg_matrix_rank.atol_rtol_float_out(Tensor self, *, float? atol=None, float? rtol=None, bool hermitian=False, Tensor(a!) out) -> Tensor(a!)", [AnyDType]> { let numerics = Close; }
def : Op<"aten::linalg_matrix_rank.atol_rtol_tensor_out(Tensor input, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False, Tensor(a!) out) -> Tensor(a!)", [AnyDType]> { let numerics = Close; }
def : Op<"aten::linalg_matrix_rank.out(Tensor self, float tol, bool hermitian=False, *, Tensor(a!) out) -> Tensor(a!)", [AnyDType]>;
def : Op<"aten::linalg_matrix_rank.out_tol_tensor(Tensor input, Tensor tol, bool hermitian=False, *, Tensor(a!) out) -> Tensor(a!)", [AnyDType]>;

def : Op<"aten::linalg_matrix_sqrth(Tensor self) -> Tensor"> { let numerics = Loose; let shape = "linalg::like_square"; let refuses = [Refuse<"linalg.matrix_sqrth: Low precision dtypes not supported. Got {}", [HalfFloats, HalfComplexes]>]; }
def : Op<"aten::linalg_matrix_sqrth.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::linalg_pinv(Tensor self, float rcond, bool hermitian=False) -> Tensor"> { let numerics = Close; let shape = "linalg::pinv"; }
def : Op<"aten::linalg_pinv.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, bool hermitian=False) -> Tensor"> { let numerics = Close; let shape = "linalg::pinv"; }
def : Op<"aten::linalg_pinv.atol_rtol_tensor(Tensor self, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False) -> Tensor"> { let numerics = Close; let shape = "linalg::pinv"; let refuses = [Refuse<"torch.linalg.pinv: rtol tensor of complex type is not supported. Got {}", [Complexes], "rtol", "Runtime">, Refuse<"torch.linalg.pinv: atol tensor of complex type is not supported. Got {}", [Complexes], "atol", "Runtime">]; }
def : Op<"aten::linalg_pinv.rcond_tensor(Tensor self, Tensor rcond, bool hermitian=False) -> Tensor"> { let numerics = Close; let shape = "linalg::pinv"; let refuses = [Refuse<"torch.linalg.pinv: rcond tensor of complex type is not supported. Got {}", [Complexes], "rcond", "Runtime">]; }
def : Op<"aten::linalg_pinv.atol_rtol_float_out(Tensor self, *, float? atol=None, float? rtol=None, bool hermitian=False, Tensor(a!) out) -> Tensor(a!)", [AnyDType]>;
def : Op<"aten::linalg_pinv.atol_rtol_tensor_out(Tensor self, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False, Tensor(a!) out) -> Tensor(a!)", [AnyDType]>;
def : Op<"aten::linalg_pinv.out(Tensor self, float rcond, bool hermitian=False, *, Tensor(a!) out) -> Tensor(a!)", [AnyDType]>;
def : Op<"aten::linalg_pinv.out_rcond_tensor(Tensor self, Tensor rcond, bool hermitian=False, *, Tensor(a!) out) -> Tensor(a!)", [AnyDType]>;

def : Op<"aten::linalg_polar(Tensor A) -> (Tensor U, Tensor H)"> { let numerics = Close; let shape = "linalg::polar"; let refuses = [NoKernel<"linalg_svd_cpu", [HalfFloats, HalfComplexes]>]; }
def : Op<"aten::linalg_polar.out(Tensor A, *, Tensor(a!) U, Tensor(b!) H) -> (Tensor(a!) U, Tensor(b!) H)">;

def : Op<"aten::linalg_qr.out(Tensor A, str mode=\"reduced\", *, Tensor(a!) Q, Tensor(b!) R) -> (Tensor(a!) Q, Tensor(b!) R)"> { let numerics = Close; }

def : Op<"aten::linalg_slogdet.out(Tensor A, *, Tensor(a!) sign, Tensor(b!) logabsdet) -> (Tensor(a!) sign, Tensor(b!) logabsdet)"> { let numerics = Close; }

def : Op<"aten::linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> (Tensor result, Tensor info)"> { let numerics = Close; let shape = "linalg::solve_ex"; let kernel = "lu::solve_ex"; }
def : Op<"aten::linalg_solve_ex.out(Tensor A, Tensor B, *, bool left=True, bool check_errors=False, Tensor(a!) result, Tensor(b!) info) -> (Tensor(a!) result, Tensor(b!) info)">;

def : Op<"aten::linalg_solve_triangular(Tensor self, Tensor B, *, bool upper, bool left=True, bool unitriangular=False) -> Tensor"> { let numerics = Close; let shape = "linalg::solve_triangular"; let kernel = "decompositions::solve_triangular"; }
def : Op<"aten::linalg_solve_triangular.out(Tensor self, Tensor B, *, bool upper, bool left=True, bool unitriangular=False, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::linalg_svd(Tensor A, bool full_matrices=True, *, str? driver=None) -> (Tensor U, Tensor S, Tensor Vh)"> { let numerics = Meta; let shape = "linalg::svd"; let kernel = "decompositions::svd"; let refuses = [NoKernel<"linalg_svd_cpu", [HalfFloats, HalfComplexes]>]; }
def : Op<"aten::linalg_svd.U(Tensor A, bool full_matrices=True, *, str? driver=None, Tensor(a!) U, Tensor(b!) S, Tensor(c!) Vh) -> (Tensor(a!) U, Tensor(b!) S, Tensor(c!) Vh)">;

def : Op<"aten::linalg_svdvals(Tensor A, *, str? driver=None) -> Tensor"> { let numerics = Close; let shape = "linalg::svdvals"; let kernel = "decompositions::svdvals"; let refuses = [NoKernel<"linalg_svd_cpu", [HalfFloats, HalfComplexes]>]; }
def : Op<"aten::linalg_svdvals.out(Tensor A, *, str? driver=None, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::linalg_tensorinv(Tensor self, int ind=2) -> Tensor"> { let numerics = Close; let shape = "linalg::tensorinv"; let refuses = [Refuse<"linalg.inv: Low precision dtypes not supported. Got {}", [HalfFloats, HalfComplexes]>]; }
def : Op<"aten::linalg_tensorinv.out(Tensor self, int ind=2, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::linalg_tensorsolve(Tensor self, Tensor other, int[]? dims=None) -> Tensor"> { let numerics = Close; let shape = "linalg::tensorsolve"; }
def : Op<"aten::linalg_tensorsolve.out(Tensor self, Tensor other, int[]? dims=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::linalg_vander(Tensor x, *, SymInt? N=None) -> Tensor"> { let numerics = Close; let shape = "linalg::vander"; }

def : Op<"aten::logdet(Tensor self) -> Tensor"> { let numerics = Close; let shape = "linalg::logdet"; let kernel = "lu::logdet"; let refuses = [Refuse<"logdet: Low precision dtypes not supported. Got {}", [HalfFloats, HalfComplexes]>]; }

def : Op<"aten::lu_solve(Tensor self, Tensor LU_data, Tensor LU_pivots) -> Tensor"> { let numerics = Close; let shape = "linalg::lu_solve_old"; }
def : Op<"aten::lu_solve.out(Tensor self, Tensor LU_data, Tensor LU_pivots, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::lu_unpack(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool unpack_pivots=True) -> (Tensor P, Tensor L, Tensor U)"> { let numerics = Close; let shape = "linalg::lu_unpack"; let kernel = "solvers::lu_unpack"; }
def : Op<"aten::lu_unpack.out(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool unpack_pivots=True, *, Tensor(a!) P, Tensor(b!) L, Tensor(c!) U) -> (Tensor(a!) P, Tensor(b!) L, Tensor(c!) U)">;

def : Op<"aten::matrix_exp(Tensor self) -> Tensor"> { let numerics = Loose; let shape = "linalg::matrix_exp"; let kernel = "decompositions::matrix_exp"; }

def : Op<"aten::orgqr(Tensor self, Tensor input2) -> Tensor"> { let numerics = Close; let shape = "linalg::householder_product"; }
def : Op<"aten::orgqr.out(Tensor self, Tensor input2, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::ormqr(Tensor self, Tensor input2, Tensor input3, bool left=True, bool transpose=False) -> Tensor"> { let numerics = Close; let shape = "linalg::ormqr"; let kernel = "solvers::ormqr"; }
def : Op<"aten::ormqr.out(Tensor self, Tensor input2, Tensor input3, bool left=True, bool transpose=False, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::pinverse(Tensor self, float rcond=1.0000000000000001e-15) -> Tensor"> { let numerics = Close; let shape = "linalg::pinv"; }

def : Op<"aten::slogdet(Tensor self) -> (Tensor sign, Tensor logabsdet)"> { let numerics = Close; let shape = "linalg::slogdet"; let kernel = "lu::slogdet"; let refuses = [Refuse<"linalg.slogdet: Low precision dtypes not supported. Got {}", [HalfFloats, HalfComplexes]>]; }
def : Op<"aten::slogdet.out(Tensor self, *, Tensor(a!) sign, Tensor(b!) logabsdet) -> (Tensor(a!) sign, Tensor(b!) logabsdet)">;

def : Op<"aten::svd(Tensor self, bool some=True, bool compute_uv=True) -> (Tensor U, Tensor S, Tensor V)"> { let numerics = Meta; let shape = "linalg::svd_columns"; }
def : Op<"aten::svd.U(Tensor self, bool some=True, bool compute_uv=True, *, Tensor(a!) U, Tensor(b!) S, Tensor(c!) V) -> (Tensor(a!) U, Tensor(b!) S, Tensor(c!) V)">;

def : Op<"aten::triangular_solve(Tensor self, Tensor A, bool upper=True, bool transpose=False, bool unitriangular=False) -> (Tensor solution, Tensor cloned_coefficient)"> { let numerics = Close; let shape = "linalg::triangular_solve"; }
def : Op<"aten::triangular_solve.X(Tensor self, Tensor A, bool upper=True, bool transpose=False, bool unitriangular=False, *, Tensor(a!) X, Tensor(b!) M) -> (Tensor(a!) solution, Tensor(b!) cloned_coefficient)">;

def : Op<"prims::svd(Tensor A, *, bool full_matrices) -> (Tensor U, Tensor S, Tensor Vh)"> { let numerics = Meta; let shape = "linalg::svd"; let kernel = "decompositions::svd"; }
