//===- SconceOps.td - What a record of the op table says -*- tablegen -*-===//
//
// One record per operator in ops/<family>.td; the family is the file. From the records `cargo xtask codegen` writes
// dialects/schema/src/table/<family>.rs and runtime/kernels/src/table/<family>.rs.
//
//   def : Op<"aten::sigmoid(Tensor self) -> Tensor", [TorchMlir]> {
//     let scalar = (sigmoid $self);
//     let numerics = Close;
//   }
//
// Not written, because it follows from the schema: that an operator is pure, a view, in-place, an `out=` form; and of the
// latter two the functional form, whose numerics, shape rule and scalar expression they share.
//
//===----------------------------------------------------------------------===//

#ifndef SCONCE_OPS
#define SCONCE_OPS

class Trait;
def TorchMlir : Trait;   // torch-mlir registers the operator: its text is `torch.aten.…`
def MayView : Trait;     // a result may be the argument at its place, or a view of it; of lists the elements; a list of numbers is an argument of its type
def Random : Trait;      // draws from a generator
def Commutative : Trait; // the first two arguments may change places
def Effect : Trait;      // does something that the schema does not show
def OwnDType : Trait;    // an `out=` form that PyTorch generates: its destination has the result's dtype or is refused
def AnyDType : Trait;    // an `out=` form whose destination may have any dtype that the result's can be converted to
def Resizes : Trait;     // an in-place form that gives its argument the result's sizes
def Relaid : Trait;      // an `out=` form whose destination lies as the result does afterwards, also when it had its sizes
def ApartFirst : Trait;  // an `out=` form that refuses a destination whose elements share memory even where it would resize it
def Overlaps : Trait;    // an in-place or `out=` form that PyTorch lets write elements that share memory
def SameDType : Trait;   // an `out=` form of an operator that does not promote: its destination has the result's dtype or is refused
def Destined : Trait;    // computed in the destination's dtype when no other is asked for
def Each : Trait;        // does to each element of its lists what the operator of its name without `_foreach_` does
def DynamicOutputShape : Trait; // the sizes of its results depend on the elements of its arguments
def DataDependentOutput : Trait; // its results, which are no tensors, depend on the elements of its arguments
def ScriptOnly : Trait;  // gives tensors, and PyTorch has it in TorchScript alone
def NoGradient : Trait;  // its results never require gradients, whatever its arguments do
def RunningStatistics : Trait; // writes `running_mean` and `running_var` unless its flag of training is false
def Strides : Trait;     // of a view: its result depends on how its argument lies in memory, or it refuses some for that
def Rows : Trait;        // its results lie row by row, however its arguments do
def Nested : Trait;      // takes nested tensors: knows what is padding, or asks nothing of elements
def Groups : Trait;      // PyTorch's graph fuser takes it into its groups
def Differentiable : Trait; // PyTorch's JIT has its gradient as a graph, and takes it into a prim::DifferentiableGraph
def Quantized : Trait;   // its kernel takes quantized tensors: knows their parameters, or moves elements as they are

class Numerics;
def Exact : Numerics; // bit-equal; the default
def Close : Numerics; // class `t` of the conformance vectors
def Loose : Numerics; // class `l`
def Meta : Numerics;  // metadata only: uninitialised memory, factors up to sign

class Compute;
def Float : Compute; // the promoted type of the promoting operands, integers and bool becoming the default float type

class DTypes;
def Bools : DTypes;
def Ints : DTypes;
def Floats : DTypes;
def Complexes : DTypes;
def HalfComplexes : DTypes; // also among the Complexes
def NoTruths : DTypes; // all but the bools and the bytes that once stood for them
def HalfFloats : DTypes; // also among the Floats
def Bytes : DTypes; // also among the Ints

// Dtypes that an operator refuses though its expression or rule would allow them, and PyTorch's message: `{}` is the dtype's name
// (ComplexFloat), `{meta}` its C++ name. Looked at is the promoted dtype, or the first argument's where there is no expression; with `of` that of
// an argument, of "any" tensor, of the first "result", or those of several arguments, which must all be refused. Tensors without elements may be spared.
class Refuse<string t, list<DTypes> k, string o = "", string e = "NotImplemented", bit spares = 0> {
  string text = t;
  list<DTypes> kinds = k;
  string of = o;
  string error = e;
  bit unlessEmpty = spares;
}
class NoKernel<string kernel, list<DTypes> kinds, string of = "", bit spares = 0>
    : Refuse<"\"" # kernel # "\" not implemented for '{}'", kinds, of, "NotImplemented", spares>;
class NoKernelForSome<string kernel, list<DTypes> kinds, string of = ""> : NoKernel<kernel, kinds, of, 1>;

// Indices that are not converted.
class LongIndices<string of> : Refuse<"expected scalar type Long but found {}", [Bools, Bytes, Floats, Complexes], of, "Runtime">;

// Arguments that have the dtype of the first of them, and PyTorch's message: `{want}` is the name of that dtype, `{have}` the other's;
// `{cpp want}` and `{cpp have}` are their C++ names.
class Alike<string a, string t = "expected scalar type {want} but found {have}"> {
  string arguments = a;
  string text = t;
}

