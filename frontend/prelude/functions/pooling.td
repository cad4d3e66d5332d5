//===- pooling.td - torch.nn.functional: pooling over d dimensions -*- tablegen -*-===//
//
// What a record may say stands in Function.td. The helpers (`_wanted_extents` and the like) are text: ../files/torch.nn.functional/pooling.py.
// After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "Function.td"

// An extent for each of d dimensions, or one for all.
class Extents<string n, int d, string default = ""> : Parameter<n, "BroadcastingList" # d # "[int]", default>;
class OptionalExtents<string n, int d, string of = "int">
    : Parameter<n, "Optional[BroadcastingList" # d # "[" # of # "]]", "None">;

def NormType : Parameter<"norm_type", "Union[int, float]">;
def CeilMode : Bool<"ceil_mode", "False">;
def Step : Let<"step", "_stride_or_none(stride)">;

foreach d = 1-3 in {
  defvar window = "(input, kernel_size, step, padding, dilation, ceil_mode)";
  def "max_pool"#d#"d" : WithIndices<[Input, Extents<"kernel_size", d>, OptionalExtents<"stride", d>, Extents<"padding", d, "0">,
                                      Extents<"dilation", d, "1">, CeilMode]> {
    let lets = [Step];
    let pair = "torch.max_pool" # d # "d_with_indices" # window;
    let result = "torch.max_pool" # d # "d" # window;
  }

  // PyTorch's functions of one dimension do not look at the sizes first.
  defvar wanted = !if(!eq(d, 1), "output_size", "_wanted_extents(input, " # d # ", output_size)");
  def "adaptive_max_pool"#d#"d" : WithIndices<[Input, Extents<"output_size", d>]> {
    let pair = "torch.adaptive_max_pool" # d # "d(input, " # wanted # ")";
  }

  defvar cells = !if(!eq(d, 1), "kernel_size", "_cells(kernel_size, " # d # ")");
  def "lp_pool"#d#"d" : Function<[Input, NormType, !if(!eq(d, 1), Int<"kernel_size">, Extents<"kernel_size", d>),
                                  OptionalExtents<"stride", d>, CeilMode]> {
    let lets = [Step, Let<"x", "_lp_enter(input, norm_type)">,
                Let<"pooled", "torch.max_pool" # d # "d(x, kernel_size, step, 0, 1, ceil_mode) if _is_limit(norm_type) "
                              "else torch.avg_pool" # d # "d(x, kernel_size, step, 0, ceil_mode)">];
    let result = "_lp_leave(pooled, norm_type, " # cells # ")";
  }

  def "max_unpool"#d#"d" : Function<[Input, Tensor<"indices">, Extents<"kernel_size", d>, OptionalExtents<"stride", d>,
                                     Extents<"padding", d, "0">, OptionalExtents<"output_size", d>]> {
    let lets = [Let<"step", "kernel_size if stride is None else stride">,
                Let<"extents", "_unpooled_extents(input, " # d # ", kernel_size, step, padding, output_size)">];
    // There is no operator for one dimension: a plane of width 1.
    let result = !cond(
        !eq(d, 1): "torch.max_unpool2d(input.unsqueeze(-1), indices.unsqueeze(-1), extents + [1]).squeeze(-1)",
        !eq(d, 2): "torch.max_unpool2d(input, indices, extents)",
        true: "torch.max_unpool3d(input, indices, extents, step, padding)");
  }
}

foreach d = 2-3 in {
  def "adaptive_avg_pool"#d#"d" : Function<[Input, Extents<"output_size", d>]> {
    let arguments = ["input", "_wanted_extents(input, " # d # ", output_size)"];
  }

  defvar name = "fractional_max_pool" # d # "d";
  def name : WithIndices<[Input, Extents<"kernel_size", d>, OptionalExtents<"output_size", d>, OptionalExtents<"output_ratio", d, "float">],
                         [OptionalTensor<"_random_samples">]> {
    let lets = [Let<"target", "_fraction_extents(input, \"" # name # "\", " # d # ", output_size, output_ratio)">,
                Let<"samples", "_fraction_samples(input, " # d # ", _random_samples)">];
    let pair = "torch." # name # "(input, kernel_size, target, samples)";
  }
}
