//===- conv.td - The op table: convolutions and their unfoldings -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"aten::_convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, bool benchmark, bool deterministic, bool cudnn_enabled, bool allow_tf32) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "conv::convolution"; let kernel = "conv::convolution"; }
def : Op<"aten::_convolution.deprecated(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, int[] output_padding, SymInt groups, bool benchmark, bool deterministic, bool cudnn_enabled) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "conv::convolution"; let kernel = "conv::convolution"; }
def : Op<"aten::_convolution.out(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, bool benchmark, bool deterministic, bool cudnn_enabled, bool allow_tf32, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::_convolution_mode(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, str padding, SymInt[] dilation, SymInt groups) -> Tensor"> { let numerics = Close; let shape = "conv::convolution_mode"; let kernel = "conv::conv_padding"; }

def : Op<"aten::col2im(Tensor self, SymInt[2] output_size, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "conv::col2im"; let kernel = "conv::col2im"; let refuses = [NoKernel<"col2im_out_cpu", [Ints]>]; }
def : Op<"aten::col2im.out(Tensor self, SymInt[2] output_size, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride, *, Tensor(a!) out) -> Tensor(a!)", [AnyDType]>;

def : Op<"aten::conv1d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=[1], SymInt[1] padding=[0], SymInt[1] dilation=[1], SymInt groups=1) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "conv::conv1d"; let kernel = "conv::conv"; }
def : Op<"aten::conv1d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=[1], str padding=\"valid\", SymInt[1] dilation=[1], SymInt groups=1) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "conv::conv1d_padding"; let kernel = "conv::conv_padding"; }

def : Op<"aten::conv2d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=[1, 1], SymInt[2] padding=[0, 0], SymInt[2] dilation=[1, 1], SymInt groups=1) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "conv::conv2d"; let kernel = "conv::conv"; }
def : Op<"aten::conv2d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=[1, 1], str padding=\"valid\", SymInt[2] dilation=[1, 1], SymInt groups=1) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "conv::conv2d_padding"; let kernel = "conv::conv_padding"; }

def : Op<"aten::conv3d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0], SymInt[3] dilation=[1, 1, 1], SymInt groups=1) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "conv::conv3d"; let kernel = "conv::conv"; }
def : Op<"aten::conv3d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=[1, 1, 1], str padding=\"valid\", SymInt[3] dilation=[1, 1, 1], SymInt groups=1) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "conv::conv3d_padding"; let kernel = "conv::conv_padding"; }

def : Op<"aten::conv_tbc(Tensor self, Tensor weight, Tensor bias, int pad=0) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "conv::conv_tbc"; let alike = [Alike<"weight self", "self and mat2 must have the same dtype, but got {have} and {want}">]; }
def : Op<"aten::conv_tbc.out(Tensor self, Tensor weight, Tensor bias, int pad=0, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::conv_tbc_backward(Tensor self, Tensor input, Tensor weight, Tensor bias, int pad) -> (Tensor, Tensor, Tensor)", [TorchMlir]> { let needs = "PyTorch's derivative formulas"; }
def : Op<"aten::conv_transpose1d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=[1], SymInt[1] padding=[0], SymInt[1] output_padding=[0], SymInt groups=1, SymInt[1] dilation=[1]) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "conv::conv_transpose1d"; let kernel = "conv::conv_transpose"; }

def : Op<"aten::conv_transpose2d.input(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=[1, 1], SymInt[2] padding=[0, 0], SymInt[2] output_padding=[0, 0], SymInt groups=1, SymInt[2] dilation=[1, 1]) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "conv::conv_transpose2d"; let kernel = "conv::conv_transpose"; }

def : Op<"aten::conv_transpose3d.input(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0], SymInt[3] output_padding=[0, 0, 0], SymInt groups=1, SymInt[3] dilation=[1, 1, 1]) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "conv::conv_transpose3d"; let kernel = "conv::conv_transpose"; }

def : Op<"aten::convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "conv::convolution"; let kernel = "conv::convolution"; }
def : Op<"aten::convolution.out(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::convolution_backward(Tensor grad_output, Tensor input, Tensor weight, SymInt[]? bias_sizes, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, bool[3] output_mask) -> (Tensor, Tensor, Tensor)", [TorchMlir]> { let numerics = Close; let shape = "conv::convolution_backward"; let kernel = "conv_gradients::convolution_backward"; let refuses = [NoKernel<"slow_conv_transpose2d_backward_out_cpu", [Bools, Ints, Complexes]>]; let alike = [Alike<"input weight grad_output">]; }
def : Op<"aten::convolution_backward.out(Tensor grad_output, Tensor input, Tensor weight, SymInt[]? bias_sizes, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, bool[3] output_mask, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))", [OwnDType]>;

def : Op<"aten::im2col(Tensor self, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride) -> Tensor", [TorchMlir]> { let shape = "conv::im2col"; let kernel = "conv::im2col"; let refuses = [NoKernel<"im2col_out_cpu", [Ints]>]; }
def : Op<"aten::im2col.out(Tensor self, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride, *, Tensor(a!) out) -> Tensor(a!)", [AnyDType]>;

def : Op<"aten::slow_conv3d(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? bias=None, SymInt[3] stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0]) -> Tensor"> { let numerics = Close; let shape = "conv::slow"; }

def : Op<"aten::slow_conv_dilated2d(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? bias=None, SymInt[2] stride=[1, 1], SymInt[2] padding=[0, 0], SymInt[2] dilation=[1, 1]) -> Tensor"> { let numerics = Close; let shape = "conv::slow"; }

def : Op<"aten::slow_conv_dilated3d(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? bias=None, SymInt[3] stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0], SymInt[3] dilation=[1, 1, 1]) -> Tensor"> { let numerics = Close; let shape = "conv::slow"; }

def : Op<"aten::slow_conv_transpose2d(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? bias=None, SymInt[2] stride=[1, 1], SymInt[2] padding=[0, 0], SymInt[2] output_padding=[0, 0], SymInt[2] dilation=[1, 1]) -> Tensor"> { let shape = "conv::slow_conv_transpose2d"; }
def : Op<"aten::slow_conv_transpose2d.out(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? bias=None, SymInt[2] stride=[1, 1], SymInt[2] padding=[0, 0], SymInt[2] output_padding=[0, 0], SymInt[2] dilation=[1, 1], *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::thnn_conv2d(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? bias=None, SymInt[2] stride=[1, 1], SymInt[2] padding=[0, 0]) -> Tensor"> { let numerics = Close; let shape = "conv::slow"; }

def : Op<"mkldnn::_convolution_pointwise(Tensor X, Tensor W, Tensor? B, SymInt[] padding, SymInt[] stride, SymInt[] dilation, SymInt groups, str attr, Scalar?[] scalars, str? algorithm) -> Tensor Y"> { let numerics = Close; let shape = "conv::pointwise"; let kernel = "conv_pointwise::unary"; }
def : Op<"mkldnn::_convolution_pointwise.binary(Tensor X, Tensor other, Tensor W, Tensor? B, SymInt[] padding, SymInt[] stride, SymInt[] dilation, SymInt groups, str binary_attr, Scalar? alpha, str? unary_attr, Scalar?[] unary_scalars, str? unary_algorithm) -> Tensor Y"> { let numerics = Close; let shape = "conv::pointwise_binary"; let kernel = "conv_pointwise::binary"; }
