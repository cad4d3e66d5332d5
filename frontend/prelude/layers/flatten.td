//===- flatten.td - Dimensions joined and parted -*- tablegen -*-===//

include "Layer.td"

def Flatten : Layer<"torch.flatten", [Setting<"start_dim", "int", "1">, Setting<"end_dim", "int", "-1">]> {
  let what = "The dimensions from start_dim to end_dim as one.";
}

def every_size : Refuse<"TypeError", "not isinstance(size, int)",
    "unflattened_size must be tuple of ints, but found element of type {type(size).__name__} at pos {pos}"> {
  let around = "for pos, size in enumerate(unflattened_size)";
}

def Unflatten : Layer<"input.unflatten(self.dim, self.unflattened_size)",
    [Setting<"dim", "int">, Setting<"unflattened_size", "Union[torch.Size, List[int], Tuple[int, ...]]">]> {
  let what = "The dimension dim as several.";
  let checks = [Refuse<"TypeError", "not isinstance(unflattened_size, (tuple, list))",
                       "unflattened_size must be a tuple of ints, but found type {type(unflattened_size).__name__}">,
                every_size];
}
