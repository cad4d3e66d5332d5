//===- special.td - The op table: special functions of one and two variables -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"aten::i0(Tensor self) -> Tensor"> { let numerics = Close; let shape = "like::first_as_float"; let kernel = "special::unary::i0"; }
def : Op<"aten::i0_(Tensor(a!) self) -> Tensor(a!)">;
def : Op<"aten::i0.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::igamma(Tensor self, Tensor other) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::gammainc"; }
def : Op<"aten::igamma_(Tensor(a!) self, Tensor other) -> Tensor(a!)">;
def : Op<"aten::igamma.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::igammac(Tensor self, Tensor other) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::gammaincc"; }
def : Op<"aten::igammac_(Tensor(a!) self, Tensor other) -> Tensor(a!)">;
def : Op<"aten::igammac.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::mvlgamma(Tensor self, int p) -> Tensor"> { let numerics = Close; let shape = "special::mvlgamma"; let kernel = "special::mvlgamma_kernel"; }
def : Op<"aten::mvlgamma_(Tensor(a!) self, int p) -> Tensor(a!)">;
def : Op<"aten::mvlgamma.out(Tensor self, int p, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::nextafter(Tensor self, Tensor other) -> Tensor"> { let shape = "special::nextafter"; let kernel = "special::nextafter"; }
def : Op<"aten::nextafter_(Tensor(a!) self, Tensor other) -> Tensor(a!)">;
def : Op<"aten::nextafter.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::polygamma(int n, Tensor self) -> Tensor"> { let numerics = Close; let shape = "special::polygamma"; let kernel = "special::polygamma_kernel"; }
def : Op<"aten::polygamma_(Tensor(a!) self, int n) -> Tensor(a!)">;
def : Op<"aten::polygamma.out(int n, Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_airy_ai(Tensor x) -> Tensor"> { let numerics = Close; let shape = "like::first_as_float"; let kernel = "special::unary::airy"; let refuses = [NoKernel<"airy_ai_cpu", [HalfFloats]>]; }
def : Op<"aten::special_airy_ai.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_bessel_j0(Tensor self) -> Tensor"> { let numerics = Close; let shape = "like::first_as_float"; let kernel = "special::unary::j0"; let refuses = [NoKernel<"bessel_j0_cpu", [HalfFloats]>]; }
def : Op<"aten::special_bessel_j0.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_bessel_j1(Tensor self) -> Tensor"> { let numerics = Close; let shape = "like::first_as_float"; let kernel = "special::unary::j1"; let refuses = [NoKernel<"bessel_j1_cpu", [HalfFloats]>]; }
def : Op<"aten::special_bessel_j1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_bessel_y0(Tensor self) -> Tensor"> { let numerics = Close; let shape = "like::first_as_float"; let kernel = "special::unary::y0"; let refuses = [NoKernel<"bessel_y0_cpu", [HalfFloats]>]; }
def : Op<"aten::special_bessel_y0.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_bessel_y1(Tensor self) -> Tensor"> { let numerics = Close; let shape = "like::first_as_float"; let kernel = "special::unary::y1"; let refuses = [NoKernel<"bessel_y1_cpu", [HalfFloats]>]; }
def : Op<"aten::special_bessel_y1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_chebyshev_polynomial_t(Tensor x, Tensor n) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::chebyshev_t"; let refuses = [NoKernel<"chebyshev_polynomial_t_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_chebyshev_polynomial_t.n_scalar(Tensor x, Scalar n) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::chebyshev_t"; let refuses = [NoKernel<"chebyshev_polynomial_t_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_chebyshev_polynomial_t.x_scalar(Scalar x, Tensor n) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::chebyshev_t"; let refuses = [NoKernel<"chebyshev_polynomial_t_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_chebyshev_polynomial_t.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::special_chebyshev_polynomial_t.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::special_chebyshev_polynomial_t.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_chebyshev_polynomial_u(Tensor x, Tensor n) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::chebyshev_u"; let refuses = [NoKernel<"chebyshev_polynomial_u_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_chebyshev_polynomial_u.n_scalar(Tensor x, Scalar n) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::chebyshev_u"; let refuses = [NoKernel<"chebyshev_polynomial_u_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_chebyshev_polynomial_u.x_scalar(Scalar x, Tensor n) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::chebyshev_u"; let refuses = [NoKernel<"chebyshev_polynomial_u_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_chebyshev_polynomial_u.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::special_chebyshev_polynomial_u.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::special_chebyshev_polynomial_u.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_chebyshev_polynomial_v(Tensor x, Tensor n) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::chebyshev_v"; let refuses = [NoKernel<"chebyshev_polynomial_v_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_chebyshev_polynomial_v.n_scalar(Tensor x, Scalar n) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::chebyshev_v"; let refuses = [NoKernel<"chebyshev_polynomial_v_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_chebyshev_polynomial_v.x_scalar(Scalar x, Tensor n) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::chebyshev_v"; let refuses = [NoKernel<"chebyshev_polynomial_v_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_chebyshev_polynomial_v.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::special_chebyshev_polynomial_v.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::special_chebyshev_polynomial_v.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_chebyshev_polynomial_w(Tensor x, Tensor n) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::chebyshev_w"; let refuses = [NoKernel<"chebyshev_polynomial_w_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_chebyshev_polynomial_w.n_scalar(Tensor x, Scalar n) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::chebyshev_w"; let refuses = [NoKernel<"chebyshev_polynomial_w_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_chebyshev_polynomial_w.x_scalar(Scalar x, Tensor n) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::chebyshev_w"; let refuses = [NoKernel<"chebyshev_polynomial_w_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_chebyshev_polynomial_w.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::special_chebyshev_polynomial_w.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::special_chebyshev_polynomial_w.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_erfcx(Tensor self) -> Tensor"> { let numerics = Close; let shape = "like::first_as_float"; let kernel = "special::unary::erfcx"; let refuses = [NoKernel<"erfcx_cpu", [HalfFloats]>]; }
def : Op<"aten::special_erfcx.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_gammainc(Tensor self, Tensor other) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::gammainc"; }
def : Op<"aten::special_gammainc.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_gammaincc(Tensor self, Tensor other) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::gammaincc"; }
def : Op<"aten::special_gammaincc.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_hermite_polynomial_h(Tensor x, Tensor n) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::hermite_h"; let refuses = [NoKernel<"hermite_polynomial_h_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_hermite_polynomial_h.n_scalar(Tensor x, Scalar n) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::hermite_h"; let refuses = [NoKernel<"hermite_polynomial_h_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_hermite_polynomial_h.x_scalar(Scalar x, Tensor n) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::hermite_h"; let refuses = [NoKernel<"hermite_polynomial_h_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_hermite_polynomial_h.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::special_hermite_polynomial_h.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::special_hermite_polynomial_h.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_hermite_polynomial_he(Tensor x, Tensor n) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::hermite_he"; let refuses = [NoKernel<"hermite_polynomial_he_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_hermite_polynomial_he.n_scalar(Tensor x, Scalar n) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::hermite_he"; let refuses = [NoKernel<"hermite_polynomial_he_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_hermite_polynomial_he.x_scalar(Scalar x, Tensor n) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::hermite_he"; let refuses = [NoKernel<"hermite_polynomial_he_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_hermite_polynomial_he.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::special_hermite_polynomial_he.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::special_hermite_polynomial_he.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_i0(Tensor self) -> Tensor"> { let numerics = Close; let shape = "like::first_as_float"; let kernel = "special::unary::i0"; }
def : Op<"aten::special_i0.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_i0e(Tensor self) -> Tensor"> { let numerics = Close; let shape = "like::first_as_float"; let kernel = "special::unary::i0e"; }
def : Op<"aten::special_i0e.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_i1(Tensor self) -> Tensor"> { let numerics = Close; let shape = "like::first_as_float"; let kernel = "special::unary::i1"; }
def : Op<"aten::special_i1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_i1e(Tensor self) -> Tensor"> { let numerics = Close; let shape = "like::first_as_float"; let kernel = "special::unary::i1e"; }
def : Op<"aten::special_i1e.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_laguerre_polynomial_l(Tensor x, Tensor n) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::laguerre_l"; let refuses = [NoKernel<"laguerre_polynomial_l_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_laguerre_polynomial_l.n_scalar(Tensor x, Scalar n) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::laguerre_l"; let refuses = [NoKernel<"laguerre_polynomial_l_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_laguerre_polynomial_l.x_scalar(Scalar x, Tensor n) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::laguerre_l"; let refuses = [NoKernel<"laguerre_polynomial_l_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_laguerre_polynomial_l.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::special_laguerre_polynomial_l.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::special_laguerre_polynomial_l.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_legendre_polynomial_p(Tensor x, Tensor n) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::legendre_p"; let refuses = [NoKernel<"legendre_polynomial_p_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_legendre_polynomial_p.n_scalar(Tensor x, Scalar n) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::legendre_p"; let refuses = [NoKernel<"legendre_polynomial_p_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_legendre_polynomial_p.x_scalar(Scalar x, Tensor n) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::legendre_p"; let refuses = [NoKernel<"legendre_polynomial_p_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_legendre_polynomial_p.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::special_legendre_polynomial_p.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::special_legendre_polynomial_p.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_log_ndtr(Tensor self) -> Tensor"> { let numerics = Close; let shape = "like::first_as_float"; let kernel = "special::unary::log_ndtr"; let refuses = [NoKernel<"log_ndtr_cpu", [HalfFloats]>]; }
def : Op<"aten::special_log_ndtr.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_modified_bessel_i0(Tensor self) -> Tensor"> { let numerics = Close; let shape = "like::first_as_float"; let kernel = "special::unary::i0"; let refuses = [NoKernel<"modified_bessel_i0_cpu", [HalfFloats]>]; }
def : Op<"aten::special_modified_bessel_i0.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_modified_bessel_i1(Tensor self) -> Tensor"> { let numerics = Close; let shape = "like::first_as_float"; let kernel = "special::unary::i1"; let refuses = [NoKernel<"modified_bessel_i1_cpu", [HalfFloats]>]; }
def : Op<"aten::special_modified_bessel_i1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_modified_bessel_k0(Tensor self) -> Tensor"> { let numerics = Close; let shape = "like::first_as_float"; let kernel = "special::unary::k0"; let refuses = [NoKernel<"modified_bessel_k0_cpu", [HalfFloats]>]; }
def : Op<"aten::special_modified_bessel_k0.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_modified_bessel_k1(Tensor self) -> Tensor"> { let numerics = Close; let shape = "like::first_as_float"; let kernel = "special::unary::k1"; let refuses = [NoKernel<"modified_bessel_k1_cpu", [HalfFloats]>]; }
def : Op<"aten::special_modified_bessel_k1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_multigammaln(Tensor self, int p) -> Tensor"> { let numerics = Close; let shape = "special::mvlgamma"; let kernel = "special::mvlgamma_kernel"; }
def : Op<"aten::special_multigammaln.out(Tensor self, int p, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_ndtri(Tensor self) -> Tensor"> { let numerics = Close; let shape = "like::first_as_float"; let kernel = "special::unary::ndtri"; let refuses = [NoKernel<"ndtri_cpu", [HalfFloats]>]; }
def : Op<"aten::special_ndtri.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_polygamma(int n, Tensor self) -> Tensor"> { let numerics = Loose; let shape = "special::polygamma"; let kernel = "special::polygamma_kernel"; }
def : Op<"aten::special_polygamma.out(int n, Tensor self, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_scaled_modified_bessel_k0(Tensor x) -> Tensor"> { let numerics = Close; let shape = "like::first_as_float"; let kernel = "special::unary::k0e"; let refuses = [NoKernel<"scaled_modified_bessel_k0_cpu", [HalfFloats]>]; }
def : Op<"aten::special_scaled_modified_bessel_k0.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_scaled_modified_bessel_k1(Tensor x) -> Tensor"> { let numerics = Close; let shape = "like::first_as_float"; let kernel = "special::unary::k1e"; let refuses = [NoKernel<"scaled_modified_bessel_k1_cpu", [HalfFloats]>]; }
def : Op<"aten::special_scaled_modified_bessel_k1.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_shifted_chebyshev_polynomial_t(Tensor x, Tensor n) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::shifted_chebyshev_t"; let refuses = [NoKernel<"shifted_chebyshev_polynomial_t_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_shifted_chebyshev_polynomial_t.n_scalar(Tensor x, Scalar n) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::shifted_chebyshev_t"; let refuses = [NoKernel<"shifted_chebyshev_polynomial_t_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_shifted_chebyshev_polynomial_t.x_scalar(Scalar x, Tensor n) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::shifted_chebyshev_t"; let refuses = [NoKernel<"shifted_chebyshev_polynomial_t_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_shifted_chebyshev_polynomial_t.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::special_shifted_chebyshev_polynomial_t.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::special_shifted_chebyshev_polynomial_t.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_shifted_chebyshev_polynomial_u(Tensor x, Tensor n) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::shifted_chebyshev_u"; let refuses = [NoKernel<"shifted_chebyshev_polynomial_u_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_shifted_chebyshev_polynomial_u.n_scalar(Tensor x, Scalar n) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::shifted_chebyshev_u"; let refuses = [NoKernel<"shifted_chebyshev_polynomial_u_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_shifted_chebyshev_polynomial_u.x_scalar(Scalar x, Tensor n) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::shifted_chebyshev_u"; let refuses = [NoKernel<"shifted_chebyshev_polynomial_u_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_shifted_chebyshev_polynomial_u.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::special_shifted_chebyshev_polynomial_u.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::special_shifted_chebyshev_polynomial_u.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_shifted_chebyshev_polynomial_v(Tensor x, Tensor n) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::shifted_chebyshev_v"; let refuses = [NoKernel<"shifted_chebyshev_polynomial_v_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_shifted_chebyshev_polynomial_v.n_scalar(Tensor x, Scalar n) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::shifted_chebyshev_v"; let refuses = [NoKernel<"shifted_chebyshev_polynomial_v_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_shifted_chebyshev_polynomial_v.x_scalar(Scalar x, Tensor n) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::shifted_chebyshev_v"; let refuses = [NoKernel<"shifted_chebyshev_polynomial_v_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_shifted_chebyshev_polynomial_v.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::special_shifted_chebyshev_polynomial_v.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)"> { let numerics = Loose; }
def : Op<"aten::special_shifted_chebyshev_polynomial_v.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_shifted_chebyshev_polynomial_w(Tensor x, Tensor n) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::shifted_chebyshev_w"; let refuses = [NoKernel<"shifted_chebyshev_polynomial_w_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_shifted_chebyshev_polynomial_w.n_scalar(Tensor x, Scalar n) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::shifted_chebyshev_w"; let refuses = [NoKernel<"shifted_chebyshev_polynomial_w_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_shifted_chebyshev_polynomial_w.x_scalar(Scalar x, Tensor n) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::shifted_chebyshev_w"; let refuses = [NoKernel<"shifted_chebyshev_polynomial_w_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_shifted_chebyshev_polynomial_w.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::special_shifted_chebyshev_polynomial_w.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::special_shifted_chebyshev_polynomial_w.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_spherical_bessel_j0(Tensor x) -> Tensor"> { let numerics = Close; let shape = "like::first_as_float"; let kernel = "special::unary::spherical_j0"; let refuses = [NoKernel<"spherical_bessel_j0_cpu", [HalfFloats]>]; }
def : Op<"aten::special_spherical_bessel_j0.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::special_zeta(Tensor self, Tensor other) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::zeta"; let refuses = [NoKernel<"zeta_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_zeta.other_scalar(Tensor self, Scalar other) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::zeta"; let refuses = [NoKernel<"zeta_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_zeta.self_scalar(Scalar self, Tensor other) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::zeta"; let refuses = [NoKernel<"zeta_cpu", [HalfFloats], "result">]; }
def : Op<"aten::special_zeta.other_scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::special_zeta.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::special_zeta.self_scalar_out(Scalar self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"prims::bessel_i0(Tensor self) -> Tensor"> { let numerics = Close; let shape = "like::first_as_float"; let kernel = "special::unary::i0"; }

def : Op<"prims::bessel_i0e(Tensor self) -> Tensor"> { let numerics = Close; let shape = "like::first_as_float"; let kernel = "special::unary::i0e"; }

def : Op<"prims::bessel_i1(Tensor self) -> Tensor"> { let numerics = Close; let shape = "like::first_as_float"; let kernel = "special::unary::i1"; }

def : Op<"prims::bessel_i1e(Tensor self) -> Tensor"> { let numerics = Close; let shape = "like::first_as_float"; let kernel = "special::unary::i1e"; }

def : Op<"prims::bessel_j0(Tensor self) -> Tensor"> { let numerics = Close; let shape = "like::first_as_float"; let kernel = "special::unary::j0"; }

def : Op<"prims::bessel_j1(Tensor self) -> Tensor"> { let numerics = Close; let shape = "like::first_as_float"; let kernel = "special::unary::j1"; }

def : Op<"prims::cbrt(Tensor self) -> Tensor"> { let numerics = Close; let shape = "like::first_as_float"; let kernel = "special::unary::cbrt"; }

def : Op<"prims::erfcx(Tensor self) -> Tensor"> { let numerics = Close; let shape = "like::first_as_float"; let kernel = "special::unary::erfcx"; }

def : Op<"prims::igamma(Tensor self, Tensor other) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::gammainc"; }

def : Op<"prims::igammac(Tensor self, Tensor other) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::gammaincc"; }

def : Op<"prims::ndtri(Tensor self) -> Tensor"> { let numerics = Close; let shape = "like::first_as_float"; let kernel = "special::unary::ndtri"; }

def : Op<"prims::nextafter(Tensor self, Tensor other) -> Tensor"> { let shape = "special::nextafter"; let kernel = "special::nextafter"; }

def : Op<"prims::spherical_bessel_j0(Tensor self) -> Tensor"> { let numerics = Close; let shape = "like::first_as_float"; let kernel = "special::unary::spherical_j0"; }

def : Op<"prims::zeta(Tensor self, Tensor other) -> Tensor"> { let numerics = Close; let shape = "special::binary"; let kernel = "special::binary::zeta"; }
