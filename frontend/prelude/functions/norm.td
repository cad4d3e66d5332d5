//===- norm.td - torch.nn.functional: normalisation -*- tablegen -*-===//
//
// What a record may say stands in Function.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "Function.td"

def Eps : Float<"eps", "1e-5">;
def Momentum : Float<"momentum", "0.1">;
def NormalizedShape : Parameter<"normalized_shape", "List[int]">;

// A single value has no variance: there must be more where statistics are taken.
class Single<string w, string of> : Check<w, "ValueError", "Expected more than 1 " # of # " when training, got input size {input.size()}">;

// The operators' last argument allows cuDNN.
def batch_norm
    : Function<[Input, OptionalTensor<"running_mean", "">, OptionalTensor<"running_var", "">, Weight, Bias, Bool<"training", "False">,
                Momentum, Eps]> {
  let checks = [Single<"training and _product(input.size()[:1] + input.size()[2:]) == 1", "value per channel">,
                Check<"training and eps <= 0.0", "ValueError", "batch_norm eps must be positive during training, but got {eps}">,
                Check<"eps < 0.0", "ValueError", "batch_norm eps must be non-negative, but got {eps}">];
  let arguments = ["input", "weight", "bias", "running_mean", "running_var", "training", "momentum", "eps", "True"];
}
def instance_norm
    : Function<[Input, OptionalTensor<"running_mean">, OptionalTensor<"running_var">, Weight, Bias, Bool<"use_input_stats", "True">,
                Momentum, Eps]> {
  let checks = [Single<"use_input_stats and _product(input.size()[2:]) == 1", "spatial element">];
  let arguments = ["input", "weight", "bias", "running_mean", "running_var", "use_input_stats", "momentum", "eps", "True"];
}
def group_norm : Function<[Input, Int<"num_groups">, Weight, Bias, Eps]> {
  let checks = [Check<"input.dim() < 2", "RuntimeError", "Expected at least 2 dimensions for input tensor but received {input.dim()}">,
                Single<"input.size(0) * input.size(1) // num_groups * _product(input.size()[2:]) == 1", "value per channel">];
  let arguments = ["input", "num_groups", "weight", "bias", "eps", "True"];
}
def layer_norm : Function<[Input, NormalizedShape, Weight, Bias, Eps]> {
  let arguments = ["input", "normalized_shape", "weight", "bias", "eps", "True"];
}
def rms_norm : Function<[Input, NormalizedShape, Weight, Parameter<"eps", "Optional[float]", "None">]>;

// With `out` the norm, which nobody else sees, is clamped in place.
class ByNorm<string clamp> { string text = "input.norm(p, [dim], True)." # clamp # "(eps).expand_as(input)"; }
def normalize
    : Function<[Input, Float<"p", "2.0">, Int<"dim", "1">, Float<"eps", "1e-12">, OptionalTensor<"out">]> {
  let cases = [Case<"out is None", Call<"torch.div", ["input", ByNorm<"clamp_min">.text]>.text>];
  let result = Call<"torch.div", ["input", ByNorm<"clamp_min_">.text, "out=out"]>.text;
}
