//! Rows of the op table, family `fft`. Made by `cargo xtask codegen` from dialects/td/ops/fft.td; do not edit.

#[allow(unused_imports)]
use crate::op::{Numerics::*, OpRecord, Trait::*};

const ROW: OpRecord = OpRecord { family: "fft", ..OpRecord::DEFAULT };

#[rustfmt::skip]
#[allow(clippy::approx_constant)]
pub(super) static ROWS: &[OpRecord] = &[
    OpRecord { schema_text: "aten::_fft_c2r(Tensor self, int[] dim, int normalization, SymInt last_dim_size) -> Tensor", traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::_fft_c2r.out(Tensor self, int[] dim, int normalization, SymInt last_dim_size, *, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], numerics: Close, functional: Some("aten::_fft_c2r"), ..ROW },
    OpRecord { schema_text: "aten::_fft_r2c(Tensor self, int[] dim, int normalization, bool onesided) -> Tensor", traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::_fft_r2c.out(Tensor self, int[] dim, int normalization, bool onesided, *, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], numerics: Close, functional: Some("aten::_fft_r2c"), ..ROW },
    OpRecord { schema_text: "aten::fft_fft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::fft_fft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], numerics: Close, functional: Some("aten::fft_fft"), ..ROW },
    OpRecord { schema_text: "aten::fft_ifft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::fft_ifft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], numerics: Close, functional: Some("aten::fft_ifft"), ..ROW },
    OpRecord { schema_text: "aten::fft_irfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor", traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::fft_irfft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], numerics: Close, functional: Some("aten::fft_irfft"), ..ROW },
    OpRecord { schema_text: "aten::fft_rfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::fft_rfft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], numerics: Close, functional: Some("aten::fft_rfft"), ..ROW },
    OpRecord { schema_text: "aten::hann_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::hann_window.out(int window_length, *, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], ..ROW },
    OpRecord { schema_text: "aten::hann_window.periodic_out(int window_length, bool periodic, *, Tensor(a!) out) -> Tensor(a!)", traits: &[Out, Writes], numerics: Close, functional: Some("aten::hann_window.periodic"), ..ROW },
    OpRecord { schema_text: "aten::stft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool normalized=False, bool? onesided=None, bool? return_complex=None, bool? align_to_window=None) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Loose, ..ROW },
    OpRecord { schema_text: "aten::stft.center(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool center=True, str pad_mode=\"reflect\", bool normalized=False, bool? onesided=None, bool? return_complex=None, bool? align_to_window=None) -> Tensor", in_torch_mlir: true, traits: &[Pure], numerics: Loose, ..ROW },
];
