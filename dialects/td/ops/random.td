//===- random.td - The op table: draws from a generator -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"aten::bernoulli(Tensor self, *, Generator? generator=None) -> Tensor", [TorchMlir, Random]> { let shape = "creation::same"; let kernel = "random::bernoulli"; }
def : Op<"aten::bernoulli.Tensor(Tensor self, Tensor p, *, Generator? generator=None) -> Tensor", [TorchMlir, Random]> { let shape = "creation::same"; let kernel = "random::bernoulli_tensor"; }
def : Op<"aten::bernoulli.p(Tensor self, float p, *, Generator? generator=None) -> Tensor", [TorchMlir, Random]> { let shape = "creation::same"; let kernel = "random::bernoulli_p"; }
def : Op<"aten::bernoulli_.Tensor(Tensor(a!) self, Tensor p, *, Generator? generator=None) -> Tensor(a!)", [TorchMlir, Random]> { let shape = "creation::same"; let kernel = "random::bernoulli_tensor_inplace"; }
def : Op<"aten::bernoulli_.float(Tensor(a!) self, float p=0.5, *, Generator? generator=None) -> Tensor(a!)", [TorchMlir, Random]> { let shape = "creation::same"; let kernel = "random::bernoulli_inplace"; }
def : Op<"aten::bernoulli.Tensor_out(Tensor self, Tensor p, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)", [Random, OwnDType]>;
def : Op<"aten::bernoulli.float_out(Tensor self, float p=0.5, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)", [Random, OwnDType]>;
def : Op<"aten::bernoulli.out(Tensor self, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)", [Random]>;

def : Op<"aten::dropout(Tensor input, float p, bool train) -> Tensor", [MayView, TorchMlir, Random, Differentiable]> { let numerics = Close; let kernel = "random::dropout"; let shape = "like::dropout"; let quantized = "over_numbers::keep"; }
def : Op<"aten::dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)", [TorchMlir, Random]> { let shape = "creation::same"; let kernel = "random::dropout_inplace"; }

def : Op<"aten::exponential(Tensor self, float lambd=1., *, Generator? generator=None) -> Tensor", [TorchMlir, Random]> { let shape = "creation::same"; let numerics = Close; let kernel = "random::exponential"; }
def : Op<"aten::exponential_(Tensor(a!) self, float lambd=1., *, Generator? generator=None) -> Tensor(a!)", [Random]> { let shape = "creation::same"; let kernel = "random::exponential_inplace"; }
def : Op<"aten::exponential.out(Tensor self, float lambd=1., *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)", [Random, OwnDType]>;

def : Op<"aten::manual_seed(int seed) -> ()", [Effect]> { let numerics = Meta; let kernel = "random::manual_seed"; }
def : Op<"aten::manual_seed.generator(Generator(a!) self, int seed) -> Generator(a!)", [Effect]> { let numerics = Meta; let kernel = "random::manual_seed_generator"; }

def : Op<"aten::multinomial(Tensor self, SymInt num_samples, bool replacement=False, *, Generator? generator=None) -> Tensor", [TorchMlir, Random]> { let shape = "creation::multinomial"; let kernel = "random::multinomial"; }
def : Op<"aten::multinomial.out(Tensor self, SymInt num_samples, bool replacement=False, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)", [Random]>;

def : Op<"aten::native_dropout(Tensor input, float p, bool? train) -> (Tensor, Tensor)", [MayView, TorchMlir, Random]> { let numerics = Close;let shape = "like::native_dropout"; }
def : Op<"aten::native_dropout.out(Tensor input, float p, bool? train, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))", [Random, OwnDType]>;

