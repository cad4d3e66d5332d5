//! Which function computes which operator, one module per family. Made by `cargo xtask codegen` from dialects/td/ops; do not edit.

mod activation;
mod complex;
mod conv;
mod copy;
mod creation;
mod dict;
mod embedding;
mod fft;
mod foreach;
mod index;
mod linalg;
mod list;
mod loss;
mod matmul;
mod norm;
mod optimizer;
mod pad;
mod pointwise;
mod pool;
mod prim;
mod quantized;
mod random;
mod rearrange;
mod reduce;
mod rnn;
mod scalar;
mod sort;
mod special;
mod string;
mod tensor_info;
mod upsample;
mod view;
mod vision;

/// A kernel, or none, for every row of the op table, in its order.
pub(crate) static FAMILIES: &[&[Option<crate::Kernel>]] = &[
    activation::ROWS,
    complex::ROWS,
    conv::ROWS,
    copy::ROWS,
    creation::ROWS,
    dict::ROWS,
    embedding::ROWS,
    fft::ROWS,
    foreach::ROWS,
    index::ROWS,
    linalg::ROWS,
    list::ROWS,
    loss::ROWS,
    matmul::ROWS,
    norm::ROWS,
    optimizer::ROWS,
    pad::ROWS,
    pointwise::ROWS,
    pool::ROWS,
    prim::ROWS,
    quantized::ROWS,
    random::ROWS,
    rearrange::ROWS,
    reduce::ROWS,
    rnn::ROWS,
    scalar::ROWS,
    sort::ROWS,
    special::ROWS,
    string::ROWS,
    tensor_info::ROWS,
    upsample::ROWS,
    view::ROWS,
    vision::ROWS,
];

