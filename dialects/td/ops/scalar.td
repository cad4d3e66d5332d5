//===- scalar.td - The op table: numbers, booleans and their conversions -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"aten::Bool.Tensor(Tensor a) -> bool", [TorchMlir, DataDependentOutput]> { let kernel = "scalar::bool"; let quantized = "over_numbers::plainly"; }
def : Op<"aten::Bool.float(float a) -> bool", [TorchMlir]> { let kernel = "scalar::bool"; }
def : Op<"aten::Bool.int(int a) -> bool", [TorchMlir]> { let kernel = "scalar::bool"; }

def : Op<"aten::Complex.Scalar(Scalar a) -> complex"> { let kernel = "scalar::complex"; }
def : Op<"aten::Complex.Tensor_Tensor(Tensor a, Tensor b) -> complex", [DataDependentOutput]> { let kernel = "scalar::complex"; }
def : Op<"aten::Complex.Tensor_bool(Tensor x, bool y) -> complex", [DataDependentOutput]> { let kernel = "scalar::complex"; }
def : Op<"aten::Complex.Tensor_float(Tensor x, float y) -> complex", [DataDependentOutput]> { let kernel = "scalar::complex"; }
def : Op<"aten::Complex.Tensor_int(Tensor x, int y) -> complex", [DataDependentOutput]> { let kernel = "scalar::complex"; }
def : Op<"aten::Complex.bool_Tensor(bool x, Tensor y) -> complex", [DataDependentOutput]> { let kernel = "scalar::complex"; }
def : Op<"aten::Complex.bool_bool(bool x, bool y) -> complex"> { let kernel = "scalar::complex"; }
def : Op<"aten::Complex.bool_float(bool x, float y) -> complex"> { let kernel = "scalar::complex"; }
def : Op<"aten::Complex.bool_int(bool x, int y) -> complex"> { let kernel = "scalar::complex"; }
def : Op<"aten::Complex.float_Tensor(float x, Tensor y) -> complex", [DataDependentOutput]> { let kernel = "scalar::complex"; }
def : Op<"aten::Complex.float_bool(float x, bool y) -> complex"> { let kernel = "scalar::complex"; }
def : Op<"aten::Complex.float_float(float x, float y) -> complex"> { let kernel = "scalar::complex"; }
def : Op<"aten::Complex.float_int(float x, int y) -> complex"> { let kernel = "scalar::complex"; }
def : Op<"aten::Complex.int_Tensor(int x, Tensor y) -> complex", [DataDependentOutput]> { let kernel = "scalar::complex"; }
def : Op<"aten::Complex.int_bool(int x, bool y) -> complex"> { let kernel = "scalar::complex"; }
def : Op<"aten::Complex.int_float(int x, float y) -> complex"> { let kernel = "scalar::complex"; }
def : Op<"aten::Complex.int_int(int x, int y) -> complex"> { let kernel = "scalar::complex"; }

def : Op<"aten::Float.Scalar(Scalar a) -> float", [TorchMlir]> { let kernel = "scalar::float"; }
def : Op<"aten::Float.Tensor(Tensor a) -> float", [TorchMlir, DataDependentOutput]> { let kernel = "scalar::float"; let quantized = "over_numbers::plainly"; }
def : Op<"aten::Float.bool(bool a) -> float"> { let kernel = "scalar::float"; }
def : Op<"aten::Float.int(int a) -> float"> { let kernel = "scalar::float"; }

def : Op<"aten::FloatImplicit(Tensor a) -> float", [TorchMlir, DataDependentOutput]> { let kernel = "scalar::float_implicit"; let quantized = "over_numbers::plainly"; }

def : Op<"aten::Int.Scalar(Scalar a) -> int", [TorchMlir]> { let kernel = "scalar::int"; }
def : Op<"aten::Int.Tensor(Tensor a) -> int", [TorchMlir, DataDependentOutput]> { let kernel = "scalar::int"; let quantized = "over_numbers::plainly"; }
def : Op<"aten::Int.bool(bool a) -> int", [TorchMlir]> { let kernel = "scalar::int"; }
def : Op<"aten::Int.float(float a) -> int", [TorchMlir]> { let kernel = "scalar::int"; }

def : Op<"aten::IntImplicit(Tensor a) -> int", [TorchMlir, DataDependentOutput]> { let kernel = "scalar::int_implicit"; let quantized = "over_numbers::plainly"; }

def : Op<"aten::ScalarImplicit(Tensor a) -> Scalar", [TorchMlir, DataDependentOutput]> { let kernel = "scalar::scalar_implicit"; let quantized = "over_numbers::plainly"; }

def : Op<"aten::__and__.bool(bool a, bool b) -> bool", [TorchMlir]> { let kernel = "scalar::and"; }
def : Op<"aten::__and__.int(int a, int b) -> int"> { let kernel = "scalar::and"; }

def : Op<"aten::__derive_index(int index, int start, int step) -> int", [TorchMlir]> { let kernel = "scalar::derive_index"; }

def : Op<"aten::__is__(t1 self, t2 obj) -> bool", [TorchMlir, Quantized]> { let kernel = "scalar::is"; }

def : Op<"aten::__isnot__(t1 self, t2 obj) -> bool", [TorchMlir, Quantized]> { let kernel = "scalar::isnot"; }