def : Op<"aten::native_dropout_backward(Tensor grad_output, Tensor mask, float scale) -> Tensor", [TorchMlir]> { let shape = "like::first_as_float"; let numerics = Close; }
def : Op<"aten::native_dropout_backward.out(Tensor grad_output, Tensor mask, float scale, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::normal_(Tensor(a!) self, float mean=0., float std=1., *, Generator? generator=None) -> Tensor(a!)", [Random]> { let shape = "creation::same"; let numerics = Close; let kernel = "random::normal_inplace"; }

def : Op<"aten::normal_functional(Tensor self, float mean=0., float std=1., *, Generator? generator=None) -> Tensor", [TorchMlir, Random]> { let shape = "creation::same"; let numerics = Close; let kernel = "random::normal"; }

def : Op<"aten::rand(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir, Random]> { let shape = "creation::sized"; let kernel = "random::rand"; }
def : Op<"aten::rand.generator(SymInt[] size, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [Random]> { let shape = "creation::sized_with"; let kernel = "random::rand"; }
def : Op<"aten::rand.generator_out(SymInt[] size, *, Generator? generator, Tensor(a!) out) -> Tensor(a!)", [Random]>;
def : Op<"aten::rand.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", [Random]>;

def : Op<"aten::rand_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", [TorchMlir, Random, NoGradient]> { let shape = "creation::like"; let kernel = "random::rand_like"; }
def : Op<"aten::rand_like.generator(Tensor self, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", [Random, NoGradient]> { let shape = "creation::like_with"; let kernel = "random::rand_like"; }
def : Op<"aten::rand_like.generator_out(Tensor self, *, Generator? generator, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)", [Random, OwnDType]>;
def : Op<"aten::rand_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)", [Random, OwnDType]>;

def : Op<"aten::randint(SymInt high, SymInt[] size, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir, Random]> { let shape = "creation::randint"; let kernel = "random::randint"; }
def : Op<"aten::randint.generator(SymInt high, SymInt[] size, *, Generator? generator, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [Random]> { let shape = "creation::randint_generator"; let kernel = "random::randint"; }
def : Op<"aten::randint.low(SymInt low, SymInt high, SymInt[] size, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir, Random]> { let shape = "creation::randint_low"; let kernel = "random::randint_low"; }
def : Op<"aten::randint.low_generator(SymInt low, SymInt high, SymInt[] size, *, Generator? generator, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [Random]> { let shape = "creation::randint_low_generator"; let kernel = "random::randint_low"; }
def : Op<"aten::randint.generator_out(SymInt high, SymInt[] size, *, Generator? generator, Tensor(a!) out) -> Tensor(a!)", [Random]>;
def : Op<"aten::randint.low_generator_out(SymInt low, SymInt high, SymInt[] size, *, Generator? generator, Tensor(a!) out) -> Tensor(a!)", [Random]>;
def : Op<"aten::randint.low_out(SymInt low, SymInt high, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", [Random]>;
def : Op<"aten::randint.out(SymInt high, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", [Random]>;

def : Op<"aten::randint_like(Tensor self, SymInt high, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", [Random, NoGradient]> { let shape = "creation::like_with"; let kernel = "random::randint_like"; }
def : Op<"aten::randint_like.Tensor(Tensor self, Tensor high, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", [Random, NoGradient]> { let shape = "creation::like_with"; let kernel = "random::randint_like"; }
def : Op<"aten::randint_like.Tensor_generator(Tensor self, Tensor high, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", [Random, NoGradient]> { let shape = "creation::like_with_two"; let kernel = "random::randint_like"; }
def : Op<"aten::randint_like.generator(Tensor self, SymInt high, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", [Random, NoGradient]> { let shape = "creation::like_with_two"; let kernel = "random::randint_like"; }
def : Op<"aten::randint_like.low_dtype(Tensor self, SymInt low, SymInt high, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", [Random, NoGradient]> { let shape = "creation::like_with_two"; let kernel = "random::randint_like_low"; }
def : Op<"aten::randint_like.low_generator_dtype(Tensor self, SymInt low, SymInt high, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", [Random, NoGradient]> { let shape = "creation::like_with_three"; let kernel = "random::randint_like_low"; }
def : Op<"aten::randint_like.Tensor_generator_out(Tensor self, Tensor high, *, Generator? generator, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)", [Random, OwnDType]>;
def : Op<"aten::randint_like.Tensor_out(Tensor self, Tensor high, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)", [Random, OwnDType]>;
def : Op<"aten::randint_like.generator_out(Tensor self, SymInt high, *, Generator? generator, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)", [Random, OwnDType]>;
def : Op<"aten::randint_like.low_dtype_out(Tensor self, SymInt low, SymInt high, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)", [Random, OwnDType]>;
def : Op<"aten::randint_like.low_generator_dtype_out(Tensor self, SymInt low, SymInt high, *, Generator? generator, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)", [Random, OwnDType]>;
def : Op<"aten::randint_like.out(Tensor self, SymInt high, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)", [Random, OwnDType]>;

