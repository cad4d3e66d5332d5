//===- loss.td - How far outputs are from targets -*- tablegen -*-===//

include "Layer.td"

class Number<string n, string default> : Quiet<n, "float", default>;
class Switched<string n, string default = "False"> : Quiet<n, "bool", default>;

// How the losses of elements become one. Two older arguments, where either is given, tell it instead.
class Reduction<string source = "reduction"> : Quiet<"reduction", "str", "\"mean\""> { let value = source; }
def reduction : Reduction;
def size_average : Only<"size_average", "", "None">;
def reduce : Only<"reduce", "", "None">;
def merged : Reduction<"_reduction(size_average, reduce, reduction)">;
defvar reductions = [size_average, reduce, merged];

// Given by name only.
class Keyword<string n, string t, string default> : Quiet<n, t, default> { let keyword = 1; }

def weight : Held<"weight">;
def ignore_index : Quiet<"ignore_index", "int", "-100">;

class Loss<string call, list<Setting> settings> : Layer<call, settings> {
  let first = ["reduction"];
  let inputs = ["input", "target"];
}
// With settings before those of the reduction.
class OldLoss<string call, list<Setting> settings = []> : Loss<call, !listconcat(settings, reductions)>;

//===-- Numbers against numbers ----------------------------------------------------------------------------------===//

def L1Loss : OldLoss<"F.l1_loss"> { let what = "|x - y|."; }
def MSELoss : OldLoss<"F.mse_loss"> { let what = "(x - y)^2."; }
def SmoothL1Loss : Loss<"F.smooth_l1_loss", !listconcat(reductions, [Free<"beta", "float", "1.0">])> {
  let what = "(x - y)^2 / (2 beta) within beta, |x - y| - beta / 2 outside.";
}
def HuberLoss : Loss<"F.huber_loss", [reduction, Number<"delta", "1.0">]> {
  let what = "(x - y)^2 / 2 within delta, delta (|x - y| - delta / 2) outside.";
  let checks = [Refuse<"TypeError", "not isinstance(delta, (float, int))",
                       "delta must be a float or int, got: {type(delta)}">];
}
def PoissonNLLLoss : Loss<"F.poisson_nll_loss",
    [Switched<"log_input", "True">, Switched<"full">, size_average, Number<"eps", "1e-08">, reduce, merged]> {
  let what = "Minus the log of the Poisson probability of the target, for a rate or its log.";
  let inputs = ["log_input", "target"];
}
def named_reduction : Reduction { let keyword = 1; }
def GaussianNLLLoss : Loss<"F.gaussian_nll_loss",
    [Keyword<"full", "bool", "False">, Keyword<"eps", "float", "1e-06">, named_reduction]> {
  let what = "Minus the log of the normal density of the target.";
  let inputs = ["input", "target", "var: Union[Tensor, float]"];
}

//===-- Probabilities and classes --------------------------------------------------------------------------------===//

class Classes<string call, list<Setting> more = []>
    : Loss<call, !listconcat([weight, size_average, ignore_index, reduce, merged], more)>;
def NLLLoss : Classes<"F.nll_loss"> { let what = "Minus the log-probability of the class."; }
def NLLLoss2d : Layer<"",
    [Only<"weight", "Optional[Tensor]", "None">, size_average, Only<"ignore_index", "int", "-100">, reduce,
     Only<"reduction", "str", "\"mean\"">]> {
  let what = "NLLLoss under its name of old.";
  let base = "NLLLoss";
  let checks = [Warn<"FutureWarning", "",
                     "`NLLLoss2d` has been deprecated. Please use `NLLLoss` instead as a drop-in replacement and see "
                     "https://pytorch.org/docs/main/nn.html#torch.nn.NLLLoss for more details.">];
}
def CrossEntropyLoss : Classes<"F.cross_entropy", [Number<"label_smoothing", "0.0">]> {
  let what = "Minus the log of the class's softmax, or of classes by their probabilities.";
}
def BCELoss : OldLoss<"F.binary_cross_entropy", [weight]> { let what = "-(y log x + (1 - y) log(1 - x))."; }
def free_reduction : Reduction<merged.value> { let place = Attribute; }
def BCEWithLogitsLoss : Loss<"F.binary_cross_entropy_with_logits",
    [weight, size_average, reduce, free_reduction, Held<"pos_weight">]> {
  let what = "BCELoss of sigmoid(x), positives weighted.";
}
def KLDivLoss : Loss<"F.kl_div", !listconcat(reductions, [Free<"log_target", "bool", "False">])> {
  let what = "y (log y - x), x a log-probability.";
}
def CTCLoss : Loss<"F.ctc_loss",
    [Quiet<"blank", "int", "0">, reduction, Free<"zero_infinity", "bool", "False">]> {
  let what = "Minus the log-probability of a sequence over all alignments with blanks.";
  let inputs = ["log_probs", "targets", "input_lengths", "target_lengths"];
}