def : Op<"aten::__lshift__.int(int a, int b) -> int"> { let kernel = "scalar::lshift"; }

def : Op<"aten::__not__(bool self) -> bool", [TorchMlir]> { let kernel = "scalar::not"; }

def : Op<"aten::__or__.bool(bool a, bool b) -> bool", [TorchMlir]> { let kernel = "scalar::or"; }
def : Op<"aten::__or__.int(int a, int b) -> int"> { let kernel = "scalar::or"; }

def : Op<"aten::__range_length(int lo, int hi, int step) -> int", [TorchMlir]> { let kernel = "scalar::range_length"; }

def : Op<"aten::__round_to_zero_floordiv.int(int a, int b) -> int"> { let kernel = "scalar::round_to_zero_floordiv"; }

def : Op<"aten::__rshift__.int(int a, int b) -> int"> { let kernel = "scalar::rshift"; }

def : Op<"aten::__xor__.bool(bool a, bool b) -> bool"> { let kernel = "scalar::xor"; }
def : Op<"aten::__xor__.int(int a, int b) -> int"> { let kernel = "scalar::xor"; }

def : Op<"aten::_local_scalar_dense(Tensor self) -> Scalar", [DataDependentOutput]> { let kernel = "tensor_info::local_scalar_dense"; let quantized = "over_numbers::plainly"; }

def : Op<"aten::add(Scalar a, Scalar b) -> Scalar", [TorchMlir]> { let kernel = "scalar::add"; }
def : Op<"aten::add.complex(complex a, complex b) -> complex"> { let kernel = "scalar::add"; }
def : Op<"aten::add.complex_float(complex a, float b) -> complex"> { let kernel = "scalar::add"; }
def : Op<"aten::add.complex_int(complex a, int b) -> complex"> { let kernel = "scalar::add"; }
def : Op<"aten::add.float(float a, float b) -> float", [TorchMlir]> { let kernel = "scalar::add"; }
def : Op<"aten::add.float_complex(float a, complex b) -> complex"> { let kernel = "scalar::add"; }
def : Op<"aten::add.float_int(float a, int b) -> float", [TorchMlir]> { let kernel = "scalar::add"; }
def : Op<"aten::add.int(int a, int b) -> int", [TorchMlir]> { let kernel = "scalar::add"; }
def : Op<"aten::add.int_complex(int a, complex b) -> complex"> { let kernel = "scalar::add"; }
def : Op<"aten::add.int_float(int a, float b) -> float"> { let kernel = "scalar::add"; }

def : Op<"aten::angle.Scalar(Scalar a) -> Scalar"> { let numerics = Close; let kernel = "scalar_math::angle_scalar"; }
def : Op<"aten::angle.complex(complex a) -> float"> { let numerics = Close; let kernel = "scalar_math::angle"; }
def : Op<"aten::angle.float(float a) -> float"> { let numerics = Close; let kernel = "scalar_math::angle"; }
def : Op<"aten::angle.int(int a) -> float"> { let numerics = Close; let kernel = "scalar_math::angle"; }

def : Op<"aten::asin.Scalar(Scalar a) -> Scalar"> { let numerics = Close; let kernel = "scalar_math::asin_scalar"; }
def : Op<"aten::asin.complex(complex a) -> complex"> { let numerics = Close; let kernel = "scalar_math::asin"; }
def : Op<"aten::asin.float(float a) -> float"> { let numerics = Close; let kernel = "scalar_math::asin"; }
def : Op<"aten::asin.int(int a) -> float"> { let numerics = Close; let kernel = "scalar_math::asin"; }

def : Op<"aten::atan2.Scalar_Scalar(Scalar a, Scalar b) -> float"> { let numerics = Close; let kernel = "scalar::atan2"; }
def : Op<"aten::atan2.float(float a, float b) -> float"> { let numerics = Close; let kernel = "scalar::atan2"; }
def : Op<"aten::atan2.float_int(float a, int b) -> float"> { let numerics = Close; let kernel = "scalar::atan2"; }
def : Op<"aten::atan2.int(int a, int b) -> float"> { let numerics = Close; let kernel = "scalar::atan2"; }
def : Op<"aten::atan2.int_float(int a, float b) -> float"> { let numerics = Close; let kernel = "scalar::atan2"; }

def : Op<"aten::ceil.Scalar(Scalar a) -> Scalar", [TorchMlir]> { let kernel = "scalar_math::ceil"; }
def : Op<"aten::ceil.float(float a) -> int", [TorchMlir]> { let kernel = "scalar_math::ceil"; }
def : Op<"aten::ceil.int(int a) -> int"> { let kernel = "scalar_math::ceil"; }

def : Op<"aten::copysign(Scalar a, Scalar b) -> float"> { let kernel = "scalar::copysign"; }
def : Op<"aten::copysign.float(float a, float b) -> float"> { let kernel = "scalar::copysign"; }
def : Op<"aten::copysign.float_int(float a, int b) -> float"> { let kernel = "scalar::copysign"; }
def : Op<"aten::copysign.int(int a, int b) -> float"> { let kernel = "scalar::copysign"; }
def : Op<"aten::copysign.int_float(int a, float b) -> float"> { let kernel = "scalar::copysign"; }