// A number argument that is positive, or not negative, and PyTorch's message where it is not.
class Bound<string a, bit p, string t> {
  string argument = a;
  bit positive = p;
  string text = t;
}
class Positive<string a, string t> : Bound<a, 1, t>;
class NotNegative<string a, string t> : Bound<a, 0, t>;

class Op<string text, list<Trait> t = []> {
  string schema = text;
  list<Trait> traits = t;
  Numerics numerics = ?;

  // Pointwise operators: the result element, as a dag over `$argument`, integers, strings that hold a real constant ("0.5"), and the
  // functions below. In-place and `out=` forms take their functional form's.
  dag scalar = ?;
  // The promoted type of the promoting operands; Float where a function or constant of the expression gives fractions. Float may be asked for.
  Compute compute = ?;
  // The arguments whose dtypes are promoted. Empty: the tensors, and of the numbers `self`, `other`, `exponent`.
  list<string> promotes = [];
  list<Refuse> refuses = [];
  list<Alike> alike = [];
  list<Bound> bounds = [];

  // Reductions, scans and losses: what is folded of elements, as a dag of a fold function and the element, which is an expression as above. Which
  // dimensions go, whether they stay as 1, in which dtype and by which reduction: the arguments `dim`, `keepdim`, `dtype` and `reduction` say it. A norm
  // and a variance name their setting; a loss may name the tensor whose dtype its result has.
  //   (sum $self)   (norm $self, $p)   (loss (abs (sub $self, $target)))   (results (amax $self), (argmax $self))   (running (sum $self))
  dag fold = ?;

  // Shape and dtype rule: `family::function` below sconce_schema::shape.
  string shape = "";
  // Kernel: `module::function` below sconce_kernels.
  string kernel = "";
  // The kernel for calls with quantized tensors, where it is another one. It asks no shape rule. In-place and `out=` forms take their functional form's.
  string quantized = "";
  // What running it takes that is not here (a library, another device, a kind of tensor): calling it is an error that says so. Only for
  // operators without a kernel.
  string needs = "";
  // Full name of the functional form, where it cannot be found by its arguments.
  string functional = "";
}

// The vocabulary of scalar dags; meanings in dialects/schema/src/scalar.rs.
class ScalarFn;
def neg : ScalarFn; def abs : ScalarFn; def sign : ScalarFn; def exp : ScalarFn; def exp2 : ScalarFn;
def expm1 : ScalarFn; def log : ScalarFn; def log2 : ScalarFn; def log10 : ScalarFn; def log1p : ScalarFn;
def sqrt : ScalarFn; def rsqrt : ScalarFn; def reciprocal : ScalarFn; def sin : ScalarFn; def cos : ScalarFn;
def tan : ScalarFn; def asin : ScalarFn; def acos : ScalarFn; def atan : ScalarFn; def sinh : ScalarFn;
def cosh : ScalarFn; def tanh : ScalarFn; def asinh : ScalarFn; def acosh : ScalarFn; def atanh : ScalarFn;
def sigmoid : ScalarFn; def gelu : ScalarFn; def erf : ScalarFn; def erfc : ScalarFn; def erfinv : ScalarFn; def lgamma : ScalarFn;
def digamma : ScalarFn; def floor : ScalarFn; def ceil : ScalarFn; def trunc : ScalarFn; def round : ScalarFn;
def bitnot : ScalarFn; def not : ScalarFn; def isnan : ScalarFn; def isinf : ScalarFn; def isfinite : ScalarFn;
def signbit : ScalarFn; def truth : ScalarFn; def number : ScalarFn; def add : ScalarFn; def sub : ScalarFn;
def mul : ScalarFn; def div : ScalarFn; def floordiv : ScalarFn; def truncdiv : ScalarFn; def fmod : ScalarFn;
def remainder : ScalarFn; def pow : ScalarFn; def max : ScalarFn; def min : ScalarFn; def fmax : ScalarFn;
def fmin : ScalarFn; def atan2 : ScalarFn; def hypot : ScalarFn; def copysign : ScalarFn; def gcd : ScalarFn;
def bitand : ScalarFn; def bitor : ScalarFn; def bitxor : ScalarFn; def shl : ScalarFn; def shr : ScalarFn;
def eq : ScalarFn; def ne : ScalarFn; def lt : ScalarFn; def le : ScalarFn; def gt : ScalarFn; def ge : ScalarFn;
def and : ScalarFn; def or : ScalarFn; def xor : ScalarFn;
def select : ScalarFn; // (select condition, then, else)
def ifnone : ScalarFn; // (ifnone $argument, value if None, value if not)
def match : ScalarFn; // (match $argument, "string", value, …); the string "None" stands for None

// The vocabulary of folds; meanings in dialects/schema/src/fold.rs.
class FoldFn;
def sum : FoldFn; def mean : FoldFn; def prod : FoldFn; def amax : FoldFn; def amin : FoldFn; def any : FoldFn; def all : FoldFn;
def count : FoldFn; def argmax : FoldFn; def argmin : FoldFn; def var : FoldFn; def std : FoldFn; def logsumexp : FoldFn; def norm : FoldFn;
def loss : FoldFn;
def results : FoldFn; // (results fold, fold): one for each result
def running : FoldFn; // (running fold, …): each element's result is the fold of those up to it

#endif
