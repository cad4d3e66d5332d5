//===- activation.td - torch.nn.functional: activation functions -*- tablegen -*-===//
//
// What a record may say stands in Function.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "Function.td"

def relu : InPlace;
def relu6 : InPlace;
def selu : InPlace;
def silu : InPlace;
def mish : InPlace;
def hardsigmoid : InPlace;
def hardswish : InPlace;
def elu : InPlace<[Float<"alpha", "1.0">]>;
def celu : InPlace<[Float<"alpha", "1.0">]>;
def leaky_relu : InPlace<[Float<"negative_slope", "0.01">]>;
def rrelu : InPlace<[Float<"lower", "0.125">, Float<"upper", "0.3333333333333333">, Bool<"training", "False">]>;
def threshold : InPlace<[Float<"threshold">, Float<"value">]> { let compiled = "_threshold"; }
def hardtanh : InPlace<[Float<"min_val", "-1.0">, Float<"max_val", "1.0">]> {
  let checks = [Check<"min_val > max_val", "ValueError", "min_val cannot be greater than max_val">];
}

def sigmoid : Function<[Input]>;
def tanh : Function<[Input]>;
def tanhshrink : Function<[Input]> { let operator = "sub"; let arguments = ["input", "torch.tanh(input)"]; }
def softsign : Function<[Input]> { let operator = "div"; let arguments = ["input", "torch.abs(input) + 1"]; }
def glu : Function<[Input, Int<"dim", "-1">]> {
  let checks = [Check<"input.dim() == 0", "RuntimeError", "glu does not support scalars because halving size must be even">];
}
def logsigmoid : Synonym<"log_sigmoid">;

// `dim` not given is chosen by rank, with a warning. The parameter `_stacklevel` has no effect in a compiled program.
class Softmax<string of = "input">
    : Function<[Input, OptionalInt<"dim">, Int<"_stacklevel", "3">, OptionalInt<"dtype">]> {
  let lets = [Let<"along", "_softmax_dim(\"" # NAME # "\", input.dim()) if dim is None else dim">];
  let arguments = [of, "along", "dtype"];
}
def softmax : Softmax;
def softmin : Softmax<"torch.neg(input)"> { let operator = "softmax"; }
def log_softmax : Softmax;
