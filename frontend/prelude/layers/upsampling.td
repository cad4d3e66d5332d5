//===- upsampling.td - Images in other sizes -*- tablegen -*-===//

include "Layer.td"

// One for all dimensions, or one for each.
class Either<string n, string of> : Setting<n, "Union[" # of # ", Tuple[" # of # ", ...], None]", "None">;
def scale_factor : Either<"scale_factor", "float"> { let value = "_floats(scale_factor)"; }

def own_name : Kept<"name", "str"> {
  let given = 0;
  let value = "type(self).__name__";
}

def Upsample : Layer<"F.interpolate",
    [own_name, Either<"size", "int">, scale_factor, Setting<"mode", "str", "\"nearest\"">,
     Setting<"align_corners", "Optional[bool]", "None">, Setting<"recompute_scale_factor", "Optional[bool]", "None">]> {
  let what = "The image in a size, or by a factor, interpolated.";
  let shows = ["(f\"size={self.size}\" if self.scale_factor is None else f\"scale_factor={self.scale_factor}\")",
               "f\", mode={self.mode!r}\""];
}

// What Upsample does in one mode, for two dimensions.
class Upsampling<list<string> arguments>
    : Layer<"", !foreach(n, ["size", "scale_factor"],
                         Only<n, "Optional[" # Sizes<2, !if(!eq(n, "size"), "int", "float")>.any # "]", "None">)> {
  let base = "Upsample";
  let given = arguments;
}
def UpsamplingNearest2d : Upsampling<["mode=\"nearest\""]> { let what = "The nearest pixel."; }
def UpsamplingBilinear2d : Upsampling<["mode=\"bilinear\"", "align_corners=True"]> {
  let what = "Between the four nearest pixels, corners on corners.";
}