/// By name, the kernels for calls with quantized tensors.
#[rustfmt::skip]
pub(crate) static QUANTIZED: &[(&str, crate::Kernel)] = &[
    ("aten::Bool.Tensor", crate::kernel(crate::quantized::over_numbers::plainly)),
    ("aten::Float.Tensor", crate::kernel(crate::quantized::over_numbers::plainly)),
    ("aten::FloatImplicit", crate::kernel(crate::quantized::over_numbers::plainly)),
    ("aten::Int.Tensor", crate::kernel(crate::quantized::over_numbers::plainly)),
    ("aten::IntImplicit", crate::kernel(crate::quantized::over_numbers::plainly)),
    ("aten::ScalarImplicit", crate::kernel(crate::quantized::over_numbers::plainly)),
    ("aten::_adaptive_avg_pool2d", crate::kernel(crate::quantized::over_numbers::averaged)),
    ("aten::_adaptive_avg_pool3d", crate::kernel(crate::quantized::over_numbers::averaged)),
    ("aten::_local_scalar_dense", crate::kernel(crate::quantized::over_numbers::plainly)),
    ("aten::_prelu_kernel", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::_upsample_nearest_exact1d", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::_upsample_nearest_exact1d.vec", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::_upsample_nearest_exact2d", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::_upsample_nearest_exact2d.vec", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::_upsample_nearest_exact3d", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::_upsample_nearest_exact3d.vec", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::adaptive_avg_pool1d", crate::kernel(crate::quantized::over_numbers::averaged)),
    ("aten::adaptive_avg_pool2d", crate::kernel(crate::quantized::over_numbers::averaged)),
    ("aten::adaptive_avg_pool3d", crate::kernel(crate::quantized::over_numbers::averaged)),
    ("aten::alias_copy", crate::kernel(crate::quantized::move_integers::copied)),
    ("aten::avg_pool1d", crate::kernel(crate::quantized::over_numbers::averaged)),
    ("aten::avg_pool2d", crate::kernel(crate::quantized::over_numbers::averaged)),
    ("aten::avg_pool3d", crate::kernel(crate::quantized::over_numbers::averaged)),
    ("aten::cat", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::channel_shuffle", crate::kernel(crate::quantized::move_integers::moved)),
    ("aten::clamp", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::clamp_max", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::clamp_min", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::clone", crate::kernel(crate::quantized::move_integers::copied)),
    ("aten::concat", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::concatenate", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::constant_pad_nd", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::contiguous", crate::kernel(crate::quantized::move_integers::copied)),
    ("aten::copy_", crate::kernel(crate::quantized::over_numbers::copy_inplace)),
    ("aten::detach_copy", crate::kernel(crate::quantized::move_integers::copied)),
    ("aten::dropout", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::eq.Scalar", crate::kernel(crate::quantized::over_numbers::plainly)),
    ("aten::eq.Tensor", crate::kernel(crate::quantized::over_numbers::plainly)),
    ("aten::equal", crate::kernel(crate::quantized::over_numbers::equal)),
    ("aten::expand_copy", crate::kernel(crate::quantized::move_integers::moved)),
    ("aten::feature_dropout", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::fill_.Scalar", crate::kernel(crate::quantized::over_numbers::fill_inplace)),
    ("aten::fill_.Tensor", crate::kernel(crate::quantized::over_numbers::fill_inplace)),
    ("aten::flatten.using_ints", crate::kernel(crate::quantized::move_integers::reshaped)),
    ("aten::flip", crate::kernel(crate::quantized::move_integers::moved)),
    ("aten::fliplr", crate::kernel(crate::quantized::move_integers::moved)),
    ("aten::flipud", crate::kernel(crate::quantized::move_integers::moved)),
    ("aten::gather", crate::kernel(crate::quantized::move_integers::moved)),
    ("aten::ge.Scalar", crate::kernel(crate::quantized::over_numbers::plainly)),
    ("aten::ge.Tensor", crate::kernel(crate::quantized::over_numbers::plainly)),
    ("aten::gelu", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::grid_sampler", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::grid_sampler_2d", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::gt.Scalar", crate::kernel(crate::quantized::over_numbers::plainly)),
    ("aten::gt.Tensor", crate::kernel(crate::quantized::over_numbers::plainly)),
    ("aten::hardsigmoid", crate::kernel(crate::quantized::over_numbers::to_unit)),
    ("aten::hardtanh", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::hstack", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::index.Tensor", crate::kernel(crate::quantized::move_integers::moved)),
    ("aten::index_select", crate::kernel(crate::quantized::move_integers::moved)),
    ("aten::is_nonzero", crate::kernel(crate::quantized::over_numbers::plainly)),
    ("aten::item", crate::kernel(crate::quantized::over_numbers::plainly)),
    ("aten::le.Scalar", crate::kernel(crate::quantized::over_numbers::plainly)),
    ("aten::le.Tensor", crate::kernel(crate::quantized::over_numbers::plainly)),
    ("aten::leaky_relu", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::lt.Scalar", crate::kernel(crate::quantized::over_numbers::plainly)),
    ("aten::lt.Tensor", crate::kernel(crate::quantized::over_numbers::plainly)),
    ("aten::masked_fill.Scalar", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::masked_fill.Tensor", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::max", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::max.dim", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::max_pool1d", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::max_pool2d", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::max_pool3d", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::mean", crate::kernel(crate::quantized::over_numbers::averaged)),
    ("aten::mean.dim", crate::kernel(crate::quantized::over_numbers::averaged)),
    ("aten::min", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::min.dim", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::native_channel_shuffle", crate::kernel(crate::quantized::move_integers::moved)),
    ("aten::ne.Scalar", crate::kernel(crate::quantized::over_numbers::plainly)),
    ("aten::ne.Tensor", crate::kernel(crate::quantized::over_numbers::plainly)),
    ("aten::pad", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::permute_copy", crate::kernel(crate::quantized::move_integers::moved)),
    ("aten::pixel_shuffle", crate::kernel(crate::quantized::move_integers::moved)),
    ("aten::pixel_unshuffle", crate::kernel(crate::quantized::move_integers::moved)),
    ("aten::prelu", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::ravel", crate::kernel(crate::quantized::move_integers::reshaped)),
    ("aten::reflection_pad1d", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::reflection_pad2d", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::relu", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::relu6", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::repeat", crate::kernel(crate::quantized::move_integers::moved)),
    ("aten::repeat_interleave.self_int", crate::kernel(crate::quantized::move_integers::moved)),
    ("aten::reshape", crate::kernel(crate::quantized::move_integers::reshaped)),
    ("aten::reshape_as", crate::kernel(crate::quantized::move_integers::reshaped)),
    ("aten::roll", crate::kernel(crate::quantized::move_integers::moved)),
    ("aten::rot90", crate::kernel(crate::quantized::move_integers::moved)),
    ("aten::select_copy.int", crate::kernel(crate::quantized::move_integers::moved)),
    ("aten::sigmoid", crate::kernel(crate::quantized::over_numbers::to_unit)),
    ("aten::slice_copy.Tensor", crate::kernel(crate::quantized::move_integers::moved)),
    ("aten::sort", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::sort.stable", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::squeeze_copy", crate::kernel(crate::quantized::move_integers::moved)),
    ("aten::stack", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::std", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::std.correction", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::std.dim", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::t_copy", crate::kernel(crate::quantized::move_integers::moved)),
    ("aten::take", crate::kernel(crate::quantized::move_integers::moved)),
    ("aten::tanh", crate::kernel(crate::quantized::over_numbers::to_signs)),
    ("aten::threshold", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::tile", crate::kernel(crate::quantized::move_integers::moved)),
    ("aten::topk", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::transpose_copy.int", crate::kernel(crate::quantized::move_integers::moved)),
    ("aten::unsqueeze_copy", crate::kernel(crate::quantized::move_integers::moved)),
    ("aten::upsample_bilinear2d", crate::kernel(crate::quantized::over_numbers::interpolated)),
    ("aten::upsample_bilinear2d.vec", crate::kernel(crate::quantized::over_numbers::interpolated)),
    ("aten::upsample_nearest1d", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::upsample_nearest1d.vec", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::upsample_nearest2d", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::upsample_nearest2d.vec", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::upsample_nearest3d", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::upsample_nearest3d.vec", crate::kernel(crate::quantized::over_numbers::keep)),
    ("aten::view_copy", crate::kernel(crate::quantized::move_integers::moved)),
    ("aten::vstack", crate::kernel(crate::quantized::over_numbers::keep)),
];
