//===- matmul.td - The op table: matrix products, distances and attention -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"aten::_cdist_forward(Tensor x1, Tensor x2, float p, int? compute_mode) -> Tensor"> { let numerics = Close; let shape = "matmul::cdist"; let kernel = "distances::cdist"; }
def : Op<"aten::_cdist_forward.out(Tensor x1, Tensor x2, float p, int? compute_mode, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::_grouped_mm(Tensor self, Tensor mat2, Tensor? offs=None, Tensor? bias=None, ScalarType? out_dtype=None) -> Tensor"> { let numerics = Close; let shape = "matmul::grouped_mm"; let kernel = "grouped_mm::mm"; }

def : Op<"aten::_int_mm(Tensor self, Tensor mat2) -> Tensor", [TorchMlir]> { let shape = "matmul::int_mm"; let kernel = "matmul::mm_dtype"; }
def : Op<"aten::_int_mm.out(Tensor self, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::_native_multi_head_attention(Tensor query, Tensor key, Tensor value, int embed_dim, int num_head, Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, Tensor? mask=None, bool need_weights=True, bool average_attn_weights=True, int? mask_type=None) -> (Tensor, Tensor)", [Random]> { let shape = "matmul::multi_head_attention"; let kernel = "attention::multi_head_attention"; }
def : Op<"aten::_native_multi_head_attention.out(Tensor query, Tensor key, Tensor value, int embed_dim, int num_head, Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, Tensor? mask=None, bool need_weights=True, bool average_attn_weights=True, int? mask_type=None, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))", [Random, OwnDType]>;

def : Op<"aten::_pdist_forward(Tensor self, float p=2.) -> Tensor"> { let numerics = Close; let shape = "matmul::pdist"; let kernel = "distances::pdist"; }
def : Op<"aten::_pdist_forward.out(Tensor self, float p=2., *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::_scaled_mm(Tensor self, Tensor mat2, Tensor scale_a, Tensor scale_b, Tensor? bias=None, Tensor? scale_result=None, ScalarType? out_dtype=None, bool use_fast_accum=False) -> Tensor", [TorchMlir]> { let needs = "a CUDA device"; }
def : Op<"aten::_scaled_mm.out(Tensor self, Tensor mat2, Tensor scale_a, Tensor scale_b, Tensor? bias=None, Tensor? scale_result=None, ScalarType? out_dtype=None, bool use_fast_accum=False, *, Tensor(a!) out) -> Tensor(a!)"> { let needs = "a CUDA device"; }
def : Op<"aten::_scaled_mm_v2(Tensor self, Tensor mat2, Tensor[] scale_a, int[] recipe_a, int[] swizzle_a, Tensor[] scale_b, int[] recipe_b, int[] swizzle_b, Tensor? bias, ScalarType? out_dtype, int[] contraction_dim=[], bool use_fast_accum=False) -> Tensor", [TorchMlir]> { let needs = "a CUDA device"; }
def : Op<"aten::_scaled_mm_v2.out(Tensor self, Tensor mat2, Tensor[] scale_a, int[] recipe_a, int[] swizzle_a, Tensor[] scale_b, int[] recipe_b, int[] swizzle_b, Tensor? bias, ScalarType? out_dtype, int[] contraction_dim=[], bool use_fast_accum=False, *, Tensor(a!) out) -> Tensor(a!)"> { let needs = "a CUDA device"; }
def : Op<"aten::_transformer_encoder_layer_fwd(Tensor src, int embed_dim, int num_heads, Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, bool use_gelu, bool norm_first, float eps, Tensor norm_weight_1, Tensor norm_bias_1, Tensor norm_weight_2, Tensor norm_bias_2, Tensor ffn_weight_1, Tensor ffn_bias_1, Tensor ffn_weight_2, Tensor ffn_bias_2, Tensor? mask=None, int? mask_type=None) -> Tensor", [Random, Nested]> { let shape = "like::first"; let kernel = "attention::transformer_encoder_layer"; }
def : Op<"aten::_transformer_encoder_layer_fwd.out(Tensor src, int embed_dim, int num_heads, Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, bool use_gelu, bool norm_first, float eps, Tensor norm_weight_1, Tensor norm_bias_1, Tensor norm_weight_2, Tensor norm_bias_2, Tensor ffn_weight_1, Tensor ffn_bias_1, Tensor ffn_weight_2, Tensor ffn_bias_2, Tensor? mask=None, int? mask_type=None, *, Tensor(a!) out) -> Tensor(a!)", [Random, OwnDType]>;

