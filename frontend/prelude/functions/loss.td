//===- loss.td - torch.nn.functional: losses that are one operator -*- tablegen -*-===//
//
// What a record may say stands in Function.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "Function.td"

def SizeAverage : OptionalBool<"size_average">;
def Reduce : OptionalBool<"reduce">;
def Reduction : Parameter<"reduction", "str", "\"mean\"">;
defvar Reductions = [SizeAverage, Reduce, Reduction];

// What operators take for the reduction's word and for the deprecated arguments, where there are any.
defvar byWord = "_reduction_number(None, None, reduction)";
defvar byAll = "_reduction_number(size_average, reduce, reduction)";

class Loss<list<Parameter> p, list<string> a> : Function<p> { let arguments = a; }

def soft_margin_loss : Loss<[Input, Target] # Reductions, ["input", "target", byAll]>;
def multilabel_margin_loss : Loss<[Input, Target] # Reductions, ["input", "target", byAll]>;
def hinge_embedding_loss
    : Loss<[Input, Target, Float<"margin", "1.0">] # Reductions, ["input", "target", "margin", byAll]>;
def poisson_nll_loss
    : Loss<[Input, Target, Bool<"log_input", "True">, Bool<"full", "False">, SizeAverage, Float<"eps", "1e-8">, Reduce, Reduction],
           ["input", "target", "log_input", "full", "eps", byAll]>;
def ctc_loss
    : Loss<[Tensor<"log_probs">, Tensor<"targets">, Tensor<"input_lengths">, Tensor<"target_lengths">, Int<"blank", "0">, Reduction,
            Bool<"zero_infinity", "False">],
           ["log_probs", "targets", "input_lengths", "target_lengths", "blank", byWord, "zero_infinity"]>;

class OfClasses<list<Parameter> more = [], list<string> arguments = []>
    : Loss<[Input, Target, Weight, SizeAverage, Int<"ignore_index", "-100">, Reduce, Reduction] # more,
           ["input", "target", "weight", byAll, "ignore_index"] # arguments>;
def nll_loss : OfClasses { let operator = "nll_loss_nd"; }
def cross_entropy : OfClasses<[Float<"label_smoothing", "0.0">], ["label_smoothing"]> { let operator = "cross_entropy_loss"; }

// Losses that check: the reduction first, then the rest.
class CheckedLoss<list<Parameter> p, list<string> a, list<Check> c> : Loss<p, a> {
  let lets = [Let<"number", byAll>];
  let checks = c;
}

def multi_margin_loss
    : CheckedLoss<[Input, Target, Int<"p", "1">, Float<"margin", "1.0">, Weight] # Reductions,
                  ["input", "target", "p", "margin", "weight", "number"],
                  [Check<"p not in (1, 2)", "ValueError", "only p == 1 and p == 2 supported">,
                   Check<"not (weight is None or weight.dim() == 1)", "ValueError", "weight must be one-dimensional">]>;

defvar InputsAndMargin = [Tensor<"input1">, Tensor<"input2">, Target, Float<"margin", "0">];
def cosine_embedding_loss : Loss<InputsAndMargin # Reductions, ["input1", "input2", "target", "margin", byAll]>;
def margin_ranking_loss
    : CheckedLoss<InputsAndMargin # Reductions, ["input1", "input2", "target", "margin", "number"],
                  [Check<"not (input1.dim() == input2.dim() == target.dim())", "RuntimeError",
                         "margin_ranking_loss : All input tensors should have same dimension but got sizes: input1: {input1.size()}, "
                         "input2: {input2.size()}, target: {target.size()}">]>;

def triplet_margin_loss
    : CheckedLoss<[Tensor<"anchor">, Tensor<"positive">, Tensor<"negative">, Float<"margin", "1.0">, Float<"p", "2">,
                   Float<"eps", "1e-6">, Bool<"swap", "False">] # Reductions,
                  ["anchor", "positive", "negative", "margin", "p", "eps", "swap", "number"],
                  [Check<"0 >= margin", "ValueError", "margin must be greater than 0, got {margin}">]>;

class Binary<list<Parameter> more, list<string> arguments, string words>
    : CheckedLoss<[Input, Target, Weight] # Reductions # more, ["input", "target"] # arguments # ["number"],
                  [Check<"target.size() != sizes", "ValueError", words>]> {
  let lets = [Let<"number", byAll>, Let<"sizes", "input.size()">];
}
def binary_cross_entropy
    : Binary<[], ["_expanded(weight, target)"], "Using a target size ({target.size()}) that is different to the input size "
             "({sizes}) is deprecated. Please ensure they have the same size.">;
def binary_cross_entropy_with_logits
    : Binary<[OptionalTensor<"pos_weight">], ["weight", "pos_weight"],
             "Target size ({target.size()}) must be the same as input size ({sizes})">;

// Losses of a pair of elements, `a` of the input and `b` of the target, which are broadcast (with a warning if they must be).
class OfPairs<list<Parameter> p, list<string> more = []> : Function<[Input, Target] # p> {
  string reduced = byAll;
  let lets = [Let<"a, b", "_paired(input, target)">];
  let arguments = ["a", "b", reduced] # more;
}

// Where there are weights, `loss` is multiplied by them and the reduction is not the operator's; `divisor` adds up to what a mean divides by.
class WithWeight<list<Parameter> p, string loss, string word, string divisor, list<string> more = []> : OfPairs<p # [Weight], more> {
  let lets = [Let<"a, b", "_paired(input, target)">, Let<"scale", "_of_size(weight, input)">];
  let cases = [Case<"scale is not None", Call<"_reduced", [loss # " * scale", word, divisor]>.text>];
}
class Unreduced<string loss> : WithWeight<Reductions, loss, "_reduction_word(size_average, reduce, reduction)", "scale">;

def l1_loss : Unreduced<"torch.abs(a - b)">;
def mse_loss : Unreduced<"torch.pow(a - b, 2)">;
def huber_loss
    : WithWeight<[Reduction, Float<"delta", "1.0">], "torch.huber_loss(a, b, 0, delta)", "reduction", "None", ["delta"]> {
  let reduced = byWord;
}
def smooth_l1_loss : OfPairs<Reductions # [Float<"beta", "1.0">], ["beta"]> {
  let cases = [Case<"beta == 0.0", Call<"torch.l1_loss", ["a", "b", reduced]>.text>];
}