def : Op<"aten::div(Scalar a, Scalar b) -> float", [TorchMlir]> { let numerics = Close; let kernel = "scalar::div"; }
def : Op<"aten::div.complex(complex a, complex b) -> complex"> { let numerics = Close; let kernel = "scalar::div"; }
def : Op<"aten::div.float(float a, float b) -> float", [TorchMlir]> { let numerics = Close; let kernel = "scalar::div"; }
def : Op<"aten::div.int(int a, int b) -> float", [TorchMlir]> { let numerics = Close; let kernel = "scalar::div"; }

def : Op<"aten::divmod.float(float x, float y) -> (float, float)"> { let kernel = "scalar::divmod"; }
def : Op<"aten::divmod.float_int(float x, int y) -> (float, float)"> { let kernel = "scalar::divmod"; }
def : Op<"aten::divmod.int(int x, int y) -> (int, int)"> { let kernel = "scalar::divmod"; }
def : Op<"aten::divmod.int_float(int x, float y) -> (float, float)"> { let kernel = "scalar::divmod"; }

def : Op<"aten::eq(Scalar a, Scalar b) -> bool"> { let kernel = "scalar::eq"; }
def : Op<"aten::eq.bool(bool a, bool b) -> bool", [TorchMlir]> { let kernel = "scalar::eq"; }
def : Op<"aten::eq.complex(complex a, complex b) -> bool"> { let kernel = "scalar::eq"; }
def : Op<"aten::eq.complex_float(complex a, float b) -> bool"> { let kernel = "scalar::eq"; }
def : Op<"aten::eq.device(Device a, Device b) -> bool", [TorchMlir]> { let kernel = "scalar::eq_plain"; }
def : Op<"aten::eq.enum(AnyEnumType a, AnyEnumType b) -> bool"> { let kernel = "scalar::eq_plain"; }
def : Op<"aten::eq.float(float a, float b) -> bool", [TorchMlir]> { let kernel = "scalar::eq"; }
def : Op<"aten::eq.float_complex(float a, complex b) -> bool"> { let kernel = "scalar::eq"; }
def : Op<"aten::eq.float_int(float a, int b) -> bool"> { let kernel = "scalar::eq"; }
def : Op<"aten::eq.int(int a, int b) -> bool", [TorchMlir]> { let kernel = "scalar::eq"; }
def : Op<"aten::eq.int_float(int a, float b) -> bool"> { let kernel = "scalar::eq"; }

def : Op<"aten::erf.Scalar(Scalar a) -> Scalar"> { let numerics = Close; let kernel = "scalar_math::erf_scalar"; }
def : Op<"aten::erf.float(float a) -> float"> { let numerics = Close; let kernel = "scalar_math::erf"; }
def : Op<"aten::erf.int(int a) -> float"> { let numerics = Close; let kernel = "scalar_math::erf"; }

def : Op<"aten::exp.Scalar(Scalar a) -> Scalar"> { let numerics = Close; let kernel = "scalar_math::exp_scalar"; }
def : Op<"aten::exp.complex(complex a) -> complex"> { let numerics = Close; let kernel = "scalar_math::exp"; }
def : Op<"aten::exp.float(float a) -> float"> { let numerics = Close; let kernel = "scalar_math::exp"; }
def : Op<"aten::exp.int(int a) -> float"> { let numerics = Close; let kernel = "scalar_math::exp"; }

def : Op<"aten::expm1.Scalar(Scalar a) -> Scalar"> { let numerics = Close; let kernel = "scalar_math::expm1_scalar"; }
def : Op<"aten::expm1.float(float a) -> float"> { let numerics = Close; let kernel = "scalar_math::expm1"; }
def : Op<"aten::expm1.int(int a) -> float"> { let numerics = Close; let kernel = "scalar_math::expm1"; }

def : Op<"aten::fabs.Scalar(Scalar a) -> Scalar"> { let kernel = "scalar_math::fabs_scalar"; }
def : Op<"aten::fabs.float(float a) -> float"> { let kernel = "scalar_math::fabs"; }
def : Op<"aten::fabs.int(int a) -> float"> { let kernel = "scalar_math::fabs"; }

def : Op<"aten::factorial.int(int a) -> int"> { let kernel = "scalar_math::factorial"; }

def : Op<"aten::floor.Scalar(Scalar a) -> Scalar"> { let kernel = "scalar_math::floor"; }
def : Op<"aten::floor.float(float a) -> int"> { let kernel = "scalar_math::floor"; }
def : Op<"aten::floor.int(int a) -> int"> { let kernel = "scalar_math::floor"; }

def : Op<"aten::floordiv(Scalar a, Scalar b) -> Scalar"> { let kernel = "scalar::floordiv"; }
def : Op<"aten::floordiv.float(float a, float b) -> float"> { let kernel = "scalar::floordiv"; }
def : Op<"aten::floordiv.float_int(float a, int b) -> float"> { let kernel = "scalar::floordiv"; }
def : Op<"aten::floordiv.int(int a, int b) -> int", [TorchMlir]> { let kernel = "scalar::floordiv"; }
def : Op<"aten::floordiv.int_float(int a, float b) -> float"> { let kernel = "scalar::floordiv"; }