def : Op<"aten::_trilinear(Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2, int[] expand3, int[] sumdim, int unroll_dim=1) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "matmul::trilinear"; }
def : Op<"aten::_trilinear.out(Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2, int[] expand3, int[] sumdim, int unroll_dim=1, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor", [TorchMlir]> { let numerics = Loose; let shape = "matmul::addbmm"; }
def : Op<"aten::addbmm_(Tensor(a!) self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor(a!)", [Resizes]>;
def : Op<"aten::addbmm.out(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor", [TorchMlir, Differentiable]> { let numerics = Close; let shape = "matmul::addmm"; let kernel = "matmul::addmm"; }
def : Op<"aten::addmm.dtype(Tensor self, Tensor mat1, Tensor mat2, ScalarType out_dtype, *, Scalar beta=1, Scalar alpha=1) -> Tensor"> { let numerics = Close; let shape = "matmul::addmm_dtype"; let kernel = "matmul::addmm_dtype"; }
def : Op<"aten::addmm_(Tensor(a!) self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor(a!)">;
def : Op<"aten::addmm.dtype_out(Tensor self, Tensor mat1, Tensor mat2, ScalarType out_dtype, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::addmm.out(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "matmul::baddbmm"; let kernel = "matmul::addmm"; }
def : Op<"aten::baddbmm.dtype(Tensor self, Tensor batch1, Tensor batch2, ScalarType out_dtype, *, Scalar beta=1, Scalar alpha=1) -> Tensor"> { let numerics = Close; let shape = "matmul::baddbmm_dtype"; let kernel = "matmul::addmm_dtype"; }
def : Op<"aten::baddbmm_(Tensor(a!) self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor(a!)", [TorchMlir]>;
def : Op<"aten::baddbmm.dtype_out(Tensor self, Tensor batch1, Tensor batch2, ScalarType out_dtype, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::baddbmm.out(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "matmul::bilinear"; }

def : Op<"aten::bmm(Tensor self, Tensor mat2) -> Tensor", [TorchMlir, Differentiable]> { let numerics = Close; let shape = "matmul::bmm"; let kernel = "matmul::mm"; }
def : Op<"aten::bmm.dtype(Tensor self, Tensor mat2, ScalarType out_dtype) -> Tensor"> { let numerics = Close; let shape = "matmul::bmm_dtype"; let kernel = "matmul::mm_dtype"; }
def : Op<"aten::bmm.dtype_out(Tensor self, Tensor mat2, ScalarType out_dtype, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::bmm.out(Tensor self, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::cdist(Tensor x1, Tensor x2, float p=2., int? compute_mode=None) -> Tensor"> { let numerics = Close; let shape = "matmul::cdist"; let kernel = "distances::cdist"; let alike = [Alike<"x1 x2">]; }

