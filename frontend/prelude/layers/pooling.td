//===- pooling.td - Windows over the last dimensions, which are d in number -*- tablegen -*-===//

include "Layer.td"

// An extent in d dimensions: one number for all, or one for each. It is kept as given or, with `split`, as a tuple.
class Extent<string n, int d, bit split, string default = "", string source = n> : Setting<n, Sizes<d>.any, default> {
  let value = !if(split, Sizes<d>.read # "(" # source # ")", source);
}
// As wide as the window unless given.
class Stride<int d, bit split> : Extent<"stride", d, split, "None", "_given(stride, kernel_size)"> {
  let type = "Optional[" # Sizes<d>.any # "]";
}
class Window<int d, bit split> {
  list<Setting> kernel = [Extent<"kernel_size", d, split>];
  list<Setting> all = !listconcat(kernel, [Stride<d, split>, Extent<"padding", d, split, "0">]);
}
// Of an output, where the layer finds the windows itself.
class Target<int d> : Setting<"output_size", "Union[int, None, " # Sizes<d, "Optional[int]">.tuple # "]">;

class Mode<string n, string default = "False"> : Quiet<n, "bool", default>;
def ceil_mode : Setting<"ceil_mode", "bool", "False">;

// Gives the places of what it picks, too, where it was made to.
class Picking<string call, list<Setting> settings> : Layer<call, settings> { let returns = ""; }

foreach d = 1-3 in {
  def "MaxPool"#d#"d" : Picking<"F.max_pool"#d#"d",
      !listconcat(Window<d, 0>.all, [Extent<"dilation", d, 0, "1">, Mode<"return_indices">, ceil_mode])> {
    let what = "The largest of each window.";
  }

  defvar divisor = !if(!eq(d, 1), []<Setting>, [Quiet<"divisor_override", "Optional[int]", "None">]);
  def "AvgPool"#d#"d" : Layer<"F.avg_pool"#d#"d",
      !listconcat(Window<d, !eq(d, 1)>.all, [Mode<"ceil_mode">, Mode<"count_include_pad", "True">], divisor)> {
    let what = "The mean of each window.";
  }

  def "LPPool"#d#"d" : Layer<"F.lp_pool"#d#"d",
      !listconcat([Kept<"norm_type", "float">], Window<d, 0>.kernel, [Extent<"stride", d, 0, "None">, ceil_mode])> {
    let what = "The norm of each window.";
    let also = ["norm_type=float(self.norm_type)"];
    let checks = [Refuse<"ValueError", "norm_type == 0", "norm_type must be a non-zero value, but got {norm_type}">];
  }

  def "AdaptiveMaxPool"#d#"d" : Picking<"F.adaptive_max_pool"#d#"d", [Target<d>, Mode<"return_indices">]> {
    let what = "The largest of each window, for an output of a size.";
  }
  def "AdaptiveAvgPool"#d#"d" : Layer<"F.adaptive_avg_pool"#d#"d", [Target<d>]> {
    let what = "The mean of each window, for an output of a size.";
  }

  def "MaxUnpool"#d#"d" : Layer<"F.max_unpool"#d#"d", Window<d, 1>.all> {
    let what = "Values back to the places that indices name, 0 elsewhere.";
    let inputs = ["input", "indices", "output_size: Optional[List[int]] = None"];
  }
}

// Windows at random places, for an output of a size or of a ratio to the input.
class Drawn<int d> : Extent<"kernel_size", d, 1> { let shown = Hidden; }
class Given<string n, int d, string of> : Quiet<n, "Optional[" # Sizes<d, of>.any # "]", "None"> {
  let value = "None if " # n # " is None else " # Sizes<d>.read # "(" # n # ")";
}
def random_samples : Setting<"_random_samples", "", "None"> {
  let place = Buffer;
  let shown = Hidden;
}
class Ratio<int d>
    : Refuse<"ValueError", "not all([0 < ratio < 1 for ratio in " # Sizes<d>.read # "(output_ratio)])",
             "output_ratio must be between 0 and 1 (got {output_ratio})"> {
  let around = "if output_ratio is not None";
}
foreach d = 2-3 in {
  defvar name = "FractionalMaxPool"#d#"d";
  def name : Picking<"F.fractional_max_pool"#d#"d",
      [Drawn<d>, Given<"output_size", d, "int">, Given<"output_ratio", d, "float">, Mode<"return_indices">,
       random_samples]> {
    let what = "The largest of each window, at places that are drawn.";
    let first = ["kernel_size", "return_indices"];
    let checks = [
        Refuse<"ValueError", "output_size is None and output_ratio is None",
               name # " requires specifying either an output size, or a pooling ratio">,
        Refuse<"ValueError", "output_size is not None and output_ratio is not None",
               "only one of output_size and output_ratio may be specified">,
        Ratio<d>];
  }
}