def : Op<"aten::fmod(Scalar a, Scalar b) -> float"> { let kernel = "scalar::fmod"; }
def : Op<"aten::fmod.float(float a, float b) -> float"> { let kernel = "scalar::fmod"; }
def : Op<"aten::fmod.float_int(float a, int b) -> float"> { let kernel = "scalar::fmod"; }
def : Op<"aten::fmod.int(int a, int b) -> float"> { let kernel = "scalar::fmod"; }
def : Op<"aten::fmod.int_float(int a, float b) -> float"> { let kernel = "scalar::fmod"; }

def : Op<"aten::frexp(float a) -> (float, int)"> { let kernel = "scalar_math::frexp"; }

def : Op<"aten::gcd.int(int a, int b) -> int"> { let kernel = "scalar::gcd"; }

def : Op<"aten::ge(Scalar a, Scalar b) -> bool"> { let kernel = "scalar::ge"; }
def : Op<"aten::ge.float(float a, float b) -> bool", [TorchMlir]> { let kernel = "scalar::ge"; }
def : Op<"aten::ge.float_int(float a, int b) -> bool", [TorchMlir]> { let kernel = "scalar::ge"; }
def : Op<"aten::ge.int(int a, int b) -> bool", [TorchMlir]> { let kernel = "scalar::ge"; }
def : Op<"aten::ge.int_float(int a, float b) -> bool"> { let kernel = "scalar::ge"; }

def : Op<"aten::gt(Scalar a, Scalar b) -> bool"> { let kernel = "scalar::gt"; }
def : Op<"aten::gt.float(float a, float b) -> bool", [TorchMlir]> { let kernel = "scalar::gt"; }
def : Op<"aten::gt.float_int(float a, int b) -> bool", [TorchMlir]> { let kernel = "scalar::gt"; }
def : Op<"aten::gt.int(int a, int b) -> bool", [TorchMlir]> { let kernel = "scalar::gt"; }
def : Op<"aten::gt.int_float(int a, float b) -> bool"> { let kernel = "scalar::gt"; }

def : Op<"aten::isfinite.complex(complex a) -> bool"> { let kernel = "scalar_math::isfinite"; }
def : Op<"aten::isfinite.float(float a) -> bool"> { let kernel = "scalar_math::isfinite"; }

def : Op<"aten::isinf.complex(complex a) -> bool"> { let kernel = "scalar_math::isinf"; }
def : Op<"aten::isinf.float(float a) -> bool"> { let kernel = "scalar_math::isinf"; }

def : Op<"aten::isnan.complex(complex a) -> bool"> { let kernel = "scalar_math::isnan"; }
def : Op<"aten::isnan.float(float a) -> bool"> { let kernel = "scalar_math::isnan"; }

def : Op<"aten::item(Tensor self) -> Scalar", [TorchMlir, DataDependentOutput]> { let kernel = "tensor_info::item"; let quantized = "over_numbers::plainly"; }

def : Op<"aten::ldexp(float x, int i) -> float"> { let kernel = "scalar_math::ldexp"; }

def : Op<"aten::le(Scalar a, Scalar b) -> bool"> { let kernel = "scalar::le"; }
def : Op<"aten::le.float(float a, float b) -> bool"> { let kernel = "scalar::le"; }
def : Op<"aten::le.float_int(float a, int b) -> bool"> { let kernel = "scalar::le"; }
def : Op<"aten::le.int(int a, int b) -> bool", [TorchMlir]> { let kernel = "scalar::le"; }
def : Op<"aten::le.int_float(int a, float b) -> bool"> { let kernel = "scalar::le"; }

def : Op<"aten::lgamma.Scalar(Scalar a) -> Scalar"> { let numerics = Close; let kernel = "scalar_math::lgamma_scalar"; }
def : Op<"aten::lgamma.float(float a) -> float"> { let numerics = Close; let kernel = "scalar_math::lgamma"; }
def : Op<"aten::lgamma.int(int a) -> float"> { let numerics = Close; let kernel = "scalar_math::lgamma"; }

def : Op<"aten::log.Scalar(Scalar a) -> Scalar"> { let numerics = Close; let kernel = "scalar_math::log_scalar"; }
def : Op<"aten::log.Scalar_Scalar(Scalar a, Scalar b) -> float"> { let numerics = Close; let kernel = "scalar::log_base"; }
def : Op<"aten::log.complex(complex a) -> complex"> { let numerics = Close; let kernel = "scalar_math::log"; }
def : Op<"aten::log.complex_complex(complex a, complex b) -> complex"> { let numerics = Close; let kernel = "scalar::log_base"; }
def : Op<"aten::log.complex_float(complex a, float b) -> complex"> { let numerics = Close; let kernel = "scalar::log_base"; }
def : Op<"aten::log.complex_int(complex a, int b) -> complex"> { let numerics = Close; let kernel = "scalar::log_base"; }
def : Op<"aten::log.float(float a) -> float"> { let numerics = Close; let kernel = "scalar_math::log"; }
def : Op<"aten::log.float_complex(float a, complex b) -> complex"> { let numerics = Close; let kernel = "scalar::log_base"; }
def : Op<"aten::log.float_float(float a, float b) -> float"> { let numerics = Close; let kernel = "scalar::log_base"; }
def : Op<"aten::log.float_int(float a, int b) -> float"> { let numerics = Close; let kernel = "scalar::log_base"; }
def : Op<"aten::log.int(int a) -> float", [TorchMlir]> { let numerics = Close; let kernel = "scalar_math::log"; }
def : Op<"aten::log.int_complex(int a, complex b) -> complex"> { let numerics = Close; let kernel = "scalar::log_base"; }
def : Op<"aten::log.int_float(int a, float b) -> float"> { let numerics = Close; let kernel = "scalar::log_base"; }
def : Op<"aten::log.int_int(int a, int b) -> float"> { let numerics = Close; let kernel = "scalar::log_base"; }