def : Op<"aten::randn(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir, Random]> { let shape = "creation::sized"; let numerics = Close; let kernel = "random::randn"; }
def : Op<"aten::randn.generator(SymInt[] size, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [TorchMlir, Random]> { let shape = "creation::sized_with"; let numerics = Close; let kernel = "random::randn"; }
def : Op<"aten::randn.generator_out(SymInt[] size, *, Generator? generator, Tensor(a!) out) -> Tensor(a!)", [Random]> { let kernel = "random::randn_out"; }
def : Op<"aten::randn.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", [Random]> { let kernel = "random::randn_out"; }

def : Op<"aten::randn_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", [TorchMlir, Random, NoGradient]> { let shape = "creation::like"; let numerics = Close; let kernel = "random::randn_like"; }
def : Op<"aten::randn_like.generator(Tensor self, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", [Random, NoGradient]> { let shape = "creation::like_with"; let numerics = Close; let kernel = "random::randn_like"; }
def : Op<"aten::randn_like.generator_out(Tensor self, *, Generator? generator, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)", [Random, OwnDType]>;
def : Op<"aten::randn_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)", [Random, OwnDType]>;

def : Op<"aten::random(Tensor self, *, Generator? generator=None) -> Tensor", [TorchMlir, Random]> { let shape = "creation::same"; let kernel = "random::random"; }
def : Op<"aten::random.from(Tensor self, int from, int? to, *, Generator? generator=None) -> Tensor", [TorchMlir, Random]> { let shape = "creation::same"; let kernel = "random::random"; }
def : Op<"aten::random_(Tensor(a!) self, *, Generator? generator=None) -> Tensor(a!)", [Random]> { let shape = "creation::same"; let kernel = "random::random_inplace"; }
def : Op<"aten::random_.from(Tensor(a!) self, int from, int? to, *, Generator? generator=None) -> Tensor(a!)", [Random]> { let shape = "creation::same"; let kernel = "random::random_inplace"; }
def : Op<"aten::random_.to(Tensor(a!) self, int to, *, Generator? generator=None) -> Tensor(a!)", [Random]> { let shape = "creation::same"; let kernel = "random::random_inplace"; }
def : Op<"aten::random.from_out(Tensor self, int from, int? to, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)", [Random, OwnDType]>;
def : Op<"aten::random.out(Tensor self, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)", [Random, OwnDType]>;
def : Op<"aten::random.to_out(Tensor self, int to, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)", [Random, OwnDType]>;

def : Op<"aten::randperm(SymInt n, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [Random]> { let shape = "creation::randperm"; let kernel = "random::randperm"; }
def : Op<"aten::randperm.generator(SymInt n, *, Generator? generator, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [Random]> { let shape = "creation::randperm_generator"; let kernel = "random::randperm"; }
def : Op<"aten::randperm.generator_out(SymInt n, *, Generator? generator, Tensor(a!) out) -> Tensor(a!)", [Random]>;
def : Op<"aten::randperm.out(SymInt n, *, Tensor(a!) out) -> Tensor(a!)", [Random]>;