//===-- Margins --------------------------------------------------------------------------------------------------===//

class Pair<string call, string margin> : OldLoss<call, [Number<"margin", margin>]> {
  let inputs = ["input1", "input2", "target"];
}
def MarginRankingLoss : Pair<"F.margin_ranking_loss", "0.0"> { let what = "max(0, -y (x1 - x2) + margin)."; }
def CosineEmbeddingLoss : Pair<"F.cosine_embedding_loss", "0.0"> {
  let what = "1 - cos(x1, x2) for y = 1, max(0, cos(x1, x2) - margin) for y = -1.";
}
def HingeEmbeddingLoss : OldLoss<"F.hinge_embedding_loss", [Number<"margin", "1.0">]> {
  let what = "x for y = 1, max(0, margin - x) for y = -1.";
}
def SoftMarginLoss : OldLoss<"F.soft_margin_loss"> { let what = "log(1 + exp(-y x))."; }
def MultiLabelMarginLoss : OldLoss<"F.multilabel_margin_loss"> {
  let what = "max(0, 1 - (x[y] - x[i])) over the target's classes y and the other classes i.";
}
def MultiLabelSoftMarginLoss : OldLoss<"F.multilabel_soft_margin_loss", [weight]> {
  let what = "BCELoss of sigmoid(x), averaged over classes.";
}
def row : Refuse<"ValueError", "weight.dim() != 1",
    "MultiMarginLoss: expected weight to be None or 1D tensor, got {weight.dim()}D instead"> {
  let around = "if weight is not None";
}
def MultiMarginLoss : OldLoss<"F.multi_margin_loss", [Quiet<"p", "int", "1">, Number<"margin", "1.0">, weight]> {
  let what = "max(0, margin - x[y] + x[i])^p over the classes i other than the target y.";
  let checks = [Refuse<"ValueError", "p != 1 and p != 2", "only p == 1 and p == 2 supported">, row];
}

class Triplet<string name, string call, list<Setting> settings> : Loss<call, settings> {
  let what = "max(0, distance of anchor and positive - distance of anchor and negative + margin).";
  let inputs = ["anchor", "positive", "negative"];
  let checks = [Refuse<"ValueError", "margin <= 0",
                       name # ": expected margin to be greater than 0, got {margin} instead">];
}
def TripletMarginLoss : Triplet<"TripletMarginLoss", "F.triplet_margin_loss",
    !listconcat([Number<"margin", "1.0">, Number<"p", "2.0">, Number<"eps", "1e-06">, Switched<"swap">], reductions)>;
def distance_function : Keyword<"distance_function", "Optional[Callable[[Tensor, Tensor], Tensor]]", "None"> {
  let place = Attribute;
  let attribute = "";
  let value = "PairwiseDistance() if distance_function is None else distance_function";
}
def TripletMarginWithDistanceLoss : Triplet<"TripletMarginWithDistanceLoss", "F.triplet_margin_with_distance_loss",
    [distance_function, Keyword<"margin", "float", "1.0">, Keyword<"swap", "bool", "False">, named_reduction]>;
