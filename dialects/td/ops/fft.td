//===- fft.td - The op table: Fourier transforms and windows -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"aten::_fft_c2r(Tensor self, int[] dim, int normalization, SymInt last_dim_size) -> Tensor"> { let numerics = Close; }
def : Op<"aten::_fft_c2r.out(Tensor self, int[] dim, int normalization, SymInt last_dim_size, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::_fft_r2c(Tensor self, int[] dim, int normalization, bool onesided) -> Tensor"> { let numerics = Close; }
def : Op<"aten::_fft_r2c.out(Tensor self, int[] dim, int normalization, bool onesided, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::fft_fft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor", [TorchMlir]> { let numerics = Close; }
def : Op<"aten::fft_fft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::fft_ifft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor", [TorchMlir]> { let numerics = Close; }
def : Op<"aten::fft_ifft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::fft_irfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor"> { let numerics = Close; }
def : Op<"aten::fft_irfft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::fft_rfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor", [TorchMlir]> { let numerics = Close; }
def : Op<"aten::fft_rfft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::hann_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir]> { let numerics = Close; }
def : Op<"aten::hann_window.out(int window_length, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::hann_window.periodic_out(int window_length, bool periodic, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::stft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool normalized=False, bool? onesided=None, bool? return_complex=None, bool? align_to_window=None) -> Tensor", [TorchMlir]> { let numerics = Loose; }
def : Op<"aten::stft.center(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool center=True, str pad_mode=\"reflect\", bool normalized=False, bool? onesided=None, bool? return_complex=None, bool? align_to_window=None) -> Tensor", [TorchMlir]> { let numerics = Loose; }
