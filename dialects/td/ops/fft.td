//===- fft.td - The op table: Fourier transforms and windows -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"aten::_fft_c2r(Tensor self, int[] dim, int normalization, SymInt last_dim_size) -> Tensor"> { let numerics = Close; let shape = "fft::c2r"; let kernel = "fft::c2r"; }
def : Op<"aten::_fft_c2r.out(Tensor self, int[] dim, int normalization, SymInt last_dim_size, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::_fft_r2c(Tensor self, int[] dim, int normalization, bool onesided) -> Tensor"> { let numerics = Close; let shape = "fft::r2c"; let kernel = "fft::r2c"; }
def : Op<"aten::_fft_r2c.out(Tensor self, int[] dim, int normalization, bool onesided, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::fft_fft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "fft::fft"; }
def : Op<"aten::fft_fft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::fft_ifft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "fft::ifft"; }
def : Op<"aten::fft_ifft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::fft_irfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor"> { let numerics = Close; let shape = "fft::irfft"; }
def : Op<"aten::fft_irfft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::fft_rfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "fft::rfft"; }
def : Op<"aten::fft_rfft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::hann_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "fft::window"; }
def : Op<"aten::hann_window.out(int window_length, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;
def : Op<"aten::hann_window.periodic_out(int window_length, bool periodic, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::stft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool normalized=False, bool? onesided=None, bool? return_complex=None, bool? align_to_window=None) -> Tensor", [TorchMlir]> { let numerics = Loose; let shape = "fft::stft"; let kernel = "stft::stft"; }
def : Op<"aten::stft.center(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool center=True, str pad_mode=\"reflect\", bool normalized=False, bool? onesided=None, bool? return_complex=None, bool? align_to_window=None) -> Tensor", [TorchMlir]> { let numerics = Loose; let shape = "fft::stft_center"; let kernel = "stft::stft_center"; }

def : Op<"aten::_fft_c2c(Tensor self, SymInt[] dim, int normalization, bool forward) -> Tensor"> { let numerics = Close; let shape = "fft::c2c"; let kernel = "fft::c2c"; }
def : Op<"aten::_fft_c2c.out(Tensor self, SymInt[] dim, int normalization, bool forward, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::bartlett_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"> { let numerics = Close; let shape = "fft::window"; }
def : Op<"aten::bartlett_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"> { let numerics = Close; let shape = "fft::window"; }
def : Op<"aten::bartlett_window.out(int window_length, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;
def : Op<"aten::bartlett_window.periodic_out(int window_length, bool periodic, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::blackman_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"> { let numerics = Close; let shape = "fft::window"; }
def : Op<"aten::blackman_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"> { let numerics = Close; let shape = "fft::window"; }
def : Op<"aten::blackman_window.out(int window_length, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;
def : Op<"aten::blackman_window.periodic_out(int window_length, bool periodic, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::fft_fft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor"> { let numerics = Close; let shape = "fft::fftn"; }
def : Op<"aten::fft_fft2.out(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::fft_fftfreq(int n, float d=1., *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"> { let numerics = Close; let shape = "fft::frequencies"; }
def : Op<"aten::fft_fftfreq.out(int n, float d=1., *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::fft_fftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor"> { let numerics = Close; let shape = "fft::fftn"; }
def : Op<"aten::fft_fftn.out(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::fft_fftshift(Tensor self, int[1]? dim=None) -> Tensor"> { let numerics = Close; let shape = "fft::shift"; }

def : Op<"aten::fft_hfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor"> { let numerics = Close; let shape = "fft::hfft"; }
def : Op<"aten::fft_hfft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::fft_hfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor"> { let numerics = Loose; let shape = "fft::hfftn"; }
def : Op<"aten::fft_hfft2.out(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::fft_hfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor"> { let numerics = Close; let shape = "fft::hfftn"; }
def : Op<"aten::fft_hfftn.out(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::fft_ifft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor"> { let numerics = Close; let shape = "fft::fftn"; }
def : Op<"aten::fft_ifft2.out(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::fft_ifftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor"> { let numerics = Close; let shape = "fft::fftn"; }
def : Op<"aten::fft_ifftn.out(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::fft_ifftshift(Tensor self, int[1]? dim=None) -> Tensor"> { let numerics = Close; let shape = "fft::shift"; }

