//===- norm.td - The op table: normalisation -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"aten::_native_batch_norm_legit(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!) running_mean, Tensor(b!) running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)"> { let numerics = Loose; let shape = "norm::native_batch_norm_legit"; let kernel = "norm::native_batch_norm"; }
def : Op<"aten::_native_batch_norm_legit.no_stats(Tensor input, Tensor? weight, Tensor? bias, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)"> { let numerics = Loose; let shape = "norm::native_batch_norm_no_stats"; }
def : Op<"aten::_native_batch_norm_legit.no_stats_out(Tensor input, Tensor? weight, Tensor? bias, bool training, float momentum, float eps, *, Tensor(a!) out, Tensor(b!) save_mean, Tensor(c!) save_invstd) -> (Tensor(a!), Tensor(b!), Tensor(c!))">;

def : Op<"aten::_native_batch_norm_legit_no_training(Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor)"> { let numerics = Close; let shape = "norm::native_batch_norm_no_training"; let kernel = "norm::native_batch_norm_no_training"; }
def : Op<"aten::_native_batch_norm_legit_no_training.out(Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor running_var, float momentum, float eps, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))", [OwnDType]>;

def : Op<"aten::_weight_norm_interface(Tensor v, Tensor g, int dim=0) -> (Tensor, Tensor)", [TorchMlir]> { let numerics = Close; let shape = "norm::weight_norm"; let refuses = [NoKernel<"weight_norm_kernel", [Bools, Ints, Complexes]>]; let alike = [Alike<"v g">]; }
def : Op<"aten::_weight_norm_interface.out(Tensor v, Tensor g, int dim=0, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))", [OwnDType]>;

def : Op<"aten::batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps, bool cudnn_enabled) -> Tensor", [RunningStatistics, TorchMlir, Differentiable]> { let numerics = Close; let shape = "norm::batch_norm"; let kernel = "norm::batch_norm"; }

def : Op<"aten::cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "norm::cosine_similarity"; }

def : Op<"aten::group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float eps=1.0000000000000001e-05, bool cudnn_enabled=True) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "norm::group_norm"; let kernel = "norm::group_norm"; }

def : Op<"aten::instance_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool use_input_stats, float momentum, float eps, bool cudnn_enabled) -> Tensor", [RunningStatistics, TorchMlir]> { let numerics = Loose; let shape = "norm::instance_norm"; }

def : Op<"aten::layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, Tensor? bias=None, float eps=1.0000000000000001e-05, bool cudnn_enable=True) -> Tensor", [TorchMlir, Differentiable, Rows]> { let numerics = Close; let shape = "norm::layer_norm"; let kernel = "norm::layer_norm"; }

def : Op<"aten::native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)", [RunningStatistics, TorchMlir, Differentiable]> { let numerics = Close; let shape = "norm::native_batch_norm"; let kernel = "norm::native_batch_norm"; }
def : Op<"aten::native_batch_norm.out(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps, *, Tensor(a!) out, Tensor(b!) save_mean, Tensor(c!) save_invstd) -> (Tensor(a!), Tensor(b!), Tensor(c!))", [RunningStatistics]>;

def : Op<"aten::native_batch_norm_backward(Tensor grad_out, Tensor input, Tensor? weight, Tensor? running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_invstd, bool train, float eps, bool[3] output_mask) -> (Tensor, Tensor, Tensor)", [TorchMlir]> { let numerics = Close; let shape = "norm::native_batch_norm_backward"; let kernel = "gradients::native_batch_norm_backward"; let refuses = [NoKernel<"batch_norm_backward_cpu", [Bools, Ints, Complexes]>]; }
def : Op<"aten::native_batch_norm_backward.out(Tensor grad_out, Tensor input, Tensor? weight, Tensor? running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_invstd, bool train, float eps, bool[3] output_mask, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))", [OwnDType]>;

def : Op<"aten::native_group_norm(Tensor input, Tensor? weight, Tensor? bias, SymInt N, SymInt C, SymInt HxW, int group, float eps) -> (Tensor, Tensor, Tensor)", [TorchMlir]> { let numerics = Close; let shape = "norm::native_group_norm"; let kernel = "norm::native_group_norm"; }
def : Op<"aten::native_group_norm.out(Tensor input, Tensor? weight, Tensor? bias, SymInt N, SymInt C, SymInt HxW, int group, float eps, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))", [OwnDType]>;

def : Op<"aten::native_group_norm_backward(Tensor grad_out, Tensor input, Tensor mean, Tensor rstd, Tensor? weight, SymInt N, SymInt C, SymInt HxW, int group, bool[3] output_mask) -> (Tensor, Tensor, Tensor)", [TorchMlir]> { let numerics = Close; let shape = "norm::native_group_norm_backward"; let kernel = "gradients::native_group_norm_backward"; }
def : Op<"aten::native_group_norm_backward.out(Tensor grad_out, Tensor input, Tensor mean, Tensor rstd, Tensor? weight, SymInt N, SymInt C, SymInt HxW, int group, bool[3] output_mask, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))", [OwnDType]>;