def : Op<"aten::rrelu(Tensor self, Scalar lower=0.125, Scalar upper=0.33333333333333331, bool training=False, Generator? generator=None) -> Tensor", [TorchMlir, Random]> { let shape = "creation::same"; let numerics = Close; let kernel = "rrelu::rrelu"; }
def : Op<"aten::rrelu_(Tensor(a!) self, Scalar lower=0.125, Scalar upper=0.33333333333333331, bool training=False, Generator? generator=None) -> Tensor(a!)", [TorchMlir, Random]> { let shape = "creation::same"; let kernel = "rrelu::rrelu_inplace"; }

def : Op<"aten::rrelu_with_noise(Tensor self, Tensor(b!) noise, Scalar lower=0.125, Scalar upper=0.33333333333333331, bool training=False, Generator? generator=None) -> Tensor", [TorchMlir, Random]> { let shape = "creation::same"; let numerics = Close; let kernel = "rrelu::rrelu_with_noise"; let alike = [Alike<"self noise">]; }
def : Op<"aten::rrelu_with_noise_(Tensor(a!) self, Tensor(b!) noise, Scalar lower=0.125, Scalar upper=0.33333333333333331, bool training=False, Generator? generator=None) -> Tensor(a!)", [TorchMlir, Random]> { let shape = "creation::same"; let kernel = "rrelu::rrelu_with_noise_inplace"; }
def : Op<"aten::rrelu_with_noise.out(Tensor self, Tensor(b!) noise, Scalar lower=0.125, Scalar upper=0.33333333333333331, bool training=False, Generator? generator=None, *, Tensor(a!) out) -> Tensor(a!)", [Random, SameDType]> { let functional = "aten::rrelu_with_noise"; }
def : Op<"aten::rrelu_with_noise_backward(Tensor grad_output, Tensor self, Tensor noise, Scalar lower, Scalar upper, bool training, bool self_is_result) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "like::first"; }
def : Op<"aten::rrelu_with_noise_backward.out(Tensor grad_output, Tensor self, Tensor noise, Scalar lower, Scalar upper, bool training, bool self_is_result, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::rrelu_with_noise_functional(Tensor self, Tensor noise, Scalar lower=0.125, Scalar upper=0.33333333333333331, bool training=False, Generator? generator=None) -> (Tensor, Tensor noise_out)", [TorchMlir, Random]> { let numerics = Close; let kernel = "rrelu::rrelu_with_noise_functional"; let shape = "like::first_twice"; }

def : Op<"aten::uniform(Tensor self, float from=0., float to=1., *, Generator? generator=None) -> Tensor", [TorchMlir, Random]> { let shape = "creation::same"; let numerics = Close; let kernel = "random::uniform"; }
def : Op<"aten::uniform_(Tensor(a!) self, float from=0., float to=1., *, Generator? generator=None) -> Tensor(a!)", [TorchMlir, Random]> { let shape = "creation::same"; let kernel = "random::uniform_inplace"; }
def : Op<"aten::uniform.out(Tensor self, float from=0., float to=1., *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)", [Random, OwnDType]>;

def : Op<"aten::_dirichlet_grad(Tensor x, Tensor alpha, Tensor total) -> Tensor"> { let numerics = Loose; let needs = "PyTorch's derivative formulas"; }
def : Op<"aten::_dirichlet_grad.out(Tensor x, Tensor alpha, Tensor total, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]> { let needs = "PyTorch's derivative formulas"; }
def : Op<"aten::_sample_dirichlet(Tensor self, Generator? generator=None) -> Tensor", [Random]> { let numerics = Close; let shape = "like::first"; let kernel = "distributions::dirichlet"; let refuses = [NoKernel<"dirichlet", [HalfFloats]>]; }
def : Op<"aten::_sample_dirichlet.out(Tensor self, Generator? generator=None, *, Tensor(a!) out) -> Tensor(a!)", [Random, OwnDType]>;