def : Op<"aten::dot(Tensor self, Tensor tensor) -> Tensor", [TorchMlir, Differentiable]> { let numerics = Close; let shape = "matmul::dot"; let kernel = "matmul::matmul"; }
def : Op<"aten::dot.out(Tensor self, Tensor tensor, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "matmul::einsum"; let kernel = "matmul::einsum"; }
def : Op<"aten::einsum.sublist(Tensor a, ...) -> Tensor", [ScriptOnly]> { let numerics = Close; let needs = "a kernel; no recorded program or model calls it"; }
def : Op<"aten::linalg_matrix_power(Tensor self, int n) -> Tensor"> { let numerics = Close; let shape = "matmul::linalg_matrix_power"; let kernel = "lu::linalg_matrix_power"; }
def : Op<"aten::linalg_matrix_power.out(Tensor self, int n, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor", [TorchMlir, Differentiable]> { let numerics = Close; let shape = "matmul::linear"; let kernel = "matmul::linear"; }
def : Op<"aten::linear.out(Tensor input, Tensor weight, Tensor? bias=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::matmul(Tensor self, Tensor other) -> Tensor", [TorchMlir, Differentiable]> { let numerics = Close; let shape = "matmul::matmul"; let kernel = "matmul::matmul"; }
def : Op<"aten::matmul.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::mm(Tensor self, Tensor mat2) -> Tensor", [TorchMlir, Differentiable]> { let numerics = Close; let shape = "matmul::mm"; let kernel = "matmul::mm"; }
def : Op<"aten::mm.dtype(Tensor self, Tensor mat2, ScalarType out_dtype) -> Tensor"> { let numerics = Close; let shape = "matmul::mm_dtype"; let kernel = "matmul::mm_dtype"; }
def : Op<"aten::mm.dtype_out(Tensor self, Tensor mat2, ScalarType out_dtype, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::mm.out(Tensor self, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::mv(Tensor self, Tensor vec) -> Tensor", [TorchMlir, Differentiable]> { let numerics = Close; let shape = "matmul::mv"; let kernel = "matmul::matmul"; }
def : Op<"aten::mv.out(Tensor self, Tensor vec, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::outer(Tensor self, Tensor vec2) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "matmul::outer"; let kernel = "matmul::outer"; }
def : Op<"aten::outer.out(Tensor self, Tensor vec2, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0., bool is_causal=False, *, float? scale=None, bool enable_gqa=False) -> Tensor", [TorchMlir, Random]> { let numerics = Close; let shape = "matmul::scaled_dot_product_attention"; let kernel = "attention::scaled_dot_product_attention"; }

def : Op<"aten::tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor"> { let numerics = Close; let shape = "matmul::tensordot"; let kernel = "matmul::tensordot"; }
def : Op<"aten::tensordot.out(Tensor self, Tensor other, int[] dims_self, int[] dims_other, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::_addmm_activation(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, bool use_gelu=False) -> Tensor"> { let numerics = Close; let shape = "matmul::addmm"; }
def : Op<"aten::_addmm_activation.out(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, bool use_gelu=False, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::_cdist_backward(Tensor grad_output, Tensor x1, Tensor x2, float p, Tensor cdist) -> Tensor"> { let numerics = Close; let shape = "like::second"; let alike = [Alike<"x1 x2 grad_output cdist">]; }
def : Op<"aten::_cdist_backward.out(Tensor grad_output, Tensor x1, Tensor x2, float p, Tensor cdist, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::_euclidean_dist(Tensor x1, Tensor x2) -> Tensor"> { let numerics = Close; let shape = "matmul::cdist"; let alike = [Alike<"x1 x2", "expected m1 and m2 to have the same dtype, but got: {cpp want} != {cpp have}">]; }
def : Op<"aten::_euclidean_dist.out(Tensor x1, Tensor x2, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::_fused_sdp_choice(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0., bool is_causal=False, *, float? scale=None, bool enable_gqa=False) -> int">;

def : Op<"aten::_pdist_backward(Tensor grad_output, Tensor self, float p, Tensor pdist) -> Tensor"> { let numerics = Close; let shape = "like::second"; let refuses = [NoKernel<"pdist_backward", [HalfFloats, Bools, Ints, Complexes], "self">]; let alike = [Alike<"self grad_output pdist">]; }
def : Op<"aten::_pdist_backward.out(Tensor grad_output, Tensor self, float p, Tensor pdist, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::_scaled_dot_product_attention_math(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0., bool is_causal=False, Tensor? dropout_mask=None, *, float? scale=None, bool enable_gqa=False) -> (Tensor, Tensor)"> { let numerics = Close; let shape = "matmul::attention_math"; let kernel = "attention_math::attention_math"; let alike = [Alike<"query key value">]; }

def : Op<"aten::_scaled_dot_product_flash_attention_for_cpu(Tensor query, Tensor key, Tensor value, float dropout_p=0., bool is_causal=False, *, Tensor? attn_mask=None, float? scale=None) -> (Tensor output, Tensor logsumexp)"> { let numerics = Close; let shape = "matmul::attention_for_cpu"; let alike = [Alike<"query attn_mask", "scaled_dot_product_attention_flash_attention: Attention mask is the same data type as query">]; }