def : Op<"aten::fft_ihfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor"> { let numerics = Close; let shape = "fft::ihfft"; }
def : Op<"aten::fft_ihfft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::fft_ihfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor"> { let numerics = Close; let shape = "fft::ihfftn"; }
def : Op<"aten::fft_ihfft2.out(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::fft_ihfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor"> { let numerics = Close; let shape = "fft::ihfftn"; }
def : Op<"aten::fft_ihfftn.out(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::fft_irfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor"> { let numerics = Close; let shape = "fft::irfftn"; }
def : Op<"aten::fft_irfft2.out(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::fft_irfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor"> { let numerics = Close; let shape = "fft::irfftn"; }
def : Op<"aten::fft_irfftn.out(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::fft_rfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor"> { let numerics = Close; let shape = "fft::rfftn"; }
def : Op<"aten::fft_rfft2.out(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::fft_rfftfreq(int n, float d=1., *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"> { let numerics = Close; let shape = "fft::half_frequencies"; }
def : Op<"aten::fft_rfftfreq.out(int n, float d=1., *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::fft_rfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor"> { let numerics = Close; let shape = "fft::rfftn"; }
def : Op<"aten::fft_rfftn.out(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::hamming_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"> { let numerics = Close; let shape = "fft::window"; }
def : Op<"aten::hamming_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"> { let numerics = Close; let shape = "fft::window"; }
def : Op<"aten::hamming_window.periodic_alpha(int window_length, bool periodic, float alpha, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"> { let numerics = Close; let shape = "fft::window"; }
def : Op<"aten::hamming_window.periodic_alpha_beta(int window_length, bool periodic, float alpha, float beta, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"> { let numerics = Close; let shape = "fft::window"; }
def : Op<"aten::hamming_window.out(int window_length, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;
def : Op<"aten::hamming_window.periodic_alpha_beta_out(int window_length, bool periodic, float alpha, float beta, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;
def : Op<"aten::hamming_window.periodic_alpha_out(int window_length, bool periodic, float alpha, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;
def : Op<"aten::hamming_window.periodic_out(int window_length, bool periodic, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::hann_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"> { let numerics = Close; let shape = "fft::window"; }

def : Op<"aten::istft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool center=True, bool normalized=False, bool? onesided=None, int? length=None, bool return_complex=False) -> Tensor"> { let numerics = Close; let shape = "fft::istft"; let kernel = "stft::istft"; }

def : Op<"aten::kaiser_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"> { let numerics = Close; let shape = "fft::window"; }
def : Op<"aten::kaiser_window.beta(int window_length, bool periodic, float beta, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"> { let numerics = Close; let shape = "fft::window"; }
def : Op<"aten::kaiser_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"> { let numerics = Close; let shape = "fft::window"; }
def : Op<"aten::kaiser_window.beta_out(int window_length, bool periodic, float beta, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;
def : Op<"aten::kaiser_window.out(int window_length, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;
def : Op<"aten::kaiser_window.periodic_out(int window_length, bool periodic, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"prims::fft_c2c(Tensor self, *, int[] dim, bool forward) -> Tensor"> { let numerics = Close; let shape = "fft::c2c"; let kernel = "fft::prims_c2c"; }

def : Op<"prims::fft_c2r(Tensor self, *, int[] dim, SymInt last_dim_size) -> Tensor"> { let numerics = Close; let shape = "fft::prims_c2r"; let kernel = "fft::prims_c2r"; }

def : Op<"prims::fft_r2c(Tensor self, *, int[] dim, bool onesided) -> Tensor"> { let numerics = Loose; let shape = "fft::prims_r2c"; let kernel = "fft::prims_r2c"; }