def : Op<"aten::log1p.Scalar(Scalar a) -> Scalar"> { let numerics = Close; let kernel = "scalar_math::log1p_scalar"; }
def : Op<"aten::log1p.float(float a) -> float"> { let numerics = Close; let kernel = "scalar_math::log1p"; }
def : Op<"aten::log1p.int(int a) -> float"> { let numerics = Close; let kernel = "scalar_math::log1p"; }

def : Op<"aten::lt(Scalar a, Scalar b) -> bool"> { let kernel = "scalar::lt"; }
def : Op<"aten::lt.float(float a, float b) -> bool", [TorchMlir]> { let kernel = "scalar::lt"; }
def : Op<"aten::lt.float_int(float a, int b) -> bool", [TorchMlir]> { let kernel = "scalar::lt"; }
def : Op<"aten::lt.int(int a, int b) -> bool", [TorchMlir]> { let kernel = "scalar::lt"; }
def : Op<"aten::lt.int_float(int a, float b) -> bool"> { let kernel = "scalar::lt"; }

def : Op<"aten::mathremainder(Scalar a, Scalar b) -> float"> { let kernel = "scalar::mathremainder"; }
def : Op<"aten::mathremainder.float(float a, float b) -> float"> { let kernel = "scalar::mathremainder"; }
def : Op<"aten::mathremainder.float_int(float a, int b) -> float"> { let kernel = "scalar::mathremainder"; }
def : Op<"aten::mathremainder.int(int a, int b) -> float"> { let kernel = "scalar::mathremainder"; }
def : Op<"aten::mathremainder.int_float(int a, float b) -> float"> { let kernel = "scalar::mathremainder"; }

def : Op<"aten::modf(float a) -> (float, float)"> { let kernel = "scalar_math::modf"; }

def : Op<"aten::mul(Scalar a, Scalar b) -> Scalar", [TorchMlir]> { let numerics = Close; let kernel = "scalar::mul"; }
def : Op<"aten::mul.complex(complex a, complex b) -> complex"> { let numerics = Close; let kernel = "scalar::mul"; }
def : Op<"aten::mul.complex_float(complex a, float b) -> complex"> { let numerics = Close; let kernel = "scalar::mul"; }
def : Op<"aten::mul.complex_int(complex a, int b) -> complex"> { let numerics = Close; let kernel = "scalar::mul"; }
def : Op<"aten::mul.float(float a, float b) -> float", [TorchMlir]> { let numerics = Close; let kernel = "scalar::mul"; }
def : Op<"aten::mul.float_complex(float a, complex b) -> complex"> { let numerics = Close; let kernel = "scalar::mul"; }
def : Op<"aten::mul.float_int(float a, int b) -> float", [TorchMlir]> { let numerics = Close; let kernel = "scalar::mul"; }
def : Op<"aten::mul.int(int a, int b) -> int", [TorchMlir]> { let kernel = "scalar::mul"; }
def : Op<"aten::mul.int_complex(int a, complex b) -> complex"> { let numerics = Close; let kernel = "scalar::mul"; }
def : Op<"aten::mul.int_float(int a, float b) -> float", [TorchMlir]> { let numerics = Close; let kernel = "scalar::mul"; }
def : Op<"aten::mul.right_(int n, t[] l) -> t[]"> { let kernel = "list::mul"; }

def : Op<"aten::ne(Scalar a, Scalar b) -> bool"> { let kernel = "scalar::ne"; }
def : Op<"aten::ne.bool(bool a, bool b) -> bool", [TorchMlir]> { let kernel = "scalar::ne"; }
def : Op<"aten::ne.complex(complex a, complex b) -> bool"> { let kernel = "scalar::ne"; }
def : Op<"aten::ne.complex_float(complex a, float b) -> bool"> { let kernel = "scalar::ne"; }
def : Op<"aten::ne.device(Device a, Device b) -> bool"> { let kernel = "scalar::ne_plain"; }
def : Op<"aten::ne.enum(AnyEnumType a, AnyEnumType b) -> bool"> { let kernel = "scalar::ne_plain"; }
def : Op<"aten::ne.float(float a, float b) -> bool"> { let kernel = "scalar::ne"; }
def : Op<"aten::ne.float_complex(float a, complex b) -> bool"> { let kernel = "scalar::ne"; }
def : Op<"aten::ne.float_int(float a, int b) -> bool", [TorchMlir]> { let kernel = "scalar::ne"; }
def : Op<"aten::ne.int(int a, int b) -> bool", [TorchMlir]> { let kernel = "scalar::ne"; }
def : Op<"aten::ne.int_float(int a, float b) -> bool"> { let kernel = "scalar::ne"; }

