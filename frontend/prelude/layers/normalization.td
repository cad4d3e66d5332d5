//===- normalization.td - Layers that normalise within a sample -*- tablegen -*-===//

include "Layer.td"

// Parameters begin where they change nothing.
class Normal<string call, list<Setting> settings, list<Parameter> parameters> : Weighted<call, settings, parameters> {
  let initial = !foreach(p, parameters, Initial<p.name, !if(!eq(p.name, "weight"), "init.ones_", "init.zeros_")>);
}
class Size<string n> : Kept<n, "int"> { let shown = Bare; }

//===-- Over the last dimensions ---------------------------------------------------------------------------------===//

def normalized_shape : Setting<"normalized_shape", "Union[int, List[int], torch.Size]"> {
  let value = "(normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)";
  let attribute = "Tuple[int, ...]";
  let shown = Bare;
}
class Shaped<string n, string c = ""> : Parameter<n, "normalized_shape", "elementwise_affine" # c>;
class Last<string call, Setting epsilon, list<Setting> switches = [], list<Parameter> more = []>
    : Normal<call,
             !listconcat([normalized_shape, epsilon, Kept<"elementwise_affine", "bool", "True">], switches),
             !listconcat([Shaped<"weight">], more)>;

def LayerNorm
    : Last<"F.layer_norm", Setting<"eps", "float", "1e-05">, [Switch<"bias">], [Shaped<"bias", " and bias">]> {
  let what = "(x - mean) / sqrt(variance + eps) weight + bias, over the last dimensions.";
}
def RMSNorm : Last<"F.rms_norm", Setting<"eps", "Optional[float]", "None">> {
  let what = "x / sqrt(mean of squares + eps) weight, over the last dimensions.";
  let inputs = ["x"];
}

//===-- Over channels --------------------------------------------------------------------------------------------===//

def groups : Size<"num_groups"> { let passed = name; }
def bias : Switch<"bias"> { let keyword = 1; }
class Channels<string n, string c> : Parameter<n, "(num_channels,)", c>;
def GroupNorm : Normal<"F.group_norm",
    [groups, Size<"num_channels">, Setting<"eps", "float", "1e-05">, Kept<"affine", "bool", "True">, bias],
    [Channels<"weight", "affine">, Channels<"bias", "affine and bias">]> {
  let what = "(x - mean) / sqrt(variance + eps) weight + bias, over each group of channels.";
  let checks = [Refuse<"ValueError", "num_channels % num_groups != 0",
                       "num_channels ({num_channels}) must be divisible by num_groups ({num_groups})">];
}

class Span<Place p> : Size<"size"> {
  let passed = name;
  let place = p;
}
class Factor<string n, string d, Place p> : Setting<n, "float", d> { let place = p; }
class Neighbours<string call, Place p, Setting k>
    : Layer<call, [Span<p>, Factor<"alpha", "0.0001", p>, Factor<"beta", "0.75", p>, k]>;
def LocalResponseNorm : Neighbours<"F.local_response_norm", Constant, Setting<"k", "float", "1.0">> {
  let what = "x / (k + alpha mean of squares of neighbouring channels)^beta.";
}
def wholeK : Kept<"k", "float", "1"> { let place = Attribute; }
def CrossMapLRN2d : Neighbours<"_across_channels", Attribute, wholeK> {
  let what = "As LocalResponseNorm, for images, by a sum that slides over the channels.";
  let also = ["k=float(self.k)"];
}