def : Op<"aten::_standard_gamma(Tensor self, Generator? generator=None) -> Tensor", [Random]> { let numerics = Close; let shape = "like::first"; let kernel = "distributions::gamma"; let refuses = [NoKernel<"gamma_cpu", [HalfFloats]>]; }
def : Op<"aten::_standard_gamma.out(Tensor self, Generator? generator=None, *, Tensor(a!) out) -> Tensor(a!)", [Random, OwnDType]>;

def : Op<"aten::_standard_gamma_grad(Tensor self, Tensor output) -> Tensor"> { let numerics = Close; let needs = "PyTorch's derivative formulas"; }
def : Op<"aten::_standard_gamma_grad.out(Tensor self, Tensor output, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]> { let needs = "PyTorch's derivative formulas"; }
def : Op<"aten::alpha_dropout(Tensor input, float p, bool train) -> Tensor", [MayView, Random]> { let numerics = Close;let shape = "like::dropout"; }
def : Op<"aten::alpha_dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)", [Random, Overlaps]> { let shape = "creation::same"; }

def : Op<"aten::binomial(Tensor count, Tensor prob, Generator? generator=None) -> Tensor", [Random]> { let numerics = Close; let shape = "like::broadcast_of_two"; let kernel = "distributions::binomial"; let refuses = [Refuse<"binomial only supports floating-point dtypes for count, got: {}", [Bools, Ints], "count", "Value">, Refuse<"binomial only supports floating-point dtypes for prob, got: {}", [Bools, Ints], "prob", "Value">]; let alike = [Alike<"count prob", "Found dtype {have} but expected {want}">]; }
def : Op<"aten::binomial.out(Tensor count, Tensor prob, Generator? generator=None, *, Tensor(a!) out) -> Tensor(a!)", [Random, OwnDType]>;

def : Op<"aten::cauchy(Tensor self, float median=0., float sigma=1., *, Generator? generator=None) -> Tensor", [Random]> { let shape = "creation::same"; let numerics = Close; let kernel = "draws::cauchy"; }
def : Op<"aten::cauchy_(Tensor(a!) self, float median=0., float sigma=1., *, Generator? generator=None) -> Tensor(a!)", [Random]> { let shape = "creation::same"; let kernel = "draws::cauchy_inplace"; }
def : Op<"aten::cauchy.out(Tensor self, float median=0., float sigma=1., *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)", [Random, OwnDType]>;

def : Op<"aten::feature_alpha_dropout(Tensor input, float p, bool train) -> Tensor", [MayView, Random]> { let numerics = Close;let shape = "like::dropout"; }
def : Op<"aten::feature_alpha_dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)", [Random, Overlaps]> { let shape = "creation::same"; }

def : Op<"aten::feature_dropout(Tensor input, float p, bool train) -> Tensor", [MayView, Random]> { let shape = "creation::same"; let numerics = Close;let quantized = "over_numbers::keep"; }
def : Op<"aten::feature_dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)", [Random, Overlaps]> { let shape = "creation::same"; }

def : Op<"aten::gamma.Scalar(Scalar a) -> Scalar"> { let numerics = Close; let kernel = "scalar_math::gamma_scalar"; }
def : Op<"aten::gamma.float(float a) -> float"> { let numerics = Close; let kernel = "scalar_math::gamma"; }
def : Op<"aten::gamma.int(int a) -> float"> { let numerics = Close; let kernel = "scalar_math::gamma"; }

def : Op<"aten::geometric(Tensor self, float p, *, Generator? generator=None) -> Tensor", [Random]> { let shape = "creation::same"; let numerics = Close; let kernel = "draws::geometric"; }
def : Op<"aten::geometric_(Tensor(a!) self, float p, *, Generator? generator=None) -> Tensor(a!)", [Random]> { let shape = "creation::same"; let kernel = "draws::geometric_inplace"; }
def : Op<"aten::geometric.out(Tensor self, float p, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)", [Random, OwnDType]>;