def : Op<"aten::neg.Scalar(Scalar a) -> Scalar"> { let kernel = "scalar_math::neg"; }
def : Op<"aten::neg.complex(complex a) -> complex"> { let kernel = "scalar_math::neg"; }
def : Op<"aten::neg.float(float a) -> float", [TorchMlir]> { let kernel = "scalar_math::neg"; }
def : Op<"aten::neg.int(int a) -> int", [TorchMlir]> { let kernel = "scalar_math::neg"; }

def : Op<"aten::pow.Scalar_Scalar(Scalar a, Scalar b) -> float"> { let numerics = Close; let kernel = "scalar::pow_real"; }
def : Op<"aten::pow.complex(complex a, complex b) -> complex"> { let numerics = Close; let kernel = "scalar::pow"; }
def : Op<"aten::pow.complex_float(complex a, float b) -> complex"> { let numerics = Close; let kernel = "scalar::pow"; }
def : Op<"aten::pow.float(float a, float b) -> float"> { let numerics = Close; let kernel = "scalar::pow"; }
def : Op<"aten::pow.float_complex(float a, complex b) -> complex"> { let numerics = Close; let kernel = "scalar::pow"; }
def : Op<"aten::pow.float_int(float a, int b) -> float"> { let numerics = Close; let kernel = "scalar::pow"; }
def : Op<"aten::pow.int(int a, int b) -> float"> { let numerics = Close; let kernel = "scalar::pow"; }
def : Op<"aten::pow.int_float(int a, float b) -> float", [TorchMlir]> { let numerics = Close; let kernel = "scalar::pow"; }
def : Op<"aten::pow.int_to_int(int a, int b) -> int"> { let kernel = "scalar::pow_int_to_int"; }

def : Op<"aten::remainder(Scalar a, Scalar b) -> Scalar"> { let kernel = "scalar::remainder"; }
def : Op<"aten::remainder.float(float a, float b) -> float"> { let kernel = "scalar::remainder"; }
def : Op<"aten::remainder.float_int(float a, int b) -> float"> { let kernel = "scalar::remainder"; }
def : Op<"aten::remainder.int(int a, int b) -> int", [TorchMlir]> { let kernel = "scalar::remainder"; }
def : Op<"aten::remainder.int_float(int a, float b) -> float"> { let kernel = "scalar::remainder"; }

def : Op<"aten::round.Scalar(Scalar a) -> Scalar"> { let kernel = "scalar_math::round"; }
def : Op<"aten::round.float(float a) -> float"> { let kernel = "scalar_math::round"; }
def : Op<"aten::round.int(int a) -> float"> { let kernel = "scalar_math::round"; }

def : Op<"aten::sin.Scalar(Scalar a) -> Scalar"> { let numerics = Close; let kernel = "scalar_math::sin_scalar"; }
def : Op<"aten::sin.complex(complex a) -> complex"> { let numerics = Close; let kernel = "scalar_math::sin"; }
def : Op<"aten::sin.float(float a) -> float"> { let numerics = Close; let kernel = "scalar_math::sin"; }
def : Op<"aten::sin.int(int a) -> float"> { let numerics = Close; let kernel = "scalar_math::sin"; }

def : Op<"aten::sinh.Scalar(Scalar a) -> Scalar"> { let numerics = Close; let kernel = "scalar_math::sinh_scalar"; }
def : Op<"aten::sinh.complex(complex a) -> complex"> { let numerics = Close; let kernel = "scalar_math::sinh"; }
def : Op<"aten::sinh.float(float a) -> float"> { let numerics = Close; let kernel = "scalar_math::sinh"; }
def : Op<"aten::sinh.int(int a) -> float"> { let numerics = Close; let kernel = "scalar_math::sinh"; }

def : Op<"aten::sqrt.Scalar(Scalar a) -> Scalar"> { let numerics = Close; let kernel = "scalar_math::sqrt_scalar"; }
def : Op<"aten::sqrt.complex(complex a) -> complex"> { let numerics = Close; let kernel = "scalar_math::sqrt"; }
def : Op<"aten::sqrt.float(float a) -> float"> { let numerics = Close; let kernel = "scalar_math::sqrt"; }
def : Op<"aten::sqrt.int(int a) -> float", [TorchMlir]> { let numerics = Close; let kernel = "scalar_math::sqrt"; }

def : Op<"aten::sub(Scalar a, Scalar b) -> Scalar", [TorchMlir]> { let kernel = "scalar::sub"; }
def : Op<"aten::sub.complex(complex a, complex b) -> complex"> { let kernel = "scalar::sub"; }
def : Op<"aten::sub.complex_float(complex a, float b) -> complex"> { let kernel = "scalar::sub"; }
def : Op<"aten::sub.complex_int(complex a, int b) -> complex"> { let kernel = "scalar::sub"; }
def : Op<"aten::sub.float(float a, float b) -> float", [TorchMlir]> { let kernel = "scalar::sub"; }
def : Op<"aten::sub.float_complex(float a, complex b) -> complex"> { let kernel = "scalar::sub"; }
def : Op<"aten::sub.float_int(float a, int b) -> float"> { let kernel = "scalar::sub"; }
def : Op<"aten::sub.int(int a, int b) -> int", [TorchMlir]> { let kernel = "scalar::sub"; }
def : Op<"aten::sub.int_complex(int a, complex b) -> complex"> { let kernel = "scalar::sub"; }
def : Op<"aten::sub.int_float(int a, float b) -> float"> { let kernel = "scalar::sub"; }

