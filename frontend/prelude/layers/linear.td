//===- linear.td - Affine layers -*- tablegen -*-===//

include "Layer.td"

class Size<string n> : Kept<n, "int">;

class Affine<string call, list<Setting> sizes, list<Parameter> parameters>
    : Weighted<call, !listconcat(sizes, [Switch<"bias">]), parameters>;

def Identity : Layer<"input"> {
  let what = "The input, whatever it was made with.";
  let methods = [{
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()
  }];
}

def Linear : Affine<"F.linear", [Size<"in_features">, Size<"out_features">],
    [Parameter<"weight", "(out_features, in_features)">, Parameter<"bias", "(out_features,)", "bias">]> {
  let what = "x weight^T + bias.";
  // He's bound for the slope sqrt 5 is 1/sqrt(in_features).
  let initial = [Initial<"weight", "init.kaiming_uniform_", "a=math.sqrt(5)">,
                 Initial<"bias", "_uniform", "self.in_features">];
}

def NonDynamicallyQuantizableLinear : Layer {
  let what = "Linear, under a name that dynamic quantisation leaves alone.";
  let base = "Linear";
  let settings = [Only<"in_features", "int">, Only<"out_features", "int">, Only<"bias", "bool", "True">, device, dtype];
}

def Bilinear : Affine<"F.bilinear", [Size<"in1_features">, Size<"in2_features">, Size<"out_features">],
    [Parameter<"weight", "(out_features, in1_features, in2_features)">, Parameter<"bias", "(out_features,)", "bias">]> {
  let what = "x1 weight x2 + bias, a matrix of weights for each feature.";
  let checks = [Refuse<"ValueError", "in1_features <= 0",
                       "in1_features must be > 0, but got (in1_features={in1_features})">];
  let initial = [Initial<"weight", "_uniform", "self.in1_features">, Initial<"bias", "_uniform", "self.in1_features">];
  let inputs = ["input1", "input2"];
}
