//! Kernels of family `fft`. Made by `cargo xtask codegen` from dialects/td/ops/fft.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
    ("aten::_fft_c2r", crate::fft::c2r),
    ("aten::_fft_r2c", crate::fft::r2c),
    ("aten::fft_fft", crate::fft::fft),
    ("aten::fft_ifft", crate::fft::ifft),
    ("aten::fft_irfft", crate::fft::irfft),
    ("aten::fft_rfft", crate::fft::rfft),
    ("aten::_fft_c2c", crate::fft::c2c),
    ("aten::fft_fft2", crate::fft::fftn),
    ("aten::fft_fftn", crate::fft::fftn),
    ("aten::fft_fftshift", crate::fft::fftshift),
    ("aten::fft_hfft", crate::fft::hfft),
    ("aten::fft_ifft2", crate::fft::ifftn),
    ("aten::fft_ifftn", crate::fft::ifftn),
    ("aten::fft_ifftshift", crate::fft::ifftshift),
    ("aten::fft_ihfft", crate::fft::ihfft),
    ("aten::fft_irfft2", crate::fft::irfftn),
    ("aten::fft_irfftn", crate::fft::irfftn),
    ("aten::fft_rfft2", crate::fft::rfftn),
    ("aten::fft_rfftn", crate::fft::rfftn),
    ("prims::fft_c2c", crate::fft::prims_c2c),
    ("prims::fft_c2r", crate::fft::prims_c2r),
    ("prims::fft_r2c", crate::fft::prims_r2c),
];
