//===- activation.td - Layers that change each element alone, softmax and its kin -*- tablegen -*-===//

include "Layer.td"

// With `inplace` as the last setting.
class InPlace<string call, list<Setting> settings = []> : Layer<call, !listconcat(settings, [inplace])>;

class Number<string n, string default = ""> : Setting<n, "float", default>;

//===-- Piecewise linear -----------------------------------------------------------------------------------------===//

def ReLU : InPlace<"F.relu"> { let what = "max(x, 0)."; }

def LeakyReLU : InPlace<"F.leaky_relu", [Number<"negative_slope", "0.01">]> {
  let what = "x where x > 0, else negative_slope x.";
}

def start : Free<"init", "float", "0.25"> { let passed = ""; }
def PReLU : Weighted<"F.prelu", [Kept<"num_parameters", "int", "1">, start],
    [Parameter<"weight", "(num_parameters,)">]> {
  let what = "As LeakyReLU with slopes that are learned, one, or one for each channel.";
  let initial = [Initial<"weight", "init.constant_", "self.init">];
}

def RReLU : InPlace<"F.rrelu", [Number<"lower", "1.0 / 8">, Number<"upper", "1.0 / 3">]> {
  let what = "As LeakyReLU with slopes drawn from [lower, upper] while training, else with their mean.";
  let also = ["training=self.training"];
}

class Clamp<string n, string default, string source> : Number<n, default> { let value = source; }
// A setting with an older name, which warns and wins.
class Renamed<string n, string old, string default> {
  string either = "_given(" # old # ", " # n # ")";
  Setting now = Clamp<n, default, either>;
  Setting before = Only<old, "Optional[float]", "None">;
  Check warning = Warn<"FutureWarning", old # " is not None",
                       "keyword argument `" # old # "` is deprecated and renamed to `" # n # "`">;
}
defvar low = Renamed<"min_val", "min_value", "-1.0">;
defvar high = Renamed<"max_val", "max_value", "1.0">;

def Hardtanh : Layer<"F.hardtanh", [low.now, high.now, inplace, low.before, high.before]> {
  let what = "x clamped to [min_val, max_val].";
  let checks = [
      low.warning, high.warning,
      Refuse<"AssertionError", !strconcat(high.either, " <= ", low.either),
             !strconcat("max_val ({", high.either, "}) must be greater than min_val ({", low.either, "})")>];
}

def clamped_in_place : Only<"inplace", "bool", "False"> { let shown = Changed; }
def ReLU6 : Layer<"", [clamped_in_place]> {
  let what = "x clamped to [0, 6].";
  let base = "Hardtanh";
  let given = ["min_val=0.0", "max_val=6.0"];
}

def Threshold : InPlace<"F.threshold", [Number<"threshold">, Number<"value">]> {
  let what = "x where x > threshold, else value.";
}

def lambd : Number<"lambd", "0.5"> { let shown = Bare; }
class Shrink<string call> : Layer<call, [lambd]>;
def Hardshrink : Shrink<"F.hardshrink"> { let what = "x where |x| > lambd, else 0."; }
def Softshrink : Shrink<"F.softshrink"> { let what = "x moved towards 0 by lambd, 0 within."; }

class Hard<string call> : Layer<call, [Quiet<"inplace", "bool", "False">]>;
def Hardsigmoid : Hard<"F.hardsigmoid"> { let what = "relu6(x + 3) / 6."; }
def Hardswish : Hard<"F.hardswish"> { let what = "x relu6(x + 3) / 6."; }

//===-- Smooth ---------------------------------------------------------------------------------------------------===//

class Exponential<string call> : InPlace<call, [Number<"alpha", "1.0">]>;
def ELU : Exponential<"F.elu"> { let what = "x where x > 0, else alpha (exp(x) - 1)."; }
def CELU : Exponential<"F.celu"> { let what = "x where x > 0, else alpha (exp(x / alpha) - 1)."; }
def SELU : InPlace<"F.selu"> { let what = "ELU with the two constants that keep mean and variance."; }

def GELU : Layer<"F.gelu", [Setting<"approximate", "str", "\"none\"">]> {
  let what = "x times the normal distribution function of x, or its approximation by tanh.";
}
def SiLU : InPlace<"F.silu"> { let what = "x sigmoid(x)."; }
def Mish : InPlace<"F.mish"> { let what = "x tanh(log(1 + exp(x)))."; }
def Softplus : Layer<"F.softplus", [Number<"beta", "1.0">, Number<"threshold", "20.0">]> {
  let what = "log(1 + exp(beta x)) / beta; x itself where beta x > threshold.";
}
def Sigmoid : Layer<"torch.sigmoid"> { let what = "1 / (1 + exp(-x))."; }
def LogSigmoid : Layer<"F.logsigmoid"> { let what = "log(sigmoid(x))."; }
def Tanh : Layer<"torch.tanh"> { let what = "tanh x."; }
def Tanhshrink : Layer<"F.tanhshrink"> { let what = "x - tanh x."; }
def Softsign : Layer<"F.softsign"> { let what = "x / (1 + |x|)."; }

//===-- Along a dimension ----------------------------------------------------------------------------------------===//

def GLU : Layer<"F.glu", [Setting<"dim", "int", "-1">]> {
  let what = "The first half along dim times the sigmoid of the second.";
}

class Along<string call> : Layer<call, [Setting<"dim", "Optional[int]", "None">]>;
class AlongInt<string call> : Along<call> {
  let checks = [Refuse<"TypeError", "dim is not None and not isinstance(dim, int)",
                       "dim must be an int or None, got {type(dim)}">];
}
def Softmax : AlongInt<"F.softmax"> { let what = "exp(x), scaled to the sum 1 along dim."; }
def LogSoftmax : AlongInt<"F.log_softmax"> { let what = "log(softmax(x))."; }
def Softmin : Along<"F.softmin"> { let what = "softmax(-x)."; }

def Softmax2d : Layer<"F.softmax(input, -3)"> {
  let what = "softmax over the channels of an image.";
  let expects = [Refuse<"ValueError", "not 3 <= input.dim() <= 4",
                        "Softmax2d: expected input to be 3D or 4D, got {input.dim()}D instead">];
}