def : Op<"aten::_scaled_dot_product_flash_attention_for_cpu_backward(Tensor grad_out, Tensor query, Tensor key, Tensor value, Tensor out, Tensor logsumexp, float dropout_p, bool is_causal, *, Tensor? attn_mask=None, float? scale=None) -> (Tensor grad_query, Tensor grad_key, Tensor grad_value)"> { let numerics = Close; let shape = "matmul::attention_for_cpu_backward"; let alike = [Alike<"query key value grad_out out">]; }
def : Op<"aten::_transform_bias_rescale_qkv(Tensor qkv, Tensor qkv_bias, int num_heads) -> (Tensor, Tensor, Tensor)"> { let numerics = Close; let shape = "matmul::transform_bias_rescale_qkv"; let alike = [Alike<"qkv qkv_bias">]; }
def : Op<"aten::_transform_bias_rescale_qkv.out(Tensor qkv, Tensor qkv_bias, int num_heads, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))", [OwnDType]>;
def : Op<"aten::addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor"> { let numerics = Close; let shape = "matmul::addmv"; let kernel = "outer_sums::addmv"; }
def : Op<"aten::addmv_(Tensor(a!) self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor(a!)", [Overlaps]>;
def : Op<"aten::addmv.out(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> Tensor"> { let numerics = Close; let shape = "matmul::addr"; let kernel = "outer_sums::addr"; }
def : Op<"aten::addr_(Tensor(a!) self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> Tensor(a!)">;
def : Op<"aten::addr.out(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)", [AnyDType]>;

def : Op<"aten::chain_matmul(Tensor[] matrices) -> Tensor"> { let numerics = Close; let shape = "matmul::chain_matmul"; }
def : Op<"aten::chain_matmul.out(Tensor[] matrices, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::corrcoef(Tensor self) -> Tensor"> { let numerics = Close; let shape = "reduce::cov"; }

def : Op<"aten::cov(Tensor self, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None) -> Tensor"> { let numerics = Close; let shape = "reduce::cov"; let refuses = [Refuse<"cov(): expected aweights to have floating point dtype but got aweights with {} dtype", [Bools], "aweights", "Runtime">]; }

def : Op<"aten::dist(Tensor self, Tensor other, Scalar p=2) -> Tensor"> { let numerics = Close; let shape = "matmul::dist"; let refuses = [Refuse<"Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.", [Bools], "any">]; }
def : Op<"aten::dist.out(Tensor self, Tensor other, Scalar p=2, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::ger(Tensor self, Tensor vec2) -> Tensor"> { let numerics = Close; let shape = "matmul::outer"; let kernel = "matmul::outer"; }
def : Op<"aten::ger.out(Tensor self, Tensor vec2, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::inner(Tensor self, Tensor other) -> Tensor"> { let numerics = Close; let shape = "matmul::inner"; }
def : Op<"aten::inner.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::kron(Tensor self, Tensor other) -> Tensor"> { let numerics = Close; let shape = "matmul::kron"; }
def : Op<"aten::kron.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::linalg_matmul(Tensor self, Tensor other) -> Tensor"> { let numerics = Close; let shape = "matmul::matmul"; let kernel = "matmul::matmul"; }
def : Op<"aten::linalg_matmul.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::linalg_multi_dot(Tensor[] tensors) -> Tensor"> { let numerics = Close; let shape = "matmul::multi_dot"; }
def : Op<"aten::linalg_multi_dot.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::linalg_vecdot(Tensor x, Tensor y, *, int dim=-1) -> Tensor"> { let numerics = Close; let shape = "matmul::vecdot"; let alike = [Alike<"x y", "linalg.vecdot: Expected x and y to have the same dtype, but found x of type {want} and y of type {have} instead">]; }
def : Op<"aten::linalg_vecdot.out(Tensor x, Tensor y, *, int dim=-1, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::matrix_power(Tensor self, int n) -> Tensor"> { let numerics = Close; let shape = "matmul::linalg_matrix_power"; let kernel = "lu::linalg_matrix_power"; }
def : Op<"aten::matrix_power.out(Tensor self, int n, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::pdist(Tensor self, float p=2.) -> Tensor"> { let numerics = Close; let shape = "matmul::pdist"; let kernel = "distances::pdist"; let refuses = [Refuse<"pdist only supports floating-point dtypes", [Bools, Ints, Complexes], "", "Runtime">]; }

def : Op<"aten::vdot(Tensor self, Tensor other) -> Tensor"> { let numerics = Close; let shape = "matmul::dot"; }
def : Op<"aten::vdot.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)">;