def : Op<"aten::native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, float eps) -> (Tensor, Tensor, Tensor)", [TorchMlir, Rows]> { let numerics = Close; let shape = "norm::native_layer_norm"; let kernel = "norm::native_layer_norm"; }
def : Op<"aten::native_layer_norm.out(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, float eps, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))", [OwnDType]>;

def : Op<"aten::native_layer_norm_backward(Tensor grad_out, Tensor input, SymInt[] normalized_shape, Tensor mean, Tensor rstd, Tensor? weight, Tensor? bias, bool[3] output_mask) -> (Tensor, Tensor, Tensor)", [TorchMlir]> { let numerics = Close; let shape = "norm::native_layer_norm_backward"; let kernel = "gradients::native_layer_norm_backward"; }
def : Op<"aten::native_layer_norm_backward.out(Tensor grad_out, Tensor input, SymInt[] normalized_shape, Tensor mean, Tensor rstd, Tensor? weight, Tensor? bias, bool[3] output_mask, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))", [OwnDType]>;

def : Op<"aten::pairwise_distance(Tensor x1, Tensor x2, float p=2., float eps=9.9999999999999995e-07, bool keepdim=False) -> Tensor"> { let numerics = Close; let shape = "norm::pairwise_distance"; }

def : Op<"aten::renorm(Tensor self, Scalar p, int dim, Scalar maxnorm) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "norm::renorm"; }
def : Op<"aten::renorm_(Tensor(a!) self, Scalar p, int dim, Scalar maxnorm) -> Tensor(a!)">;
def : Op<"aten::renorm.out(Tensor self, Scalar p, int dim, Scalar maxnorm, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::rms_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, float? eps=None) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "norm::rms_norm"; let kernel = "norm::rms_norm"; }

def : Op<"aten::_batch_norm_impl_index(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps, bool cudnn_enabled) -> (Tensor, Tensor, Tensor, Tensor, int)", [RunningStatistics]> { let numerics = Close; let shape = "norm::batch_norm_index"; }

def : Op<"aten::_batch_norm_with_update(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!) running_mean, Tensor(b!) running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor, Tensor)"> { let numerics = Loose; let shape = "norm::batch_norm_with_update"; }
def : Op<"aten::_batch_norm_with_update.out(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!) running_mean, Tensor(b!) running_var, float momentum, float eps, *, Tensor(d!) out, Tensor(e!) save_mean, Tensor(f!) save_invstd, Tensor(g!) reserve) -> (Tensor(d!), Tensor(e!), Tensor(f!), Tensor(g!))"> { let numerics = Loose; let functional = "aten::_batch_norm_with_update"; }
def : Op<"aten::_fused_rms_norm(Tensor input, int[] normalized_shape, Tensor? weight, float? eps) -> (Tensor, Tensor)"> { let numerics = Close; let shape = "norm::fused_rms_norm"; let refuses = [NoKernel<"rms_norm", [Bools, Ints]>]; }

def : Op<"aten::_native_batch_norm_legit.out(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!) running_mean, Tensor(b!) running_var, bool training, float momentum, float eps, *, Tensor(d!) out, Tensor(e!) save_mean, Tensor(f!) save_invstd) -> (Tensor(d!), Tensor(e!), Tensor(f!))"> { let numerics = Close; let functional = "aten::_native_batch_norm_legit"; }
def : Op<"aten::_native_batch_norm_legit_functional(Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor, Tensor running_mean_out, Tensor running_var_out)"> { let numerics = Close; let shape = "norm::batch_norm_functional"; }

def : Op<"aten::_weight_norm(Tensor v, Tensor g, int dim=0) -> Tensor"> { let numerics = Close; let shape = "like::first"; let refuses = [NoKernel<"weight_norm_kernel", [Complexes]>]; let alike = [Alike<"v g">]; }

def : Op<"aten::_weight_norm_interface_backward(Tensor grad_w, Tensor saved_v, Tensor saved_g, Tensor saved_norms, int dim) -> (Tensor, Tensor)"> { let numerics = Close; let shape = "like::second_and_third"; let alike = [Alike<"saved_v saved_g saved_norms grad_w">]; }
def : Op<"aten::_weight_norm_interface_backward.out(Tensor grad_w, Tensor saved_v, Tensor saved_g, Tensor saved_norms, int dim, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))", [OwnDType]>;

def : Op<"aten::batch_norm_update_stats(Tensor input, Tensor? running_mean, Tensor? running_var, float momentum) -> (Tensor, Tensor)", [RunningStatistics]> { let numerics = Close; let shape = "norm::batch_norm_statistics"; }
def : Op<"aten::batch_norm_update_stats.out(Tensor input, Tensor? running_mean, Tensor? running_var, float momentum, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))", [RunningStatistics, OwnDType]>;

def : Op<"aten::_batch_norm_with_update_functional(Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor, Tensor, Tensor running_mean_out, Tensor running_var_out)"> { let numerics = Close; let shape = "norm::batch_norm_with_update_functional"; }