def : Op<"aten::log_normal(Tensor self, float mean=1., float std=2., *, Generator? generator=None) -> Tensor", [Random]> { let shape = "creation::same"; let numerics = Close; let kernel = "draws::log_normal"; }
def : Op<"aten::log_normal_(Tensor(a!) self, float mean=1., float std=2., *, Generator? generator=None) -> Tensor(a!)", [Random]> { let shape = "creation::same"; let kernel = "draws::log_normal_inplace"; }
def : Op<"aten::log_normal.out(Tensor self, float mean=1., float std=2., *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)", [Random, OwnDType]>;

def : Op<"aten::normal.Tensor_Tensor(Tensor mean, Tensor std, *, Generator? generator=None) -> Tensor", [Random]> { let numerics = Close; let kernel = "draws::normal_of"; let shape = "like::broadcast_of_two"; let refuses = [Refuse<"normal expects standard deviation to be non-complex", [Complexes], "std", "Runtime">]; }
def : Op<"aten::normal.Tensor_float(Tensor mean, float std=1., *, Generator? generator=None) -> Tensor", [Random]> { let numerics = Close; let kernel = "draws::normal_of"; let shape = "like::first"; }
def : Op<"aten::normal.float_Tensor(float mean, Tensor std, *, Generator? generator=None) -> Tensor", [Random]> { let numerics = Close; let kernel = "draws::normal_of"; let shape = "like::second"; let refuses = [Refuse<"normal expects standard deviation to be non-complex", [Complexes], "std", "Runtime">]; }
def : Op<"aten::normal.float_float(float mean, float std, SymInt[] size, *, Generator? generator=None, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", [Random]> { let shape = "creation::normal_sized"; let numerics = Close; let kernel = "random::normal_sized"; }
def : Op<"aten::normal.Tensor_Tensor_out(Tensor mean, Tensor std, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)", [Random]>;
def : Op<"aten::normal.Tensor_float_out(Tensor mean, float std=1., *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)", [Random]> { let numerics = Close; let shape = "like::broadcast_onto_fourth"; let kernel = "draws::normal_onto"; }
def : Op<"aten::normal.float_Tensor_out(float mean, Tensor std, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)", [Random]>;
def : Op<"aten::normal.float_float_out(float mean, float std, SymInt[] size, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)", [Random]>;
def : Op<"aten::normal.out(Tensor self, float mean=0., float std=1., *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)", [Random, OwnDType]> { let functional = "aten::normal_functional"; }
def : Op<"aten::poisson(Tensor self, Generator? generator=None) -> Tensor", [Random]> { let numerics = Close; let shape = "like::first"; let kernel = "distributions::poisson"; }
def : Op<"aten::poisson.out(Tensor self, Generator? generator=None, *, Tensor(a!) out) -> Tensor(a!)", [Random, OwnDType]>;

def : Op<"aten::random.to(Tensor self, int to, *, Generator? generator=None) -> Tensor", [Random]> { let shape = "creation::same"; let kernel = "random::random"; }

def : Op<"prims::normal(SymInt[] shape, *, Scalar mean, Scalar std, ScalarType dtype, Device device, bool requires_grad, Generator? generator=None) -> Tensor", [Random]> { let numerics = Close; let shape = "creation::sized_with_numbers"; let kernel = "distributions::normal_sized"; }

def : Op<"prims::uniform(SymInt[] shape, *, Scalar low, Scalar high, ScalarType dtype, Device device, SymInt[] stride, Generator? generator=None) -> Tensor", [Random]> { let numerics = Close; let shape = "creation::sized_with_numbers"; let kernel = "distributions::uniform_sized"; }