def : Op<"aten::tanh.Scalar(Scalar a) -> Scalar"> { let numerics = Close; let kernel = "scalar_math::tanh_scalar"; }
def : Op<"aten::tanh.complex(complex a) -> complex"> { let numerics = Close; let kernel = "scalar_math::tanh"; }
def : Op<"aten::tanh.float(float a) -> float"> { let numerics = Close; let kernel = "scalar_math::tanh"; }
def : Op<"aten::tanh.int(int a) -> float"> { let numerics = Close; let kernel = "scalar_math::tanh"; }

def : Op<"prim::NumToTensor.Scalar(Scalar a) -> Tensor", [TorchMlir, ScriptOnly]> { let kernel = "scalar::num_to_tensor"; let shape = "like::wide_number"; }
def : Op<"prim::NumToTensor.bool(bool a) -> Tensor", [ScriptOnly]> { let kernel = "scalar::num_to_tensor"; let shape = "like::wide_number"; }

def : Op<"prim::abs.Scalar(Scalar a) -> Scalar", [TorchMlir]> { let kernel = "scalar_math::abs"; }
def : Op<"prim::abs.complex(complex a) -> float"> { let kernel = "scalar_math::abs"; }
def : Op<"prim::abs.float(float a) -> float"> { let kernel = "scalar_math::abs"; }
def : Op<"prim::abs.int(int a) -> int"> { let kernel = "scalar_math::abs"; }

def : Op<"prim::max(Scalar a, Scalar b) -> Scalar"> { let kernel = "scalar::max"; }
def : Op<"prim::max.float(float a, float b) -> float"> { let kernel = "scalar::max"; }
def : Op<"prim::max.float_int(float a, int b) -> float"> { let kernel = "scalar::max"; }
def : Op<"prim::max.int(int a, int b) -> int", [TorchMlir]> { let kernel = "scalar::max"; }
def : Op<"prim::max.int_float(int a, float b) -> float"> { let kernel = "scalar::max"; }

def : Op<"prim::min(Scalar a, Scalar b) -> Scalar"> { let kernel = "scalar::min"; }
def : Op<"prim::min.float(float a, float b) -> float"> { let kernel = "scalar::min"; }
def : Op<"prim::min.float_int(float a, int b) -> float"> { let kernel = "scalar::min"; }
def : Op<"prim::min.int(int a, int b) -> int", [TorchMlir]> { let kernel = "scalar::min"; }
def : Op<"prim::min.int_float(int a, float b) -> float"> { let kernel = "scalar::min"; }

def : Op<"aten::ComplexImplicit(Tensor a) -> complex", [DataDependentOutput]> { let kernel = "scalar::complex_implicit"; }

def : Op<"aten::acos.Scalar(Scalar a) -> Scalar"> { let numerics = Close; let kernel = "scalar_math::acos_scalar"; }
def : Op<"aten::acos.complex(complex a) -> complex"> { let numerics = Close; let kernel = "scalar_math::acos"; }
def : Op<"aten::acos.float(float a) -> float"> { let numerics = Close; let kernel = "scalar_math::acos"; }
def : Op<"aten::acos.int(int a) -> float"> { let numerics = Close; let kernel = "scalar_math::acos"; }

def : Op<"aten::acosh.Scalar(Scalar a) -> Scalar"> { let numerics = Close; let kernel = "scalar_math::acosh_scalar"; }
def : Op<"aten::acosh.complex(complex a) -> complex"> { let numerics = Close; let kernel = "scalar_math::acosh"; }
def : Op<"aten::acosh.float(float a) -> float"> { let numerics = Close; let kernel = "scalar_math::acosh"; }
def : Op<"aten::acosh.int(int a) -> float"> { let numerics = Close; let kernel = "scalar_math::acosh"; }

def : Op<"aten::asinh.Scalar(Scalar a) -> Scalar"> { let numerics = Close; let kernel = "scalar_math::asinh_scalar"; }
def : Op<"aten::asinh.complex(complex a) -> complex"> { let numerics = Close; let kernel = "scalar_math::asinh"; }
def : Op<"aten::asinh.float(float a) -> float"> { let numerics = Close; let kernel = "scalar_math::asinh"; }
def : Op<"aten::asinh.int(int a) -> float"> { let numerics = Close; let kernel = "scalar_math::asinh"; }

def : Op<"aten::atan.Scalar(Scalar a) -> Scalar"> { let numerics = Close; let kernel = "scalar_math::atan_scalar"; }
def : Op<"aten::atan.complex(complex a) -> complex"> { let numerics = Close; let kernel = "scalar_math::atan"; }
def : Op<"aten::atan.float(float a) -> float"> { let numerics = Close; let kernel = "scalar_math::atan"; }
def : Op<"aten::atan.int(int a) -> float"> { let numerics = Close; let kernel = "scalar_math::atan"; }

def : Op<"aten::atanh.Scalar(Scalar a) -> Scalar"> { let numerics = Close; let kernel = "scalar_math::atanh_scalar"; }
def : Op<"aten::atanh.complex(complex a) -> complex"> { let numerics = Close; let kernel = "scalar_math::atanh"; }
def : Op<"aten::atanh.float(float a) -> float"> { let numerics = Close; let kernel = "scalar_math::atanh"; }
def : Op<"aten::atanh.int(int a) -> float"> { let numerics = Close; let kernel = "scalar_math::atanh"; }

def : Op<"aten::bin(int i) -> str"> { let kernel = "string::bin"; }

def : Op<"aten::cos.Scalar(Scalar a) -> Scalar"> { let numerics = Close; let kernel = "scalar_math::cos_scalar"; }
def : Op<"aten::cos.complex(complex a) -> complex"> { let numerics = Close; let kernel = "scalar_math::cos"; }
def : Op<"aten::cos.float(float a) -> float"> { let numerics = Close; let kernel = "scalar_math::cos"; }
def : Op<"aten::cos.int(int a) -> float"> { let numerics = Close; let kernel = "scalar_math::cos"; }

def : Op<"aten::cosh.Scalar(Scalar a) -> Scalar"> { let numerics = Close; let kernel = "scalar_math::cosh_scalar"; }
def : Op<"aten::cosh.complex(complex a) -> complex"> { let numerics = Close; let kernel = "scalar_math::cosh"; }
def : Op<"aten::cosh.float(float a) -> float"> { let numerics = Close; let kernel = "scalar_math::cosh"; }
def : Op<"aten::cosh.int(int a) -> float"> { let numerics = Close; let kernel = "scalar_math::cosh"; }

def : Op<"aten::degrees.Scalar(Scalar a) -> Scalar"> { let numerics = Close; let kernel = "scalar_math::degrees_scalar"; }
def : Op<"aten::degrees.float(float a) -> float"> { let numerics = Close; let kernel = "scalar_math::degrees"; }
def : Op<"aten::degrees.int(int a) -> float"> { let numerics = Close; let kernel = "scalar_math::degrees"; }

def : Op<"aten::erfc.Scalar(Scalar a) -> Scalar"> { let numerics = Close; let kernel = "scalar_math::erfc_scalar"; }
def : Op<"aten::erfc.float(float a) -> float"> { let numerics = Close; let kernel = "scalar_math::erfc"; }
def : Op<"aten::erfc.int(int a) -> float"> { let numerics = Close; let kernel = "scalar_math::erfc"; }

def : Op<"aten::hex(int i) -> str"> { let kernel = "string::hex"; }

def : Op<"aten::log10.Scalar(Scalar a) -> Scalar"> { let numerics = Close; let kernel = "scalar_math::log10_scalar"; }
def : Op<"aten::log10.complex(complex a) -> complex"> { let numerics = Close; let kernel = "scalar_math::log10"; }
def : Op<"aten::log10.float(float a) -> float"> { let numerics = Close; let kernel = "scalar_math::log10"; }
def : Op<"aten::log10.int(int a) -> float"> { let numerics = Close; let kernel = "scalar_math::log10"; }

def : Op<"aten::oct(int i) -> str"> { let kernel = "string::oct"; }

def : Op<"aten::polar.Scalar_Scalar(Scalar a, Scalar b) -> Scalar"> { let numerics = Close; let kernel = "scalar::polar"; }
def : Op<"aten::polar.float(float a, float b) -> complex"> { let numerics = Close; let kernel = "scalar::polar"; }
def : Op<"aten::polar.float_int(float a, int b) -> complex"> { let numerics = Close; let kernel = "scalar::polar"; }
def : Op<"aten::polar.int(int a, int b) -> complex"> { let numerics = Close; let kernel = "scalar::polar"; }
def : Op<"aten::polar.int_float(int a, float b) -> complex"> { let numerics = Close; let kernel = "scalar::polar"; }

def : Op<"aten::radians.Scalar(Scalar a) -> Scalar"> { let numerics = Close; let kernel = "scalar_math::radians_scalar"; }
def : Op<"aten::radians.float(float a) -> float"> { let numerics = Close; let kernel = "scalar_math::radians"; }
def : Op<"aten::radians.int(int a) -> float"> { let numerics = Close; let kernel = "scalar_math::radians"; }

def : Op<"aten::tan.Scalar(Scalar a) -> Scalar"> { let numerics = Close; let kernel = "scalar_math::tan_scalar"; }
def : Op<"aten::tan.complex(complex a) -> complex"> { let numerics = Close; let kernel = "scalar_math::tan"; }
def : Op<"aten::tan.float(float a) -> float"> { let numerics = Close; let kernel = "scalar_math::tan"; }
def : Op<"aten::tan.int(int a) -> float"> { let numerics = Close; let kernel = "scalar_math::tan"; }

def : Op<"prims::item(Tensor a) -> Scalar", [DataDependentOutput]> { let kernel = "tensor_info::item"; }

def : Op<"prims::maximum_value(ScalarType dtype) -> Scalar"> { let numerics = Close; let kernel = "facts::maximum_value"; }
def : Op<"prims::minimum_value(ScalarType dtype) -> Scalar"> { let numerics = Close; let kernel = "facts::minimum_value"; }